"""Moves in files of BurrTools: written so that they can be read again, and carried out by the checker of plans."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from math import cos, pi, sin
from pathlib import Path
from xml.etree import ElementTree

import pytest

from puzzlec import Puzzle, PuzzleError, convert, count, load, parse
from puzzlec.diagnostics import Source
from puzzlec.disassembling import burrtools_text, burrtools_warnings, compared_levels, disassemble, stored_levels
from puzzlec.formats.burrtools.stored import stored_assemblies, stored_separations
from puzzlec.motion.search import Bounds
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
    apart = [result for result in taken if result.disassembly.apart]
    return burrtools_text(puzzle, apart, len(taken)), [result.disassembly.level or () for result in apart]


@pytest.mark.parametrize(
    "name",
    [
        BURR,
        pytest.param("burrs/framed-sticks-level-7", marks=pytest.mark.slow),
        "soma/castle",
        "polycubes/slothouber-graatsma",
        "prisms/rhombic-four-level-2",
        "boxes/lid-3x3x3-level-6",
    ],
)
def test_written_moves_are_read_again_and_can_be_carried_out(name: str) -> None:
    puzzle = load(name)
    assert isinstance(puzzle, Puzzle)
    text, levels = text_of(puzzle)
    read = parse(text, format="xmpuzzle")
    assert isinstance(read, Puzzle)
    assert read.lattice is not None
    stored = stored_separations(Source("text", text)).separations
    assert [replayed.level for _, replayed in stored_levels(read.lattice, stored)] == levels
    assert [assembly.placed for assembly in stored_assemblies(Source("text", text))] == [
        assembly.placed for assembly in stored
    ]
    board = {location.at for location in read.locations}
    assert all(cell in board for assembly in stored for piece in assembly.placed for cell in piece.cells)


def test_groups_stay_together_and_one_immovable_piece_is_written() -> None:
    text = "lattice cubic\nlocations box 3x3x1\npiece bolt { xxx/x.x/xxx }\npiece nut { x }\n"
    for more, parts in (("together bolt nut", 1), ("immovable bolt", 2)):
        puzzle = parse(text + more)
        written, _ = text_of(puzzle) if parts == 2 else (burrtools_text(puzzle, [], 1), [])
        found = stored_separations(Source("text", written)).separations
        assert len(found) == parts - 1


def test_several_immovable_things_are_read_again() -> None:
    text = "lattice cubic\nlocations box 4x1x1\npiece A { x }\npiece B { x }\npiece C x2 { x }\n"
    roles = "together A B\nimmovable A C\n"
    read = parse(convert(parse(text + roles), "xmpuzzle"), format="xmpuzzle")
    assert isinstance(read, Puzzle)
    assert (read.movement.immovable, read.movement.together) == (("A", "C"), ((("A", 1), ("B", 1)),))
    walled = parse(convert(parse(text + "immovable A\nwall cells (9,0,0)"), "xmpuzzle"), format="xmpuzzle")
    assert isinstance(walled, Puzzle)
    assert (walled.movement.immovable, walled.movement.together) == (("A", "wall"), ())
    heavy = convert(parse(text + "together A B"), "xmpuzzle").replace('type="0"', 'type="0" weight="99"', 1)
    one = parse(heavy, format="xmpuzzle")
    assert isinstance(one, Puzzle)
    assert len(one.movement.together) == 1


def test_moves_of_prisms_are_read() -> None:
    read = parse(PRISMS, format="xmpuzzle")
    assert isinstance(read, Puzzle)
    assert read.lattice is not None
    (found,) = stored_separations(Source("text", PRISMS)).separations
    assert [(move.direction, move.separates) for move in found.moves] == [((0, 0, 1), False), ((1, 0, 0), True)]
    assert [replayed.level for _, replayed in stored_levels(read.lattice, [found])] == [(2,)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<dz>0 2</dz>", "<dz>0</dz>"),
        ("<dz>0 2</dz>", "<dz>0 x</dz>"),
        ("<dz>0 2</dz>", "<dz>1 2</dz>"),
        ("<dx>0 20000</dx>", "<dx>0 20001</dx>"),
        ('<pieces count="2">0 1', '<pieces count="2">0 7'),
    ],
)
def test_meaningless_moves_are_refused(before: str, after: str) -> None:
    with pytest.raises(PuzzleError, match="PZ267"):
        stored_separations(Source("text", PRISMS.replace(before, after, 1)))


@pytest.mark.parametrize("direction", [(1, 30000, 0), (1, 1, 0), (0, 2, 1)])
def test_moves_in_other_directions_than_those_of_the_lattice_are_refused(direction: tuple[int, ...]) -> None:
    # The pin is in a hole. A step of (1, 30000, 0) would jump over the sides of the hole.
    text, _ = text_of(parse("lattice cubic\nlocations box 3x3x1\npiece O { xxx/x.x/xxx }\npiece pin { x }"))
    read = parse(text, format="xmpuzzle")
    assert isinstance(read, Puzzle)
    assert read.lattice is not None
    (found,) = stored_separations(Source("text", text)).separations
    (move,) = found.moves
    assert [replayed.level for _, replayed in stored_levels(read.lattice, [found])] == [(1,)]
    wrong = found._replace(moves=(move._replace(direction=direction),))
    with pytest.raises(PuzzleError, match="move 1 is not in a direction of the lattice"):
        list(stored_levels(read.lattice, [wrong]))


def test_moves_in_which_pieces_overlap_are_refused() -> None:
    text, _ = text_of(parse("lattice cubic\nlocations box 3x2x1\npiece U { xxx/x.x }\npiece dot { x }"))
    read = parse(text, format="xmpuzzle")
    assert isinstance(read, Puzzle)
    assert read.lattice is not None
    (found,) = stored_separations(Source("text", text)).separations
    (move,) = found.moves
    wrong = found._replace(moves=(move._replace(direction=(1, 0, 0)),))
    with pytest.raises(PuzzleError, match="PZ267"):
        list(stored_levels(read.lattice, [wrong]))


@pytest.mark.parametrize(
    "text",
    [
        "lattice tetrakis\nlocations box 1x1\npiece D cells (0,0,0)",
        "locations box 2x1\npiece D x2 { x }\nforbid D at { x. }",
    ],
)
def test_puzzles_that_burrtools_cannot_store_are_refused(text: str) -> None:
    with pytest.raises(PuzzleError, match="PZ501"):
        burrtools_text(parse(text), [], 0)


def test_the_command_writes_a_file_and_carries_out_its_moves(tmp_path: Path) -> None:
    path = tmp_path / "burr.xmpuzzle"
    assert run("disassemble", BURR, "-o", str(path)).returncode == 0
    assert run("disassemble", BURR, "-o", str(path)).returncode == 1
    replayed = run("disassemble", str(path), "--stored")
    assert (replayed.returncode, replayed.stdout) == (0, "assembly 1: level 6.4\n")
    assert run("disassemble", str(path), "--stored", "--json").stdout == '{"assembly":1,"level":"6.4"}\n'


def states(separation: ElementTree.Element | None) -> list[int]:
    """Return the numbers of states of a separation and of the parts after it, as BurrTools stores them alone."""
    if separation is None:
        return [0]
    parts = {part.get("type"): part for part in separation.findall("separation")}
    return [len(separation.findall("state")), *states(parts.get("left")), *states(parts.get("removed"))]


def without_moves(text: str) -> tuple[str, list[list[int]]]:
    """Return a text with the numbers of states instead of the moves, and these numbers."""
    root, found = ElementTree.fromstring(text), []
    for solution in root.iter("solution"):
        separation = solution.find("separation")
        if separation is not None:
            found.append(states(separation))
            solution.remove(separation)
            ElementTree.SubElement(solution, "separationInfo").text = " ".join(map(str, found[-1]))
    return ElementTree.tostring(root, encoding="unicode"), found


@pytest.mark.parametrize(
    "name", [BURR, "burrs/plates-level-65", "boxes/lid-3x3x3-level-6", "prisms/rhombic-four-level-2"]
)
def test_levels_that_are_stored_without_moves_are_those_of_the_search(name: str) -> None:
    puzzle = load(name)
    assert isinstance(puzzle, Puzzle)
    with_moves, levels = text_of(puzzle)
    text, found = without_moves(with_moves)
    assert len(found) == len(levels) > 0
    read, stored = parse(text, format="xmpuzzle"), stored_separations(Source("text", text))
    assert isinstance(read, Puzzle)
    assert (stored.separations, stored.assemblies) == ([], len(levels))
    compared = list(compared_levels(read, stored.counted, Bounds()))
    assert [result.level for result in compared] == levels
    assert all(result.agrees and not result.contradicts for result in compared)


def test_the_command_compares_stored_levels_with_the_search(tmp_path: Path) -> None:
    path = tmp_path / "burr.xmpuzzle"
    puzzle = load(BURR)
    assert isinstance(puzzle, Puzzle)
    text, (numbers,) = without_moves(text_of(puzzle)[0])
    assert numbers[:2] == [7, 5]
    shown = " ".join(map(str, numbers))

    def answer(*more: str, info: str = shown) -> tuple[int, str, str]:
        path.write_text(text.replace(shown, info))
        done = run("disassemble", str(path), "--stored", *more)
        return done.returncode, done.stdout, done.stderr

    compared = "compared the stored levels of 1 assembly with the search: "
    assert answer() == (0, "assembly 1: level 6.4, 13 moves\n", f"{compared}no level differs\n")
    later = "assembly 1: level 6.5, 14 moves; the search finds level 6.4, 13 moves\n"
    assert answer(info=shown.replace("7 5", "7 6")) == (0, later, f"{compared}1 level differs\n")
    first = "assembly 1: level 5.4, 12 moves; the search finds level 6.4, 13 moves\n"
    assert answer(info=shown.replace("7 5", "6 5")) == (1, first, f"{compared}1 level differs\n")
    record = '{"assembly":1,"level":"6.4","moves":13,"search":{"level":"6.4","moves":13,"stopped":null}}\n'
    assert answer("--json")[:2] == (0, record)
    status, printed, said = answer("--time-limit", "0.000001")
    assert (status, printed) == (4, "")
    assert said.startswith("stopped at the limit")


def test_the_command_gives_the_reason_if_nothing_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "burr.xmpuzzle"
    solution = PRISMS[PRISMS.index("<separation>") : PRISMS.index("</separation>") + len("</separation>")]
    path.write_text(PRISMS.replace(solution, ""))
    done = run("disassemble", str(path), "--stored")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "no moves and no level are stored for 1 assembly\n"


@pytest.mark.parametrize("numbers", ["", "0", "2", "2 0", "2 0 0 0", "1 0 0", "-2 0 0", "x"])
def test_numbers_of_moves_that_are_not_a_tree_are_refused(numbers: str) -> None:
    begin, end = PRISMS.index("<separation>"), PRISMS.index("</separation>") + len("</separation>")
    text = f"{PRISMS[:begin]}<separationInfo>{numbers}</separationInfo>{PRISMS[end:]}"
    with pytest.raises(PuzzleError, match="PZ267"):
        stored_separations(Source("text", text))


class Plain:
    """An XMPuzzle text, read without any code of the package: shapes, spots of the assemblies, and states."""

    def __init__(self, text: str) -> None:
        self.root = ElementTree.fromstring(text)
        self.shapes = [self.voxels(voxel) for voxel in self.root.findall("shapes/voxel")]
        self.problem = self.root.find("problems/problem") or self.root
        self.parts = [
            (int(voxel.get("id", "")), int(voxel.get("max", voxel.get("count", ""))))
            for voxel in self.problem.findall("shapes/shape")
        ]

    @staticmethod
    def voxels(element: ElementTree.Element) -> dict[tuple[int, int, int], str]:
        """Return the voxels of a shape, each with its colour."""
        wide, deep = int(element.get("x", "")), int(element.get("y", ""))
        signs: list[str] = []
        for letter in element.text or "":
            if letter in "_#+":
                signs.append(letter)
            else:
                signs[-1] += letter
        places = [(at % wide, at // wide % deep, at // (wide * deep)) for at in range(len(signs))]
        return {place: sign[1:] for place, sign in zip(places, signs, strict=True) if sign != "_"}

    def weights(self) -> dict[str | None, str | None]:
        """Return the weight of each shape by its name."""
        return {voxel.get("name"): voxel.get("weight") for voxel in self.root.findall("shapes/voxel")}

    def groups(self) -> list[list[tuple[str | None, str | None]]]:
        """Return the groups of each piece with the number of copies."""
        return [
            [(group.get("group"), group.get("count")) for group in part.findall("group")]
            for part in self.problem.findall("shapes/shape")
        ]

    def spots(self) -> list[tuple[int, list[int]]]:
        """Return the shape of each copy in the first assembly, with its place and the number of its rotation."""
        words = iter((self.problem.find("solutions/solution/assembly") or self.problem).itertext())
        numbers = iter(" ".join(words).split())
        return [
            (shape, [int(word), *(int(next(numbers)) for _ in range(3))])
            for shape, copies in self.parts
            for _ in range(copies)
            if (word := next(numbers)) != "x"
        ]

    def states(self, of: ElementTree.Element | None = None) -> Iterator[dict[int, tuple[int, ...]]]:
        """Yield the states of the first separation and of its parts: the place of each copy."""
        if of is None:
            of = self.problem.find("solutions/solution/separation")
            assert of is not None
        pieces = [int(word) for word in (of.findtext("pieces") or "").split()]
        for state in of.findall("state"):
            columns = [[int(word) for word in (state.findtext(axis) or "").split()] for axis in ("dx", "dy", "dz")]
            yield dict(zip(pieces, zip(*columns, strict=True), strict=True))
        for part in of.findall("separation"):
            yield from self.states(part)


def centre(voxel: tuple[float, ...]) -> tuple[float, float, float]:
    """Return the centre of a triangular prism of side 2 in space: triangles with an even x + y point up."""
    x, y, z = voxel
    return x + 1, (y + (1 / 3 if (x + y) % 2 == 0 else 2 / 3)) * 3**0.5, 2 * z


def prisms(shape: dict[tuple[int, int, int], str], rotation: int) -> list[tuple[float, float, float]]:
    """Return the centres of a rotated shape of prisms: from number 6 on, it is first turned over."""
    found = []
    for voxel in shape:
        x, y, z = centre(voxel)
        if rotation >= 6:
            x, z = -x, -z
        angle = rotation % 6 * pi / 3
        found.append((x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle), z))
    return found


def rounded(points: list[tuple[float, float, float]], shift: tuple[float, ...] = (0, 0, 0)) -> set[tuple[float, ...]]:
    """Return points after a shift of voxels, the first of them relative to their least point."""
    x, y, z = shift
    way = (x, y * 3**0.5, 2 * z)
    return {tuple([round(a + b, 3) + 0.0 for a, b in zip(point, way, strict=True)]) for point in points}


def test_states_of_prisms_begin_with_the_board_and_never_overlap() -> None:
    hexagon = "(1,1,0,0) (0,1,0,0) (1,0,0,0) (0,1,0,1) (1,0,0,1) (0,0,0,1)"
    puzzle = parse(
        f"lattice prism\nlocations cells {hexagon} (1,1,1,0)\npiece D x2 cells (1,1,0,0) (0,1,0,1)\n"
        "piece hook cells (1,1,0,0) (1,0,0,1) (1,1,1,0)"
    )
    assert isinstance(puzzle, Puzzle)
    text, _ = text_of(puzzle)
    plain = Plain(text)
    spots = plain.spots()
    assert len({rotation for _, (*_, rotation) in spots}) > 1
    # A copy rotates about the prism at (0,0,0); this prism is then in the column and row of its place.
    bodies = []
    for shape, (*_, rotation) in spots:
        zero = prisms({(0, 0, 0): ""}, rotation)[0]
        corner = round(zero[0] - 1), 1 / 3 if rotation % 2 == 0 else 2 / 3
        row = round(zero[1] / 3**0.5 - corner[1])
        # The image of a triangle that points up may point down; its voxel is then the one with that centre.
        away = (-corner[0], -row, -round(zero[2] / 2))
        bodies.append(
            [(x + away[0], y + away[1] * 3**0.5, z + 2 * away[2]) for x, y, z in prisms(plain.shapes[shape], rotation)]
        )
    states = list(plain.states())
    assert states[0] == {number: tuple(place) for number, (_, (*place, _)) in enumerate(spots)}
    whole = rounded([centre(voxel) for voxel in plain.shapes[-1]])
    assert set.union(*(rounded(bodies[number], place) for number, place in states[0].items())) == whole
    for state in states:
        covered = Counter(cell for number, place in state.items() for cell in rounded(bodies[number], place))
        assert set(covered.values()) == {1}


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("lattice fcc\nlocations cells (0,0,0) (1,0,0) (0,1,0) (1,1,0)\npiece D x2 cells (0,0,0) (1,0,0)", 2),
        ("lattice hex\nlocations cells (0,0) (1,0) (0,1) (1,1)\npiece D x2 cells (0,0) (1,0)", 2),
        ("lattice triangle\nlocations cells (0,0,0) (0,0,1) (1,0,0) (1,0,1)\npiece D x2 cells (0,0,0) (0,0,1)", 2),
        ("lattice rhombic\nlocations box 2x1x1\npiece D x2 cells (0,0,0,k) for k in 0..23", 24),
        ("lattice tetoct\nlocations cells (0,0,0,2) (1,0,0,2)\npiece D x2 cells (0,0,0,2)", 1),
        (
            "colours a b\nlattice cubic\nlocations { abx/bax }\npiece D { ab }\npiece E { ba }\npiece F { x/x }",
            2,
        ),
    ],
)
def test_assemblies_on_each_grid_cover_the_board(text: str, piece: int) -> None:
    puzzle = parse(text)
    assert isinstance(puzzle, Puzzle)
    taken = list(islice(disassemble(puzzle), 3))
    written = burrtools_text(puzzle, taken, len(taken))
    read = parse(written, format="xmpuzzle")
    assert isinstance(read, Puzzle)
    found = stored_assemblies(Source("text", written))
    assert len(found) == len(taken) > 0
    for assembly in found:
        covered = Counter(cell for placed in assembly.placed for cell in placed.cells)
        assert covered == Counter(location.at for location in read.locations)
        assert {len(placed.cells) for placed in assembly.placed} == {piece}


BOX = """
lattice cubic
locations box 2x2x3
piece rod x4 { x x x }
wall box 4x4x4 at (-1,-1,-1) - box 2x2x3
"""


def test_walls_are_a_heavy_piece_that_lies_only_there() -> None:
    puzzle = parse(BOX)
    assert isinstance(puzzle, Puzzle)
    text, levels = text_of(puzzle)
    plain = Plain(text)
    assert plain.weights() == {"rod": None, "wall": "2", "board": None}
    wall, board = plain.shapes[1:]
    assert (len(wall), len(board)) == (52, 64)
    colour = set(wall.values())
    assert {voxel for voxel, sign in board.items() if {sign} == colour} == wall.keys()
    pairs = {(pair.get("piece"), pair.get("result")) for pair in plain.problem.findall("bitmap/pair")}
    assert pairs == {("0", "0")}
    read = parse(text, format="xmpuzzle")
    assert isinstance(read, Puzzle)
    # Without a colour for the space within, the walls have three places here, as BurrTools finds as well.
    assert (count(read), count(read, symmetry="none"), read.movement.immovable) == (1, 1, ("wall",))
    again = [result.disassembly.level for result in disassemble(read)]
    assert again == levels == [(1,)]


def test_the_heaviest_piece_is_immovable_and_written_as_it_was_read() -> None:
    text = "lattice cubic\nlocations box 3x3x1\npiece bolt { xxx/x.x/xxx }\npiece nut { x }\nimmovable bolt"
    puzzle = parse(text)
    assert isinstance(puzzle, Puzzle)
    written, _ = text_of(puzzle)
    assert Plain(written).weights() == {"bolt": "2", "nut": None, "board": None}
    read = parse(written, format="xmpuzzle")
    assert isinstance(read, Puzzle)
    assert read.movement.immovable == ("bolt",)
    # Two pieces of one size may be swapped by a symmetry: then a weight is not read.
    heavy = PRISMS.replace('name="a"', 'name="a" weight="3"')
    assert parse(heavy, format="xmpuzzle").movement.immovable == ()  # type: ignore[union-attr]


def test_several_immovable_pieces_are_a_group_and_there_is_a_warning() -> None:
    text = (
        "lattice cubic\nlocations box 3x3x2\npiece bolt x2 { xxx/x.x/xxx }\npiece nut x2 { x }\n"
        "immovable bolt\ntogether nut x2"
    )
    puzzle = parse(text)
    assert isinstance(puzzle, Puzzle)
    written, levels = text_of(puzzle)
    plain = Plain(written)
    assert plain.groups() == [[("2", "2")], [("1", "2")]]
    assert plain.weights()["bolt"] == "99"
    assert [warning.code for warning in burrtools_warnings(puzzle)] == ["PZ714"]
    stored = stored_separations(Source("text", written)).separations
    (state, *_) = plain.states()
    assert len(state) == len(stored[0].placed) == 4
    assert len(levels) == 1


def test_a_grid_without_moves_has_assemblies_only(tmp_path: Path) -> None:
    path = tmp_path / "balls.xmpuzzle"
    done = run("disassemble", "balls/ball-room-tetrahedron", "-o", str(path))
    assert (done.returncode, "PZ715" in done.stderr) == (0, True)
    root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    assert len(root.findall("problems/problem/solutions/solution/assembly")) == 1
    assert not root.findall(".//separation")
