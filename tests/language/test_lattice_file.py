"""Custom lattices: their files, and the messages for wrong ones."""

from __future__ import annotations

import json
import os
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import puzzlec
from puzzlec import compiler, resources
from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Source
from puzzlec.geometry import Lattice, find_lattice, lattice_names
from puzzlec.language import lattice_file
from puzzlec.language.lattice_file import open_lattice

GOOD = """\
summary: bricks of a wall, each row shifted by half a brick
dimension: 2
translations: [[2, 0], [1, 1]]
kinds:
  - name: brick
    at: [0, 0]
    outline: [[-1, -0.5], [0, -0.5], [1, -0.5], [1, 0.5], [0, 0.5], [-1, 0.5]]
    neighbours: [[-1, -1], [1, -1], [2, 0], [1, 1], [-1, 1], [-2, 0]]
rotations: [[[-1, 0], [0, -1]]]
reflections: [[[-1, 0], [0, 1]]]
freedom: free
drawing: hex
"""

PUZZLE = 'lattice "my.yaml"\nlocations box 4x3\npiece A x6 cells (0,0) (1,0)\n'


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def written(text: str, name: str = "my.yaml") -> str:
    Path(name).write_text(text, encoding="utf-8", newline="")
    return name


def faults(text: str) -> tuple[Diagnostic, ...]:
    """Return the messages for a file with this text, which must be refused."""
    with pytest.raises(PuzzleError) as refused:
        open_lattice(written(text))
    return refused.value.diagnostics


def changed(old: str, new: str) -> str:
    assert GOOD.count(old) == 1, old
    return GOOD.replace(old, new)


def without(key: str) -> str:
    return re.sub(rf"(?m)^{key}:.*\n", "", GOOD)


