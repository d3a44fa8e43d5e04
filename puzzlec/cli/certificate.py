"""``--certificate``: what was found, in a file that a small checker of its own can verify; and such files, checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from puzzlec.cli.exit_status import ExitStatus
from puzzlec.cli.output import new_file
from puzzlec.cli.terminal import out, out_json, report_all, say
from puzzlec.diagnostics import counted
from puzzlec.diagnostics.diagnostic import fail
from puzzlec.engine import Stop
from puzzlec.ir import Solution
from puzzlec.lower import Encoding
from puzzlec.solution.conventions import DISTINCT
from puzzlec.solutions import Solutions

CertificateFile = Annotated[
    str | None,
    typer.Option(
        "--certificate", metavar="FILE", help="Write a certificate of what was found, which `puzzlec check` verifies."
    ),
]
Over = Annotated[bool, typer.Option("--force", help="Let --certificate write over a file that exists.")]

#: So many solutions of a search that was stopped are listed in its certificate.
MOST = 50_000

#: The options that stop a search.
LIMITS = {Stop.SECONDS: "--time", Stop.NODES: "--nodes", Stop.SOLUTIONS: "--limit"}

#: Writes the certificate of a search that has ended: its solutions, those that were shown, and the seconds left.
Certify = Callable[[Solutions, list[Solution], float | None], None]


@contextmanager
def certifying(target: str | None, force: bool) -> Iterator[Certify | None]:
    """Give what writes a certificate into a file, None where none is wanted; the file is taken before the search.

    Raises PuzzleError where it exists (unless ``force``), or there is nothing to certify.
    """
    if target is None:
        yield None
        return
    with new_file(target, force) as path:

        def certify(solutions: Solutions, found: list[Solution], seconds: float | None) -> None:
            from puzzlec.certificates.writing import UnfinishedError, write_count, write_solutions
            from puzzlec.solution.own_symmetry import OwnSymmetries

            encoding, packed = solutions.encoding, target.endswith(".gz")
            if solutions.stopped is not None and not found:
                limit = LIMITS[solutions.stopped]
                help = f"leave {limit} out, or let `puzzlec solve --limit N --certificate FILE` certify what it shows"
                message = "there is nothing to certify: the search was stopped"
                report_all(fail("PZ635", message, file=target, help=help).diagnostics)
                raise typer.Exit(ExitStatus.LIMIT)  # as without a certificate
            if solutions.stopped is None:
                say("the certificate is made by a search of its own, which keeps all subproblems")
                try:
                    written = write_count(encoding, path, packed, solutions.symmetry, seconds)
                except UnfinishedError as error:
                    raise fail("PZ635", str(error), file=target) from None
                _compare(written.claims, solutions, target)
            else:
                options = OwnSymmetries(encoding, _identity(encoding))
                written = write_solutions(encoding, [options.options(each) for each in found], path, packed)
            by = f", by {written.weights}" if written.weights else ""
            by = f", by a table of {counted(written.rows, 'subproblem')}" if written.rows else by
            what = claimed(written.claims, solutions.symmetry)
            say(f"{target}: a certificate of {what}{by}", file=target, claims=written.claims)

        yield certify


def _compare(claims: dict[str, int], solutions: Solutions, target: str) -> None:
    """Raise PuzzleError where a certificate has another number than the search: they share the compiler only."""
    same = "raw" if solutions.symmetry == "none" or not claims["raw"] else "distinct"
    if claims.get(same, solutions.number) != solutions.number:
        raise fail(
            "PZ635",
            f"the search found {solutions.counted(solutions.number)}, its certificate has {claims[same]}",
            note="one of them is wrong, and that is a fault of puzzlec",
            help="please report it, with the puzzle",
            file=target,
        )


def _identity(encoding: Encoding) -> Any:
    from puzzlec.lower import symmetry

    return symmetry(encoding, "none")


def claimed(claims: dict[str, int], symmetry: str = "all") -> str:
    """Return what a certificate claims in words; ``symmetry`` is what its distinct solutions are counted up to.

    >>> claimed({"raw": 8, "listed": 8, "distinct": 2}), claimed({"listed": 1}), claimed({"raw": 0})
    ('8 raw solutions, 2 of them distinct', '1 solution', 'no solution')
    >>> claimed({"raw": 8, "listed": 8, "distinct": 4}, "rotations")
    '8 raw solutions, 4 of them distinct under rotations'
    """
    if "raw" not in claims:
        return counted(claims["listed"], "solution")
    if not claims["raw"]:
        return "no solution"
    distinct = f", {claims['distinct']} of them {DISTINCT[symmetry]}" if "distinct" in claims else ""
    return f"{counted(claims['raw'], 'raw solution')}{distinct}"


def check_certificate(name: str, encoding: Encoding | None, format: str) -> None:
    """Check the certificate in a file, against a puzzle or (None) the one that it carries, and say what it proves."""
    from puzzlec.certificates.reading import Judged, carried, checked, judged

    certificate = checked(name)
    of = encoding or carried(certificate)
    proved = Judged(certificate.proved, certificate.line, str(certificate.head.get("symmetry", "none")))
    found = proved if of is None else judged(certificate, of, name)
    if format == "json":
        derived = None if found.placements is None else not found.placements.unknown
        out_json(
            {"certificate": name, "proved": found.proved, "symmetry": found.symmetry, "lines": found.lines}
            | {"solutions": found.solutions, "placements": derived}
        )
    if format != "text":
        return
    # Nobody has compared the symmetries of a bare exact cover with anything.
    out(f"{name}: this proves {claimed(found.proved, 'all' if of is None else found.symmetry)}")
    if of is None:
        own = "exact cover and symmetries" if "distinct" in found.proved else "exact cover"
        say(f"that is of its own {own}, since it carries no puzzle")
        return
    title = (of.fitting.title or of.cover.title)[:80]
    which = f"{title!r}, the puzzle that it carries" if encoding is None and title else "the puzzle"
    say(f"the exact cover is that of {which}")
    if found.solutions:
        say("each solution that it lists is one of the puzzle")
    if found.placements is not None and found.placements.unknown:
        say(f"placements were not derived anew: {found.placements.unknown}")
    elif found.placements is not None:
        say(f"its {counted(found.placements.number, 'placement')} are those of the puzzle, derived anew")
