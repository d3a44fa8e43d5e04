"""Certificates in one call: written of a puzzle, and checked, against a puzzle or by themselves."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from errno import EISDIR, ENOENT
from pathlib import Path
from typing import NamedTuple

from puzzlec.certificates.reading import carried, checked, judged
from puzzlec.certificates.writing import UnfinishedError, write_count, write_solutions
from puzzlec.diagnostics.error import fail
from puzzlec.engine.check import WrongCoverError, check_cover
from puzzlec.ir import Fitting, Solution
from puzzlec.lower import Encoding
from puzzlec.lower import symmetry as symmetry_group
from puzzlec.pipeline import Compiled, compile
from puzzlec.solving.own_symmetry import OwnSymmetries
from puzzlec.solving.solutions import Solutions


class Proof(NamedTuple):
    """What a certificate proves.

    ``claims`` has the numbers that are proved: ``raw``, of all solutions; ``listed``, of those that it lists;
    ``distinct``, of those up to symmetries. ``symmetry`` names these; it is None where there are none, or no puzzle to
    compare them with: they are the certificate's own then. ``puzzle`` says whether its exact cover was compared with
    that of a puzzle, ``solutions`` whether each solution that it lists was found to be one of the puzzle (None: it
    lists none), ``placements`` how many were derived anew, without the compiler (None: they were not).
    """

    claims: dict[str, int]
    symmetry: str | None = None
    puzzle: bool = False
    solutions: bool | None = None
    placements: int | None = None


def write_certificate(
    what: Compiled | str,
    path: str | Path,
    solutions: Iterable[Solution] | None = None,
    symmetry: str = "all",
    seconds: float | None = None,
) -> dict[str, int]:
    """Write a certificate of the number of all solutions, or of some ``solutions``, and return what it claims.

    The number is found by a search of its own, which keeps all subproblems. Where the solutions are few enough to be
    listed, they are, with how many are distinct up to ``symmetry``. A name that ends in ``.gz`` makes a packed file; a
    file that exists is written over when all has gone well, one that a link leads to through the link. Raises
    PuzzleError where the puzzle cannot be compiled, or the certificate would be too large or is not done within so many
    ``seconds`` (PZ635); ValueError for an unknown symmetry, for what is no solution of the puzzle, and where none are
    given; OSError where the file cannot be written, before the search where its folder is at fault.
    """
    target = Path(path).resolve()
    if target.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), str(path))
    found = Solutions(what, symmetry=symmetry)
    encoding = found.encoding
    covers = None if solutions is None else _covers(encoding, solutions)
    packed, part = Path(path).name.endswith(".gz"), target.with_name(f".{target.name[:99]}.{os.getpid()}.part")
    try:
        if covers is not None:
            claims = write_solutions(encoding, covers, part, packed).claims
        else:
            claims = write_count(encoding, part, packed, found.symmetry, seconds).claims
        if target.exists():
            shutil.copymode(target, part)
        part.replace(target)
    except UnfinishedError as error:
        raise fail("PZ635", str(error), file=str(path)) from None
    finally:
        part.unlink(missing_ok=True)
    return claims


def check_certificate(path: str | Path, what: Compiled | str | None = None) -> Proof:
    """Return what a certificate (``-``: on standard input) proves: of a puzzle, or (None) of the one that it carries.

    Where it carries none, it is of its own exact cover alone. Raises PuzzleError where it cannot be read (PZ632), does
    not prove what it claims (PZ633), or is one of another puzzle (PZ634, PZ636).
    """
    certificate = checked(str(path))
    of = carried(certificate, str(path)) if what is None else compile(what, "cover")
    if of is None:
        return Proof(certificate.proved)
    assert isinstance(of, Encoding)
    found = judged(certificate, of, str(path))
    derived = found.placements
    anew = derived.number if derived is not None and not derived.unknown else None
    up_to = found.symmetry if "distinct" in found.proved else None
    return Proof(found.proved, up_to, True, found.solutions, anew)


def _covers(encoding: Encoding, solutions: Iterable[Solution]) -> list[tuple[int, ...]]:
    """Return the options of each solution; raise ValueError where there is none, or one of another puzzle."""
    known, covers = OwnSymmetries(encoding, symmetry_group(encoding, "none")), []
    for solution in solutions:
        try:
            _verify_own(encoding.fitting, solution)
            covers.append(known.options(solution))
            check_cover(encoding.cover, covers[-1])
        except LookupError:
            raise ValueError("this is a solution of another puzzle") from None
        except WrongCoverError as fault:
            raise ValueError(f"this is no solution of the puzzle: {fault}") from None
    if not covers:
        raise ValueError("there are no solutions to be certified")
    return covers


def _verify_own(fitting: Fitting, solution: Solution) -> None:
    """Raise LookupError where a placement is not the one that has its number in this fitting."""
    for each in solution.placements:
        own, other = fitting.pieces[each.piece], solution.fitting
        if (
            fitting.piece_name(each.piece) != other.piece_name(each.piece)
            or tuple(own.placements.row(each.index)) != each.locations
            or own.shown_words(each.index) != other.pieces[each.piece].shown_words(each.index)
        ):
            raise LookupError
