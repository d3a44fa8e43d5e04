"""Broken XMPuzzle texts: each error has its code and its place."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.formats.burrtools.stored import stored_assemblies
from puzzlec.formats.burrtools.xmpuzzle import read_xmpuzzle
from puzzlec.language.given import Given
from tests.broken import refused

#: A valid text: two dominoes make a row of four. Each broken text has one change.
GOOD = """<?xml version="1.0"?>
<puzzle version="2">
  <gridType type="0"/>
  <colors><color red="1" green="2" blue="3"/></colors>
  <shapes>
    <voxel x="2" y="1" z="1" name="I" type="0">##1</voxel>
    <voxel x="4" y="1" z="1" type="0">#++#</voxel>
  </shapes>
  <problems>
    <problem name="row" state="0" maxHoles="3">
      <shapes><shape id="0" min="0" max="2"/></shapes>
      <result id="1"/>
      <bitmap><pair piece="0" result="0"/></bitmap>
      <solutions><solution><assembly>0 0 0 0 3 0 0 8</assembly></solution></solutions>
    </problem>
  </problems>
  <comment>text</comment>
</puzzle>
"""

#: The changed part of the valid text, its replacement, and the codes of the resulting errors.
BROKEN = {
    "the text ends early": (GOOD[300:], "", ["PZ231"]),
    "a tag is not closed": ("</voxel>\n    <voxel", "\n    <voxel", ["PZ231"]),
    "text behind the root": ("</puzzle>", "</puzzle>more", ["PZ231"]),
    "an attribute twice": ('version="2"', 'version="2" version="2"', ["PZ231"]),
    "a bare ampersand": ("text", "this & that", ["PZ231"]),
    "an entity that is not known": ("text", "&nbsp;", ["PZ231"]),
    "a document type": ("<puzzle v", "<!DOCTYPE puzzle>\n<puzzle v", ["PZ232"]),
    "entities within entities": (
        "<puzzle v",
        '<!DOCTYPE p [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>\n<puzzle v',
        ["PZ232"],
    ),
    "another root": (GOOD, '<burr version="2"/>', ["PZ262"]),
    "no version": (' version="2"', "", ["PZ262"]),
    "a later version": ('version="2"', 'version="3"', ["PZ262"]),
    "a grid that is not known": ('type="0"/>', 'type="5"/>', ["PZ262"]),
    "a grid without a number": ('gridType type="0"', "gridType", ["PZ262"]),
    "a grid that is a word": ('gridType type="0"', 'gridType type="cubes"', ["PZ262"]),
    "no problem": (GOOD[GOOD.index("    <problem ") : GOOD.index("  </problems>")], "", ["PZ262"]),
    "no problems": (GOOD[GOOD.index("  <problems>") : GOOD.index("  <comment>")], "", ["PZ262"]),
    "a shape without a width": ('x="2" ', "", ["PZ262"]),
    "a shape with a negative width": ('x="2"', 'x="-2"', ["PZ262"]),
    "a shape with a broken width": ('x="2"', 'x="2.0"', ["PZ262"]),
    "a shape of another type": ('name="I" type="0"', 'name="I" type="1"', ["PZ262"]),
    "a shape without a type": ('name="I" type="0"', 'name="I"', ["PZ262"]),
    "a hot spot that is not a number": ('name="I"', 'name="I" hx="a"', ["PZ262"]),
    "too few voxels": ("##1", "#", ["PZ263"]),
    "too many voxels": ("##1", "####", ["PZ263"]),
    "no voxels": ("##1", "", ["PZ263"]),
    "a huge shape with little text": ('x="2" y="1"', 'x="999999999" y="999999999"', ["PZ263"]),
    "voxels with a blank between": ("##1", "# #1", ["PZ263"]),
    "voxels with another sign": ("##1", "#X1", ["PZ263"]),
    "a digit in front of all voxels": ("##1", "1##", ["PZ263"]),
    "digits of another script": ("##1", "##\u0661", ["PZ263"]),
    "a colour that is not there": ("##1", "##2", ["PZ265"]),
    "a colour with very many digits": ("##1", "##" + "9" * 5000, ["PZ265"]),
    "a ball between the balls": ('gridType type="0"', 'gridType type="2"', ["PZ264", "PZ264", "PZ264"]),
    "a voxel that is no rhombic tetrahedron": ('gridType type="0"', 'gridType type="3"', ["PZ264"] * 6),
    "a voxel of no tetrahedron": ('gridType type="0"', 'gridType type="4"', ["PZ264"] * 4),
    "a shape without a number": ('<shape id="0"', "<shape", ["PZ262"]),
    "a shape that is not there": ('<shape id="0"', '<shape id="2"', ["PZ265"]),
    "a shape with a negative number": ('<shape id="0"', '<shape id="-1"', ["PZ262"]),
    "copies that run backwards": ('min="0" max="2"', 'min="3" max="2"', ["PZ262"]),
    "more copies than sixteen bits can count": ('max="2"', 'max="65536"', ["PZ262"]),
    "copies that are a word": ('min="0" max="2"', 'count="two"', ["PZ262"]),
    "no result": ('<result id="1"/>', "", ["PZ265"]),
    "the number that stands for no result": ('<result id="1"/>', '<result id="4294967295"/>', ["PZ265"]),
    "a result that is not there": ('<result id="1"/>', '<result id="7"/>', ["PZ265"]),
    "a result without a number": ('<result id="1"/>', "<result/>", ["PZ262"]),
    "holes that are no number": ('maxHoles="3"', 'maxHoles="many"', ["PZ262"]),
    "a pair of a colour that is not there": ('<pair piece="0"', '<pair piece="1"', ["PZ265"]),
    "a pair with one colour": ('<pair piece="0" result="0"/>', '<pair piece="0"/>', ["PZ262"]),
    "a piece with variable voxels": ("##1", "#+1", ["PZ266"]),
    "the result as a piece": ('<shape id="0"', '<shape id="1"', ["PZ266"]),
    "no pieces": ('<shape id="0" min="0" max="2"/>', "", ["PZ357"]),
    "pieces that are never used": ('min="0" max="2"', 'count="0"', ["PZ357"]),
    "a piece without a voxel": ("##1", "__", ["PZ314"]),
    "a result without a voxel": ("#++#", "____", ["PZ357"]),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_xmpuzzle_text_is_refused_with_a_position(name: str) -> None:
    old, new, codes = BROKEN[name]
    assert old in GOOD
    found = refused(GOOD.replace(old, new, 1), "xmpuzzle")
    assert [code for code in found if code != "PZ261"] == codes


@pytest.mark.parametrize("result", ["", '<result id="4294967295"/>'])
def test_a_missing_result_is_chosen_in_burrtools(result: str) -> None:
    with pytest.raises(PuzzleError) as raised:
        read_xmpuzzle(Source("a", GOOD.replace('<result id="1"/>', result)), Report(), Given())
    (found,) = [diagnostic for diagnostic in raised.value.diagnostics if diagnostic.code == "PZ265"]
    assert (found.message, len(found.helps), found.notes) == ("missing result of this problem", 1, ())


def test_several_errors_are_reported_together() -> None:
    text = GOOD.replace("##1", "#").replace('<result id="1"/>', '<result id="9"/>').replace('max="2"', 'max="x"')
    assert [code for code in refused(text, "xmpuzzle") if code != "PZ261"] == ["PZ263", "PZ262", "PZ265"]


def test_the_valid_text_is_valid() -> None:
    report = Report()
    puzzle = read_xmpuzzle(Source("row.xmpuzzle", GOOD), report, Given())
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["PZ261"]
    assert [(piece.name, piece.low, piece.high) for piece in puzzle.pieces] == [("I", 0, 2)]


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("##1", "##2", "7:49"),
        ("##1", "#!1", "7:49"),
        ('type="5"', 'type="5"', None),
        ('<result id="1"', '<result id="8"', "13:15"),
        ('max="2"', 'max="many"', "12:37"),
        ('piece="0" result="0"', 'piece="0" result="4"', "14:31"),
    ],
)
def test_the_position_of_an_error_is_that_of_the_wrong_characters(old: str, new: str, place: str | None) -> None:
    # also after characters of several bytes
    text = "<!-- \u4e2d\u6587 \U0001f9e9 -->\n" + GOOD.removeprefix('<?xml version="1.0"?>\n').replace(old, new, 1)
    text = text.replace("<puzzle", "<!-- \u00e9 -->\n<puzzle", 1)
    try:
        read_xmpuzzle(Source("a", text), Report(), Given())
    except PuzzleError as error:
        assert [f"{diagnostic.span}" for diagnostic in error.diagnostics if diagnostic.code != "PZ261"] == [
            f"a:{place}"
        ]
    else:
        assert place is None


def test_a_text_with_very_many_elements_is_refused_before_they_fill_the_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("puzzlec.formats.xml_positions.MAX_ELEMENTS", 50)
    assert refused("<puzzle version='2'>" + "<a/>" * 60 + "</puzzle>", "xmpuzzle") == ["PZ007"]


def test_very_many_voxels_are_refused_before_they_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlec.formats.burrtools.document.MAX_VOXELS", 5)
    assert refused(GOOD, "xmpuzzle") == ["PZ007"]


def test_elements_may_be_nested_deeply() -> None:
    depth = 100_000
    text = "<puzzle version='2'>" + "<a>" * depth + "</a>" * depth + "</puzzle>"
    assert refused(text, "xmpuzzle") == ["PZ262"]


def test_unused_elements_may_be_of_any_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlec.formats.xml_positions.MAX_ELEMENTS", 50)
    many = GOOD.replace("<solution>", "<solution/>" * 1000 + "<solution>")
    report = Report()
    read_xmpuzzle(Source("a", many), report, Given())
    assert "ignoring a stored assembly, a comment of 1 line" in str(report.diagnostics[0])


@pytest.mark.parametrize("problem", ["2", "column", "-1", ""])
def test_a_missing_problem_is_refused(problem: str) -> None:
    assert "PZ299" in refused(GOOD, "xmpuzzle", problem=problem)


@pytest.mark.parametrize(
    "assembly",
    ["", "0 0 0 0", "0 0 0 0 3 0 0", "0 0 0 0 3 0 0 24", "0 0 0 0 3 0 0 -1", "0 0 0 0 a 0 0 0", "x x x", "x 0 0 0 0 0"],
)
def test_a_broken_stored_assembly_is_refused_with_a_position(assembly: str) -> None:
    text = GOOD.replace("0 0 0 0 3 0 0 8", assembly)
    with pytest.raises(PuzzleError) as error:
        stored_assemblies(Source("a", text))
    assert [(diagnostic.code, str(diagnostic.span)) for diagnostic in error.value.diagnostics] == [("PZ267", "a:14:28")]


def test_an_assembly_of_balls_off_their_places_is_refused() -> None:
    text = GOOD.replace('gridType type="0"', 'gridType type="2"').replace("##1", "#_").replace("#++#", "#_+_")
    with pytest.raises(PuzzleError, match="outside the grid"):
        stored_assemblies(Source("a", text))


def test_a_damaged_compressed_file_is_refused() -> None:
    packed = gzip.compress(GOOD.encode(), mtime=0)
    assert refused(packed[:-20], "xmpuzzle") == ["PZ002"]
    assert refused(packed[:40] + b"????" + packed[44:], "xmpuzzle") == ["PZ002"]


@settings(max_examples=150)
@given(st.integers(0, len(GOOD)), st.integers(0, 30), st.text('<>"=#+_0129 x\u00e9', max_size=6))
def test_a_changed_text_is_read_or_refused(at: int, length: int, new: str) -> None:
    text = GOOD[:at] + new + GOOD[at + length :]
    try:
        read_xmpuzzle(Source("a", text), Report(), Given())
    except PuzzleError as error:
        assert all(diagnostic.span is not None for diagnostic in error.diagnostics)


def test_a_text_that_is_cut_off_and_a_missing_problem_get_plain_words() -> None:
    cut = GOOD[: GOOD.index("</puzzle>")]
    with pytest.raises(PuzzleError, match="invalid XML: the text ends before `</puzzle>`"):
        read_xmpuzzle(Source("cut.xmpuzzle", cut), Report(), Given())
    alone = GOOD.replace(GOOD[GOOD.index("    <problem ") : GOOD.index("  </problems>")], "")
    with pytest.raises(PuzzleError) as caught:
        read_xmpuzzle(Source("alone.xmpuzzle", alone), Report(), Given())
    assert [diagnostic.helps for diagnostic in caught.value.diagnostics] == [
        ("in BurrTools, add a problem on the tab Puzzle, and save the file again",)
    ]
