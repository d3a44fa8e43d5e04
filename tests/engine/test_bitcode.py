"""Shipped bitcode: it belongs to its sources, gives the results of numba, and becomes machine code once."""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import pkgutil
import platform
import shutil
import subprocess
import sys
import zlib
from array import array
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from puzzlec.engine.kernels import bitcode, bits, machine_code
from puzzlec.engine.kernels.jit import Compiled
from puzzlec.engine.reduction import components

ROOT = Path(__file__).parents[2]

shipping = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64") or "PUZZLEC_KERNELS" in os.environ,
    reason="bitcode is used on Linux with x86_64",
)

#: Counts by each shipped function, and whether numba was imported for them.
COUNTS = """
import sys
from puzzlec.engine.kernels.bits import BitsKernel
from puzzlec.engine.kernels.frontier import FrontierKernel
from puzzlec.engine.reduction.components import parts
from tests.engine.test_bitcode import board
from tests.engine.test_stages import problem

frontier = FrontierKernel(board(12).arrays)
frontier.advance(1 << 30)
print(frontier.total(), frontier.nodes_visited)
print([(len(part), part.primary) for part in parts(board(4)).covers])
for seed in range(8):
    kernel = BitsKernel(problem(seed).arrays)
    print(kernel.covers(3000), kernel.nodes_visited, kernel.position())
print("numba" in sys.modules)
"""

#: Results of the functions of a lookahead, ``memo``, diagrams, least costs, probes and restarts.
OTHERS = """
import sys
from array import array
from puzzlec.engine.diagram import SolutionSet
from puzzlec.engine.kernels import fixed_order_dfs, incidence, random_probes, randomized_dfs
from puzzlec.engine.kernels.lists import ListsKernel
from puzzlec.engine.kernels.memo import MemoKernel
from puzzlec.engine.reduction.reductions import reduce
from puzzlec.engine.search import cheapest
from tests.engine.test_bitcode import board
from tests.engine.test_cheapest import random_problem
from tests.engine.test_memo import busy_problem
from tests.engine.test_stages import problem

cheapest.PYTHON_ENTRIES = 0
for seed in range(8):
    large, some = problem(seed), busy_problem(seed)
    lists = ListsKernel(large.arrays)
    print(lists.covers(3000), lists.nodes_visited)
    reduced = reduce(some, compiled=True)
    print(list(reduced.options), list(reduced.items), reduced.complete)
    memo = MemoKernel(some.arrays, order="sweep")
    memo.advance(100_000)
    print(memo.total(), memo.nodes_visited, memo.entries)
    found = SolutionSet.of(some)
    print(found.count, found.nodes, found.taking(range(6), 1, 2).count, list(found.restrict(forbidden=[0]))[:3])
    best = cheapest.Cheapest(random_problem(seed), 5)
    print(best.find(), best.nodes)
    probes = random_probes.RandomProbes(large.arrays, (1 << 64) - 1 - seed)
    print(probes.make(20), probes.levels)
    known = incidence.incidence_of(large.arrays)
    root = incidence.root_of(known, large.arrays)
    for rule in (randomized_dfs.LEAST, randomized_dfs.WEIGHTED, randomized_dfs.SWEEP):
        run = randomized_dfs.RandomizedDfs(known, root)
        run.begin(seed, rule, True, False)
        print(run.advance(2000), run.nodes, run.work, run.taken)
    if fixed_order_dfs.FixedOrderDfs.suits(known, root):
        run = fixed_order_dfs.FixedOrderDfs(known, root)
        run.begin(seed)
        print(run.advance(2000), run.nodes, run.taken)
counted = MemoKernel(board(8).arrays)
counted.advance(1 << 30)
matchings = board(5).with_items(range(25), 25, array("i", [0] * 25), array("i", [1] * 25))
print(counted.total(), SolutionSet.of(board(6)).count, SolutionSet.of(matchings).count)
print("numba" in sys.modules)
"""


def board(size: int):  # type: ignore[no-untyped-def]
    """Dominoes on a square board."""
    from puzzlec.engine import ExactCover

    rows = [[size * y + x, size * y + x + 1] for y in range(size) for x in range(size - 1)]
    rows += [[size * y + x, size * y + x + size] for y in range(size - 1) for x in range(size)]
    return ExactCover.from_rows(rows, primary=size * size)


