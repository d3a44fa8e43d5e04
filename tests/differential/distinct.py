"""Distinct solutions compared with orbits by separate code, under each of the conventions."""

from __future__ import annotations

from dataclasses import replace

from puzzlec.diagnostics import PuzzleError
from puzzlec.engine import Search
from puzzlec.engine.search.selection import KernelName
from puzzlec.ir import Condition, Puzzle, RegionRule
from puzzlec.ir.location import Address
from puzzlec.lower import symmetry
from puzzlec.lower.automorphisms import TooManyAutomorphismsError
from puzzlec.lower.movements import GroupTooLargeError
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.solving.burnside import count_distinct
from puzzlec.solving.piece_sets import PieceSets
from puzzlec.solving.solutions import Solutions
from tests.differential.by_hand import Laid, TooLargeError
from tests.differential.by_hand_orbits import actions, orbits
from tests.differential.case import Case
from tests.differential.searches import KERNELS, Compared
from tests.lower.test_automorphisms import tried

#: Groups with more elements are not compared: comparing each solution with all its images takes too long.
MOST_ELEMENTS = 500

#: Maximum number of sets of pieces that are compared one by one.
MOST_SETS = 8


def counted(case: Case) -> Compared:
    """The number of distinct solutions equals the number of orbits under all symmetries."""
    if case.has_geometry:
        yield "distinct", Solutions(case.encoding).count(), len(case.problem.orbits("all"))


def kept(case: Case) -> Compared:
    """The search yields one solution of each orbit, and Burnside's lemma gives the same number."""
    if not case.has_geometry:
        return
    orbits = case.problem.orbits("all")
    kernel = case.chance.choice(("auto", *KERNELS))
    yield "distinct listed", one_of_each(case, "all", kernel), len(orbits)  # type: ignore[arg-type]
    way = case.chance.choice((*KERNELS, "frontier"))
    found = count_distinct(case.cover, symmetry(case.encoding), kernel=way)  # type: ignore[arg-type]
    yield f"Burnside with {way}", found.number if found else None, len(orbits)


def conventions(case: Case) -> Compared:
    """The orbits also agree up to rotations only, and for separate parts of a board."""
    what = case.problem.what
    if not isinstance(what, Puzzle) or what.lattice is None or any(wrap.twisted for wrap in what.wraps):
        return
    which = case.chance.choice(("rotations", "parts"))
    if which == "parts" and what.wraps:
        return
    try:
        orbits = case.problem.orbits(which)  # type: ignore[arg-type]
        found = Solutions(case.encoding, symmetry=which).count()  # type: ignore[arg-type]
    except (TooLargeError, GroupTooLargeError):
        return
    yield which, found, len(orbits)
    yield f"{which} listed", one_of_each(case, which, "auto"), len(orbits)  # type: ignore[arg-type]


def automorphisms(case: Case) -> Compared:
    """Up to automorphisms of the exact cover, listing and counting agree.

    Orbits are unions of those of the geometry.
    """
    try:
        group = symmetry(case.encoding, "automorphisms")
    except TooManyAutomorphismsError:
        return
    if len(group) > MOST_ELEMENTS:
        return
    if len(case.cover) <= 6 and case.cover.primary + case.cover.secondary <= 5:
        yield "automorphisms one by one", {tuple(options) for options in group.options}, tried(case.cover)
    covers = {tuple(sorted(options)) for options in Search(case.cover, kernel="python")}
    orbits = 0
    left = set(covers)
    while left:
        orbits += 1
        chosen = next(iter(left))
        images = {tuple(sorted(options[option] for option in chosen)) for options in group.options}
        yield "automorphisms keep covers", images <= covers, True
        left -= images
    yield "automorphisms", Solutions(case.encoding, symmetry="automorphisms").count(), orbits
    yield "automorphisms listed", len(list(Solutions(case.encoding, symmetry="automorphisms"))), orbits
    if case.has_geometry:
        yield "no fewer symmetries than the geometry has", orbits <= len(case.problem.orbits("all")), True


def sets(case: Case) -> Compared:
    """Each set of pieces has the solutions of the puzzle with exactly these pieces, by separate code and a count."""
    what = case.problem.what
    if not isinstance(what, Puzzle) or all(piece.low == piece.high for piece in case.encoding.fitting.pieces):
        return
    which = case.chance.choice(("all", "all", "rotations", "parts", "automorphisms", "none"))
    way = case.chance.choice(("list", "diagram"))
    if what.wraps and which in ("rotations", "parts"):
        return
    solutions: dict[tuple[int, ...], set[Laid]] = {}
    for laid in case.problem.expected:
        assert isinstance(laid, tuple)
        solutions.setdefault(tuple(map(len, laid)), set()).add(laid)
    try:
        found = {
            tuple(piece_set.pieces.get(piece.name, 0) for piece in what.pieces): piece_set
            for piece_set in PieceSets(case.encoding, symmetry=which, way=way).find()  # type: ignore[arg-type]
        }
    except PuzzleError as error:
        if error.diagnostics[0].code == "PZ253":  # too many symmetries to list
            return
        raise
    yield (
        f"sets as a {way}",
        {copies: one.raw for copies, one in found.items()},
        {copies: len(all_of_it) for copies, all_of_it in solutions.items()},
    )
    for copies in case.chance.sample(sorted(solutions), min(len(solutions), MOST_SETS)):
        alone = what.with_pieces(
            replace(piece, low=number, high=number) for piece, number in zip(what.pieces, copies, strict=True) if number
        )
        yield f"sets {which}", found[copies].distinct, Solutions(alone, symmetry=which).count()  # type: ignore[arg-type]
        if which in ("all", "rotations", "parts") and case.has_geometry:
            if what.rules.regions and not alone.rules.regions:  # brute force would forget colours
                everywhere = RegionRule[Address](Condition.COUNT, tuple(location.at for location in what.locations))
                alone = replace(alone, rules=replace(alone.rules, regions=(everywhere,)))
            own = {tuple(part for part in laid if part) for laid in solutions[copies]}
            yield f"sets {which} by hand", found[copies].distinct, len(orbits(own, actions(alone, which)))  # type: ignore[arg-type]


def one_of_each(case: Case, which: SymmetryKind, kernel: KernelName) -> int:
    """Return the number of solutions if all belong to different orbits; otherwise -1."""
    orbit_of: dict[Laid, int] = {}
    for number, orbit in enumerate(case.problem.orbits(which)):
        orbit_of.update(dict.fromkeys(orbit, number))
    found = [
        orbit_of.get(case.laid(solution), -1) for solution in Solutions(case.encoding, symmetry=which, kernel=kernel)
    ]
    return len(found) if len(set(found)) == len(found) and -1 not in found else -1