#: A replacement in the file, then the code, the line, and words of the message, a note or a suggestion.
BROKEN = [
    # not plain YAML
    ("dimension: 2\n", "dimension: [2\n", "PZ340", 3, "expected `,` or `]`"),
    ("dimension: 2\n", "\tdimension: 2\n", "PZ340", 2, "found character `\\t`"),
    ("freedom: free", 'freedom: "free', "PZ340", 12, "unexpected end"),
    ("freedom: free", "freedom: a: b", "PZ340", 11, "mapping values are not allowed"),
    ("freedom: free", "freedom: fr\x07ee", "PZ340", 11, "U+0007 is not allowed in YAML"),
    ("drawing: hex\n", "drawing: hex\n---\nsummary: b\n", "PZ340", 13, "second document"),
    ("drawing: hex\n", "drawing: hex\n...\nmore\n", "PZ340", 14, "expected"),
    ("at: [0, 0]", "at: &origin [0, 0]", "PZ340", 6, "anchors"),
    ("at: [0, 0]", "at: *origin", "PZ340", 6, "aliases"),
    ("dimension: 2", "dimension: !!int 2", "PZ340", 2, "tags"),
    ("dimension: 2", "dimension: !!python/name:os.system 2", "PZ340", 2, "tags"),
    ("dimension: 2", "? [dimension]\n: 2", "PZ340", 2, "key is not a single word"),
    ("at: [0, 0]", f"at: {'[' * 40}{']' * 40}", "PZ340", 6, "nesting"),
    # keys
    ("freedom: free", "fredom: free", "PZ341", 11, "did you mean `freedom`?"),
    ("freedom: free", "freedom: free\ncolour: red", "PZ341", 12, "unknown key `colour` in a lattice"),
    ("    at: [0, 0]", "    at: [0, 0]\n    neighbors: 1", "PZ341", 7, "unknown key `neighbors` in a kind of cell"),
    ("freedom: free", "freedom: free\n<<: {}", "PZ341", 12, "unknown key `<<`"),
    ("freedom: free", "freedom: free\nfreedom: fixed", "PZ342", 12, "duplicate key `freedom`"),
    ("    at: [0, 0]", "    at: [0, 0]\n    at: [1, 0]", "PZ342", 7, "duplicate key `at`"),
    ("freedom: free\n", "", "PZ343", 1, "`freedom: free`"),
    ("rotations: [[[-1, 0], [0, -1]]]\n", "", "PZ343", 1, "`rotations: []`"),
    ("freedom: free\ndrawing: hex\n", "", "PZ343", 1, "missing keys `freedom` and `drawing`"),
    ("    at: [0, 0]\n", "", "PZ343", 5, "missing key `at`"),
    # values
    (GOOD, "[1, 2]\n", "PZ344", 1, "expected a lattice with its keys, found a list"),
    (GOOD, "hexagons\n", "PZ344", 1, "found `hexagons`"),
    (GOOD, "~\n", "PZ344", 1, "found nothing"),
    ("summary: bricks of a wall, each row shifted by half a brick", "summary: [a]", "PZ344", 1, "a text on one line"),
    ("summary: bricks of a wall, each row shifted by half a brick", "summary:", "PZ344", 1, "found nothing"),
    ("dimension: 2", "dimension: two", "PZ344", 2, "expected an integer, found `two`"),
    ("dimension: 2", "dimension: '2'", "PZ344", 2, "expected an integer, found `'2'`"),
    ("dimension: 2", "dimension: 2.0", "PZ344", 2, "write `2`"),
    ("dimension: 2", "dimension: 0x2", "PZ344", 2, "expected an integer, found `0x2`"),
    ("dimension: 2", "dimension: yes", "PZ344", 2, "expected an integer, found `yes`"),
    ("dimension: 2", "dimension: 0", "PZ344", 2, "dimension must be 1 to 5, found 0"),
    ("translations: [[2, 0], [1, 1]]", "translations: [[2, 0], [0.5, 1]]", "PZ344", 3, "multiply all points"),
    ("translations: [[2, 0], [1, 1]]", "translations: [[2, 0], 1]", "PZ344", 3, "a vector such as `[1, 0]`"),
    ("at: [0, 0]", "at: [0, .nan]", "PZ344", 6, "expected an integer, found `.nan`"),
    ("at: [0, 0]", "at: {x: 0, y: 0}", "PZ344", 6, "found a group of keys"),
    ("[-1, -0.5], [0, -0.5]", "[-1, half], [0, -0.5]", "PZ344", 7, "expected a number, found `half`"),
    ("  - name: brick", "  - brick\n  - name: brick", "PZ344", 5, "expected a kind of cell"),
    ("rotations: [[[-1, 0], [0, -1]]]", "rotations: [[-1, 0], [0, -1]]", "PZ344", 9, "write `[[[-1, 0], [0, -1]]]`"),
    ("rotations: [[[-1, 0], [0, -1]]]", "rotations:", "PZ344", 9, "expected a list of matrices, found nothing"),
    ("freedom: free", "freedom: fre", "PZ344", 11, "did you mean `free`?"),
    ("freedom: free", "freedom: 1", "PZ344", 11, "unknown freedom `1`"),
    ("freedom: free", "freedom: free\nballs: 1", "PZ344", 12, "expected `true` or `false`, found `1`"),
    ("freedom: free", "freedom: free\nballs: 'true'", "PZ344", 12, "expected `true` or `false`"),
    ("freedom: free", "freedom: free\nballs:", "PZ344", 12, "expected `true` or `false`, found nothing"),
    ("drawing: hex", "drawing: hexes", "PZ344", 12, "unknown drawing rule `hexes`"),
    ("drawing: hex", "drawing: sticks", "PZ344", 12, "needs 2 kinds of cell, this lattice has 1"),
    ("drawing: hex", "drawing: triangle", "PZ344", 12, "write `drawing: cells`, which suits every lattice"),
    # lengths
    ("translations: [[2, 0], [1, 1]]", "translations: [[2, 0], [1, 1, 0]]", "PZ345", 3, "vector has 3 numbers"),
    ("translations: [[2, 0], [1, 1]]", "translations: [[2, 0]]", "PZ345", 3, "must have 2 rows"),
    ("translations: [[2, 0], [1, 1]]", "translations: [[[2, 0], [1, 1]]]", "PZ345", 3, "remove one pair of brackets"),
    ("at: [0, 0]", "at: [0]", "PZ345", 6, "vector has 1 number; the lattice has 2 dimensions"),
    ("[-2, 0]]", "[-2]]", "PZ345", 8, "write 2 numbers, such as `[1, 0]`"),
    ("rotations: [[[-1, 0], [0, -1]]]", "rotations: [[[-1, 0]]]", "PZ345", 9, "a matrix must have 2 rows"),
    ("rotations: [[[-1, 0], [0, -1]]]", "rotations: [[[-1, 0], [0]]]", "PZ345", 9, "vector has 1 number"),
    ("freedom: free", "freedom: free\naxes: [[1, 0]]", "PZ345", 12, "axes must have 2 rows"),
    ("freedom: free", "freedom: free\ncrossings: [[[[1, 0]], [[1, 0], [0, 1]]]]", "PZ345", 12, "2 cells in a way"),
    ("freedom: free", "freedom: free\ncrossings: [[[[1, 0], [0, 1]]]]", "PZ345", 12, "at least 2 of ways"),
    ("outline: [[-1, -0.5], [0, -0.5], [1, -0.5], [1, 0.5], [0, 0.5], [-1, 0.5]]", "outline: []", "PZ345", 7, "2 of"),
    # too much
    ("dimension: 2", "dimension: 6", "PZ347", 2, "dimension must be 1 to 5, found 6"),
    ("at: [0, 0]", "at: [0, 1234567]", "PZ347", 6, "number is too large (limit 1,000,000)"),
    ("at: [0, 0]", "at: [0, 1e300]", "PZ344", 6, "expected an integer"),
    ("[-1, -0.5], [0, -0.5]", "[-1, 1e300], [0, -0.5]", "PZ347", 7, "number is too large"),
    ("at: [0, 0]", f"at: [{'0, ' * 30_000}0]", "PZ347", 6, "more than 20000 values"),
    ("rotations: [[[-1, 0], [0, -1]]]", f"rotations: [{'[[-1, 0], [0, -1]],' * 13}]", "PZ347", 9, "matrices: 13"),
    ("reflections: [[[-1, 0], [0, 1]]]", "reflections: [[[-1, 101], [0, 1]]]", "PZ347", 10, "limit 100"),
    # not a lattice
    ("translations: [[2, 0], [1, 1]]", "translations: [[2, 2], [1, 1]]", "PZ346", 3, "determinant"),
    ("rotations: [[[-1, 0], [0, -1]]]", "rotations: [[[1, 1], [0, 1]]]", "PZ346", 9, "infinite group"),
    ("rotations: [[[-1, 0], [0, -1]]]", "rotations: [[[2, 1], [1, 1]]]", "PZ346", 9, "infinite group"),
    ("reflections: [[[-1, 0]", "reflections: [[[1, 2], [0, -1]], [[-1, 0]", "PZ346", 10, "together"),
    ("rotations: [[[-1, 0], [0, -1]]]", "rotations: [[[0, -1], [1, 0]]]", "PZ346", 8, "takes the neighbour"),
    ("rotations: [[[-1, 0], [0, -1]]]", "rotations: [[[-1, 0], [0, 1]]]", "PZ346", 9, "determinant -1"),
    ("reflections: [[[-1, 0], [0, 1]]]", "reflections: [[[0, 0], [0, 0]]]", "PZ346", 10, "determinant 0"),
    ("reflections: [[[-1, 0], [0, 1]]]", "reflections: [[[1, 1], [0, -1]]]", "PZ346", 10, "not a sum of translations"),
    ("reflections: [[[-1, 0], [0, 1]]]", "reflections: []", "PZ346", 11, "`free` needs reflections"),
    ("[2, 0], [1, 1], [-1, 1], [-2, 0]]", "[4, 0], [1, 1], [-1, 1], [-4, 0]]", "PZ346", 8, "do not share a side"),
    ("[-1, 1], [-2, 0]]", "[-1, 1], [-1, 0]]", "PZ346", 8, "which has no cell"),
    ("[-1, 1], [-2, 0]]", "[-1, 1]]", "PZ346", 8, "back"),
    ("[1, 0.5], [0, 0.5]", "[1, 0.25], [0, 0.5]", "PZ346", 7, "outline"),
    ("freedom: free", "freedom: free\naxes: [[1, 0], [0, 2]]\nballs: true", "PZ346", 13, "the axes differ in length"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "code", "line", "words"), BROKEN)