#: Code before a count, after which LLVM assumes a processor without vectors of 256 bits.
PLAIN = """
import llvmlite.binding as llvm
llvm.get_host_cpu_name = lambda: "x86-64"
llvm.get_host_cpu_features = llvm.FeatureMap
from puzzlec.engine.kernels import bitcode
bitcode._processor = lambda: b"another"
"""

#: A function with bitcode that becomes machine code quickly.
BINDING = components.binding.function  # type: ignore[attr-defined]


def counting(cache: Path, program: str = COUNTS, **environment: str) -> subprocess.Popen[str]:
    """A process that counts, with a folder for machine code."""
    place = {"PUZZLEC_CACHE": str(cache), "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-c", program],
        env=os.environ | place | environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def told(process: subprocess.Popen[str]) -> list[str]:
    """The lines of a process, including those of an error."""
    lines = process.communicate()[0].splitlines()
    assert process.returncode == 0, lines
    return lines


def counts(cache: Path, program: str = COUNTS, **environment: str) -> list[str]:
    return told(counting(cache, program, **environment))


def made(cache: Path) -> list[str]:
    """The names of the files with machine code."""
    return sorted(path.name for path in (cache / "kernels").iterdir())


def test_the_bitcode_belongs_to_the_sources() -> None:
    place = bitcode.FOLDER / bitcode.INDEX
    index = json.loads(place.read_bytes())
    stale = [
        name for name, entry in index.items() if bitcode.digest(entry["sources"], bitcode.meaning) != entry["meaning"]
    ]
    assert not stale, "run `python -m tests.tools.bitcode`"
    texts = {name: entry | {"text": bitcode.digest(entry["sources"], bitcode.text)} for name, entry in index.items()}
    if os.environ.get("PUZZLEC_REGENERATE"):
        place.write_text(json.dumps(texts, indent=1) + "\n", encoding="utf-8")
    else:  # otherwise each process that loads a kernel parses its sources, which takes as long as the import of numpy
        assert texts == index, "PUZZLEC_REGENERATE=1 python -m pytest tests/engine/test_bitcode.py writes it again"


@shipping
@pytest.mark.slow  # test_the_bitcode_belongs_to_the_sources is quick, and fails if the sources have changed
@pytest.mark.timeout(1800)
def test_the_bitcode_is_what_numba_makes_of_the_sources(tmp_path: Path) -> None:
    """So a reader can check what a wheel contains. Another version of numba may make other code."""
    import numba

    from tests.tools.bitcode import main

    if {entry["numba"] for entry in bitcode._index().values()} != {numba.__version__}:
        pytest.skip("the bitcode was made by another version of numba")
    main(tmp_path / "made")
    made, shipped = (
        {file.name: file.read_bytes() for file in of.iterdir()} for of in (tmp_path / "made", bitcode.FOLDER)
    )
    assert [name for name in made | shipped if made.get(name) != shipped.get(name)] == []


SOURCE = '''"""A module."""

#: The number of things.
MOST = 8


def least(numbers: list[int]) -> int:
    """Return the least number."""
    return min(numbers)  # there is one
'''


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("A module", "The module", True),
        ('"""A module."""', "", True),
        ("# there is one", "", True),
        ("#: The number of things.\n", "\n\n", True),
        ("MOST = 8\n", 'MOST = 8\n"""The number of things."""\n', True),
        ("least(numbers: list[int])", "least(\n    numbers: list[int],\n)", True),
        ("\n", "\r\n", True),
        ("MOST = 8", "MOST = 9", False),
        ("MOST = 8", "MOST = 8.0", False),
        ("MOST = 8", "MOST = True", False),
        ("MOST = 8", 'MOST = "8"', False),
        ("min(numbers)", "max(numbers)", False),
        ("min(numbers)", "min(*numbers)", False),
        ("return min", "min", False),
    ],
)
def test_other_words_keep_the_meaning_of_a_source(tmp_path: Path, old: str, new: str, same: bool) -> None:
    one, two = tmp_path / "one.py", tmp_path / "two.py"
    one.write_bytes(SOURCE.encode())
    two.write_bytes(SOURCE.replace(old, new).encode())
    assert one.read_bytes() != two.read_bytes()
    assert (bitcode.meaning(str(one)) == bitcode.meaning(str(two))) is same


