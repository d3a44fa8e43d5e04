"""Check certificates and compare them with puzzles; every error is a diagnostic."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from puzzlec.certificates.form import cover_of
from puzzlec.certificates.placements import Derived, PuzzleItems, derived
from puzzlec.compiler import compile, parse
from puzzlec.diagnostics import Diagnostic, PuzzleError, counted
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.files import shown_name
from puzzlec.engine.certificate.checker import Certificate, RefusedCertificateError
from puzzlec.lower import Encoding, symmetry
from puzzlec.lower.movements import GroupTooLargeError
from puzzlec.lower.symmetries import SYMMETRIES
from puzzlec.solving.checker import Checker
from puzzlec.solving.faults import WrongSolutionError
from puzzlec.solving.subject import DISTINCT


class Judged(NamedTuple):
    """The facts that a certificate proves about an exact cover and its puzzle.

    ``lines`` is its length. ``symmetry`` is the kind of symmetry of its distinct solutions (None: its own symmetries,
    not compared with a puzzle). ``solutions`` means that each listed cover is a solution of the puzzle (None: it lists
    none, or only an exact cover is known). ``placements`` is the result of deriving them again.
    """

    proved: dict[str, int]
    lines: int
    symmetry: str | None
    solutions: bool | None = None
    placements: Derived | None = None

    def in_words(self, title: str, compared: bool, given: bool) -> list[str]:
        """Return the facts in words.

        Args:
            title: The title of the puzzle.
            compared: Whether there was a puzzle to compare with.
            given: Whether it was given, and not the one in the certificate.

        """
        lines = [f"this proves {claimed(self.proved, self.symmetry)}"]
        if not compared:
            return [*lines, "not compared with a puzzle: the certificate names none, and you gave none"]
        lines.append(
            f"its exact cover is that of {'the puzzle' if given or not title else f'the stored puzzle {title!r}'}"
        )
        if self.solutions:
            lines.append("each listed solution is a solution of the puzzle")
        if self.placements is not None and self.placements.unknown:
            lines.append(f"no independent derivation of the placements: {self.placements.unknown}")
        elif self.placements is not None:
            lines.append(f"an independent derivation of its {counted(self.placements.number, 'placement')} agrees")
        return lines


def checked(name: str) -> Certificate:
    """Return the certificate in a file, or on standard input (``-``), with its claims about its exact cover proved.

    It may be compressed, whatever its name. Raises PuzzleError if it cannot be read or does not prove its claims.
    """
    try:
        if name != "-":
            Path(name).open("rb").close()
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or "error").lower()
        raise fail("PZ001", f"cannot read `{name}`: {reason}", file=name) from None
    certificate = Certificate()
    try:
        certificate.check(os.dup(0) if name == "-" else name)  # this closes it
    except RefusedCertificateError as fault:
        message = f"this certificate does not prove its claims: {fault}"
        note = f"see line {certificate.line}"
        raise fail("PZ633", message, file=shown_name(name), note=note) from None
    except Exception as fault:  # any error of a file that is not a certificate
        raise fail(
            "PZ632",
            f"not a certificate, or damaged: cannot read line {certificate.line}",
            note=f"{type(fault).__name__}: {fault}"[:200],
            help="`puzzlec solve PUZZLE --all --certificate FILE` writes one",
            file=shown_name(name),
        ) from None
    return certificate


def carried(certificate: Certificate, name: str) -> Encoding | None:
    """Return the exact cover of the puzzle in a certificate, None if it has no puzzle.

    Raises PuzzleError for a puzzle with errors. The errors name the file of the certificate.
    """
    key = next((key for key in ("puzzle", "fitting") if key in certificate.head), "")
    if certificate.head.get(key) is None:
        return None
    _compare_sizes(certificate, key, name)
    try:
        encoding = compile(parse(json.dumps(certificate.head[key]), format="json"))
    except PuzzleError as error:
        raise PuzzleError([_within(diagnostic, key, shown_name(name)) for diagnostic in error.diagnostics]) from None
    return encoding


def _compare_sizes(certificate: Certificate, key: str, name: str) -> None:
    """Raise PuzzleError if the stored puzzle has more locations than its exact cover has items.

    A location is always an item. Compiling a puzzle that is too large could take hours.
    """
    stored, items = certificate.head[key], len(certificate.head["cover"]["items"])
    locations = stored.get("locations") if isinstance(stored, dict) else None
    if isinstance(locations, list) and len(locations) > items:
        message = f"the stored puzzle has {len(locations)} locations, but its exact cover has {items} items"
        raise fail("PZ634", message, file=shown_name(name), note=f"see `{key}`, on line 1 of the certificate")


def _within(fault: Diagnostic, key: str, file: str) -> Diagnostic:
    """Return an error of the puzzle in a certificate as an error of the certificate's file.

    The position in the puzzle's text does not apply: the file has the same JSON in another layout.
    """
    note = f"see `{key}`, on line 1 of the certificate"
    return replace(fault, label=None, others=(), notes=(*fault.notes, note), file=file)


def judged(certificate: Certificate, encoding: Encoding, name: str) -> Judged:
    """Return what a certificate proves about a puzzle; PuzzleError if it belongs to another puzzle.

    - The exact cover must be that of the puzzle, item by item and option by option, with its costs for a best cost.
    - The checker must accept each listed cover as a solution.
    - The number of distinct solutions must agree with the symmetries of the puzzle.
    - The placements must agree with an independent derivation.
    """
    name = shown_name(name)
    costs = "costs" in certificate.head["cover"] or not {"least", "greatest"}.isdisjoint(certificate.proved)
    if certificate.head["cover"] != cover_of(encoding.cover, costs):
        raise fail(
            "PZ634",
            "this certificate belongs to another puzzle: the exact covers differ",
            note=f"the puzzle of the certificate is {str(certificate.head.get('title'))[:80]!r}",
            help="if the puzzle has changed, write the certificate again",
            file=name,
        )
    which = certificate.head.get("symmetry", "none")
    if which not in SYMMETRIES:
        raise fail("PZ633", f"unknown symmetry {str(which)[:40]!r}", file=name)
    solutions = None
    if encoding.faithful and certificate.covers:
        checker, solutions = Checker(encoding.fitting), True
        for cover in certificate.covers:
            try:
                checker.check(encoding.lift(cover))
            except WrongSolutionError as error:
                raise fail(
                    "PZ636", f"a cover of this certificate is not a solution of the puzzle: {error}", file=name
                ) from None
    claimed = certificate.proved.get("distinct")
    if claimed is not None and (number := _distinct(certificate, encoding, which)) != claimed:
        message = f"the symmetries of the puzzle leave {number} distinct solutions, not {claimed}"
        if number is None:
            message = "the puzzle has too many symmetries to compare with this certificate"
        raise fail("PZ633", message, file=name)
    puzzle, derivation = encoding.fitting.puzzle, None
    if puzzle is not None and not encoding.raised:
        derivation = derived(puzzle, encoding.cover, PuzzleItems(encoding.item_of_piece, encoding.item_of_location))
    if derivation is not None and derivation.fault:
        raise fail("PZ636", f"the placements differ from an independent derivation: {derivation.fault}", file=name)
    return Judged(certificate.proved, certificate.line, which, solutions, derivation)


def _distinct(certificate: Certificate, encoding: Encoding, which: str) -> int | None:
    """Return the number of covers that are distinct under the symmetries of a puzzle; None for too many symmetries."""
    try:
        group = symmetry(encoding, which)
    except GroupTooLargeError:
        return None
    left, number = set(certificate.covers), 0
    while left:
        number += 1
        cover = next(iter(left))
        left.difference_update(tuple(sorted([image[option] for option in cover])) for image in group.options)
    return number


#: Words for distinct solutions in certificates.
_DISTINCT = {**DISTINCT, "none": "distinct under no symmetry"}


def claimed(claims: dict[str, int], symmetry: str | None = "all") -> str:
    """Return the claims of a certificate in words; ``symmetry`` is the symmetry of its distinct solutions.

    It is None if the exact cover and the symmetries were not compared with a puzzle.

    >>> claimed({"raw": 8, "listed": 8, "distinct": 2}), claimed({"listed": 1}), claimed({"raw": 0})
    ('8 raw solutions, 2 of them distinct', '1 solution', 'no solution')
    >>> claimed({"listed": 0})
    'nothing: it has no count and lists no solution'
    >>> claimed({"least": 12})
    'a lowest cost of 12'
    >>> claimed({"raw": 8, "listed": 8, "distinct": 4}, "rotations")
    '8 raw solutions, 4 of them distinct under rotations'
    >>> claimed({"raw": 8, "listed": 8, "distinct": 2}, None)
    '8 raw solutions of the exact cover in the file, 2 of them distinct under the symmetries in the file'
    """
    source = " of the exact cover in the file" if symmetry is None else ""
    for member, word in (("least", "lowest"), ("greatest", "highest")):
        if member in claims:
            return f"a {word} cost of {claims[member]}{source}"
    if "raw" not in claims and not claims["listed"]:
        return "nothing: it has no count and lists no solution"
    if "raw" not in claims:
        return counted(claims["listed"], "solution") + source
    if not claims["raw"]:
        return "no solution" + source
    under = _DISTINCT[symmetry] if symmetry is not None else "distinct under the symmetries in the file"
    distinct = f", {claims['distinct']} of them {under}" if "distinct" in claims else ""
    return f"{counted(claims['raw'], 'raw solution')}{source}{distinct}"
