"""Moves in files of BurrTools: written so that they can be read again, and carried out by the checker of plans."""

from pathlib import Path

import pytest

from puzzlec import Puzzle, PuzzleError, load, parse
from puzzlec.diagnostics import Source
from puzzlec.disassembling import burrtools_text, disassemble, stored_levels
from puzzlec.formats.burrtools.stored import stored_assemblies, stored_separations
from tests.commands import run

BURR = "burrs/six-piece-6"
PRISMS = """<?xml version="1.0"?>
<puzzle version="2">
  <gridType type="1"/>
  <colors/>
  <shapes>
    <voxel x="1" y="1" z="1" name="a" type="0">#</voxel>
    <voxel x="2" y="1" z="1" name="b" type="0">_#</voxel>
    <voxel x="2" y="1" z="1" name="board" type="0">##</voxel>
  </shapes>
  <problems>
    <problem name="two prisms" state="2" assemblies="1" solutions="1">
      <shapes><shape id="0" count="1"/><shape id="1" count="1"/></shapes>
      <result id="2"/>
      <bitmap/>
      <solutions><solution asmNum="1" solNum="1">
        <assembly>0 0 0 0 0 0 0 0</assembly>
        <separation><pieces count="2">0 1</pieces>
          <state><dx>0 0</dx><dy>0 0</dy><dz>0 0</dz></state>
          <state><dx>0 0</dx><dy>0 0</dy><dz>0 2</dz></state>
          <state><dx>0 20000</dx><dy>0 0</dy><dz>0 2</dz></state>
        </separation>
      </solution></solutions>
    </problem>
  </problems>
</puzzle>
"""


def text_of(puzzle: Puzzle) -> tuple[str, list[tuple[int, ...]]]:
    """Return the text for BurrTools, and the levels of the assemblies in it."""
    taken = list(disassemble(puzzle))
    apart = [each for each in taken if each.disassembly.apart]
    return burrtools_text(puzzle, apart, len(taken)), [each.disassembly.level or () for each in apart]


@pytest.mark.parametrize("name", [BURR, "burrs/framed-sticks-level-7", "soma/castle", "polycubes/slothouber-graatsma"])
def test_written_moves_are_read_again_and_can_be_carried_out(name: str) -> None:
    puzzle = load(name)
    assert isinstance(puzzle, Puzzle)
    text, levels = text_of(puzzle)
    read = parse(text, "xmpuzzle")
    assert isinstance(read, Puzzle)
    assert read.lattice is not None
    stored = stored_separations(Source("text", text))
    assert [replayed.level for _, replayed in stored_levels(read.lattice, stored)] == levels
    assert [each.placed for each in stored_assemblies(Source("text", text))] == [each.placed for each in stored]
    board = {location.at for location in read.locations}
    assert all(cell in board for each in stored for piece in each.placed for cell in piece.cells)


def test_groups_stay_together_and_one_immovable_piece_is_written() -> None:
    text = "lattice cubic\nlocations box 3x3x1\npiece bolt { xxx/x.x/xxx }\npiece nut { x }\n"
    for more, parts in (("together bolt nut", 1), ("immovable bolt", 2)):
        puzzle = parse(text + more)
        written, _ = text_of(puzzle) if parts == 2 else (burrtools_text(puzzle, [], 1), [])
        found = stored_separations(Source("text", written))
        assert len(found) == parts - 1


def test_moves_of_prisms_are_read() -> None:
    read = parse(PRISMS, "xmpuzzle")
    assert isinstance(read, Puzzle)
    assert read.lattice is not None
    (found,) = stored_separations(Source("text", PRISMS))
    assert [(move.direction, move.separates) for move in found.moves] == [((0, 0, 1), False), ((1, 0, 0), True)]
    assert [replayed.level for _, replayed in stored_levels(read.lattice, [found])] == [(2,)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<dz>0 2</dz>", "<dz>0</dz>"),
        ("<dz>0 2</dz>", "<dz>0 x</dz>"),
        ("<dz>0 2</dz>", "<dz>1 2</dz>"),
        ('<pieces count="2">0 1', '<pieces count="2">0 7'),
    ],
)
def test_moves_that_make_no_sense_are_refused(before: str, after: str) -> None:
    with pytest.raises(PuzzleError, match="PZ267"):
        stored_separations(Source("text", PRISMS.replace(before, after, 1)))


def test_moves_in_which_pieces_overlap_are_refused() -> None:
    text, _ = text_of(parse("lattice cubic\nlocations box 3x2x1\npiece U { xxx/x.x }\npiece dot { x }"))
    read = parse(text, "xmpuzzle")
    assert isinstance(read, Puzzle)
    assert read.lattice is not None
    (found,) = stored_separations(Source("text", text))
    (move,) = found.moves
    wrong = found._replace(moves=(move._replace(direction=(1, 0, 0)),))
    with pytest.raises(PuzzleError, match="PZ267"):
        list(stored_levels(read.lattice, [wrong]))


@pytest.mark.parametrize(
    "text",
    [
        "locations box 2x1\npiece D { xx }\nwall cells (2,0)",
        "colours a\nlocations { aa }\npiece D { aa }",
        "lattice hex\nlocations cells (0,0)\npiece D cells (0,0)",
        "locations box 2x1\npiece D x2 { x }\nimmovable D\npiece E x0..1 { xx }\nimmovable E",
    ],
)
def test_what_burrtools_cannot_hold_is_refused(text: str) -> None:
    with pytest.raises(PuzzleError, match="PZ501"):
        burrtools_text(parse(text), [], 0)


def test_the_command_writes_a_file_and_carries_out_its_moves(tmp_path: Path) -> None:
    path = tmp_path / "burr.xmpuzzle"
    assert run("disassemble", BURR, "-o", str(path)).returncode == 0
    assert run("disassemble", BURR, "-o", str(path)).returncode == 1
    replayed = run("disassemble", str(path), "--stored")
    assert (replayed.returncode, replayed.stdout) == (0, "assembly 1: level 6.4\n")
    assert run("disassemble", str(path), "--stored", "--json").stdout == '{"assembly":1,"level":"6.4"}\n'