@shipping
def test_bitcode_is_used_if_only_the_words_of_its_sources_have_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = bitcode._index()["components.binding"]
    monkeypatch.setitem(entry, "text", "of other words")
    assert bitcode.shipped(BINDING)
    monkeypatch.setitem(entry, "meaning", "of another meaning")
    assert not bitcode.shipped(BINDING)


@shipping
@pytest.mark.slow
def test_bitcode_counts_what_numba_counts(tmp_path: Path) -> None:
    *found, imported = counts(tmp_path)
    *expected, by_numba = counts(tmp_path, PUZZLEC_KERNELS="numba")
    assert found == expected
    assert (imported, by_numba) == ("False", "True")
    before = made(tmp_path)
    # Another processor has other machine code.
    assert counts(tmp_path, PLAIN + COUNTS) == [*expected, "False"]
    assert len(made(tmp_path)) == 14
    assert set(before) < set(made(tmp_path))


@shipping
@pytest.mark.slow
def test_all_other_functions_return_what_those_of_numba_return(tmp_path: Path) -> None:
    *found, imported = counts(tmp_path, OTHERS)
    *expected, by_numba = counts(tmp_path, OTHERS, PUZZLEC_KERNELS="numba")
    assert found == expected
    assert (imported, by_numba) == ("False", "True")
    assert found[-1] == "12988816 6728 2810694"  # Kasteleyn 1961, A028420
    used = {name.rsplit(".", 2)[0] for name in made(tmp_path)}
    assert {name.split(".")[0] for name in shipped_names() - used} == {
        "bits",
        "components",
        "frontier",
        "kernel",
        "layers",
        "turn_kernel",
    }


#: The plans of pieces that turn with a shift: of squares, triangles and hexagons.
TURNS = """
import sys
import puzzlec

for name in ("bar-and-square", "triangles", "hexagons"):
    (taken,) = puzzlec.disassemble(f"turns/{name}")
    taken.check()
    print(taken.disassembly.steps)
print("numba" in sys.modules)
"""


@shipping
@pytest.mark.long
def test_pieces_turn_without_numba(tmp_path: Path) -> None:
    assert counts(tmp_path, TURNS)[-1] == "False"
    names = {name.rsplit(".", 2)[0] for name in made(tmp_path)}
    assert names == {name for name in shipped_names() if name.startswith("turn_kernel.")}


@shipping
@pytest.mark.slow
def test_pieces_turn_as_with_numba(tmp_path: Path) -> None:
    *plans, _ = counts(tmp_path, TURNS)
    assert counts(tmp_path, TURNS, PUZZLEC_KERNELS="numba") == [*plans, "True"]


def shipped_names() -> set[str]:
    """The names of the functions with bitcode."""
    return set(json.loads((bitcode.FOLDER / bitcode.INDEX).read_bytes()))


def test_each_function_that_python_calls_has_bitcode() -> None:
    """``jit`` marks them. No command waits for numba on a platform with bitcode."""
    kernels = [name for _, name, _ in pkgutil.walk_packages([str(ROOT / "puzzlec/engine")], "puzzlec.engine.")]
    motion = [name for _, name, _ in pkgutil.walk_packages([str(ROOT / "puzzlec/motion")], "puzzlec.motion.")]
    called = set()
    for name in [*kernels, *motion]:
        if name.endswith(".word_intrinsics"):
            continue
        for value in vars(importlib.import_module(name)).values():
            if isinstance(value, Compiled) and value.is_called_from_python:
                called.add(f"{value.__module__.rpartition('.')[2]}.{value.__name__}")
    assert called == shipped_names()


@shipping
@pytest.mark.long
def test_processes_that_begin_at_once_share_their_machine_code(tmp_path: Path) -> None:
    one, *others = [told(process) for process in [counting(tmp_path) for _ in range(3)]]
    assert others == [one, one]
    assert one[0].startswith("53060477521960000 ")
    assert one[-1] == "False", "numba was imported"
    assert len(made(tmp_path)) == 7


def truncate(kept: Path) -> None:
    kept.write_bytes(kept.read_bytes()[:-1])


def empty(kept: Path) -> None:
    kept.write_bytes(b"")