def test_a_broken_file_is_refused_with_one_code_where_it_is_broken(
    old: str, new: str, code: str, line: int, words: str
) -> None:
    found = faults(changed(old, new))
    assert {diagnostic.code for diagnostic in found} == {code}, list(map(str, found))
    assert all(diagnostic.span and diagnostic.span.source.name == "my.yaml" for diagnostic in found)
    lines = [diagnostic.span.source.position(diagnostic.span.start)[0] for diagnostic in found if diagnostic.span]
    assert line in lines
    said = " ".join(text for diagnostic in found for text in (diagnostic.message, *diagnostic.notes, *diagnostic.helps))
    assert words in said


def test_cells_are_balls_if_the_file_says_so() -> None:
    for word, known in (("true", True), ("false", False)):
        assert open_lattice(written(changed("freedom: free", f"freedom: free\nballs: {word}"))).of_balls is known
    assert not open_lattice(written(GOOD)).of_balls
    assert [name for name in lattice_names() if find_lattice(name).of_balls] == ["fcc"]


def test_the_valid_file_is_a_lattice() -> None:
    lattice = open_lattice(written(GOOD))
    assert isinstance(lattice, Lattice)
    assert (lattice.name, len(lattice.rotations), len(lattice.isometries)) == ("my.yaml", 2, 4)


