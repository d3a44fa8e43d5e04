"""Certificates on their way back: checked, compared with a puzzle, and every fault a diagnostic."""

from __future__ import annotations

import gzip
import json
import os
import zlib
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from puzzlec.certificates.form import cover_of
from puzzlec.certificates.placements import Derived, Items, derived
from puzzlec.diagnostics import Diagnostic, PuzzleError
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.files import shown_name
from puzzlec.engine.certificate.checker import Certificate, RefusedError
from puzzlec.lower import Encoding, symmetry
from puzzlec.lower.movements import GroupTooLargeError
from puzzlec.lower.symmetries import SYMMETRIES
from puzzlec.pipeline import compile, parse
from puzzlec.solving.checker import Checker, WrongSolutionError

#: How a certificate begins, and one that is packed by gzip.
BEGINNING, PACKED = b'{"certificate":', b"\x1f\x8b"


class Judged(NamedTuple):
    """What a certificate proves about an exact cover, and what was found of the puzzle that this is said to be.

    ``lines`` says how long it is, ``symmetry`` what its distinct solutions are counted up to (None: up to its own
    symmetries, which were compared with those of no puzzle), ``solutions`` whether each cover that it lists is a
    solution of the puzzle (None: it lists none, or only an exact cover is known), ``placements`` what became of
    deriving them anew.
    """

    proved: dict[str, int]
    lines: int
    symmetry: str | None
    solutions: bool | None = None
    placements: Derived | None = None


def is_certificate(name: str) -> bool:
    """Whether a file begins as a certificate does, packed or not; False where it cannot be read, as standard input."""
    if name == "-":
        return False  # not a file of that name, and what is read of standard input is gone
    with suppress(OSError, EOFError, zlib.error), _opened(name) as file:
        return bool(file.read(len(BEGINNING)) == BEGINNING)
    return False


def _opened(name: str) -> Any:
    with Path(name).open("rb") as file:
        packed = file.read(len(PACKED)) == PACKED
    return gzip.open(name) if packed else Path(name).open("rb")


def checked(name: str) -> Certificate:
    """Return the certificate in a file, or on standard input (``-``): it proves what it claims of its own exact cover.

    It may be packed, whatever its name. Raises PuzzleError where it cannot be read, or proves something else.
    """
    try:
        if name != "-":
            Path(name).open("rb").close()
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or "error").lower()
        raise fail("PZ001", f"cannot read `{name}`: {reason}", file=name) from None
    certificate = Certificate()
    try:
        certificate.check(os.dup(0) if name == "-" else name)  # which closes it
    except RefusedError as fault:
        message = f"this certificate does not prove what it claims: {fault}"
        note = f"so it is on line {certificate.line}"
        raise fail("PZ633", message, file=shown_name(name), note=note) from None
    except Exception as fault:  # whatever is raised by a file that is none
        raise fail(
            "PZ632",
            f"this is no certificate, or damaged: line {certificate.line} cannot be read",
            note=f"{type(fault).__name__}: {fault}"[:200],
            help="`puzzlec solve PUZZLE --all --certificate FILE` writes one",
            file=shown_name(name),
        ) from None
    return certificate


def carried(certificate: Certificate, name: str) -> Encoding | None:
    """Return the exact cover of the puzzle that a certificate carries, None where it carries none.

    Raises PuzzleError for a puzzle with faults: they are told of the certificate's file, as it is the user's.
    """
    key = next((key for key in ("puzzle", "fitting") if key in certificate.head), "")
    if certificate.head.get(key) is None:
        return None
    try:
        encoding = compile(parse(json.dumps(certificate.head[key]), "json"), "cover")
    except PuzzleError as error:
        raise PuzzleError([_within(each, key, shown_name(name)) for each in error.diagnostics]) from None
    assert isinstance(encoding, Encoding)
    return encoding


def _within(fault: Diagnostic, key: str, file: str) -> Diagnostic:
    """Return a fault of the puzzle that a certificate carries as one of its file.

    Where in the puzzle's text it stands would say nothing: that is not what stands in the file, but the same JSON.
    """
    note = f"so it is in `{key}`, on line 1 of the certificate"
    return replace(fault, label=None, others=(), notes=(*fault.notes, note), file=file)


def judged(certificate: Certificate, encoding: Encoding, name: str) -> Judged:
    """Return what a certificate says of a puzzle; raise PuzzleError where it is one of another puzzle.

    Its exact cover must be that of the puzzle, item by item and option by option; each cover that it lists must be a
    solution by the checker of solutions; where it tells distinct ones, their number must be that under the symmetries
    of the puzzle; and the placements must be those that are derived anew.
    """
    name = shown_name(name)
    if certificate.head["cover"] != cover_of(encoding.cover):
        raise fail(
            "PZ634",
            "this certificate is of another puzzle: its exact cover is not that of this one",
            note=f"it says that it is of {str(certificate.head.get('title'))[:80]!r}",
            help="it may also be of an earlier version of the puzzle: write it again",
            file=name,
        )
    which = certificate.head.get("symmetry", "none")
    if which not in SYMMETRIES:
        raise fail("PZ633", f"there are no symmetries called {str(which)[:40]!r}", file=name)
    solutions = None
    if encoding.faithful and certificate.covers:
        checker, solutions = Checker(encoding.fitting), True
        for cover in certificate.covers:
            try:
                checker.check(encoding.lift(cover))
            except WrongSolutionError as fault:
                raise fail(
                    "PZ636", f"a cover of this certificate is no solution of the puzzle: {fault}", file=name
                ) from None
    told = certificate.proved.get("distinct")
    if told is not None and (number := _distinct(certificate, encoding, which)) != told:
        others = f"are others: up to those there are {number} solutions, not {told}"
        what = others if number is not None else "are too many to be compared with its own"
        raise fail("PZ633", f"the symmetries of the puzzle of this certificate {what}", file=name)
    puzzle, found = encoding.fitting.puzzle, None
    if puzzle is not None and not encoding.raised:
        found = derived(puzzle, encoding.cover, Items(encoding.item_of_piece, encoding.item_of_location))
    if found is not None and found.fault:
        raise fail("PZ636", f"the placements of the puzzle are others, derived anew: {found.fault}", file=name)
    return Judged(certificate.proved, certificate.line, which, solutions, found)


def _distinct(certificate: Certificate, encoding: Encoding, which: str) -> int | None:
    """Return how many of the covers are distinct under a puzzle's symmetries, element by element; None: too many."""
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
