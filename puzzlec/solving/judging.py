"""Solutions found elsewhere: whether each is one, and if not, why.

The way from what is said to a solution is short: a placement is looked up by its number or by what it covers, and
where names alone are told (a piece for each location) the copies of a piece are told apart. The rest is asked of
:class:`puzzlec.solving.checker.Checker`, which shares nothing with the search; so what another program found without
knowing of crossings can be filtered.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from puzzlec.diagnostics.files import open_source
from puzzlec.formats.solutions.claims import Claim, Laid, read_claims
from puzzlec.ir import Fitting, Placement, Solution
from puzzlec.ir.fitting import PLAIN
from puzzlec.lower import Encoding, symmetry
from puzzlec.lower.movements import GroupTooLargeError
from puzzlec.pipeline import Compiled, compile
from puzzlec.solving.checker import Checker, WrongSolutionError
from puzzlec.solving.own_symmetry import OwnSymmetries


def partitions(region: frozenset[int], at: Mapping[int, Sequence[Placement]]) -> Iterator[list[Placement]]:
    """Give the ways to cut a region into placements, listed by the locations that they cover."""

    def choices(left: frozenset[int]) -> Iterator[Placement]:
        hardest = min(left, key=lambda location: (len(at.get(location, ())), location))
        return (each for each in at.get(hardest, ()) if left.issuperset(each.locations))

    chosen: list[Placement] = []
    stack = [(region, choices(region))]
    while stack:
        left, following = stack[-1]
        each = next(following, None)
        if each is None:
            stack.pop()
            if chosen:
                chosen.pop()
            continue
        rest = left.difference(each.locations)
        if not rest:
            yield [*chosen, each]
            continue
        chosen.append(each)
        stack.append((rest, choices(rest)))


class Reading:
    """Placements that are chosen one after the other, with what speaks against another one."""

    def __init__(self, fitting: Fitting) -> None:
        self.fitting, self.mate = fitting, dict(fitting.mates)
        self.chosen: list[Placement] = []
        self.used: Counter[int] = Counter()
        self.tile: dict[int, Placement] = {}

    def add(self, several: Sequence[Placement]) -> None:
        """Choose some placements."""
        self.chosen += several
        self.used.update(each.piece for each in several)
        self.tile.update((each.locations[0], each) for each in several if self.fitting.pieces[each.piece].sides)

    def remove(self, several: Sequence[Placement]) -> None:
        """Take the last placements that were chosen back."""
        del self.chosen[len(self.chosen) - len(several) :]
        self.used.subtract(each.piece for each in several)
        for each in several:
            if self.fitting.pieces[each.piece].sides:
                self.tile.pop(each.locations[0], None)

    def allows(self, several: Sequence[Placement]) -> bool:
        """Whether pieces and sides are such that these placements can come to those that are chosen."""
        more = Counter(each.piece for each in several)
        return all(
            self.used[piece] + number <= self.fitting.pieces[piece].high for piece, number in more.items()
        ) and all(self._matches(each) for each in several if self.fitting.pieces[each.piece].sides)

    def _matches(self, tile: Placement) -> bool:
        """Whether the sides of a tile match those of its neighbours."""
        here, beyond = tile.locations[0], self.fitting.beyond
        for other, colour in zip(beyond[here], self.fitting.pieces[tile.piece].sides[tile.index], strict=True):
            neighbour = self.tile.get(other)
            # Where a board goes around two locations can meet more than once: the checker knows better there.
            if neighbour is not None and beyond[other].count(here) == 1 and beyond[here].count(other) == 1:
                shown = self.fitting.pieces[neighbour.piece].sides[neighbour.index][beyond[other].index(here)]
                if shown != self.mate.get(colour, colour):
                    return False
        return True


#: So many ways to read what is told by names alone are tried before it is given up.
READINGS = 1000

#: So many placements are tried for one reading.
STEPS = 100_000

#: What is wrong, in a word or two for a summary, by how the checker's reason begins or what it holds.
_KINDS = (
    (", where the placements have ", "say two different things"),
    (" by its orientation ", "say two different things"),
    ("two pieces cross", "cross"),
    ("a location is covered twice", "cover a location twice"),
    ("a location is not covered", "leave a location bare"),
    (" is used ", "use a piece too often or too seldom"),
    (" stay empty", "leave too many or too few locations empty"),
    (" meets ", "have sides that do not match"),
    ("the rim shows ", "have sides that do not match"),
    (" is not piece ", "have a piece where it cannot lie"),
    ("has no such placement", "have a piece where it cannot lie"),
)


class Verdict(NamedTuple):
    """What a claim is: a solution, or none, and why not; ``kind`` is the reason in few words.

    A claim by names alone may be understood as several solutions (copies with one name can be told apart in several
    ways); ``several`` says so, and ``solution`` is one of them then.
    """

    claim: Claim
    solution: Solution | None
    reason: str = ""
    kind: str = ""
    several: bool = False


class Judge:
    """Judges what is said to be solutions of one puzzle."""

    def __init__(self, fitting: Fitting) -> None:
        self.fitting, self._checker = fitting, Checker(fitting)
        self._cut_short = False  # whether not all ways to understand a claim were tried

    def verdict(self, claim: Claim) -> Verdict:
        """Return whether a claim is right."""
        if claim.faults:
            return Verdict(claim, None, claim.faults[0].message, "cannot be read")
        readings = self._of_names(claim.names_on) if claim.laid is None else self._of_laid(claim.laid)
        reason = ""
        found: Solution | None = None
        self._cut_short = False
        try:
            for number, placements in enumerate(readings, 1):
                self._cut_short |= number == READINGS
                try:
                    solution = Solution(
                        self.fitting, tuple(sorted(placements, key=lambda each: (each.piece, each.index)))
                    )
                    self._checker.check(solution)
                    if claim.laid is not None and claim.names_on is not None:
                        self._compare(solution, claim.names_on)
                except WrongSolutionError as error:
                    reason = reason or f"{error}{self._where(str(error), placements)}"
                else:
                    if found is not None and found != solution:
                        return Verdict(claim, found, several=True)
                    found = solution
                if number == READINGS:
                    break
        except WrongSolutionError as error:  # there is no reading at all
            reason = reason or str(error)
        if found is not None:
            return Verdict(claim, found, several=self._cut_short)
        reason = reason or "the pieces with one name cannot be told apart"
        return Verdict(claim, None, reason, next((kind for part, kind in _KINDS if part in reason), "break a rule"))

    def _compare(self, solution: Solution, names_on: Sequence[str | None]) -> None:
        """Raise WrongSolutionError where the names that are told of the locations are not those of the placements."""
        for location, (told, there) in enumerate(zip(names_on, solution.names_on, strict=True)):
            if told != there:
                where = self.fitting.location_name(location)
                raise WrongSolutionError(
                    f"`locations` has {told or 'nothing'} on {where}, where the placements have {there or 'nothing'}"
                )

    def _where(self, reason: str, placements: Sequence[Placement]) -> str:
        """Return which locations a reason is about, where the checker does not say it."""
        covered = Counter(location for each in placements for location in each.locations)
        if reason == "a location is covered twice":
            twice = min(location for location, number in covered.items() if number > 1)
            names = [self.fitting.piece_name(each.piece) for each in placements if twice in each.locations]
            return f": {self.fitting.location_name(twice)}, by {' and '.join(names)}"
        if reason == "a location is not covered":
            bare = min(set(range(self.fitting.locations)) - self.fitting.optional - covered.keys())
            return f": {self.fitting.location_name(bare)}"
        if reason.startswith("two pieces cross at "):
            return self._through(tuple(map(int, re.findall(r"-?\d+", reason))), placements)
        return ""

    def _through(self, here: tuple[int, ...], placements: Sequence[Placement]) -> str:
        """Return which pieces go straight through a point."""
        puzzle = self.fitting.puzzle
        assert puzzle is not None
        assert puzzle.lattice is not None
        ways = [
            {tuple(a + b for a, b in zip(here, step, strict=True)) for step in way}
            for several in puzzle.lattice.crossings
            for way in several
        ]
        covered = [(each, {puzzle.points[location] for location in each.locations}) for each in placements]
        names = [self.fitting.piece_name(each.piece) for each, points in covered if any(way <= points for way in ways)]
        return f": {' and '.join(names)}" if len(names) > 1 else ""

    @cached_property
    def _indices(self) -> list[dict[tuple[int, ...], list[int]]]:
        """For each piece the numbers of its placements by what they cover."""
        found: list[dict[tuple[int, ...], list[int]]] = []
        for piece in self.fitting.pieces:
            of: dict[tuple[int, ...], list[int]] = defaultdict(list)
            for index, row in enumerate(piece.placements):
                of[row].append(index)
            found.append(dict(of))
        return found

    def _of_laid(self, laid: Sequence[Laid]) -> Iterator[list[Placement]]:
        """Give the ways to understand pieces that are said to lie somewhere."""
        choices = []
        for each in laid:
            found = self._choices(each)
            if not found:
                raise WrongSolutionError(
                    f"what lies on {self._place(each.locations, _shown(each))} is not piece {each.name}"
                )
            meant = [placement for placement in found if each.index in (None, placement.index)]
            if not meant:
                where, there = self._place(each.locations, _shown(each)), self._numbered(each)
                raise WrongSolutionError(
                    f"piece {each.name} lies on {where}, but by its orientation {each.index} {there}"
                )
            choices.append([[placement] for placement in meant])
        yield from self._combined(choices)

    def _place(self, locations: Sequence[int] | None, shown: Sequence[str]) -> str:
        """Return where a piece lies, and how, in words."""
        where = " ".join(map(self.fitting.location_name, locations or ())) or "nothing"
        return f"{where} with {' '.join(shown)}" if shown else where

    def _numbered(self, laid: Laid) -> str:
        """Return where the placement lies whose number is told."""
        own = [self.fitting.pieces[piece] for piece in laid.pieces]
        there = [each for each in own if laid.index is not None and laid.index < len(each.placements)]
        if not there or laid.index is None:
            return "nowhere"
        shown = there[0].shown_words(laid.index) if laid.sides is not None or laid.colours is not None else ()
        return f"on {self._place(there[0].placements.row(laid.index), shown)}"

    def _choices(self, laid: Laid) -> list[Placement]:
        """Return the placements that a piece is said to have: several where names or sides leave them open.

        A number counts here only where nothing else is told.
        """
        found: list[Placement] = []
        for piece in laid.pieces:
            own = self.fitting.pieces[piece]
            if laid.locations is None:
                indices = [laid.index] if laid.index is not None and laid.index < len(own.placements) else []
            else:
                indices = self._indices[piece].get(laid.locations, [])
            if laid.sides is not None:
                indices = [index for index in indices if own.sides and own.sides[index] == laid.sides]
            if laid.colours is not None:
                indices = [index for index in indices if self.fitting.shown_colours(piece, index) == laid.colours]
            found += [Placement(piece, index, own.placements.row(index)) for index in indices]
        return found

    def _combined(self, choices: Sequence[list[list[Placement]]]) -> Iterator[list[Placement]]:
        """Give the ways to choose one of each list and put them together; those that cannot be right are left out.

        Left out are ways in which a piece is used too often, or sides do not match, where there is a choice. If
        all are left out, one way is given all the same.
        """
        order = sorted(choices, key=lambda several: min((min(p.locations, default=0) for p in several[0]), default=0))
        reading = Reading(self.fitting)
        steps = 0

        def rest(number: int) -> Iterator[list[Placement]]:
            nonlocal steps
            if number == len(order):
                yield list(reading.chosen)
                return
            for each in order[number]:
                steps += 1
                self._cut_short |= steps >= STEPS
                if steps < STEPS and (reading.allows(each) or len(order[number]) == 1):
                    reading.add(each)
                    yield from rest(number + 1)
                    reading.remove(each)

        given = False
        for found in rest(0):
            given = True
            yield found
        if not given:
            yield [placement for several in order for placement in several[0]]

    def _of_names(self, names: Sequence[str | None] | None) -> Iterator[list[Placement]]:
        """Give the ways to cut the locations with one name into placements of the pieces that have it."""
        regions: dict[str, set[int]] = defaultdict(set)
        for location, name in enumerate(names or ()):
            if name is not None:
                regions[name].add(location)
        pieces: dict[str, list[int]] = defaultdict(list)
        for number in range(len(self.fitting.pieces)):
            pieces[self.fitting.piece_name(number)].append(number)
        cuts = [self._cut(name, frozenset(region), pieces[name]) for name, region in regions.items()]
        yield from self._combined(cuts)

    def _cut(self, name: str, region: frozenset[int], pieces: Sequence[int]) -> list[list[Placement]]:
        """Return the ways to cut a region into placements of some pieces; raise WrongSolutionError: there is none."""
        inside = [
            Placement(piece, index, row)
            for piece in pieces
            for row, indices in self._indices[piece].items()
            if row and region.issuperset(row)
            for index in indices
        ]
        at: dict[int, list[Placement]] = defaultdict(list)
        for each in inside:
            for location in each.locations:
                at[location].append(each)

        found = list(islice(partitions(region, at), READINGS))
        self._cut_short |= len(found) == READINGS
        if not found:
            where = " ".join(map(self.fitting.location_name, sorted(region)))
            raise WrongSolutionError(f"what lies on {where} is not piece {name}")
        return found


def _shown(laid: Laid) -> tuple[str, ...]:
    """Return the words for what a piece is said to show."""
    if laid.sides is not None:
        return ("edges", *laid.sides)
    return () if laid.colours is None else ("colours", *(colour or PLAIN for colour in laid.colours))


class Tally:
    """How many claims are right, distinct and said before, and what is wrong with the others.

    ``unclear`` are right, but may be one of several solutions: whether they were said before is not known.
    """

    def __init__(self, encoding: Encoding) -> None:
        self._own = OwnSymmetries(encoding, symmetry(encoding, "none"))
        self._encoding = encoding
        self.right = self.twice = self.unclear = 0
        self.wrong: Counter[str] = Counter()
        self._seen: set[tuple[int, ...]] = set()

    def add(self, verdict: Verdict) -> bool | None:
        """Count a verdict; return whether it is a solution that was there before, None: that is not known."""
        if verdict.solution is None:
            self.wrong[verdict.kind] += 1
            return False
        self.right += 1
        if verdict.several:
            self.unclear += 1
            return None
        options = self._own.options(verdict.solution)
        before = options in self._seen
        self.twice += before
        self._seen.add(options)
        return before

    def distinct(self) -> int | None:
        """Return how many solutions there are up to the symmetries of the puzzle; None: they cannot be listed."""
        try:
            group = symmetry(self._encoding)
        except GroupTooLargeError:
            return None
        left, number = set(self._seen), 0
        while left:
            options = left.pop()
            number += 1
            left.difference_update(tuple(sorted([image[each] for each in options])) for image in group.options)
        return number


def judged(fitting: Fitting, claims: Iterable[Claim]) -> Iterator[Verdict]:
    """Give for each claim whether it is a solution of a puzzle, and if not, why."""
    judge = Judge(fitting)
    return map(judge.verdict, claims)


def check_solutions(what: Compiled | str, name: str, notation: str | None = None) -> Iterator[Verdict]:
    """Give for each solution in a file (``-``: standard input) whether it is one of a puzzle, and if not, why.

    ``notation`` is "jsonl", "list", "orientations" or "locations", or found out (None). Raises PuzzleError where the
    puzzle or the file cannot be read, ValueError for another notation.
    """
    fitting = what.fitting if isinstance(what, Encoding) else compile(what, "fitting")
    assert isinstance(fitting, Fitting)
    return judged(fitting, read_claims(open_source(name), fitting, notation))
