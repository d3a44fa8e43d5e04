"""Judge solutions from elsewhere: right, or wrong with a reason.

A placement is found by its number or by its locations. If a file has only names (a piece for each location), this
module distinguishes the copies of a piece. :class:`puzzlec.solving.checker.Checker` checks everything else and shares
no code with the search. You can therefore filter the output of programs that do not know crossings.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from puzzlec.compiler import PuzzleOrName, compile
from puzzlec.diagnostics.files import open_source
from puzzlec.formats.solutions.claims import Claim, Laid, read_claims
from puzzlec.ir import Fitting, Placement, Solution
from puzzlec.ir.fitting import PLAIN
from puzzlec.lower import Encoding, symmetry
from puzzlec.lower.movements import GroupTooLargeError
from puzzlec.shown import brief, mimebundle
from puzzlec.solving.checker import Checker
from puzzlec.solving.faults import FaultKind, SolutionFault, WrongSolutionError
from puzzlec.solving.own_symmetry import OwnSymmetries


def partitions(region: frozenset[int], at: Mapping[int, Sequence[Placement]]) -> Iterator[list[Placement]]:
    """Yield the ways to cut a region into placements, listed by the locations that they cover."""

    def choices(left: frozenset[int]) -> Iterator[Placement]:
        hardest = min(left, key=lambda location: (len(at.get(location, ())), location))
        return (placement for placement in at.get(hardest, ()) if left.issuperset(placement.locations))

    cut: list[Placement] = []
    stack = [(region, choices(region))]
    while stack:
        left, following = stack[-1]
        placement = next(following, None)
        if placement is None:
            stack.pop()
            if cut:
                cut.pop()
            continue
        rest = left.difference(placement.locations)
        if not rest:
            yield [*cut, placement]
            continue
        cut.append(placement)
        stack.append((rest, choices(rest)))


class ClaimReading:
    """Placements chosen one after the other, with the constraints on the next one."""

    def __init__(self, fitting: Fitting) -> None:
        self.fitting, self.mate = fitting, dict(fitting.mates)
        self.chosen: list[Placement] = []
        self.used: Counter[int] = Counter()
        self.tile: dict[int, Placement] = {}

    def add(self, several: Sequence[Placement]) -> None:
        """Choose some placements."""
        self.chosen += several
        self.used.update(placement.number for placement in several)
        self.tile.update(
            (placement.locations[0], placement) for placement in several if self.fitting.pieces[placement.number].sides
        )

    def remove(self, several: Sequence[Placement]) -> None:
        """Remove the last chosen placements."""
        del self.chosen[len(self.chosen) - len(several) :]
        self.used.subtract(placement.number for placement in several)
        for placement in several:
            if self.fitting.pieces[placement.number].sides:
                self.tile.pop(placement.locations[0], None)

    def allows(self, several: Sequence[Placement]) -> bool:
        """Return whether pieces and sides allow these placements beside the chosen ones."""
        more = Counter(placement.number for placement in several)
        return all(
            self.used[piece] + number <= self.fitting.pieces[piece].high for piece, number in more.items()
        ) and all(self._matches(placement) for placement in several if self.fitting.pieces[placement.number].sides)

    def _matches(self, tile: Placement) -> bool:
        """Return whether the sides of a tile match those of its neighbours."""
        here, neighbours = tile.locations[0], self.fitting.neighbours
        for other, colour in zip(neighbours[here], self.fitting.pieces[tile.number].sides[tile.index], strict=True):
            neighbour = self.tile.get(other)
            # On a board that wraps around, two locations can meet more than once: the checker decides then.
            if neighbour is not None and neighbours[other].count(here) == 1 and neighbours[here].count(other) == 1:
                facing = self.fitting.pieces[neighbour.number].sides[neighbour.index][neighbours[other].index(here)]
                if facing != self.mate.get(colour, colour):
                    return False
        return True


#: Maximum number of interpretations that are tried for a claim by names.
MAX_READINGS = 1000

#: Maximum number of placements that are tried for one interpretation.
MAX_PLACEMENTS_TRIED = 100_000


class Verdict(NamedTuple):
    r"""The verdict on a claim: a solution, or the reason why it is wrong. ``kind`` is a short form of the reason.

    A claim by names alone may mean several solutions, since copies can share a name. Then ``several`` is true, and
    ``solution`` is one of them.

    >>> import puzzlec
    >>> import tempfile
    >>> from pathlib import Path
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "solutions.txt")
    ...     written = file.write_text("D: 0,0 1,0\nD: 0,1 1,1\n")
    ...     [verdict] = puzzlec.check_solutions(puzzle, file)
    >>> verdict.solution, verdict.reason
    (None, 'piece D is used 2 times')
    """

    def __repr__(self) -> str:
        return brief(self)

    claim: Claim
    solution: Solution | None
    reason: str = ""
    kind: str = ""
    several: bool = False

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        return mimebundle(self, include, exclude)


class Judge:
    """Judges claimed solutions of one puzzle."""

    def __init__(self, fitting: Fitting) -> None:
        self.fitting, self._checker = fitting, Checker(fitting)
        self._cut_short = False  # whether some interpretations of a claim were not tried

    def verdict(self, claim: Claim) -> Verdict:
        """Return whether a claim is right."""
        if claim.faults:
            return Verdict(claim, None, claim.faults[0].message, FaultKind.UNREADABLE)
        readings = self._of_names(claim.names_on) if claim.laid is None else self._of_laid(claim.laid)
        wrong: Verdict | None = None
        answer: Solution | None = None
        self._cut_short = False
        try:
            for number, placements in enumerate(readings, 1):
                self._cut_short |= number == MAX_READINGS
                try:
                    solution = Solution(
                        self.fitting,
                        tuple(sorted(placements, key=lambda placement: (placement.number, placement.index))),
                    )
                    if self.fitting.costs:
                        solution = replace(solution, cost=self._checker.cost(solution))
                    self._checker.check(solution)
                    if claim.laid is not None and claim.names_on is not None:
                        self._compare(solution, claim.names_on)
                except WrongSolutionError as error:
                    wrong = wrong or self._refused(claim, error, placements)
                else:
                    if answer is not None and answer != solution:
                        return Verdict(claim, answer, several=True)
                    answer = solution
                if number == MAX_READINGS:
                    break
        except WrongSolutionError as error:  # this reading is not a solution
            wrong = wrong or self._refused(claim, error)
        if answer is not None:
            return Verdict(claim, answer, several=self._cut_short)
        return wrong or self._refused(claim, WrongSolutionError(SolutionFault.SAME_NAMES))

    def _compare(self, solution: Solution, names_on: Sequence[str | None]) -> None:
        """Raise WrongSolutionError if the names of the locations differ from those of the placements."""
        for location, (claimed, there) in enumerate(zip(names_on, solution.names_on, strict=True)):
            if claimed != there:
                where = self.fitting.location_name(location)
                raise WrongSolutionError(SolutionFault.OTHER_NAMES, claimed or "nothing", where, there or "nothing")

    def _refused(self, claim: Claim, error: WrongSolutionError, order: Sequence[Placement] = ()) -> Verdict:
        """Return the verdict on a wrong claim, with locations and pieces that the error does not name in words."""
        locations = " ".join(map(self.fitting.location_name, error.locations))
        laid = sorted(error.placements, key=order.index)
        pieces = " and ".join(self.fitting.piece_name(placement.number) for placement in laid)
        where = ", by ".join(filter(None, (locations, pieces)))
        return Verdict(claim, None, f"{error}: {where}" if where else str(error), error.kind)

    @cached_property
    def _indices(self) -> list[dict[tuple[int, ...], list[int]]]:
        """For each piece the numbers of its placements by the locations that they cover."""
        indices: list[dict[tuple[int, ...], list[int]]] = []
        for piece in self.fitting.pieces:
            of: dict[tuple[int, ...], list[int]] = defaultdict(list)
            for index, row in enumerate(piece.placements):
                of[row].append(index)
            indices.append(dict(of))
        return indices

    def _of_laid(self, laid: Sequence[Laid]) -> Iterator[list[Placement]]:
        """Yield the interpretations of pieces with given positions."""
        choices = []
        for claimed in laid:
            placements = self._choices(claimed)
            if not placements:
                where = self._place(claimed.locations, _shown(claimed))
                raise WrongSolutionError(SolutionFault.PLACE, claimed.name, where)
            numbered = [placement for placement in placements if claimed.index in (None, placement.index)]
            if not numbered:
                where, there = self._place(claimed.locations, _shown(claimed)), self._numbered(claimed)
                raise WrongSolutionError(SolutionFault.OTHER_NUMBER, claimed.name, where, claimed.index, there)
            choices.append([[placement] for placement in numbered])
        yield from self._combined(choices)

    def _place(self, locations: Sequence[int] | None, colours: Sequence[str]) -> str:
        """Return the locations and sides of a piece, in words."""
        where = " ".join(map(self.fitting.location_name, locations or ())) or "nothing"
        return f"{where} with {' '.join(colours)}" if colours else where

    def _numbered(self, laid: Laid) -> str:
        """Return the locations of the placement with a given number."""
        pieces = [self.fitting.pieces[piece] for piece in laid.pieces]
        there = [piece for piece in pieces if laid.index is not None and laid.index < len(piece.placements)]
        if not there or laid.index is None:
            return "nowhere"
        colours = there[0].shown_words(laid.index) if laid.sides is not None or laid.colours is not None else ()
        return f"on {self._place(there[0].placements.row(laid.index), colours)}"

    def _choices(self, laid: Laid) -> list[Placement]:
        """Return the possible placements of a claimed piece: several if names or sides leave them open.

        A number counts only if nothing else is given.
        """
        placements: list[Placement] = []
        for piece in laid.pieces:
            fitted = self.fitting.pieces[piece]
            if laid.locations is None:
                indices = [laid.index] if laid.index is not None and laid.index < len(fitted.placements) else []
            else:
                indices = self._indices[piece].get(laid.locations, [])
            if laid.sides is not None:
                indices = [index for index in indices if fitted.sides and fitted.sides[index] == laid.sides]
            if laid.colours is not None:
                indices = [index for index in indices if self.fitting.shown_colours(piece, index) == laid.colours]
            placements += [Placement(piece, index, fitted.placements.row(index), self.fitting) for index in indices]
        return placements

    def _combined(self, choices: Sequence[list[list[Placement]]]) -> Iterator[list[Placement]]:
        """Yield the ways to choose one of each list and join them, without those that cannot be right.

        If there is a choice, ways that use a piece too often or have sides that do not match are left out. If all would
        be left out, one is yielded.
        """
        order = sorted(choices, key=lambda several: min((min(p.locations, default=0) for p in several[0]), default=0))
        reading = ClaimReading(self.fitting)
        steps = 0

        def rest(number: int) -> Iterator[list[Placement]]:
            nonlocal steps
            if number == len(order):
                yield list(reading.chosen)
                return
            for choice in order[number]:
                steps += 1
                self._cut_short |= steps >= MAX_PLACEMENTS_TRIED
                if steps < MAX_PLACEMENTS_TRIED and (reading.allows(choice) or len(order[number]) == 1):
                    reading.add(choice)
                    yield from rest(number + 1)
                    reading.remove(choice)

        given = False
        for placements in rest(0):
            given = True
            yield placements
        if not given:
            yield [placement for several in order for placement in several[0]]

    def _of_names(self, names: Sequence[str | None] | None) -> Iterator[list[Placement]]:
        """Yield the ways to cut the locations of one name into placements of the pieces with this name."""
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
        """Return the ways to cut a region into placements of some pieces; WrongSolutionError if there is none."""
        inside = [
            Placement(piece, index, row, self.fitting)
            for piece in pieces
            for row, indices in self._indices[piece].items()
            if row and region.issuperset(row)
            for index in indices
        ]
        at: dict[int, list[Placement]] = defaultdict(list)
        for placement in inside:
            for location in placement.locations:
                at[location].append(placement)

        cuts = list(islice(partitions(region, at), MAX_READINGS))
        self._cut_short |= len(cuts) == MAX_READINGS
        if not cuts:
            where = " ".join(map(self.fitting.location_name, sorted(region)))
            raise WrongSolutionError(SolutionFault.PLACE, name, where)
        return cuts


def _shown(laid: Laid) -> tuple[str, ...]:
    """Return the words for the colours that a piece shows."""
    if laid.sides is not None:
        return ("sides", *laid.sides)
    return () if laid.colours is None else ("colours", *(colour or PLAIN for colour in laid.colours))


class ClaimTally:
    """Totals of claims: right, distinct and repeated ones, and the errors of the others.

    ``unclear`` claims are right, but may be one of several solutions, so it is unknown whether they are repeated.
    """

    def __init__(self, encoding: Encoding) -> None:
        self._own = OwnSymmetries(encoding, symmetry(encoding, "none"))
        self._encoding = encoding
        self.right = self.twice = self.unclear = 0
        self.wrong: Counter[str] = Counter()
        self._seen: set[tuple[int, ...]] = set()

    def add(self, verdict: Verdict) -> bool | None:
        """Count a verdict; return whether it repeats a solution, None if unknown."""
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
        """Return the number of solutions up to the symmetries of the puzzle; None if these cannot be listed."""
        try:
            group = symmetry(self._encoding)
        except GroupTooLargeError:
            return None
        left, number = set(self._seen), 0
        while left:
            options = left.pop()
            number += 1
            left.difference_update(tuple(sorted([image[option] for option in options])) for image in group.options)
        return number


def judged(fitting: Fitting, claims: Iterable[Claim]) -> Iterator[Verdict]:
    """Yield the verdict on each claim."""
    judge = Judge(fitting)
    return map(judge.verdict, claims)


def check_solutions(what: PuzzleOrName, name: str | Path, *, format: str | None = None) -> Iterator[Verdict]:
    r"""Yield a verdict on each solution in a file (``-``: standard input).

    Args:
        what: The puzzle, or the name of one.
        name: The file with the solutions.
        format: "jsonl", "list", "orientations" or "locations". Default: detected.

    Raises:
        PuzzleError: If the puzzle or the file cannot be read.
        ValueError: If the format is unknown.

    >>> import tempfile
    >>> from pathlib import Path
    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "solutions.txt")
    ...     text = "D: 0,0 1,0\nD: 0,1 1,1\nD: 0,2 1,2\n\nD: 0,0 1,0\nD: 0,1 1,1\n"
    ...     written = file.write_text(text)
    ...     [verdict.reason for verdict in puzzlec.check_solutions(puzzle, file)]
    ['', 'piece D is used 2 times']

    """
    fitting = what.fitting if isinstance(what, Encoding) else compile(what, stage="fitting")
    return judged(fitting, read_claims(open_source(str(name)), fitting, format))