def change(kept: Path) -> None:
    content = bytearray(kept.read_bytes())
    content[len(content) // 2] ^= 1
    kept.write_bytes(content)


@shipping
@pytest.mark.parametrize("damage", [truncate, empty, change])
def test_damaged_machine_code_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: Callable[[Path], None]
) -> None:
    monkeypatch.setenv("PUZZLEC_CACHE", str(tmp_path))
    assert bitcode.shipped(BINDING)
    (kept,) = (tmp_path / "kernels").iterdir()
    whole = kept.read_bytes()
    damage(kept)
    assert bitcode.shipped(BINDING)
    assert kept.read_bytes() == whole


@shipping
def test_a_place_that_cannot_be_written_to_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUZZLEC_CACHE", str(tmp_path))
    assert bitcode.shipped(BINDING)
    (name,) = made(tmp_path)
    place = tmp_path / "kernels" / name
    place.unlink()
    place.mkdir()
    assert bitcode.shipped(BINDING)
    assert (made(tmp_path), list(place.iterdir())) == ([name], [])
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("PUZZLEC_CACHE", str(file))
    assert bitcode.shipped(BINDING)


@shipping
def test_bitcode_of_another_llvm_or_damaged_is_left_to_numba(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import llvmlite.binding as llvm

    monkeypatch.setenv("PUZZLEC_CACHE", str(tmp_path / "cache"))
    with monkeypatch.context() as other:
        major, *minor = llvm.llvm_version_info
        for version in (major - 1, major + 1):
            other.setattr(llvm, "llvm_version_info", (version, *minor))
            assert bitcode.shipped(BINDING) is None
    folder = tmp_path / "folder"
    shutil.copytree(bitcode.FOLDER, folder)
    monkeypatch.setattr(bitcode, "FOLDER", folder)
    file = folder / "components.binding.bc.z"
    packed = file.read_bytes()
    for damaged in (b"", packed[:-1], packed[:500], zlib.compress(zlib.decompress(packed)[:-400]), zlib.compress(b"x")):
        file.write_bytes(damaged)
        assert bitcode.shipped(BINDING) is None
    file.unlink()
    assert bitcode.shipped(BINDING) is None
    own = Compiled(BINDING, {})  # numba is asked
    assert own.shipped is None
    ones = np.ones(4, np.int32)
    binds, possible = own(2, 4, ones, ones, ones)
    assert (binds.tolist(), possible) == ([True, True, False, False], False)


def test_views_of_memory_are_arrays_for_machine_code_and_for_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    ones = memoryview(array("i", [1] * 4))
    expected = [True, True, False, False]
    for own in (Compiled(BINDING, {}), Compiled(BINDING, {})):
        assert own(2, 4, ones, ones, ones)[0].tolist() == expected
        assert own.prepared(2, 4, ones, ones, ones)()[0].tolist() == expected
        monkeypatch.setattr(bitcode, "shipped", lambda _: None)  # the second one is numba's


@shipping
def test_later_processes_link_machine_code_without_llvm_and_numpy(tmp_path: Path) -> None:
    program = """
import sys
from puzzlec.motion import kernel
from puzzlec.engine.kernels.jit import is_ready
ready = is_ready(kernel.rehash_states)
table = memoryview(bytearray(b"\\xff" * 16)).cast("i")
kernel.rehash_states(memoryview(bytearray(8)).cast("q"), 1, table)
print(ready, sorted(table.tolist()), "llvmlite" in sys.modules, "numpy" in sys.modules, "numba" in sys.modules)
"""
    assert counts(tmp_path, program) == ["False [-1, -1, -1, 0] True False False"]
    assert counts(tmp_path, program) == ["True [-1, -1, -1, 0] False False False"]


@shipping
def test_an_object_file_is_linked_if_its_references_are_whole_addresses() -> None:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    called = "declare i32 @abs(i32)\ndefine i32 @entry(ptr %p) {\n %x = call i32 @abs(i32 -3)\n ret i32 %x\n}"

    def object_file(text: str, model: str) -> bytes:
        machine = llvm.Target.from_default_triple().create_target_machine(codemodel=model, opt=0)
        code: bytes = machine.emit_object(llvm.parse_assembly(text))
        return code

    address = machine_code.linked(object_file(called, "jitdefault"), "entry")
    assert ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(address)(None) == 3
    with pytest.raises(ValueError, match="a reference of kind"):
        machine_code.linked(object_file(called, "small"), "entry")
    with pytest.raises(ValueError, match="unknown function"):
        machine_code.linked(object_file(called.replace("abs", "no_such_function"), "jitdefault"), "entry")
    with pytest.raises(ValueError, match="not enough values"):
        machine_code.linked(object_file(called, "jitdefault"), "other")


@shipping
@pytest.mark.parametrize("name", ["components.binding", "memo_tables.fill_slots"])
def test_where_it_was_not_tried_another_process_tries_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("PUZZLEC_CACHE", str(tmp_path))
    monkeypatch.setitem(bitcode.PLATFORMS, bitcode._platform(), False)
    code = bitcode._shipped(name, bitcode._index()[name])
    assert code
    assert [file.split(".")[-1] for file in made(tmp_path)] == ["o"] * len({"components.binding", name})
    if name == "components.binding":
        ones = np.ones(4, np.int32)
        slots = code.slots((2, 4, ones, ones, ones))
        assert slots
        assert code.call(slots)[0].tolist() == [True, True, False, False]


@shipping
@pytest.mark.parametrize("end", ["exit 0", "exit 3", "kill -SEGV $$"])
def test_where_the_other_process_fails_numba_compiles_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    own, calls = tmp_path / "python3", tmp_path / "calls"
    own.write_text(f"#!/bin/sh\necho >> '{calls}'\n{end}\n")
    own.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(own))
    monkeypatch.setenv("PUZZLEC_CACHE", str(tmp_path / "cache"))
    monkeypatch.setitem(bitcode.PLATFORMS, bitcode._platform(), False)
    assert bitcode.shipped(BINDING) is None
    assert [file.split(".")[-1] for file in made(tmp_path / "cache")] == ["failed"]
    assert bitcode.shipped(BINDING) is None
    assert calls.read_text() == "\n", "it is tried once"
    monkeypatch.setenv("PUZZLEC_CACHE", str(tmp_path / "other"))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "blender"))  # it cannot be asked to run some Python
    assert bitcode.shipped(BINDING) is None
    assert not made(tmp_path / "other")


