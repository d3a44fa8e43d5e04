"""Levels, plans, groups and limits, compared with a plain search and with BurrTools."""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import partial
from itertools import permutations, product
from pathlib import Path
from random import Random

import pytest

from puzzlec import Puzzle, PuzzleError, convert, parse
from puzzlec.disassembling import disassemble
from puzzlec.geometry import Cell, Lattice, find_lattice
from puzzlec.ir.location import ANY
from puzzlec.motion import disassembly
from puzzlec.motion import gaps as gap
from puzzlec.motion.compiled import CompiledSearch
from puzzlec.motion.disassembly import Disassembler, Plan, SeparationState, after_singles
from puzzlec.motion.gaps import ENDLESS_GAP, ContactTable, Gaps, axes, contacts, pack, shift
from puzzlec.motion.moves import Body, Spans, Step
from puzzlec.motion.obstacles import why_not
from puzzlec.motion.replay import ReplayError, replay
from puzzlec.motion.search import (
    PIECE_BYTES,
    STATE_BYTES,
    Bounds,
    SearchStoppedError,
    Shift,
    closed,
    first_separations,
    gap_table,
    is_separable,
    needs,
)
from tests.motion.plain_search import DIRECTIONS, interlocking_assembly, plain_level, random_assembly, take_apart

SQUARE, CUBIC = find_lattice("square"), find_lattice("cubic")

#: Six-piece burrs of https://github.com/matajoh/burr-solver (puzzles.json, MIT licence). A stick is four rows of six
#: cells. The numbers of assemblies and the levels are those of BurrTools 0.7.1.
BURRS = [
    ("xxxxxx/xxxxxx/xx..xx/xxx..x xxxxxx/xxx.xx/xx..xx/x.x..x xxxxxx/xx..xx/x....x/xx...x "
     "xxx.xx/xxxxxx/x.x..x/x....x xx..xx/xxxxxx/x....x/x.x..x xx.xxx/xxxxxx/x....x/x....x", 9, ["6"]),
    ("xxxxxx/x....x/xxx.xx/x....x xxxxxx/x...xx/xxxxxx/x...xx xxxxxx/x....x/xxxxxx/x....x "
     "xxxxxx/xx..xx/xx..xx/x....x xxxxxx/x.x..x/xx..xx/x....x xxxxxx/x.xx.x/xxxxxx/x....x", 2, ["6.4"]),
]  # fmt: skip


def burr(sticks: str) -> str:
    """Return the puzzle of a six-piece burr."""
    boxes = ("box 4x2x2 at (1,2,2)", "box 2x4x2 at (2,1,2)", "box 2x2x4 at (2,2,1)")
    lines = [
        "lattice cubic",
        f"locations (box 6x4x2 at (0,1,2) + box 2x6x4 at (2,0,1) + box 4x2x6 at (1,2,0)) - {' - '.join(boxes)}",
        f"optional locations {' + '.join(boxes)}",
    ]
    for name, stick in zip("ABCDEF", sticks.split(), strict=True):
        one, two, three, four = stick.split("/")
        lines.append(f"piece {name} {{ {one} {three} / {two} {four} }}")
    return "\n".join(lines)


def drawn(*rows: str) -> list[Body]:
    """Return the pieces of a drawing on squares, one for each letter."""
    found: dict[str, list[Cell]] = {}
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            if sign != ".":
                found.setdefault(sign, []).append((x, y))
    return [Body(name, tuple(cells)) for name, cells in sorted(found.items())]


#: The hook must turn three corners before it leaves the frame; the dot leaves after it.
MAZE = drawn(
    "WWWWWWW",
    "W.....W",
    "W.aaa.W",
    "W.a.WWW",
    "W.a....",
    "WWWWWWW",
)


@pytest.mark.parametrize(("sticks", "assemblies", "levels"), BURRS)
def test_burrs_have_the_levels_and_numbers_of_assemblies_that_burrtools_gives(
    sticks: str, assemblies: int, levels: list[str]
) -> None:
    taken = list(disassemble(parse(burr(sticks))))
    assert len(taken) == assemblies
    assert [result.disassembly.text for result in taken if result.disassembly.apart] == levels
    for result in taken:
        result.check()


