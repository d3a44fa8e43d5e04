"""The attributes of each class of puzzlec, as its text stores them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]


def own(node: ast.ClassDef) -> set[str]:
    """Return the attributes that the text of a class stores, those of its bases left out."""
    records = [*node.decorator_list, *node.bases]
    is_record = any(name in ast.unparse(part) for part in records for name in ("dataclass", "NamedTuple"))
    names: set[str] = set()
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and is_record:
            if not any(kind in ast.unparse(part.annotation) for kind in ("ClassVar", "KW_ONLY")):
                names.add(part.target.id)
        elif isinstance(part, ast.Assign) and "__slots__" in map(ast.unparse, part.targets):
            names.update(str(name.value) for name in ast.walk(part.value) if isinstance(name, ast.Constant))
        elif isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) and part.args.args:
            if any("cached_property" in ast.unparse(decorator) for decorator in part.decorator_list):
                names.add(part.name)
            names.update(stored(part, part.args.args[0].arg))
    return names - {"__dict__", "__weakref__"}


def stored(method: ast.FunctionDef | ast.AsyncFunctionDef, self: str) -> Iterator[str]:
    """Yield the attributes that a method stores on its object."""
    for node in ast.walk(method):
        match node:
            case ast.Attribute(value=ast.Name(id=owner), attr=name, ctx=ast.Store()) if owner == self:
                yield name
            case ast.Call(func=function, args=[ast.Name(id=owner), ast.Constant(value=str(name)), *_]):
                if owner == self and ast.unparse(function) in ("setattr", "object.__setattr__"):
                    yield name


@cache
def attributes() -> dict[str, set[str]]:
    """Return the attributes of each class, inherited ones included: by `path name`."""
    classes, homes = {}, {}
    for path in (ROOT / "puzzlec").rglob("*.py"):
        place = path.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                classes[place, node.name] = node
            elif isinstance(node, ast.ImportFrom) and node.module:
                homes.update({(place, alias.name): node.module for alias in node.names})

    def whole(place: str, name: str) -> set[str]:
        """Follow bases of the same module, and bases imported from the module that defines them."""
        while (place, name) not in classes:
            if (place, name) not in homes:
                return set()
            module = homes[place, name].replace(".", "/")
            place = next((p for p in (f"{module}.py", f"{module}/__init__.py") if (ROOT / p).exists()), "")
        bases = [ast.unparse(base).partition("[")[0] for base in classes[place, name].bases]
        return own(classes[place, name]).union(*(whole(place, base) for base in bases if base != name))

    return {" ".join(key): whole(*key) for key in classes}