def test_one_run_finds_all_errors_of_a_file() -> None:
    text = changed("dimension: 2", "dimension: 2.5").replace("freedom: free", "fredom: 1").replace("hex", "cubes")
    assert [diagnostic.code for diagnostic in faults(text)] == ["PZ341", "PZ344", "PZ344"]


def test_a_file_with_very_many_errors_shows_the_first_ones() -> None:
    assert len(faults(changed("[-1, -0.5], [0, -0.5]", "[-1, a], " * 80 + "[0, -0.5]"))) == 50


@pytest.mark.parametrize("name", lattice_names())
def test_the_lattices_of_puzzlec_can_be_used_as_custom_files(name: str) -> None:
    text = (resources.folder("lattices") / f"{name}.yaml").read_text(encoding="utf-8")
    assert replace(open_lattice(written(text)), name=name) == find_lattice(name) == open_lattice(name)


@pytest.mark.parametrize("text", ["", " \n", "\n\n", "# nothing\n", "---\n# nothing\n"])
def test_a_file_without_content_is_refused(text: str) -> None:
    assert {diagnostic.code for diagnostic in faults(text)} <= {"PZ003", "PZ344"}


def test_a_file_is_read_with_any_line_ends_and_a_byte_order_mark() -> None:
    own = open_lattice(written(GOOD))
    assert open_lattice(written("\ufeff" + GOOD.replace("\n", "\r\n"))) == own
    (fault,) = faults("\ufeff" + changed("freedom: free", "freedom: fre").replace("\n", "\r\n"))
    assert str(fault.span) == "my.yaml:11:10"


def test_json_is_yaml() -> None:
    assert open_lattice(written(json.dumps(yaml.safe_load(GOOD), indent=1))) == open_lattice(written(GOOD))


# The statement


def codes_of(text: str) -> list[str]:
    with pytest.raises(PuzzleError) as refused:
        puzzlec.parse(text)
    return [diagnostic.code for diagnostic in refused.value.diagnostics]


