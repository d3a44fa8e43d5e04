"""Rules on regions, compared with brute force without exact covers."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product

import pytest

import puzzlec
from puzzlec.cli.texts.lists import shapes_text
from puzzlec.diagnostics import Report, Source
from puzzlec.engine import Search
from puzzlec.engine.search.counting import count_covers
from puzzlec.engine.search.selection import METHODS
from puzzlec.formats.reading import read
from puzzlec.formats.writing import write
from puzzlec.geometry import find_library
from puzzlec.ir import Puzzle, Solution
from puzzlec.lower import encode, place, region_rules
from puzzlec.lower.region_rules import ChainedSumError
from puzzlec.lower.symmetries import symmetry
from puzzlec.solving.checker import Checker
from puzzlec.solving.faults import WrongSolutionError
from puzzlec.solving.own_symmetry import OwnSymmetries

Cell = tuple[int, int]
Rule = tuple[tuple[Cell, ...], str]
Part = frozenset[tuple[Cell, str]]
Laid = frozenset[tuple[int, Part]]


class Random:
    """A random puzzle: dominoes and trominoes with numbers on a small board, and rules on regions."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.width, self.height = rng.choice([(3, 2), (4, 2), (3, 3), (2, 2)])
        self.cells = [(x, y) for y in range(self.height) for x in range(self.width)]
        self.optional = set(rng.sample(self.cells, rng.choice([0, 0, 1, 2])))
        if len(self.cells) - len(self.optional) & 1 and not self.optional:
            self.optional = {rng.choice(self.cells)}
        top = rng.choice([1, 2, 3])
        self.pieces: list[tuple[str, ...]] = []
        room = len(self.cells) - len(self.optional)
        while room > 1:
            size = 3 if rng.random() < 0.2 and room != 4 and room > 2 else 2
            self.pieces.append(tuple(str(rng.randint(0, top)) for _ in range(size)))
            room -= size
        self.rules: list[Rule] = [self.rule(rng, top) for _ in range(rng.randint(1, 2))]
        if rng.random() < 0.4:  # make symmetries likely
            turned = [(tuple((self.width - 1 - x, self.height - 1 - y) for x, y in r), c) for r, c in self.rules]
            self.rules += turned

    def rule(self, rng: random.Random, top: int) -> Rule:
        region = tuple(rng.sample(self.cells, rng.randint(1, 4)))
        bound = rng.randint(0, top * len(region)) if rng.random() < 0.2 else (top * len(region) + 1) // 2
        conditions = [f"sum = {bound}", f"sum < {bound + 1}", f"sum > {bound - 1}" if bound else "sum >= 0"]
        return region, rng.choice([*conditions, "all equal", "all different"])

    @property
    def text(self) -> str:
        def drawn(which: set[Cell]) -> str:
            rows = ("".join("x" if (x, y) in which else "." for x in range(self.width)) for y in range(self.height))
            return f"box {self.width}x{self.height} & {{ {'/'.join(rows)} }}"

        lines = ["colours 0 1 2 3"]
        if needed := set(self.cells) - self.optional:
            lines.append(f"locations {drawn(needed)}")
        if self.optional:
            lines.append(f"optional locations {drawn(self.optional)}")
        lines += [f"piece p{number} {{ {''.join(piece)} }}" for number, piece in enumerate(self.pieces)]
        lines += [f"rule cells {' '.join(f'({x},{y})' for x, y in region)} {c}" for region, c in self.rules]
        return "\n".join(lines) + "\n"

    def ways(self, piece: tuple[str, ...]) -> set[Part]:
        """Return every placement of a piece on the board."""
        found = set()
        for (x, y), (dx, dy) in product(self.cells, ((1, 0), (-1, 0), (0, 1), (0, -1))):
            at = [(x + dx * k, y + dy * k) for k in range(len(piece))]
            if all(cell in self.cells for cell in at):
                found.add(frozenset(zip(at, piece, strict=True)))
        return found

    def solutions(self) -> Iterator[Laid]:
        """Yield every way to place all pieces so that all rules hold, each piece with the values of its cells."""

        def laid(number: int, shown: dict[Cell, str], parts: list[Part]) -> Iterator[Laid]:
            if number == len(self.pieces):
                if set(self.cells) - self.optional <= shown.keys() and all(holds(rule, shown) for rule in self.rules):
                    yield frozenset(enumerate(parts))
                return
            for part in ways[number]:
                if all(cell not in shown for cell, _ in part):
                    yield from laid(number + 1, shown | dict(part), [*parts, part])

        ways = [self.ways(piece) for piece in self.pieces]
        yield from laid(0, {}, [])

    def symmetries(self) -> Iterator[dict[Cell, Cell]]:
        """Yield the actions on cells of the rotations and reflections that keep the board and the rules."""
        demands = {(frozenset(region), words) for region, words in self.rules}
        for flip, (sx, sy) in product((False, True), product((1, -1), repeat=2)):
            image = {}
            for x, y in self.cells:
                a, b = (y, x) if flip else (x, y)
                image[x, y] = (a if sx > 0 else self.width - 1 - a, b if sy > 0 else self.height - 1 - b)
            kept = set(image.values()) == set(self.cells) and {image[cell] for cell in self.optional} == self.optional
            if kept and {(frozenset(map(image.get, region)), words) for region, words in demands} == demands:
                yield image

    def distinct(self, solutions: Iterable[Laid]) -> int:
        left, number = set(solutions), 0
        images = list(self.symmetries())
        while left:
            one = next(iter(left))
            number += 1
            for image in images:
                left.discard(frozenset((k, frozenset((image[at], c) for at, c in part)) for k, part in one))
        return number


