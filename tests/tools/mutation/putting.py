"""Inject a bug into the running code, not into its file.

Each function gets changed byte code, so the change also applies in modules that imported the function. So a process
that has imported and collected everything can be copied (``os.fork``), and the copy has the bug at once.
"""

from __future__ import annotations

import ast
import functools
import gc
import importlib
import sys
from collections.abc import Iterable
from pathlib import Path
from types import CodeType, FunctionType

from tests.tools.mutation.sample import Fault, changed


class Alive:
    """The functions of this process, and the caches of their results."""

    def __init__(self, files: Iterable[str]) -> None:
        self.functions: dict[tuple[str, str], list[FunctionType]] = {}
        self.caches = []
        for file in files:
            importlib.import_module(_module(file))
        gc.unfreeze()  # a command in this process has hidden these objects
        for found in gc.get_objects():
            kind = type(found)  # isinstance would ask a proxy whose object is gone
            if kind is FunctionType:
                code = found.__code__
                self.functions.setdefault((code.co_filename, code.co_qualname), []).append(found)
            elif kind is functools._lru_cache_wrapper and (found.__module__ or "").startswith("puzzlec."):
                self.caches.append(found)


def put(fault: Fault, alive: Alive) -> None:
    """Inject a bug into this process: into its function, or into a constant in every module that knows it."""
    file = Path(fault.file)
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for number, (place, _, other) in enumerate(changed(tree)):
        if number == fault.number:
            place.put(other)
            break
    ast.fix_missing_locations(tree)
    if isinstance(place.statement, ast.Assign | ast.AnnAssign) and place.statement in tree.body:
        _put_constant(fault, place.statement)
        return
    whole = compile(tree, str(file.resolve()), "exec", dont_inherit=True)
    new = _code(whole, fault.within)
    for function in alive.functions[str(file.resolve()), fault.within]:
        function.__code__ = new
    for kept in alive.caches:
        kept.cache_clear()


def _put_constant(fault: Fault, statement: ast.Assign | ast.AnnAssign) -> None:
    """Give a constant another value in each module that knows it by its name."""
    assert statement.value is not None
    home = vars(sys.modules[_module(fault.file)])
    value = eval(compile(ast.Expression(statement.value), fault.file, "eval"), dict(home))
    old = home[fault.within]
    for name, module in list(sys.modules.items()):
        if name.startswith(("puzzlec.", "tests.")) and vars(module).get(fault.within) is old:
            vars(module)[fault.within] = value


def _code(code: CodeType, within: str) -> CodeType:
    """Return the byte code of a function or a method in that of its module."""
    for name in within.split("."):
        code = next(
            constant for constant in code.co_consts if isinstance(constant, CodeType) and constant.co_name == name
        )
    return code


def _module(file: str) -> str:
    """Return the name of a module by its file."""
    return ".".join(Path(file).with_suffix("").parts).removesuffix(".__init__")
