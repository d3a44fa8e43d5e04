"""Make the bitcode that is shipped: ``python -m tests.tools.bitcode`` after each change of a kernel.

Small problems let numba compile each function of :data:`FUNCTIONS`. The script keeps its optimised code, but not the
wrapper for calls from Python. A function that takes its arguments from slots calls the code; see
:mod:`puzzlec.engine.kernels.bitcode`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from typing import Any, cast

import llvmlite.binding as llvm
import numba

from puzzlec.engine import ExactCover
from puzzlec.engine.diagram import SolutionSet
from puzzlec.engine.kernels import (
    bitcode,
    bits,
    cheapest,
    diagram,
    fixed_order_dfs,
    frontier,
    incidence,
    layers,
    lists,
    memo,
    memo_tables,
    random_probes,
    randomized_dfs,
    scan,
)
from puzzlec.engine.kernels.jit import Compiled, callees
from puzzlec.engine.reduction import components, lookahead
from puzzlec.engine.reduction.reductions import reduce
from puzzlec.engine.search.cheapest import Cheapest
from puzzlec.engine.search.cheapest import _as_numpy as as_numpy
from puzzlec.geometry import find_lattice
from puzzlec.motion import kernel as moves
from puzzlec.motion import turn_kernel
from puzzlec.motion.compiled import MIN_FRONT_STATES, CompiledSearch, GapTable
from puzzlec.motion.gaps import Gaps
from puzzlec.motion.search import Bounds
from puzzlec.motion.team import Team
from puzzlec.motion.turns import Turns

#: The functions whose bitcode is shipped: all that Python calls.
FUNCTIONS = cast(
    "tuple[Compiled, ...]",
    (
        *(bits.begin, bits.advance, layers.prepare, frontier.advance, frontier.rehash),
        *(incidence.transpose, lists.close_items, lists.advance),
        *(components.binding, components.labels_of, lookahead.close_impossible),
        *(memo.advance, memo_tables.move, memo_tables.fill_slots, memo_tables.fill_node_slots),
        *(diagram.restrict, diagram.trim, cheapest.advance),
        scan.advance,
        *(random_probes.probe, randomized_dfs.advance, fixed_order_dfs.arranged, fixed_order_dfs.advance),
        *(moves.advance, moves.merge, moves.blocked, moves.rehash, moves.rehash_states),
        *(turn_kernel.sweep, turn_kernel.shifts, turn_kernel.room_for, turn_kernel.paths, turn_kernel.trace),
    ),
)

#: Functions that machine code may call: those for memory are in Python, the others in LLVM and the C library.
CALLS = {"PyMem_RawMalloc", "PyMem_RawFree", "memset", "memcpy", "memmove"}

#: An instruction of x86 for the end of a reference: whether a number is 0 after a subtraction. :data:`MEMORY` has a
#: function that does the same on every processor.
OF_X86 = "llvm.x86.atomic.sub.cc.i64"

#: Memory for arrays, as numba's runtime allocates it: the number of references, the address of the data, and the data.
MEMORY = """
declare ptr @PyMem_RawMalloc(i64)
declare void @PyMem_RawFree(ptr)

define i8 @is_zero_after(ptr %count, i64 %less, i32 %condition) {
  %before = atomicrmw sub ptr %count, i64 %less seq_cst
  %zero = icmp eq i64 %before, %less
  %told = zext i1 %zero to i8
  ret i8 %told
}

define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %wide = zext i32 %align to i64
  %more = add i64 %wide, 48
  %room = add i64 %size, %more
  %info = call ptr @PyMem_RawMalloc(i64 %room)
  %none = icmp eq ptr %info, null
  br i1 %none, label %end, label %fill
fill:
  %begin = ptrtoint ptr %info to i64
  %last = sub i64 %wide, 1
  %least = add i64 %begin, 48
  %beyond = add i64 %least, %last
  %mask = xor i64 %last, -1
  %place = and i64 %beyond, %mask
  %data = inttoptr i64 %place to ptr
  store i64 1, ptr %info
  %at = getelementptr i8, ptr %info, i64 24
  store ptr %data, ptr %at
  br label %end
end:
  ret ptr %info
}

