"""The kernels with marks: they are imported instead of the plain kernels, and compiled with the marks.

numba can report the lines that it compiled (``NUMBA_JIT_COVERAGE``), but not the lines that run. It can also run
without compiling (``NUMBA_DISABLE_JIT``), but the kernels use instructions of the processor. So the machine code here
stores a byte for each pair of lines that run consecutively.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from tests.tools.coverage.marked import MARK, Marked

#: The maximum number of marks, and the distance in bytes between the pairs of consecutive marks.
MARKS = 8192


class Kernels(MetaPathFinder):
    """Finds the modules of a folder, and adds marks to them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.name = ".".join(folder.parts)
        self.pairs = np.zeros(MARKS * MARKS, np.int8)
        self.lines: list[tuple[str, int]] = []
        self.mark: Any = None

    def install(self) -> None:
        """Let imports find the modules here, without a cache: their machine code contains the address of the bytes."""
        self.mark = _marking(self.pairs.ctypes.data)
        sys.meta_path.insert(0, self)
        import numba  # not available everywhere, and every run of the tests imports this file

        library: Any = numba
        compiled = library.jit

        def jit(**options: Any) -> Any:
            return compiled(**{**options, "cache": False})

        library.jit = jit

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the place of a module, if it is in the folder."""
        package, _, name = fullname.rpartition(".")
        file = self.folder / f"{name}.py"
        if package != self.name or not file.exists():
            return None
        return spec_from_file_location(fullname, file, loader=_Loader(fullname, str(file), self))

    def arcs(self) -> dict[str, list[tuple[int, int]]]:
        """Return the pairs of lines that ran consecutively, for each file."""
        found: dict[str, list[tuple[int, int]]] = {}
        for pair in np.flatnonzero(self.pairs):
            before, now = divmod(int(pair), MARKS)
            file, line = self.lines[now]
            if before != now:  # the head of a loop has a mark before the loop and in its body
                found.setdefault(file, []).append((self.lines[before][1], line))
        return found


class _Loader(SourceFileLoader):
    """Reads a file and adds marks to it."""

    def __init__(self, name: str, path: str, kernels: Kernels) -> None:
        super().__init__(name, path)
        self.kernels = kernels

    def get_code(self, fullname: str) -> CodeType:
        """Return the byte code of the file with marks; it is not cached."""
        path = self.get_filename(fullname)
        marked = Marked(len(self.kernels.lines))
        tree = marked.visit(ast.parse(Path(path).read_text(encoding="utf-8")))
        self.kernels.lines += [(path, line) for line in marked.lines]
        assert len(self.kernels.lines) <= MARKS
        return compile(tree, path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        """Run the file. The function that marks lines is defined from the start."""
        vars(module)[MARK] = self.kernels.mark
        super().exec_module(module)


def _marking(address: int) -> Any:
    """Return a function for compiled code: it marks a pair of lines, and returns the second one."""
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    def mark(context: Any, before: Any, now: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            pairs = builder.inttoptr(ir.Constant(ir.IntType(64), address), ir.IntType(8).as_pointer())
            pair = builder.add(builder.mul(values[0], ir.Constant(ir.IntType(64), MARKS)), values[1])
            builder.store(ir.Constant(ir.IntType(8), 1), builder.gep(pairs, [pair]))
            return values[1]

        return types.int64(types.int64, types.int64), generate

    return intrinsic(mark)