def test_equal_pieces_of_different_names_count_as_different_pieces() -> None:
    sticks = (
        "xxxxxx/xx.xxx/x.x..x/x....x xxxxxx/xxx.xx/x..x.x/x....x xxxxxx/xx..xx/x..x.x/x....x "
        "xxxxxx/xxx.xx/x..x.x/x....x xxxxxx/xx.xxx/x....x/x....x xxxxxx/xx.xxx/x.xx.x/x..x.x"
    )
    twice = parse(burr(sticks))  # B and D are equal: number 1 of burr-solver, 144 assemblies and level 5.4
    once = parse(
        burr(sticks).replace("piece B ", "piece B x2 ").replace("piece D { xxxxxx x..x.x / xxx.xx x....x }", "")
    )
    for puzzle, assemblies in ((twice, 288), (once, 144)):
        levels = [taken.disassembly.text for taken in disassemble(puzzle)]
        assert (len(levels), levels.count("5.4")) == (assemblies, assemblies // 144)


def agrees_with_the_plain_search(lattice: Lattice, seed: int, known: Disassembler, cells: int) -> int:
    """Check a random assembly against the plain search and the checker; return the first number of its level."""
    random, chosen = Random(seed), None
    for _ in range(12):  # from several, take the highest level or sometimes a stuck assembly
        if random.random() < 0.3:
            pieces = random_assembly(lattice, random, random.randrange(6, cells // 3), random.choice((2, 3, 3, 4)))
        else:
            pieces = interlocking_assembly(lattice, random, random.randrange(cells // 3, cells))
        result = known.take_apart([Body(str(number), part) for number, part in enumerate(pieces)], Bounds(None, 10**6))
        rank = result.level or ((2,) if random.random() < 0.1 else (0,))
        if not result.stopped and (chosen is None or rank > chosen[0]):
            chosen = rank, pieces, result
    assert chosen is not None
    _, pieces, result = chosen
    assert plain_level(lattice, pieces) == ((result.moves, result.level) if result.apart else None), (seed, pieces)
    if result.level is None:
        return 0
    replayed = replay(lattice, result.bodies, result.steps)
    assert (replayed.level, replayed.parts) == (result.level, result.parts)
    return result.level[0] if result.level else 0


def most_cells(lattice: Lattice) -> int:
    """Return the most cells of a random assembly for which a plain search takes about a tenth of a second."""
    if len(lattice.kinds) > 7 or lattice.dimension > 3:
        return 40
    return 60 if lattice.dimension == 3 else 90


@pytest.mark.parametrize("name", DIRECTIONS)
@pytest.mark.long
def test_random_assemblies_have_the_level_that_a_plain_search_finds(name: str) -> None:
    lattice = find_lattice(name)
    known = Disassembler(lattice)
    cells = most_cells(lattice)
    seeds = {40: 2, 60: 4, 90: 10}[cells]
    levels = [agrees_with_the_plain_search(lattice, seed, known, cells) for seed in range(seeds)]
    assert cells == 40 or lattice.dimension == 1 or max(levels) > 1


@pytest.mark.slow
@pytest.mark.parametrize("name", DIRECTIONS)
def test_a_hundred_random_assemblies_have_the_level_that_a_plain_search_finds(name: str) -> None:
    lattice = find_lattice(name)
    known = Disassembler(lattice)
    for seed in range(100, 200):
        agrees_with_the_plain_search(lattice, seed, known, 90)


@pytest.mark.nightly
@pytest.mark.parametrize("name", DIRECTIONS)
def test_ten_thousand_random_assemblies_have_the_level_that_a_plain_search_finds(name: str) -> None:
    lattice = find_lattice(name)
    for seed in range(10_000):
        if seed % 100 == 0:  # shapes of earlier assemblies fill the memory
            known = Disassembler(lattice)
        agrees_with_the_plain_search(lattice, 1_000_000 + seed, known, most_cells(lattice))


def test_kept_contacts_are_those_that_are_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUZZLEC_CACHE", str(tmp_path))
    lattice = find_lattice("rhombic")
    keys = list(product(range(len(axes(lattice))), range(len(lattice.kinds))))

    def all_contacts() -> list[list[tuple[int, int, int]]]:
        table = ContactTable(lattice)
        return [table.of(*key) for key in keys]

    computed = all_contacts()
    for number, kind in keys[::17]:
        found = [contacts(lattice, axes(lattice)[number], kind, other) for other in range(len(lattice.kinds))]
        steps = [(pack(step), other, free) for other, each in enumerate(found) for step, free in each]
        assert computed[keys.index((number, kind))] == steps
    kept = tmp_path / "contacts.rhombic.cache"
    content = kept.read_bytes()
    assert all_contacts() == computed
    for damaged in (content[:-8], content[:-1] + bytes([content[-1] ^ 1]), b""):
        kept.write_bytes(damaged)
        assert all_contacts() == computed
        assert kept.read_bytes() == content


def test_a_first_separation_at_once_is_that_of_the_kernel() -> None:
    """What pairs of pieces ever meet is remembered: a later search begins with it, without the kernel."""
    firsts = set[bool]()
    several = [
        tuple(body.cells for body in taken.disassembly.bodies) for taken in disassemble(parse(burr(BURRS[0][0])))
    ]
    several += [random_assembly(CUBIC, Random(seed), 30, 4) for seed in range(30)]
    gaps = Gaps(CUBIC)
    search = CompiledSearch(gaps)
    for pieces in several:
        shapes, places = zip(*sorted(gaps.shape_of(cells) for cells in pieces), strict=True)
        first, blocked = search.first_separations(shapes, places, Bounds()), search.blocked(shapes, places)
        assert search.blocked(shapes, places) == blocked == CompiledSearch(gaps).blocked(shapes, places)
        bounds = Bounds()
        assert search.first_separations(shapes, places, bounds) == first
        assert first.moves != 1 or bounds.reached == (1, 0)
        firsts.add(first.moves == 1)
    assert firsts == {True, False}


def test_no_plan_has_fewer_moves_than_the_bound_of_its_state_and_most_have_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """States with a large bound are not searched. A bound that is too large would lose the best plan."""

    class Compared(SeparationState):
        def plan(self, most: int | None) -> Plan | None:
            plan = super().plan(most)
            if plan is not None:
                above.append(len(plan.shifts) - self.least)
            return plan

    above: list[int] = []
    monkeypatch.setattr(disassembly, "SeparationState", Compared)
    for seed in range(100):
        pieces = interlocking_assembly(SQUARE, Random(seed), 60)
        Disassembler(SQUARE).take_apart([Body(str(number), cells) for number, cells in enumerate(pieces)])
    assert min(above) == 0
    assert above.count(0) > 0.9 * len(above)


@pytest.mark.parametrize("name", DIRECTIONS)
def test_directions_agree_with_the_page(name: str) -> None:
    found = {*axes(find_lattice(name)), *(tuple(-v for v in direction) for direction in axes(find_lattice(name)))}
    assert found == {*DIRECTIONS[name], *(tuple(-v for v in direction) for direction in DIRECTIONS[name])}


@pytest.mark.parametrize("name", DIRECTIONS)
def test_directions_are_in_descending_order_and_none_is_the_opposite_of_another(name: str) -> None:
    found = axes(find_lattice(name))
    assert list(found) == sorted(found, reverse=True)
    assert not {*found} & {tuple(-v for v in direction) for direction in found}


def test_a_lattice_with_a_skewed_translation_has_the_directions_of_squares() -> None:
    skewed = replace(SQUARE, name="skewed", translations=((1, 0), (3, 1)))
    assert sorted(gap.shift(skewed, axis) for axis in axes(skewed)) == [(0, -1), (1, 0)]


def test_a_level_does_not_depend_on_the_order_of_pieces_copies_and_axes() -> None:
    sticks, _, (level,) = BURRS[1]
    (bodies,) = [
        assembly.disassembly.bodies for assembly in disassemble(parse(burr(sticks))) if assembly.disassembly.apart
    ]
    random = Random(7)
    for axes_order in permutations(range(3)):
        signs = [random.choice((1, -1)) for _ in range(3)]
        shuffled = [
            Body(
                "copy", tuple(tuple(s * cell[k] for s, k in zip(signs, axes_order, strict=True)) for cell in body.cells)
            )
            for body in random.sample(bodies, len(bodies))
        ]
        result = take_apart(CUBIC, shuffled)
        assert (result.text, result.moves) == (level, 13)


def test_levels_of_random_assemblies_do_not_depend_on_the_order() -> None:
    random = Random(3)
    for seed in range(60):
        pieces = random_assembly(SQUARE, Random(seed), 25, 5)
        result = take_apart(SQUARE, [Body(str(number), cells) for number, cells in enumerate(pieces)])
        flip = random.choice((1, -1))
        other = [Body("x", tuple((flip * y, x) for x, y in cells)) for cells in random.sample(pieces, len(pieces))]
        again = take_apart(SQUARE, other)
        assert (again.level, again.moves, len(again.held)) == (result.level, result.moves, len(result.held))


def test_a_slide_of_several_steps_is_one_move_and_a_corner_begins_another() -> None:
    result = take_apart(SQUARE, drawn("WWWWWW", "W..aaW", "W.WWWW", "W.W...", "W.....", "WWWWWW"))
    assert result.text is None
    result = take_apart(SQUARE, drawn("WWWWWW", "W...aW", "W.WWWW", "W.W...", "W.....", "WWWWWW"))
    assert result.text == "3"
    assert [step.distance for step in result.steps][:2] == [3, 3]


def test_a_piece_that_is_met_on_the_way_is_pushed_from_the_start_in_one_move() -> None:
    walls = Body("W", ((0, 1), *((x, y) for y in (0, 2) for x in range(8))), True)
    result = take_apart(SQUARE, [walls, Body("a", ((1, 1),)), Body("b", ((3, 1),))])
    assert result.text == "1"
    assert result.steps[0].pieces == (1, 2)  # a meets b after one step


@pytest.mark.parametrize(("rows", "distance"), [(("ab",), 1), (("aa", "bb"), 3), (("aaa", "bbb"), 4)])
def test_a_piece_that_leaves_stops_with_one_empty_column_before_the_others(
    rows: tuple[str, ...], distance: int
) -> None:
    (step,) = Disassembler(SQUARE).take_apart(drawn(*rows)).steps
    assert (step.distance, step.separates) == (distance, True)


def test_pieces_that_may_stay_together_need_no_separation() -> None:
    hooks = drawn("aab", "acb", "ccb", "abb")
    linked = drawn("aaaa.", "abb.a", "a.ba.", "aaaab", "..bbb")
    assert take_apart(SQUARE, hooks).apart
    held = take_apart(SQUARE, linked)
    assert not held.apart
    together = take_apart(SQUARE, linked, [{"a": 1, "b": 1}])
    assert (together.text, together.moves, together.parts) == ("0", 0, ((0, 1),))


def test_a_single_piece_is_apart_in_any_group_or_in_none() -> None:
    dot = [Body("a", ((0, 0),))]
    for together in ((), [{"b": 1}], [{"a": 1}], [{"a": 1}, {"a": 2}]):
        alone = take_apart(SQUARE, dot, together)
        assert (alone.apart, alone.moves) == (True, 0), together


def test_a_group_holds_no_more_copies_than_it_allows() -> None:
    ring = [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2)]
    pairs = [
        body for x in (0, 10) for body in (Body("ring", tuple((x + a, b) for a, b in ring)), Body("dot", ((x + 1, 1),)))
    ]
    dot = Body("free", ((5, 5),))
    both = take_apart(SQUARE, [*pairs, dot], [{"ring": 2, "dot": 2}, {"free": 1}])
    assert both.apart
    groups = [{"ring": 1, "dot": 1}, {"ring": 9}]
    assert not take_apart(SQUARE, [*pairs, dot], groups).apart
    assert take_apart(SQUARE, [*pairs, dot], [*groups, {"ring": 1, "dot": 1}]).parts == ((0, 1), (2, 3), (4,))


def test_an_assembly_that_does_not_come_apart_names_the_least_set_that_holds() -> None:
    ring = Body("ring", ((0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2)))
    result = take_apart(SQUARE, [Body("free", ((3, 1),)), ring, Body("dot", ((1, 1),)), Body("bar", ((0, 3), (1, 3)))])
    assert not result.apart
    hold = why_not(result)
    assert hold is not None
    assert (hold.pieces, hold.smallest) == ((1, 2), True)
    assert {(block.piece, block.direction, block.steps, block.met) for block in hold.blocks if block.piece == 2} == {
        (2, way, 0, (1,)) for way in ((1, 0), (-1, 0), (0, 1), (0, -1))
    }


def test_a_limit_leaves_open_whether_fewer_pieces_hold_together() -> None:
    outer, inner = [
        Body(name, tuple((x, y) for x in around for y in around if {x, y} & {around[0], around[-1]}))
        for name, around in (("outer", range(-1, 4)), ("inner", range(3)))
    ]
    result = take_apart(SQUARE, [outer, inner, Body("dot", ((1, 1),))])
    assert not result.apart
    stopped, found = why_not(result, Bounds(deadline=0.0)), why_not(result)
    assert stopped is not None
    assert (stopped.pieces, stopped.smallest) == ((0, 1, 2), False)
    assert found is not None
    assert (found.pieces, found.smallest) == ((0, 1), True)


def test_loose_pieces_end_at_a_limit_and_do_not_fill_the_memory() -> None:
    frame = [(x, y) for x in range(12) for y in range(12) if x in (0, 11) or y in (0, 11)]
    balls = [Body("ball", ((1 + 2 * (n % 5), 1 + 2 * (n // 5)),)) for n in range(20)]
    result = take_apart(SQUARE, [Body("frame", tuple(frame)), *balls])
    assert (result.apart, result.stopped, result.searched) == (False, "loose", 0)
    few = [Body("frame", tuple(frame)), *balls[:6]]
    assert take_apart(SQUARE, few, memory=1_000_000).stopped == "memory"
    assert take_apart(SQUARE, few, seconds=0).stopped == "time"


def test_the_checker_refuses_a_plan_in_which_pieces_overlap_or_the_level_is_another() -> None:
    bodies = drawn("aab", "abb")
    plan = take_apart(SQUARE, bodies).steps
    assert replay(SQUARE, bodies, plan).level == (1,)
    with pytest.raises(ReplayError, match="overlap in move 1"):
        replay(SQUARE, bodies, [Step((0,), (1, 0), 9, True)])
    with pytest.raises(ReplayError, match="not one of some pieces"):
        replay(SQUARE, bodies, [Step((0, 1), (1, 0), 9, True)])
    assert replay(SQUARE, bodies, []).parts == ((0, 1),)
    with pytest.raises(ReplayError, match="past the others"):
        replay(SQUARE, drawn("aaa", "bbb"), [Step((0,), (1, 0), 1, True)])
    with pytest.raises(ReplayError, match="end before everything is apart"):
        replay(SQUARE, drawn("ab", "..", "cd"), [
            Step((0, 1), (0, -1), 9, True), Step((0,), (0, -1), 1, False),
            Step((2,), (-1, 0), 9, True), Step((0,), (-1, 0), 9, True),
        ])  # fmt: skip
    with pytest.raises(ReplayError, match="at the start"):
        replay(SQUARE, [bodies[0], bodies[0]], [])


def test_a_triangle_sweeps_one_neighbour_and_a_hexagon_two() -> None:
    triangle = find_lattice("triangle")
    assert take_apart(triangle, [Body("a", ((0, 0, 0),)), Body("b", ((0, 0, 1),))]).text == "1"
    hexagons = find_lattice("hex")
    ring = Body("ring", ((-1, 0), (0, -1), (1, -1), (0, 1), (-1, 1)))
    assert not take_apart(hexagons, [Body("dot", ((0, 0),)), ring]).apart  # open only on one side: too narrow
    wide = Body("ring", ((-1, 0), (0, -1), (-1, 1)))
    assert take_apart(hexagons, [Body("dot", ((0, 0),)), wide]).apart


@pytest.mark.parametrize("name", DIRECTIONS)
def test_the_kernel_finds_what_the_search_in_python_finds(name: str) -> None:
    compiled = pytest.importorskip("puzzlec.motion.compiled")
    lattice = find_lattice(name)
    gaps = Gaps(lattice)
    fast = compiled.CompiledSearch(gaps)
    for seed in range(20):
        random = Random(seed)
        pieces = random_assembly(lattice, random, random.choice((8, 16, 27)), random.choice((2, 3, 4, 5)))
        shapes, places = zip(*[gaps.shape_of(cells) for cells in pieces], strict=True)
        met = [needs(rows, ENDLESS_GAP) for rows in gap_table(gaps, shapes, places)]
        assert fast.blocked(shapes, places) == met
        expected = first_separations(gaps, shapes, places, Bounds())
        assert fast.first_separations(shapes, places, Bounds()) == expected, seed


def test_the_kernel_makes_room_for_states_and_gaps_and_stops_at_the_same_limits() -> None:
    compiled = pytest.importorskip("puzzlec.motion.compiled")
    gaps = Gaps(SQUARE)
    fast = compiled.CompiledSearch(gaps)
    frame = [(x, y) for x in range(7) for y in range(7) if x in (0, 6) or y in (0, 6)]
    loose = [frame, [(2, 2)], [(4, 4)], [(5, 1), (5, 2)]]
    shapes, places = zip(*[gaps.shape_of(cells) for cells in loose], strict=True)
    assert fast.first_separations(shapes, places, Bounds()) == first_separations(gaps, shapes, places, Bounds())
    for bounds in (Bounds(memory=200_000), Bounds(deadline=0)):
        stops = []
        for search in (fast.first_separations, partial(first_separations, gaps)):
            with pytest.raises(SearchStoppedError) as stopped:
                search(shapes, places, bounds)
            stops.append(stopped.value.limit)
        assert stops[0] == stops[1]
    with pytest.raises(SearchStoppedError, match="memory"):
        fast.first_separations(shapes, places, Bounds(memory=1))
    many = [frame, *([(x, y)] for x in range(1, 6) for y in range(1, 6, 2))]
    shapes, places = zip(*[gaps.shape_of(cells) for cells in many], strict=True)
    with pytest.raises(SearchStoppedError, match="loose"):
        fast.first_separations(shapes, places, Bounds())


@pytest.mark.parametrize("length", [3, 4, 6, 10])
def test_a_search_stops_if_one_state_does_not_fit_into_the_memory(length: int) -> None:
    compiled = pytest.importorskip("puzzlec.motion.compiled")
    gaps = Gaps(SQUARE)
    frame = [(x, y) for x in range(length + 2) for y in range(length) if x in (0, length + 1) or y in (0, length - 1)]
    shapes, places = zip(*[gaps.shape_of(cells) for cells in (frame, [(1, 1)], [(2, 1)])], strict=True)
    inside = length * (length - 2)
    states = 3 if length == 3 else inside * (inside - 1)  # in a single row, no dot passes the other one
    for search in (compiled.CompiledSearch(gaps).first_separations, partial(first_separations, gaps)):
        enough = states * (STATE_BYTES + 3 * PIECE_BYTES)
        assert search(shapes, places, Bounds(memory=enough)).goals == ()
        with pytest.raises(SearchStoppedError, match="memory"):
            search(shapes, places, Bounds(memory=enough - 1))


NUT = 'puzzle "Nut"\nlattice cubic\nlocations box 3x3x1\npiece bolt { xxx/x.x/xxx }\npiece nut x0..2 { x }\n'


def groups_of(read: object) -> object:
    """Return the groups of a puzzle that was read."""
    assert isinstance(read, Puzzle)
    return read.movement.together


def test_the_language_json_and_files_of_burrtools_have_groups() -> None:
    puzzle = parse(NUT + "together bolt nut x2\ntogether bolt\n")
    assert isinstance(puzzle, Puzzle)
    assert puzzle.movement.together == ((("bolt", ANY), ("nut", 2)), (("bolt", ANY),))
    for format in ("puzzle", "json"):
        assert groups_of(parse(convert(puzzle, format), format=format)) == puzzle.movement.together
    assert groups_of(parse(convert(puzzle, "xmpuzzle"), format="xmpuzzle")) == (
        (("bolt", 1), ("nut", 2)),
        (("bolt", 1),),
    )


def test_pieces_of_a_group_of_the_puzzle_stay_together_unless_others_are_given() -> None:
    (taken,) = disassemble(parse(NUT.replace("x0..2", "") + "together bolt nut"))
    assert taken.disassembly.parts == ((0, 1),)
    (lifted,) = disassemble(parse(NUT.replace("x0..2", "")))
    assert lifted.disassembly.parts == ((0,), (1,))


@pytest.mark.parametrize(
    ("statement", "code", "message"),
    [
        ("together bolt knut", "PZ306", "unknown piece `knut`"),
        ("together bolt x0", "PZ319", "expected a number of copies such as `x2`, found `x0`"),
        ("together bolt x1..2", "PZ319", "expected a number of copies such as `x2`, found `x1..2`"),
        ("together", "PZ101", "the names of pieces that may stay together"),
    ],
)
def test_an_invalid_group_is_refused(statement: str, code: str, message: str) -> None:
    with pytest.raises(PuzzleError) as refused:
        parse(NUT + statement)
    assert [(diagnostic.code, message in diagnostic.message) for diagnostic in refused.value.diagnostics] == [
        (code, True)
    ]


def test_an_invalid_group_in_json_is_refused() -> None:
    text = convert(parse(NUT + "together bolt nut x2"), "json")
    for wrong in (text.replace('"copies": 2', '"copies": 0'), text.replace('[{"piece": "bolt"}', '[{"piece": "b"}')):
        assert wrong != text
        with pytest.raises(PuzzleError):
            parse(wrong, format="json")


def test_bodies_that_overlap_are_refused() -> None:
    bar, dot = Body("bar", ((0, 0), (1, 0))), Body("dot", ((1, 0),))
    with pytest.raises(ValueError, match=r"^pieces `bar` and `dot` overlap: both have cell \(1,0\)$"):
        take_apart(SQUARE, [bar, Body("free", ((0, 1),)), dot])
    assert take_apart(SQUARE, [bar, Body("dot", ((1, 1),))]).apart


def test_hundreds_of_pieces_come_apart_one_by_one() -> None:
    dots = [Body("dot", ((x, y),)) for x in range(40) for y in range(8)]
    result = take_apart(SQUARE, dots)
    assert (result.text, result.moves, len(result.parts)) == ("1", 319, 320)


def corridor(dots: int) -> list[Body]:
    """Return dots in a corridor. The gate at its end leaves with its second move, first down and then to the right."""
    gate = {(dots + 1, y) for y in (2, 3, 4)}
    hollow = {*gate, (dots + 1, 1), *((x, 3) for x in range(1, dots + 1))}
    wall = {(x, y) for x in range(dots + 2) for y in range(6)} - hollow | {(dots + 2, 4), (dots + 2, 5)}
    return [
        Body("wall", tuple(sorted(wall))),
        Body("gate", tuple(sorted(gate))),
        *[Body("dot", ((x, 3),)) for x in range(1, dots + 1)],
    ]


@pytest.mark.parametrize("dots", [2, 3, 60, 62])
def test_more_pieces_than_the_kernel_holds_come_apart_by_the_same_rules(dots: int) -> None:
    bodies = corridor(dots)
    result = take_apart(SQUARE, bodies)
    assert (result.text, result.moves) == ("2", dots + 2)
    assert replay(SQUARE, bodies, result.steps).level == (2,)
    if dots < 4:
        assert plain_level(SQUARE, tuple(body.cells for body in bodies)) == (result.moves, result.level)


@pytest.mark.long
def test_one_remark_says_that_many_pieces_are_searched_without_the_kernel(caplog: pytest.LogCaptureFixture) -> None:
    pytest.importorskip("numba")
    known, bounds = Disassembler(SQUARE), Bounds()
    for dots in (30, 64, 65):  # a closed tray with one empty place: no dot ever leaves
        tray = [(x, y) for x in range(-1, dots + 2) for y in (-1, 0, 1) if y or x in (-1, dots + 1)]
        bodies = [Body("tray", tuple(tray)), *[Body("dot", ((x, 0),)) for x in range(dots)]]
        assert len(known.take_apart(bodies, bounds).held) == dots + 1
    assert [record.getMessage() for record in caplog.records] == [
        "searching 65 pieces without the compiled kernel (limit 62)"
    ]
    known.take_apart([Body("dot", ((x, 0),)) for x in range(80)], Bounds())  # no long search, no remark
    assert len(caplog.records) == 1


@pytest.mark.parametrize("name", ["tetrakis", "triangle", "drafter", "prism", "tetoct", "octants"])
def test_contacts_by_a_symmetry_are_those_that_are_computed(name: str) -> None:
    lattice = find_lattice(name)
    kinds = range(len(lattice.kinds))
    for key in product(gap.axes(lattice), kinds, kinds):
        assert gap.contacts(lattice, *key) == gap._contacts(lattice, *key), key


def test_few_contacts_of_cut_cubes_are_computed() -> None:
    alike = gap._alike(find_lattice("rhombic"))
    assert (len(alike), len({first for first, _, _ in alike.values()})) == (7488, 201)


@pytest.mark.parametrize("keyword", ["turn", "clearence"])
def test_an_unknown_keyword_is_refused(keyword: str) -> None:
    puzzle = parse("locations box 2x1\npiece A x2 { x }\n")
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{keyword}'"):
        list(disassemble(puzzle, **{keyword: 1}))  # type: ignore[arg-type]


def test_each_single_piece_that_leaves_before_a_plan_adds_a_move_to_its_level() -> None:
    moves = tuple([Shift(1 << piece, 0, ENDLESS_GAP) for piece in range(5)])
    rest = Plan((3, 2), moves)
    assert after_singles(moves[:3], 1, rest) == Plan((1, 1, 1, 3, 2), (*moves[:3], *moves))
    assert after_singles(moves[:3], 4, Plan((1, 1), moves[:2])).numbers == (4,)
    assert after_singles((), 1, rest) == rest


@pytest.mark.parametrize("name", ["square", "hex", "triangle", "cubic", "fcc", "prism"])
def test_a_step_along_an_axis_moves_the_ends_of_a_body_by_one(name: str) -> None:
    lattice = find_lattice(name)
    spans = Spans(Gaps(lattice))
    bodies = [Body(str(number), tuple(piece)) for number, piece in enumerate(random_assembly(lattice, Random(1), 9, 2))]
    for number, axis in enumerate(spans.axes):
        assert spans.along(number, shift(lattice, axis)) == pytest.approx(1)
        for body in bodies:
            low, high = spans.of(number, body, (0,) * lattice.dimension)
            assert spans.of(number, body, axis) == pytest.approx((low + 1, high + 1))


def test_moves_are_carried_out_when_one_is_needed_and_are_the_same_in_another_process() -> None:
    hook, dot = Body("hook", ((0, 0), (1, 0), (1, 1))), Body("dot", ((0, 1),))
    found = [Disassembler(SQUARE).take_apart([hook, dot]) for _ in range(2)]
    assert "_all" not in vars(found[0].steps)
    assert (found[0].apart, found[0].moves) == (True, 1)
    assert "_all" not in vars(found[0].steps)  # neither the level nor the number of moves needs them
    again = pickle.loads(pickle.dumps(found[0]))
    assert again == found[0] == found[1]
    assert again.steps == tuple(found[0].steps) == found[0].steps[:]
    assert found[0].steps != (), "the pieces move"


def test_a_set_of_pieces_can_leave_if_some_closed_set_is_neither_empty_nor_all() -> None:
    random, answers = Random(7), set()
    for _ in range(600):
        size = random.randint(2, 6)
        needed = [random.getrandbits(size) | random.getrandbits(size) & ~(1 << piece) for piece in range(size)]
        full = (1 << size) - 1
        sets = [those for those in range(1, full) if not any(needed[p] & ~those for p in range(size) if those >> p & 1)]
        assert is_separable(needed) == bool(sets)
        assert all(closed(piece, needed) & 1 << piece for piece in range(size))
        answers.add(bool(sets))
    assert answers == {True, False}
