"""The small bugs that are injected into code, as changes of its syntax tree.

A change replaces a node by another one. The operators are those of the first studies of the subject (R. A. DeMillo,
R. J. Lipton, F. G. Sayward, Hints on test data selection, IEEE Computer 11, 1978) and of Python's syntax. Texts are not
changed: most of them are wording.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

#: The replacements of each operator.
COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
REACHED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list", "reversed": "list"}

#: Arguments for the order, or for a default.
LEFT_OUT = ("key", "default", "reverse")


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the replacements of a node; each differs from it in one place."""
    match node:
        case ast.Compare():
            for number, operator in enumerate(node.ops):
                for other in COMPARED[type(operator)]:
                    yield _with(node, ops=[*node.ops[:number], other(), *node.ops[number + 1 :]])
        case ast.BinOp() | ast.AugAssign():
            if type(node.op) in REACHED:
                yield _with(node, op=REACHED[type(node.op)]())
        case ast.UnaryOp():
            yield node.operand
        case ast.BoolOp():
            yield _with(node, op=ast.And() if isinstance(node.op, ast.Or) else ast.Or())
            for number in range(len(node.values)):
                yield _with(node, values=[*node.values[:number], *node.values[number + 1 :]])
        case ast.Constant():
            yield from (_with(node, value=value) for value in _constants(node.value))
        case ast.Slice():
            yield from (_with(node, **{end: None}) for end in ("lower", "upper", "step") if getattr(node, end))
        case ast.Call():
            yield from _calls(node)
    yield from _statements(node)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the replacements of a statement, or of a part that controls it."""
    match node:
        case ast.If() | ast.IfExp():
            yield from (_with(node, test=ast.Constant(value)) for value in (True, False))
        case ast.comprehension():
            for number in range(len(node.ifs)):
                yield _with(node, ifs=[*node.ifs[:number], *node.ifs[number + 1 :]])
        case ast.For():
            yield _with(node, iter=ast.Tuple([], ast.Load()))
        case ast.Return(value=ast.expr()) if not isinstance(node.value, ast.Constant):
            yield _with(node, value=ast.Constant(None))
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield from (ast.Break(), ast.Pass())
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()) | ast.Delete() | ast.Raise() | ast.AugAssign():
            yield ast.Pass()


def _constants(value: object) -> Iterator[object]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield from (value + 1, value - 1)


def _calls(node: ast.Call) -> Iterator[ast.AST]:
    if isinstance(node.func, ast.Name) and node.func.id in CALLED:
        # list() knows none of the arguments of sorted().
        keywords = [] if CALLED[node.func.id] == "list" else node.keywords
        yield _with(node, func=ast.Name(CALLED[node.func.id], ast.Load()), keywords=keywords)
    for number, keyword in enumerate(node.keywords):
        if keyword.arg in LEFT_OUT:
            yield _with(node, keywords=[*node.keywords[:number], *node.keywords[number + 1 :]])


def _with(node: ast.AST, **fields: object) -> ast.AST:
    """Return a node with other values of some fields."""
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    if isinstance(other, ast.BoolOp) and len(other.values) == 1:
        return other.values[0]
    return other