def test_a_puzzle_names_a_file_beside_it_from_any_working_folder() -> None:
    Path("there/lattices").mkdir(parents=True)
    written(GOOD, "there/lattices/my.yaml")
    name = written(PUZZLE.replace("my.yaml", "lattices/my.yaml"), "there/a.puzzle")
    puzzle = puzzlec.load(name)
    assert isinstance(puzzle, puzzlec.Puzzle)
    assert puzzle.lattice
    assert puzzle.lattice.name == "lattices/my.yaml"
    os.chdir("there")
    assert puzzlec.load("a.puzzle") == puzzle


def test_a_text_without_a_file_finds_lattices_in_the_working_directory() -> None:
    written(GOOD)
    assert puzzlec.count(puzzlec.parse(PUZZLE)) == 1


def test_two_puzzles_with_the_same_file_have_equal_lattices() -> None:
    written(GOOD)
    first = puzzlec.parse(PUZZLE)
    lattice_file._lattice.cache_clear()
    second = puzzlec.parse(PUZZLE.replace("4x3", "6x2"))
    assert isinstance(first, puzzlec.Puzzle)
    assert isinstance(second, puzzlec.Puzzle)
    assert first.lattice == second.lattice
    assert hash(first.lattice) == hash(second.lattice)


def test_a_file_that_has_changed_is_read_again() -> None:
    written(GOOD)
    puzzlec.parse(PUZZLE)
    written(changed("freedom: free", "freedom: fixed"))
    puzzle = puzzlec.parse(PUZZLE)
    assert isinstance(puzzle, puzzlec.Puzzle)
    assert len(puzzle.pieces[0].turns) == 1


@pytest.mark.parametrize(
    ("content", "code", "source"),
    [
        (None, "PZ001", "<text>"),
        ("folder", "PZ001", "<text>"),
        (b"a" * (2**20 + 1), "PZ007", "<text>"),
        (b"summary: \xff\n", "PZ002", "my.yaml"),
        (b"summary: \0\n", "PZ002", "my.yaml"),
    ],
    ids=["missing", "folder", "large", "no UTF-8", "null"],
)
def test_an_unreadable_file_is_reported_where_it_is_named_or_where_it_fails(
    content: bytes | str | None, code: str, source: str
) -> None:
    if isinstance(content, bytes):
        Path("my.yaml").write_bytes(content)
    elif content:
        Path("my.yaml").mkdir()
    with pytest.raises(PuzzleError) as refused:
        puzzlec.parse(PUZZLE)
    (fault,) = refused.value.diagnostics
    assert (fault.code, fault.span and fault.span.source.name) == (code, source)


def test_errors_of_a_lattice_do_not_hide_earlier_errors() -> None:
    written(changed("freedom: free", "freedom: fre"))
    assert sorted(codes_of("colours a\nlocatons box 1x1\n" + PUZZLE)) == ["PZ102", "PZ344"]


def test_a_file_name_without_quotes_gets_the_suggestion_to_quote_it() -> None:
    with pytest.raises(PuzzleError, match="PZ101") as refused:
        puzzlec.parse("lattice folder/my.yaml\nlocations box 2x2\npiece A x4 { x }\n")
    assert refused.value.diagnostics[0].helps == ('write `lattice "folder/my.yaml"`',)


def test_a_custom_lattice_with_the_name_of_a_known_one_is_custom() -> None:
    written(GOOD, "square.yaml")
    puzzle = puzzlec.parse(PUZZLE.replace("my.yaml", "square.yaml"))
    assert isinstance(puzzle, puzzlec.Puzzle)
    assert puzzle.lattice
    assert len(puzzle.lattice.isometries) == 4
    assert codes_of('lattice "square.yaml"\nlocations box 2x2\npieces dominoes x2\n') == ["PZ318"]


# Stages after the reader


def test_convert_writes_the_lattice_by_its_file_and_the_text_means_the_same() -> None:
    written(GOOD)
    puzzle = puzzlec.parse(PUZZLE)
    text = puzzlec.convert(puzzle, "puzzle")
    assert 'lattice "my.yaml"\n' in text
    assert puzzlec.parse(text).title != ""
    assert puzzlec.count(puzzlec.parse(text), symmetry="none") == puzzlec.count(puzzle, symmetry="none")


