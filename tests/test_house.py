"""The layout of the packages: which package may name which, and that the engine works without the rest."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]

#: The longest chain of packages in which each package imports the next.
FLOORS = 12

EIGHT_QUEENS = """
from covers import ExactCover, count

queens = [
    [row, 8 + column, 16 + row + column, 31 + row - column + 7] for row in range(8) for column in range(8)
]
print(count(ExactCover.from_rows(queens, primary=16, secondary=30)))
"""


@cache
def modules() -> dict[str, Path]:
    """Return the file of each module of puzzlec."""
    found = {}
    for path in (ROOT / "puzzlec").rglob("*.py"):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


@cache
def tree(name: str) -> ast.Module:
    return ast.parse(modules()[name].read_text(encoding="utf-8"))


def imported(name: str) -> Iterator[str]:
    """Yield the modules that a module imports, within functions and for types only included."""
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inside = f"{node.module}.{alias.name}"
                yield inside if inside in modules() else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@cache
def edges() -> dict[str, set[str]]:
    """Return for each module the other modules of puzzlec that it imports."""
    return {name: {other for other in imported(name) if other in modules() and other != name} for name in modules()}


def package(name: str) -> str:
    """Return the package or root module of a module: the second part of its name."""
    return name.split(".")[1] if "." in name else ""


@cache
def floors() -> dict[str, int]:
    """Return the floor of each package by the contract in pyproject.toml, the lowest first."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["name"] == "floors")
    return {name: height for height, row in enumerate(reversed(layers)) for name in row.split(" | ")}


def refuse_cycles(below: dict[str, set[str]]) -> None:
    try:
        tuple(TopologicalSorter(below).static_order())
    except CycleError as error:
        raise AssertionError(f"a circle: {' -> '.join(error.args[1])}") from None


def test_no_module_is_in_a_cycle() -> None:
    refuse_cycles(edges())
    assert not [name for name in modules() if name in imported(name)], "a module that imports itself"


def test_no_folder_beside_another_is_in_a_cycle() -> None:
    # In each folder, an inner folder counts as one thing with all that it contains.
    for folder in (name for name, path in modules().items() if path.name == "__init__.py"):
        depth = folder.count(".") + 2
        inside: dict[str, set[str]] = {}
        for name, others in edges().items():
            if name.startswith(f"{folder}."):
                part = ".".join(name.split(".")[:depth])
                found = {".".join(other.split(".")[:depth]) for other in others if other.startswith(f"{folder}.")}
                inside.setdefault(part, set()).update(found - {part})
        refuse_cycles(inside)


def test_the_house_has_at_most_twelve_floors() -> None:
    below: dict[str, set[str]] = {}
    for name, others in edges().items():
        below.setdefault(package(name), set()).update(map(package, others))
    chain = {"": 0}
    for name in TopologicalSorter({k: v - {k, ""} for k, v in below.items() if k}).static_order():
        chain[name] = 1 + max((chain[other] for other in below[name] - {name, ""}), default=0)
    assert max(chain.values()) <= FLOORS, sorted(chain.items(), key=lambda entry: -entry[1])


def test_no_string_names_a_higher_package() -> None:
    # An import by name would pass the contract. Docstrings may name anything that helps a reader.
    for name in modules():
        if package(name) in ("", "cli", "__main__"):
            continue
        docstrings = {
            id(node.body[0].value)
            for node in ast.walk(tree(name))
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        for node in ast.walk(tree(name)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                for word in node.value.replace("`", " ").replace(":", " ").split():
                    if word.startswith("puzzlec.") and word in modules():
                        assert floors()[package(word)] <= floors()[package(name)], (name, word)


def test_the_engine_counts_eight_queens_without_the_rest_and_without_numpy(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "puzzlec" / "engine", tmp_path / "covers", ignore=shutil.ignore_patterns("__pycache__"))
    for path in (tmp_path / "covers").rglob("*.py"):
        path.write_text(path.read_text(encoding="utf-8").replace("puzzlec.engine", "covers"), encoding="utf-8")
    (tmp_path / "queens.py").write_text(EIGHT_QUEENS)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    # Without installed packages, there is neither numpy nor numba.
    done = subprocess.run(
        [sys.executable, "-S", "queens.py"], capture_output=True, text=True, cwd=tmp_path, env=environment, timeout=60
    )
    assert (done.stdout, done.stderr) == ("92\n", "")


def test_the_engine_names_nothing_else_of_puzzlec() -> None:
    for name in modules():
        if name.startswith("puzzlec.engine"):
            others = {other for other in imported(name) if other.startswith("puzzlec")}
            assert all(other.startswith("puzzlec.engine") for other in others), name


#: Names of constants that say neither the thing nor the unit.
BARE = {"MOST", "MANY", "FEW", "LEAST", "PATIENCE", "ROOM", "LARGEST", "LONGEST", "DEEPEST", "LARGE", "SMALL", "SOON"}

#: Modules that still have such constants; the list may only get shorter. In kernels, they are places in arrays.
BARE_IN = {"puzzlec.engine.kernels.frontier", "puzzlec.engine.kernels.lists", "puzzlec.engine.kernels.randomized_dfs"}


def constants(name: str) -> set[str]:
    """Return the names that the statements of a module bind at its top."""
    targets = [
        target
        for node in tree(name).body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}


def test_a_constant_says_its_thing_and_its_unit() -> None:
    assert {name for name in modules() if {bound.lstrip("_") for bound in constants(name)} & BARE} == BARE_IN


#: Packages with code in their `__init__`; the list may only get shorter. The library has a renderer for notebooks, and
#: `puzzlec.formats` is also a function, and `puzzlec.cli` sets the garbage collector before other imports.
WITH_CODE = {"puzzlec", "puzzlec.cli", "puzzlec.formats"}

#: The packages that import their names when they are used, and the definitions that this needs.
LAZY_PACKAGES = {"puzzlec", "puzzlec.engine"}
LAZY_DEFINITIONS = {"_HOMES", "TYPE_CHECKING", "__getattr__", "__dir__"}


def is_of_a_face(node: ast.stmt, lazy: bool) -> bool:
    """Return whether a statement is a docstring, an import, or `__all__`; with ``lazy``, also of the late imports."""
    if isinstance(node, ast.Assign):
        return {ast.unparse(target) for target in node.targets} <= {"__all__", *(LAZY_DEFINITIONS if lazy else ())}
    if isinstance(node, ast.If):
        return (
            lazy and ast.unparse(node.test) == "TYPE_CHECKING" and all(is_of_a_face(part, lazy) for part in node.body)
        )
    if isinstance(node, ast.FunctionDef):
        return lazy and node.name in LAZY_DEFINITIONS
    return isinstance(node, ast.Import | ast.ImportFrom) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )


def test_the_init_of_a_package_is_a_face_without_code() -> None:
    assert {
        name
        for name, path in modules().items()
        if path.name == "__init__.py" and not all(is_of_a_face(node, name in LAZY_PACKAGES) for node in tree(name).body)
    } == WITH_CODE