def test_an_unknown_platform_has_no_bitcode(monkeypatch: pytest.MonkeyPatch) -> None:
    bitcode._index.cache_clear()
    monkeypatch.setattr(platform, "machine", lambda: "sparc")
    try:
        assert bitcode._index() == {}
    finally:
        bitcode._index.cache_clear()


def test_a_kernel_without_memory_raises_an_error_of_memory() -> None:
    with pytest.raises(MemoryError, match="out of memory"):
        bitcode.Shipped(lambda _: 1, [], "none").call(array("q", [0]))


@shipping
def test_machine_code_in_a_folder_of_others_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o777)
    monkeypatch.setenv("PUZZLEC_CACHE", str(tmp_path))
    assert bitcode.shipped(BINDING)
    assert not list((tmp_path / "kernels").iterdir())


@shipping
def test_arguments_of_another_kind_are_left_to_numba() -> None:
    shipped = bitcode.shipped(BINDING)
    assert shipped
    ints, longs = np.ones(4, np.int32), np.ones(4, np.int64)
    assert shipped.slots((2, 4, ints, ints, ints))
    views = [each.data for each in (longs, ints[::2], ints.reshape(2, 2), ints.view(np.uint32))]
    for other in (longs, ints[::2], ints.reshape(2, 2), 7, None, *views):
        assert shipped.slots((2, 4, ints, ints, other)) is None
    assert shipped.slots((2.0, 4, ints, ints, ints)) is None
    assert shipped.slots((2, 4, ints, ints)) is None


def test_a_function_of_changed_sources_has_no_bitcode(monkeypatch: pytest.MonkeyPatch) -> None:
    for digested in ("text", "meaning"):
        monkeypatch.setattr(bitcode, digested, str.encode)
    assert bitcode.shipped(bits.advance.function) is None  # type: ignore[attr-defined]
    ones = np.ones(4, np.int32)
    assert Compiled(BINDING, {})(2, 4, ones, ones, ones)[0].tolist() == [True, True, False, False]  # by numba