def holds(rule: Rule, shown: dict[Cell, str]) -> bool:
    region, words = rule
    here = [shown[at] for at in region if at in shown]
    if words == "all equal":
        return len(set(here)) < 2
    if words == "all different":
        return len(set(here)) == len(here)
    _, sign, bound = words.split()
    total = sum(map(int, here))
    return {"=": total == int(bound), "<": total < int(bound), ">": total > int(bound), ">=": total >= int(bound)}[sign]


def counts(text: str) -> tuple[int, int | None]:
    puzzle = puzzlec.parse(text)
    try:
        place(puzzle)
    except puzzlec.PuzzleError as error:
        assert {diagnostic.code for diagnostic in error.diagnostics} <= {"PZ366"}
        return 0, 0
    raw = puzzlec.solve(puzzle, symmetry="none").count()
    try:
        symmetry(encode(place(puzzle)))
    except ChainedSumError:
        return raw, None
    return raw, puzzlec.solve(puzzle).count()


@pytest.mark.parametrize("chained", [False, True])
@pytest.mark.long
def test_counts_are_those_of_a_brute_force(chained: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if chained:
        monkeypatch.setattr(region_rules, "MOST_COMBINATIONS", 0)
    compared = some = smaller = 0
    for seed in range(100 * chained, 100 * chained + 60):
        case = Random(seed)
        solutions = list(case.solutions())
        raw = len(solutions)
        assert raw == len(set(solutions))
        found, distinct = counts(case.text)
        assert found == raw, case.text
        if distinct is not None:
            assert distinct == case.distinct(solutions), case.text
            compared += 1
        some += raw > 0
        smaller += distinct is not None and distinct < raw
    assert some > 20
    assert compared > 30
    assert smaller > 5


#: A board with optional cells, all conditions and both ways to add up; it has 57 raw solutions.
MIXED = """
colours 0 1 2 3
regions A B
locations { AAx/BBx }
optional locations cells (0,2) (1,2) (2,2)
piece a { 12 }
piece b x2 { 03 }
piece c x0..1 { 11 }
rule A sum > 1
rule B all different
rule cells (2,0) (2,1) (2,2) sum <= 4
rule cells (0,2) (1,2) all equal
"""


@pytest.mark.parametrize("most", [0, 10_000])
def test_every_method_counts_the_same(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(region_rules, "MOST_COMBINATIONS", most)
    cover = encode(place(puzzlec.parse(MIXED))).cover
    found = {method: count_covers(cover, kernel=method).number for method in METHODS}
    assert set(found.values()) == {len(list(puzzlec.solve(puzzlec.parse(MIXED), symmetry="none")))}
    assert puzzlec.solve(puzzlec.parse(MIXED), symmetry="none", threads=2).count() == found["auto"] > 20


def test_a_solution_finds_its_options() -> None:
    encoding = encode(place(puzzlec.parse(MIXED)))
    own = OwnSymmetries(encoding, symmetry(encoding, "none"))
    every = puzzlec.every_solution(puzzlec.parse(MIXED))
    for options in Search(encoding.cover):
        solution = encoding.lift(options)
        assert own.options(solution) == tuple(sorted(options))
        assert solution in every


def test_the_checker_knows_the_rules() -> None:
    free = puzzlec.parse("".join(line + "\n" for line in MIXED.splitlines() if not line.startswith("rule")))
    ruled = place(puzzlec.parse(MIXED))
    checker, right = Checker(ruled), 0
    # Placements that break a rule alone are gone from the fitting, so one that has all of them is checked.
    whole = replace(place(free), puzzle=ruled.puzzle)
    solutions = list(puzzlec.solve(free, symmetry="none"))
    for solution in solutions:
        try:
            Checker(whole).check(Solution(whole, solution.placements))
        except WrongSolutionError as error:
            assert "not `" in str(error)
        else:
            right += 1
    assert right == len(list(puzzlec.solve(puzzlec.parse(MIXED), symmetry="none"))) < len(solutions)
    for solution in puzzlec.solve(puzzlec.parse(MIXED), symmetry="none"):
        checker.check(solution)


@pytest.mark.parametrize("format", ["puzzle", "json"])
def test_rules_return_unchanged(format: str) -> None:
    puzzle = puzzlec.parse(MIXED)
    again = read(Source(f"a.{format}", write(puzzle, format)), format, Report())
    assert isinstance(again, Puzzle)
    assert place(again) == place(puzzle)
    fitting = place(puzzle)
    if format != "puzzle":
        assert read(Source(f"a.{format}", write(fitting, format)), format, Report()) == fitting


@pytest.mark.parametrize("format", ["dpf", "compact", "xmpuzzle", "cells", "graphml", "polycube", "board", "piezas"])
def test_formats_without_rules_refuse_them(format: str) -> None:
    with pytest.raises(puzzlec.PuzzleError) as caught:
        puzzlec.convert(puzzlec.parse(MIXED), format)
    assert caught.value.diagnostics[0].code == "PZ501"
    assert "rules on regions" in caught.value.diagnostics[0].message


def test_a_long_sum_is_refused_under_a_symmetry_that_moves_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(region_rules, "MOST_COMBINATIONS", 0)
    text = "colours 0 1\nlocations box 2x1\npiece D { 01 }\nrule box 2x1 sum = 1\n"
    assert puzzlec.count(puzzlec.parse(text), symmetry="none") == 2
    with pytest.raises(puzzlec.PuzzleError) as caught:
        puzzlec.count(puzzlec.parse(text))
    assert caught.value.diagnostics[0].code == "PZ253"
    monkeypatch.undo()
    assert puzzlec.count(puzzlec.parse(text)) == 1


def test_the_set_of_dominoes_shows_its_numbers() -> None:
    puzzle = puzzlec.parse("locations box 2x1\npieces double-six x0..1\nrule box 2x1 sum = 12\n")
    assert len(puzzle.pieces) == 28
    assert puzzle.colours.names == tuple("0123456")
    (solution,) = puzzlec.solve(puzzle)
    assert [placement.number for placement in solution.placements] == [27]
    assert "6  6" in shapes_text(find_library("double-six")) or "66" in shapes_text(find_library("double-six"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("regions AB", "PZ361"),
        ("regions x", "PZ361"),
        ("regions 1", "PZ361"),
        ("regions A\nregions A", "PZ361"),
        ("regions A\nrule B sum = 1", "PZ362"),
        ("regions A\nrule A sum = 1", "PZ363"),
        ("rule box 1x1 - box 1x1 all equal", "PZ363"),
        ("rule box 1x1 sum < 0", "PZ364"),
        ("rule box 1x1 sum > 2147483647", "PZ364"),
        ("rule box 3x1 sum = 1", "PZ311"),
        ("rule { xy } sum = 1", "PZ315"),
        ("rule box 2x1 sum = 9", "PZ366"),
        ("piece E x0..1 { xx }\nrule box 2x1 all different", "PZ365"),
        ("colours r\npiece E x0..1 { rr }\nrule box 2x1 sum = 3", "PZ365"),
        ("rule box 2x1 sum 3", "PZ101"),
    ],
)
def test_an_error_is_reported_with_its_line(text: str, code: str) -> None:
    with pytest.raises(puzzlec.PuzzleError) as caught:
        place(puzzlec.parse(f"colours 1 2\nlocations box 2x1\npiece D x0..1 {{ 12 }}\n{text}\n"))
    assert caught.value.diagnostics[0].code == code
    assert caught.value.diagnostics[0].span is not None


@pytest.mark.parametrize("condition", ["sum <= 1", "sum < 2", "sum >= 8", "sum > 7"])
def test_an_impossible_rule_is_quoted_as_it_was_written(condition: str) -> None:
    text = "colours 1 2\nlocations box 3x1\npiece A { 12 }\npiece B { 1 }\n"
    with pytest.raises(puzzlec.PuzzleError, match=f"cannot satisfy `{condition}`"):
        place(puzzlec.parse(f"{text}rule box 3x1 {condition}\n"))
