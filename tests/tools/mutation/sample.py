"""All possible bugs, and a sample of them that depends only on its seed."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.tools.mutation.changes import changes

#: The code of each part: the lowering with reductions and symmetries, and what searches, takes apart and serves.
PARTS = {
    "lowering": [
        *sorted(str(path) for folder in ("lower", "engine/reduction") for path in Path("puzzlec", folder).glob("*.py")),
        "puzzlec/engine/symmetry.py",
        *(f"puzzlec/solving/{name}.py" for name in ("burnside", "distinct", "own_symmetry")),
    ],
    "searching": sorted(
        str(path)
        for folder in ("solving", "jobs", "motion", "engine/search", "services")
        for path in Path("puzzlec", folder).rglob("*.py")
        if path.name != "__main__.py"
    ),
}

#: The code that is changed.
CODE = sorted({file for files in PARTS.values() for file in files})

FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef

#: Fields of the syntax tree without an effect when the function runs.
UNSEEN = ("annotation", "returns", "decorator_list", "args", "type_params")


@dataclass(frozen=True)
class Fault:
    """A change in a file: the ``number``-th of all its changes.

    ``within`` is the qualified name of the function or constant, ``lines`` are the first and the last line of the
    statement; ``before`` and ``after`` are its texts.
    """

    file: str
    number: int
    within: str
    lines: tuple[int, int]
    before: str
    after: str
    again: int = 0

    @property
    def name(self) -> str:
        """The name of the bug in logs, without its line, which changes with every edit above it."""
        return f"{self.file} {self.within}: {self.before} -> {self.after}" + (f" #{self.again}" * bool(self.again))


@dataclass(frozen=True)
class Place:
    """A node in its parent, which a change replaces and restores."""

    parent: ast.AST
    field: str
    index: int | None
    within: str
    statement: ast.AST

    def put(self, node: object) -> None:
        """Replace the node."""
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def places(tree: ast.Module) -> Iterator[tuple[Place, ast.AST]]:
    """Yield the nodes that may be changed: in bodies of functions and methods, and in constants of the module."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and node.value is not None and not _is_type(node):
                yield from _below(node, target.id, node)
        elif isinstance(node, FUNCTIONS) and not _is_compiled(node):
            yield from _below(node, node.name, node)
        elif isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, FUNCTIONS):
                    yield from _below(method, f"{node.name}.{method.name}", method)


def _is_type(node: ast.Assign | ast.AnnAssign) -> bool:
    """Return whether a constant is the name of a type, which has no effect when the program runs."""
    return isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias"


def _is_compiled(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function runs as machine code, which a change of its byte code does not reach."""
    return any(ast.unparse(decorator).startswith(("jit", "inner")) for decorator in function.decorator_list)


def _below(node: ast.AST, within: str, statement: ast.AST) -> Iterator[tuple[Place, ast.AST]]:
    for field, value in ast.iter_fields(node):
        if field in UNSEEN and not isinstance(node, ast.Call):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            # Messages of errors are wording, and a true assertion has no effect.
            if not isinstance(child, ast.AST) or isinstance(child, ast.Assert | ast.JoinedStr | FUNCTIONS):
                if isinstance(child, FUNCTIONS):
                    yield from _below(child, within, child)
                continue
            inner = child if isinstance(child, ast.stmt) else statement
            yield Place(node, field, index, within, inner), child
            if not isinstance(child, ast.Raise):
                yield from _below(child, within, inner)


def changed(tree: ast.Module) -> Iterator[tuple[Place, ast.AST, ast.AST]]:
    """Yield each change of a file: its place, the node and its replacement; always in the same order."""
    for place, node in places(tree):
        for other in changes(node):
            yield place, node, other


@cache
def faults_of(path: Path) -> tuple[Fault, ...]:
    """Return all possible bugs of a file."""
    found: list[Fault] = []
    names: dict[str, int] = {}
    for number, (place, node, other) in enumerate(changed(ast.parse(path.read_text(encoding="utf-8")))):
        fault = Fault(str(path), number, place.within, _lines(place.statement), _text(node), _text(other))
        names[fault.name] = names.get(fault.name, -1) + 1
        if isinstance(place.parent, ast.keyword) and place.parent.arg == "strict":
            continue  # zip(strict=True) is an assertion
        found.append(Fault(**{**vars(fault), "again": names[fault.name]}))
    return tuple(found)


def sample(files: Sequence[str], many: int, seed: int) -> list[Fault]:
    """Return a sample of the bugs of some files, in proportion to the numbers of bugs of the files.

    The sample of a larger number begins with that of a smaller one.
    """
    ranked: list[tuple[float, Fault]] = []
    for file in files:
        faults = list(faults_of(Path(file)))
        chance = random.Random(f"{seed} {file}")
        chance.shuffle(faults)
        ranked += [((number + chance.random()) / len(faults), fault) for number, fault in enumerate(faults)]
    return [fault for _, fault in sorted(ranked, key=lambda pair: pair[0])[:many]]


def _lines(statement: ast.AST) -> tuple[int, int]:
    """Return the lines of a statement, or those of its head if it contains others."""
    assert isinstance(statement, ast.stmt)
    body = getattr(statement, "body", None)
    last = statement.end_lineno or statement.lineno
    return statement.lineno, max(statement.lineno, body[0].lineno - 1) if body else last


def _text(node: ast.AST) -> str:
    """Return a node as text in one line, or its head if it contains other statements."""
    if isinstance(node, ast.comprehension):
        return "".join(f"if {ast.unparse(condition)} " for condition in node.ifs).strip() or "no condition"
    text = ast.unparse(ast.fix_missing_locations(node))
    return text.split(":\n")[0].replace("\n", " ")
