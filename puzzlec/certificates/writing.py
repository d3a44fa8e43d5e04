"""Write certificates: of some solutions, of the number of all solutions, or of the reason why there are none."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from puzzlec.certificates.form import CertificateLines, cover_of, generators, head_of
from puzzlec.diagnostics.error import fail
from puzzlec.engine.certificate.checker import Certificate, CertificateProblem, RefusedCertificateError
from puzzlec.engine.certificate.subproblems import COVER, ORDERS, Bounded, Subproblems, SubproblemState
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search.cheapest import Taxes, best_taxes, taxes
from puzzlec.ir import Solution
from puzzlec.lower import Encoding, symmetry
from puzzlec.lower.linear_invariants import EMPTY, Witness
from puzzlec.lower.movements import GroupTooLargeError
from puzzlec.lower.parity import find_proof
from puzzlec.solving.own_symmetry import OwnSymmetries
from puzzlec.solving.solutions import Solutions


class ItemWeights(NamedTuple):
    """Weights of all items, the modulus (0: plain numbers), and the name of their kind."""

    weights: list[int]
    modulus: int
    kind: str


def reason(encoding: Encoding) -> ItemWeights | None:
    """Return weights that prove that there is no cover; None if there are none. The simplest kind comes first."""
    return next((candidate for candidate in _candidates(encoding) if _holds(encoding.cover, candidate)), None)


def _holds(cover: ExactCover, candidate: ItemWeights) -> bool:
    """Return whether the checker accepts the weights."""
    asked = Certificate()
    asked.problem = CertificateProblem(**cover_of(cover))
    try:
        asked.weigh(candidate.weights, candidate.modulus)
    except RefusedCertificateError:
        return False
    return True


def _candidates(encoding: Encoding) -> Iterator[ItemWeights]:
    cover, items = encoding.cover, encoding.cover.primary + encoding.cover.secondary
    having = [0] * items
    for item in cover.items:
        having[item] += 1
    for item in range(cover.primary):
        if cover.low[item] and not having[item]:
            yield ItemWeights([int(other == item) for other in range(items)], 0, "an item without options")
            return
    if not encoding.faithful:
        return
    for sign in (1, -1):
        yield ItemWeights(_volume(encoding, sign), 0, "the volume")
    proof = find_proof(encoding.fitting)
    if proof is not None:
        yield _of_witness(encoding, proof.witness, "a colouring" if proof.colouring else "a weighing")


def _volume(encoding: Encoding, sign: int) -> list[int]:
    """Return weights that compare sizes: 1 for a location, the negative size for a piece (``sign`` reverses it)."""
    weights = _on_locations(encoding, [sign] * encoding.fitting.locations)
    for number, piece in enumerate(encoding.fitting.pieces):
        sizes = [len(placement) for placement in piece.placements]
        if encoding.item_of_piece[number] >= 0 and sizes:
            weights[encoding.item_of_piece[number]] = -max(sizes) if sign > 0 else min(sizes)
    return _with_empty(encoding, weights, -sign)


def _of_witness(encoding: Encoding, witness: Witness, kind: str) -> ItemWeights:
    """Return a weighing of locations and lots of pieces as weights of items.

    If the volume gives the number of copies of a lot, multiples of all sizes are subtracted, so that this lot weighs
    nothing. If the lot has size s and value v, the weight w becomes s*w - v, and the modulus becomes s times as large.
    """
    values = dict(zip(witness.lots, witness.values, strict=True))
    fitting, modulus, weights = encoding.fitting, witness.modulus, list(witness.weights)
    unsure = [
        lot
        for lot, value in values.items()
        if value
        and not lot.is_empty
        and any(fitting.pieces[piece].low < fitting.pieces[piece].high for piece in lot.pieces)
    ]
    size, value = (len(unsure[0].rows[0]), values[unsure[0]]) if unsure else (1, 0)
    item_weights = _on_locations(encoding, [size * weight - value for weight in weights])
    for lot, weight in values.items():
        if lot.is_empty:
            item_weights = _with_empty(encoding, item_weights, -(size * weight - value))
            continue
        for number in lot.pieces:
            if number != EMPTY and encoding.item_of_piece[number] >= 0:
                item_weights[encoding.item_of_piece[number]] = (
                    value * len(lot.rows[0]) - size * weight if lot.rows else 0
                )
    if modulus == 0:
        together = sum(weight * low for weight, low in zip(item_weights, encoding.cover.low, strict=False))
        item_weights = [-weight for weight in item_weights] if together < 0 else item_weights
    return ItemWeights(item_weights, size * modulus, kind)


def _on_locations(encoding: Encoding, values: list[int]) -> list[int]:
    weights = [0] * (encoding.cover.primary + encoding.cover.secondary)
    for location, value in enumerate(values):
        if encoding.item_of_location[location] >= 0:
            weights[encoding.item_of_location[location]] = value
    return weights


def _with_empty(encoding: Encoding, weights: list[int], value: int) -> list[int]:
    """Set the weight of the item that counts empty locations, if there is one, after all pieces and locations."""
    empty = next((option for option, piece in enumerate(encoding.piece) if piece == -1), None)
    if empty is not None and encoding.fitting.empty is not None:
        weights[encoding.cover.row(empty)[0]] = value
    return weights


#: Maximum number of rows of a table: each takes a few hundred bytes of memory.
MAX_TABLE_ROWS = 5_000_000

#: Rows that one order of branching makes before the other takes its turn. Each round is 50% longer.
FIRST_TURN_ROWS = 5_000

#: Maximum number of solutions that are listed and counted up to symmetries.
MAX_LISTED_SOLUTIONS = 50_000

#: Maximum number of integers in a group of symmetries: elements times options.
MAX_GROUP_INTEGERS = 5_000_000


class UnfinishedCertificateError(Exception):
    """A certificate cannot be made within the limits of time or size; the text names the limit."""


class OutOfTimeError(UnfinishedCertificateError):
    """The time limit ended before the certificate was complete."""


class Written(NamedTuple):
    """The claims of a certificate, the rows of its table (0: none), and the kind of its weights ("": none)."""

    claims: dict[str, int]
    rows: int = 0
    weights: str = ""


def write_solutions(encoding: Encoding, covers: Iterable[Iterable[int]], path: Path, packed: bool) -> Written:
    """Write a certificate that these are covers, each given by its options; no cover may occur twice."""
    listed = sorted({tuple(sorted(cover)) for cover in covers})
    lines = CertificateLines(path, packed)
    try:
        lines.write(head_of(encoding, "none"))
        lines.write({"covers": len(listed)})
        lines.write_all(listed)
        lines.close(claims := {"listed": len(listed)})
    finally:
        lines.close()
    return Written(claims)


def write_count(
    encoding: Encoding,
    path: Path,
    packed: bool,
    which: str = "all",
    seconds: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> Written:
    """Write a certificate of the number of all covers: weights that exclude every cover, or the table of subproblems.

    Up to :data:`MAX_LISTED_SOLUTIONS` covers are listed, and counted up to the symmetries ``which``. ``progress`` is
    called now and then with the number of rows. Raises UnfinishedCertificateError if the table is too large, and its
    subclass OutOfTimeError if it is incomplete after ``seconds``.
    """
    lines = CertificateLines(path, packed)
    try:
        lines.write(head_of(encoding, which))
        if (why := reason(encoding)) is not None:
            lines.write({"weights": why.weights, "modulus": why.modulus})
            lines.close(claims := {"raw": 0})
            return Written(claims, 0, why.kind)
        table = _complete([Subproblems(encoding.cover, order) for order in ORDERS], seconds, progress)
        ways = _ways(table)
        claims = {"raw": ways[table.root] if table.root >= 0 else 0}
        lines.write_all(_rows(table))
        if 0 < claims["raw"] <= MAX_LISTED_SOLUTIONS:
            claims |= _list(encoding, table, ways, which, lines)
        lines.close(claims)
    finally:
        lines.close()
    return Written(claims, len(table.items))


def write_best(
    encoding: Encoding,
    best: Iterable[int],
    greatest: bool,
    path: Path,
    packed: bool,
    seconds: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> Written:
    """Write a certificate that no cover costs less than this one, given by its options; or more, if ``greatest``.

    The rest is as in :func:`write_count`. Raises ValueError if there is a better cover.
    """
    lines, sign = CertificateLines(path, packed), -1 if greatest else 1
    try:
        lines.write(head := head_of(encoding, "none", costs=True))
        bounds, section = _prices(encoding.cover, sorted(best), sign, head["cover"])
        assert bounds.limit is not None
        table = Bounded(encoding.cover, bounds.adjusted, section["prices"][: encoding.cover.primary], bounds.limit)
        lines.write(section)
        _complete([table], seconds, progress)
        lines.write_all(_rows(table))
        lines.close(bounds.best)
    finally:
        lines.close()
    return Written(bounds.best, len(table.items))


def write_search(
    solutions: Solutions, results: Sequence[Solution], path: Path, target: str, seconds: float | None = None
) -> Written:
    """Write the certificate of a search: of its result, or of the solutions that a stopped search found.

    It is compressed if the name of its ``target`` ends in ``.gz``. Raises PuzzleError if it has another number than the
    search: the two share only the compiler. Other errors are those of :func:`write_count`.
    """
    from puzzlec.solving.costs import BestSolutions  # most searches have no costs

    encoding, packed = solutions.encoding, target.endswith(".gz")
    covers = map(OwnSymmetries(encoding, symmetry(encoding, "none")).options, results)
    if solutions.stopped is not None:
        return write_solutions(encoding, covers, path, packed)
    if results and isinstance(solutions, BestSolutions):
        return write_best(encoding, next(covers), solutions.max_cost, path, packed, seconds)
    written = write_count(encoding, path, packed, solutions.symmetry, seconds)
    claims = written.claims
    same = "raw" if solutions.symmetry == "none" or not claims["raw"] else "distinct"
    if claims.get(same, solutions.number) != solutions.number:
        raise fail(
            "PZ635",
            f"the search found {solutions.counted(solutions.number)}, its certificate has {claims[same]}",
            note="one of them is wrong: this is a bug in puzzlec",
            help="please report it, with the puzzle",
            file=target,
        )
    return written


def _prices(cover: ExactCover, best: list[int], sign: int, form: dict[str, Any]) -> tuple[Certificate, dict[str, Any]]:
    """Return the line with the best cover and prices, and the state of the checker after this line."""
    costs = array("q", [sign * cost for cost in cover.costs])
    coloured = {item for item, bounds in enumerate(form["items"]) if bounds is None}

    def line(units: int, paid: Taxes) -> dict[str, Any]:
        prices = paid.prices + [0] * cover.secondary
        pairs = [
            [
                exchange.one,
                exchange.other,
                exchange.item,
                *[value for pair in sorted(exchange.prices.items()) for value in pair],
            ]
            for exchange in paid.exchanges
            if exchange.item in coloured
        ]
        return {"best": best, "sign": sign, "units": units, "prices": prices, "exchanges": pairs}

    try:
        return _accepted(form, best_line := line(*best_taxes(cover, costs))), best_line
    except RefusedCertificateError:
        # The form leaves out the colours of an item if no two options share one. Then its prices are missing.
        return _accepted(form, best_line := line(1, taxes(cover, costs))), best_line


def _accepted(form: dict[str, Any], line: dict[str, Any]) -> Certificate:
    checker = Certificate()
    checker.problem = CertificateProblem(**form)
    checker.price(**line)
    return checker


def _complete(
    tables: Sequence[Subproblems], seconds: float | None, progress: Callable[[int], None] | None
) -> Subproblems:
    """Return the table that is complete first. Rows are counted, not seconds."""
    begun, turn = time.monotonic(), FIRST_TURN_ROWS
    while True:
        for table in tables:
            goal = len(table.items) + turn
            while not table.finished and len(table.items) < goal:
                table.advance(min(1000, goal - len(table.items)))
                if progress:
                    progress(sum(len(table.items) for table in tables))
                if seconds is not None and time.monotonic() - begun >= seconds and not table.finished:
                    raise OutOfTimeError(f"the certificate was incomplete after {round(seconds, 1):g} s")
            if table.finished:
                return table
            if sum(len(table.items) for table in tables) > MAX_TABLE_ROWS:
                raise UnfinishedCertificateError(f"the certificate would have more than {MAX_TABLE_ROWS:,} rows")
        turn += turn // 2
        # After some rounds, only the order with more progress continues.
        tables = [max(tables, key=lambda table: table.share)] if turn > 4 * FIRST_TURN_ROWS else tables


def _ways(table: Subproblems) -> list[int]:
    """Return how many covers each row represents; row 0 is a cover."""
    ways = [1]
    starts, children = table.starts, table.children
    for row in range(len(table.items)):
        ways.append(sum([ways[child] for child in children[starts[row] : starts[row + 1]] if child >= 0]))
    return ways


def _rows(table: Subproblems) -> Iterator[Any]:
    """Yield the lines of the table: the root is row 1, and each row precedes the rows of its branches."""
    last = len(table.items)

    def turned(child: int) -> int:
        return last + 1 - child if child > 0 else child

    yield {"table": last, "root": turned(table.root)}
    for row in range(last, 0, -1):
        children = table.children[table.starts[row - 1] : table.starts[row]]
        yield [table.items[row - 1], *map(turned, children)]


def _list(
    encoding: Encoding, table: Subproblems, ways: list[int], which: str, lines: CertificateLines
) -> dict[str, int]:
    """Write all covers, with generators of the symmetries if there are any; return the claims about them."""
    head: dict[str, Any] = {"covers": ways[table.root]}
    claims = {"listed": ways[table.root]}
    covers = sorted(tuple(sorted(cover)) for cover in _covers(table, ways))
    try:
        group = symmetry(encoding, which)
    except GroupTooLargeError:
        group = None
    if group is not None and len(group) > 1 and len(group) * len(encoding.cover) <= MAX_GROUP_INTEGERS:
        head["symmetries"] = generators(group)
        claims["distinct"] = _orbits(covers, [options for _, options in head["symmetries"]])
    lines.write(head)
    lines.write_all(covers)
    return claims


def _covers(table: Subproblems, ways: list[int]) -> Iterator[list[int]]:
    """Yield all covers, by following the rows that represent some."""
    stack: list[tuple[int, SubproblemState, list[int]]] = [(table.root, SubproblemState(table.masks.every, 0), [])]
    while stack:
        row, state, options = stack.pop()
        if row == COVER:
            yield options
            continue
        children = table.children[table.starts[row - 1] : table.starts[row]]
        branches = table.masks.branches(table.items[row - 1], state)
        for child, (option, below) in zip(children, branches, strict=True):
            if child >= 0 and ways[child]:
                stack.append((child, below, options + [option] * (option >= 0)))


def _orbits(covers: list[tuple[int, ...]], moves: list[list[int]]) -> int:
    """Return the number of covers up to the group that some permutations of the options generate."""
    left, number = set(covers), 0
    for cover in covers:
        number += cover in left
        reached = [cover]
        while reached:
            here = reached.pop()
            if here in left:
                left.remove(here)
                reached.extend(tuple(sorted([move[option] for option in here])) for move in moves)
    return number