define void @NRT_MemInfo_call_dtor(ptr %info) {
  call void @PyMem_RawFree(ptr %info)
  ret void
}
"""


def main(folder: Path = bitcode.FOLDER) -> None:
    """Write the files: the same ones on each machine, for processors with vectors of 256 bits."""
    with tempfile.TemporaryDirectory() as empty:  # a function from numba's cache has no LLVM code
        own = {"PUZZLEC_KERNELS": "numba", "NUMBA_CACHE_DIR": empty}
        processor = {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": ""}
        call = "from tests.tools.bitcode import write; write(sys.argv[1])"
        subprocess.run(
            [sys.executable, "-c", f"import sys; {call}", str(folder)], env=os.environ | own | processor, check=True
        )


def write(place: str) -> None:
    """Compile the functions, and write the files to a folder, which is emptied before."""
    sources = {function: sources_of(function) for function in FUNCTIONS}
    exercise()
    folder = Path(place)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    index = {}
    for function in FUNCTIONS:
        name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
        signature = function.made.nopython_signatures[0]
        packed = zlib.compress(stripped(function), 9)
        (folder / f"{name}.bc.z").write_bytes(packed)
        index[name] = {
            "takes": [kind(argument) for argument in signature.args],
            "gives": kind(signature.return_type),
            "llvm": llvm.llvm_version_info[0],
            "numba": numba.__version__,
            "sources": sources[function],
            "text": bitcode.digest(sources[function], bitcode.text),
            "meaning": bitcode.digest(sources[function], bitcode.meaning),
        }
        sys.stdout.write(f"{name}: {len(packed) / 1000:.0f} kB, {', '.join(sources[function])}\n")
    (folder / bitcode.INDEX).write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")


def exercise() -> None:
    """Have numba compile the functions."""
    board = [[12 * y + x, 12 * y + x + 1] for y in range(12) for x in range(11)]
    board += [[12 * y + x, 12 * y + x + 12] for y in range(11) for x in range(12)]
    cover = ExactCover.from_rows(board, primary=144)
    bits.BitsKernel(cover.arrays).count(100)
    lists.ListsKernel(cover.arrays).count(100)
    lists.ListsKernel(ExactCover.from_rows([[0], [1]], 2, bounds=[(0, 0), (1, 1)]).arrays).count(100)
    components.parts(cover)
    counted = frontier.FrontierKernel(cover.arrays)
    counted.advance(1 << 20)
    assert counted.total() == 53060477521960000  # Kasteleyn 1961
    scanned = scan.ScanKernel.of(cover.arrays)
    assert scanned is not None
    scanned.advance(100)
    exercise_others(ExactCover.from_rows([row for row in board if max(row) < 48], primary=48))
    gaps = Gaps(find_lattice("square"))
    frame = [(x, y) for x in range(9) for y in range(9) if x in (0, 8) or y in (0, 8)]
    loose = [gaps.shape_of(cells) for cells in (frame, [(2, 2)], [(4, 4)], [(6, 6)])]
    shapes, places = zip(*loose, strict=True)
    with Team(2) as team:
        search, bounds = CompiledSearch(gaps, team), Bounds()
        assert not search.first_separations(shapes, places, bounds).goals
        assert bounds.reached[0] > MIN_FRONT_STATES
        search.blocked(shapes, places)
    GapTable(4, len(gaps.axes)).widen(len(shapes))
    frame = [(x, y) for x in range(-1, 4) for y in range(-1, 4) if not (0 <= x < 3 and 0 <= y < 3)]
    walls, corner = gaps.shape_of(frame), gaps.shape_of([(0, 0), (1, 0), (0, 1)])
    turns = Turns(gaps)
    found = list(turns.moves((walls[0], corner[0]), (0, corner[1] - walls[1])))
    assert len(found) == 8, "an L turns in a box about four pivots, forth and back"
    pairs = list(turns.cells_between(0, [corner], [walls]))
    assert len(turns.path(pairs, (2, 2))) > 2


def exercise_others(cover: ExactCover) -> None:
    """Have numba compile the functions of a lookahead, ``memo``, diagrams, least costs, probes and restarts."""
    reduce(cover, compiled=True)
    kernel = memo.MemoKernel(cover.arrays, diagram=True)  # it fills the slots of an empty table of sets
    memo_tables.move(kernel.table, kernel.table)
    memo_tables.fill_node_slots(kernel.found, kernel.nodes)
    found = SolutionSet.of(cover)
    assert found.count == found.with_option(0).count + found.without_option(0).count == 145601  # Kasteleyn 1961
    best = Cheapest(cover.with_costs(range(len(cover))))
    cheapest.advance(*as_numpy(best._walk.state, 1, best._walk.problem, best._walk.path))
    random_probes.RandomProbes(cover.arrays).make(1)
    known = incidence.incidence_of(cover.arrays)
    root = incidence.root_of(known, cover.arrays)
    run = randomized_dfs.RandomizedDfs(known, root)
    run.begin(0, randomized_dfs.LEAST, shuffled=True, long_first=False)
    run.advance(1)
    ordered = fixed_order_dfs.FixedOrderDfs(known, root)
    ordered.begin(0)
    ordered.advance(1)


def sources_of(function: Compiled) -> list[str]:
    """Return the files with a function, all functions that it calls, and all constants.

    No function may be compiled before.
    """
    seen: list[Compiled] = [function]
    for compiled in seen:
        found = (value for _, _, value in callees(compiled.function))
        seen += [value for value in found if isinstance(value, Compiled) and value not in seen]
    files = [Path(compiled.function.__code__.co_filename) for compiled in seen]
    kernels = bitcode.FOLDER.parent
    for file in files:
        for name in re.findall(r"^from puzzlec\.engine\.kernels(?:\.| import )(\w+)", file.read_text("utf-8"), re.M):
            other = kernels / f"{'word_intrinsics' if name == 'words' else name}.py"
            if name not in {"jit", "bitcode"} and other not in files:
                files.append(other)
    return sorted({os.path.relpath(file, kernels).replace(os.sep, "/") for file in files})


def kind(type_: Any) -> bitcode.Kind:
    """Return the kind of a value by its numba type."""
    if hasattr(type_, "types"):
        return [kind(member) for member in type_.types]
    if hasattr(type_, "dtype"):
        assert type_.layout == "C"
        return f"{type_.dtype}*{type_.ndim}"
    assert str(type_) in {"int64", "uint64", "float64", "bool", "none"}, type_
    return str(type_)


def stripped(function: Compiled) -> bytes:
    """Return the bitcode of a function, entered by slots."""
    signature = function.made.signatures[0]
    module = llvm.parse_assembly(neutral(function.made.inspect_llvm(signature)))
    (target,) = (
        candidate
        for candidate in module.functions
        if not candidate.is_declaration
        and candidate.linkage == llvm.Linkage.external
        and not candidate.name.startswith(("cfunc.", "_ZN7cpython"))
    )
    module.link_in(llvm.parse_assembly(MEMORY + entered(target)))
    for symbol in [*module.functions, *module.global_variables]:
        if not symbol.is_declaration and symbol.name != bitcode.ENTRY:
            symbol.linkage = "internal"
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.add_strip_symbols_pass()  # names of values would double the bitcode
    machine = llvm.Target.from_default_triple().create_target_machine()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
    module.verify()
    foreign = {symbol.name for symbol in module.functions if symbol.is_declaration}
    foreign = {name for name in foreign if not name.startswith("llvm.") or name.startswith("llvm.x86.")}
    assert foreign <= CALLS, foreign - CALLS
    return bytes(module.as_bitcode())


def neutral(assembly: str) -> str:
    """Return code without the instruction of x86. It compares with 0, which has the number 4 there."""
    uses = re.findall(rf"@{re.escape(OF_X86)}\((.*)\)", assembly)
    assert all(use.endswith(", i64 1, i32 4") or use == "ptr, i64, i32 immarg" for use in uses), uses
    declared = re.sub(
        rf"^declare i8 @{re.escape(OF_X86)}.*$", "declare i8 @is_zero_after(ptr, i64, i32)", assembly, flags=re.M
    )
    # A name of a scope has the number of functions that numba has compiled so far. It means nothing.
    return re.sub(r', !"_ZN[^"]*"', "", declared.replace(OF_X86, "is_zero_after"))


def entered(target: Any) -> str:
    """Return the function that takes the arguments of another one from slots and calls it."""
    kinds = [str(argument.type) for argument in target.arguments]
    lines, given = [], []
    slot = 0
    for number, its in enumerate(kinds):
        if number == 1:  # where numba notes an exception
            lines.append("  %noted = alloca ptr")
            given.append("ptr %noted")
            continue
        lines.append(f"  %p{number} = getelementptr i64, ptr %slots, i64 {slot}")
        slot += 1
        if re.fullmatch("i1|i8", its):
            lines += [f"  %w{number} = load i64, ptr %p{number}", f"  %v{number} = trunc i64 %w{number} to {its}"]
        else:
            assert its in {"i64", "ptr", "double"}, its
            lines.append(f"  %v{number} = load {its}, ptr %p{number}")
        given.append(f"{its} %v{number}")
    return "\n".join(
        [
            f'declare i32 @"{target.name}"({", ".join(kinds)})',
            f"define i32 @{bitcode.ENTRY}(ptr %slots) {{",
            *lines,
            f'  %status = call i32 @"{target.name}"({", ".join(given)})',
            "  ret i32 %status",
            "}",
        ]
    )


if __name__ == "__main__":
    main()