def test_every_output_shows_a_puzzle_with_a_custom_lattice() -> None:
    written(GOOD)
    puzzle = puzzlec.parse(PUZZLE)
    assert "my.yaml, with 2 rotations, 4 with the reflections" in puzzlec.explain(puzzle)
    for stage in ("puzzle", "fitting", "cover"):
        assert puzzlec.emit(puzzle, stage)
    assert puzzlec.check(puzzle, report=Report()).locations == 12


ROWS = """\
summary: squares in double columns
dimension: 2
translations: [[1, 0], [0, 1]]
kinds:
  - name: square
    at: [0, 0]
    outline: [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]
    neighbours: [[0, -1], [1, 0], [0, 1], [-1, 0]]
rotations: [[[-1, 0], [0, -1]]]
reflections: [[[-1, 0], [0, 1]]]
freedom: free
drawing: rows
"""


@pytest.mark.parametrize(
    "drawing", ["{ x.x/xxx }", "{\n    x.x  # two horns\n    xxx\n  }", "{ x.x\n  xxx }", "{  x.x  /  xxx  }"]
)
def test_formatting_keeps_the_meaning_of_a_drawing_on_a_custom_lattice(drawing: str) -> None:
    written(ROWS)
    text = f'lattice   "my.yaml"\nlocations box 3x2 - cells (1,0)\npiece   U {drawing}\n'
    formatted = compiler.fmt(text)
    assert formatted.startswith('lattice "my.yaml"\n')
    assert compiler.fmt(formatted) == formatted
    puzzle, again = puzzlec.parse(text), puzzlec.parse(formatted)
    assert isinstance(puzzle, puzzlec.Puzzle)
    assert isinstance(again, puzzlec.Puzzle)
    assert puzzle.pieces[0].cells == again.pieces[0].cells
    assert puzzlec.count(again) == 1


def test_tiles_have_as_many_edges_as_the_first_kind_has_neighbours() -> None:
    written(ROWS)
    text = 'lattice "my.yaml"\ncolours a b\nlocations box 2x1\npiece T x2 sides a b a a\n'
    # Two sides meet with `a` or with `b`; this lattice has no quarter turn.
    assert puzzlec.count(puzzlec.parse(text), symmetry="none") == 2
    assert codes_of(text.replace("a b a a", "a b")) == ["PZ336"]


# Arbitrary changes

PIECES = ["", *"[]{}07x~#|'", '"', "-1", "1.5", ", ", ": ", "\n", "\n  - ", "&a ", "*a", "!!set", "? ", "\t", "---\n"]


@given(st.data())
def test_a_changed_file_is_a_lattice_or_refused(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([GOOD, ROWS]))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        end = min(len(text), at + data.draw(st.integers(0, 6)))
        put = data.draw(st.sampled_from(PIECES) | st.text(max_size=3))
        text = text[:at] + put + text[end:]
    source = Source("my.yaml", text)
    try:
        lattice = lattice_file._lattice("my.yaml", source)
    except PuzzleError as error:
        assert error.diagnostics
        assert all(0 <= diagnostic.span.start <= len(text) for diagnostic in error.diagnostics if diagnostic.span)
    else:
        assert len(lattice.isometries) >= 1


@given(st.integers(0, 2**32))
def test_a_file_with_any_numbers_is_a_lattice_or_refused(seed: int) -> None:
    draw = random.Random(seed)
    chance = draw.choice([0.02, 0.1, 0.5])
    text = re.sub(
        r"(?<=[ \[])-?\d(?=[,\]])",
        lambda match: str(draw.randint(-3, 3)) if draw.random() < chance else match.group(),
        draw.choice([GOOD, ROWS]),
    )
    try:
        lattice = lattice_file._lattice("my.yaml", Source("my.yaml", text))
    except PuzzleError as error:
        assert {diagnostic.code for diagnostic in error.diagnostics} == {"PZ346"}
    else:
        assert lattice.isometries
