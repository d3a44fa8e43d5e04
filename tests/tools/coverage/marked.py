"""Functions that mark which of their lines follow each other, as changes of their syntax tree.

Each statement of a compiled function gets another statement before it, which marks the pair of the previous line and
its own line. Pairs of lines show which branches are taken. A loop marks its head again in each iteration.
"""

from __future__ import annotations

import ast

#: The folder of the compiled functions, and their decorators.
FOLDER = "puzzlec/engine/kernels"
COMPILED = ("jit", "inner")

#: The names that are added to a module, and to a function.
MARK, BEFORE = "_mark", "_before"


class Marked(ast.NodeTransformer):
    """Adds marks to the compiled functions of a file; ``lines`` has the meaning of each mark.

    A mark is a number; ``lines`` has its line. Lines are negative for the beginning and the end of a function, as in
    the arcs of the library coverage.
    """

    def __init__(self, first: int) -> None:
        self.first = first
        self.lines: list[int] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Mark a function, if it is compiled."""
        if not any(isinstance(decorator, ast.Name) and decorator.id in COMPILED for decorator in node.decorator_list):
            return node
        # In the library coverage, a function begins and ends at the line of its decorator.
        edge = self._number(-node.decorator_list[0].lineno)
        docstring = node.body[:1] if ast.get_docstring(node) is not None else []
        body = self._block(node.body[len(docstring) :], edge)
        start = ast.Assign([ast.Name(BEFORE, ast.Store())], ast.Constant(edge), lineno=node.lineno)
        node.body = [*docstring, start, *body]
        if not isinstance(node.body[-1], ast.Return | ast.Raise):
            node.body.append(self._mark(edge))
        return ast.fix_missing_locations(node)

    def _number(self, line: int) -> int:
        self.lines.append(line)
        return self.first + len(self.lines) - 1

    def _block(self, statements: list[ast.stmt], edge: int) -> list[ast.stmt]:
        """Return statements with a mark before each, and with the mark of the function's end before each return."""
        found: list[ast.stmt] = []
        for statement in statements:
            number = self._number(statement.lineno)
            found.append(self._mark(number))
            if isinstance(statement, ast.Return):
                found.append(self._mark(edge))
            elif isinstance(statement, ast.If):
                statement.body, statement.orelse = (
                    self._block(statement.body, edge),
                    self._block(statement.orelse, edge),
                )
            elif isinstance(statement, ast.For | ast.While):
                statement.body = [self._mark(number), *self._block(statement.body, edge)]
                statement.orelse = [self._mark(number), *self._block(statement.orelse, edge)]
            found.append(statement)
        return found

    @staticmethod
    def _mark(number: int) -> ast.stmt:
        call = ast.Call(ast.Name(MARK, ast.Load()), [ast.Name(BEFORE, ast.Load()), ast.Constant(number)], [])
        return ast.Assign([ast.Name(BEFORE, ast.Store())], call, lineno=0)
