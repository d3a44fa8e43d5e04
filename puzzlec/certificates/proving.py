"""Write a certificate of a puzzle, or check one, alone or against a puzzle."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from puzzlec.certificates.reading import carried, checked, judged
from puzzlec.certificates.writing import UnfinishedCertificateError, write_count, write_solutions
from puzzlec.compiler import PuzzleOrName, compile
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.files import replaced
from puzzlec.engine import Limits
from puzzlec.engine.check import WrongCoverError, check_cover
from puzzlec.engine.limits import limits_of
from puzzlec.ir import Fitting, Solution
from puzzlec.lower import Encoding
from puzzlec.lower import symmetry as symmetry_group
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.shown import brief
from puzzlec.solving.own_symmetry import OwnSymmetries
from puzzlec.solving.solutions import Solutions


class Proof(NamedTuple):
    r"""The result of a certificate.

    - ``claims``: the proved numbers: ``raw`` (all solutions), ``listed`` (listed ones), ``distinct`` (listed ones up to
      symmetry).
    - ``symmetry``: the kind of symmetry; None without any, or without a puzzle to compare it with.
    - ``puzzle``: whether its exact cover was compared with that of a puzzle.
    - ``solutions``: whether each listed solution is one of the puzzle (None: it lists none).
    - ``placements``: the number derived without the compiler (None: not derived).

    >>> import puzzlec
    >>> import tempfile
    >>> from pathlib import Path
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "dominoes.cert")
    ...     claims = puzzlec.write_certificate(puzzle, file)
    ...     proof = puzzlec.check_certificate(file, puzzle)
    >>> proof.claims
    {'raw': 3, 'listed': 3, 'distinct': 2}
    """

    def __repr__(self) -> str:
        return brief(self)

    claims: dict[str, int]
    symmetry: str | None = None
    puzzle: bool = False
    solutions: bool | None = None
    placements: int | None = None


def write_certificate(
    what: PuzzleOrName,
    path: str | Path,
    *,
    solutions: Iterable[Solution] | None = None,
    symmetry: SymmetryKind = "all",
    limits: Limits | None = None,
    seconds: float | None = None,
) -> dict[str, int]:
    r"""Write a certificate of the number of all solutions, or of some ``solutions``, and return its claims.

    A separate search, which keeps all subproblems, finds the number. If there are few enough solutions, the certificate
    lists them, with the number of distinct ones up to ``symmetry``. A name that ends in ``.gz`` makes a compressed
    file.
    An existing file is overwritten at the end. If it is a link, its target is overwritten.

    Args:
        what: The puzzle, or the name of one.
        path: The file to write.
        solutions: Solutions to certify instead of the number of all.
        symmetry: The symmetry of the number of distinct solutions, as in :func:`puzzlec.solve`.
        limits: A limit of seconds.
        seconds: Short for a limit of seconds.

    Raises:
        PuzzleError: If the puzzle cannot be compiled, or if the certificate is too large or takes too long (PZ635).
        ValueError: For an unknown symmetry, a wrong solution, or an empty list of solutions.
        OSError: If the file cannot be written.

    >>> import tempfile
    >>> from pathlib import Path
    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     puzzlec.write_certificate(puzzle, Path(folder, "dominoes.cert"))
    {'raw': 3, 'listed': 3, 'distinct': 2}

    """
    limits = limits_of(limits, None, seconds, only=("seconds",))
    try:
        with replaced(path) as part:  # it checks the path before the puzzle is compiled
            whole = Solutions(what, symmetry=symmetry)
            packed = Path(path).name.endswith(".gz")
            if solutions is not None:
                covers = _covers(whole.encoding, solutions)
                claims = write_solutions(whole.encoding, covers, part, packed).claims
            else:
                claims = write_count(whole.encoding, part, packed, whole.symmetry, limits.seconds).claims
    except UnfinishedCertificateError as error:
        raise fail("PZ635", str(error), file=str(path)) from None
    return claims


def check_certificate(path: str | Path, what: PuzzleOrName | None = None) -> Proof:
    r"""Return what a certificate (``-``: on standard input) proves about a puzzle; None means the stored puzzle.

    A certificate without a puzzle proves facts about its exact cover alone.

    Raises:
        PuzzleError: If it cannot be read (PZ632), does not prove its claims (PZ633), or belongs to another puzzle
            (PZ634, PZ636).

    >>> import tempfile
    >>> from pathlib import Path
    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "dominoes.cert")
    ...     claims = puzzlec.write_certificate(puzzle, file)
    ...     puzzlec.check_certificate(file, puzzle).claims == claims
    True

    """
    certificate = checked(str(path))
    of = carried(certificate, str(path)) if what is None else compile(what)
    if of is None:
        return Proof(certificate.proved)
    judgement = judged(certificate, of, str(path))
    derived = judgement.placements
    recounted = derived.number if derived is not None and not derived.unknown else None
    up_to = judgement.symmetry if "distinct" in judgement.proved else None
    return Proof(judgement.proved, up_to, True, judgement.solutions, recounted)


def _covers(encoding: Encoding, solutions: Iterable[Solution]) -> list[tuple[int, ...]]:
    """Return the options of each solution; ValueError for an empty list, or a solution of another puzzle."""
    symmetries, covers = OwnSymmetries(encoding, symmetry_group(encoding, "none")), []
    for solution in solutions:
        try:
            _verify_own(encoding.fitting, solution)
            covers.append(symmetries.options(solution))
            check_cover(encoding.cover, covers[-1])
        except LookupError:
            raise ValueError("this is a solution of another puzzle") from None
        except WrongCoverError as fault:
            raise ValueError(f"this is not a solution of the puzzle: {fault}") from None
    if not covers:
        raise ValueError("there are no solutions to certify")
    return covers


def _verify_own(fitting: Fitting, solution: Solution) -> None:
    """Raise LookupError if a placement differs from the placement with its number in this fitting."""
    for placement in solution.placements:
        piece, other = fitting.pieces[placement.number], solution.fitting
        if (
            fitting.piece_name(placement.number) != other.piece_name(placement.number)
            or tuple(piece.placements.row(placement.index)) != placement.locations
            or piece.shown_words(placement.index) != other.pieces[placement.number].shown_words(placement.index)
        ):
            raise LookupError
