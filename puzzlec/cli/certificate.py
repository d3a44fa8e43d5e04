"""``--certificate`` of `solve` and `count`: what was found, in a file that a small checker of its own can verify."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from puzzlec.cli.arguments import time_left
from puzzlec.cli.candidates import any_files
from puzzlec.cli.certificate_proof import claimed
from puzzlec.cli.command import OUTPUT
from puzzlec.cli.output import new_file
from puzzlec.cli.terminal import ExitStatus, report_all, say
from puzzlec.diagnostics import counted
from puzzlec.diagnostics.error import fail
from puzzlec.engine import Stop
from puzzlec.ir import Solution
from puzzlec.lower import Encoding
from puzzlec.solving.solutions import Solutions

CertificateFile = Annotated[
    str | None,
    typer.Option(
        "--certificate",
        metavar="FILE",
        help="Write a certificate, for `puzzlec check`.",
        autocompletion=any_files,
        rich_help_panel=OUTPUT,
    ),
]
Over = Annotated[bool, typer.Option("--force", help="Overwrite the certificate.", rich_help_panel=OUTPUT)]

#: So many solutions of a search that was stopped are listed in its certificate.
MOST = 50_000

#: The options that stop a search.
LIMITS = {Stop.SECONDS: "--time-limit", Stop.NODES: "--nodes", Stop.SOLUTIONS: "--limit"}

#: What can be had where the number of all solutions cannot be certified.
LESS = "let `puzzlec solve --limit N --certificate FILE` certify what it shows"

#: Writes the certificate of a search that has ended: its solutions, those that were shown, the limit of seconds, and
#: when they began, on the monotonic clock.
Certify = Callable[[Solutions, list[Solution], float | None, float], None]


@contextmanager
def certifying(target: str | None, force: bool) -> Iterator[Certify | None]:
    """Give what writes a certificate into a file, None where none is wanted; the file is tried before the search.

    What is printed meanwhile may go unread: the certificate is written all the same. Raises PuzzleError where the file
    exists (unless ``force``), typer.Exit where a limit left nothing to certify, or no time for it.
    """
    if target is None:
        yield None
        return
    with new_file(target, force) as path:

        def certify(solutions: Solutions, found: list[Solution], seconds: float | None, begun: float) -> None:
            from puzzlec.certificates.writing import OutOfTimeError, UnfinishedError, write_count, write_solutions
            from puzzlec.solving.own_symmetry import OwnSymmetries

            encoding, packed = solutions.encoding, target.endswith(".gz")
            if solutions.stopped is not None and not found:
                limit = LIMITS[solutions.stopped]
                help = f"leave {limit} out, or {LESS}"
                raise _at_limit("there is nothing to certify: the search was stopped", target, help)
            if solutions.stopped is None:
                say("the certificate is made by a search of its own, which keeps all subproblems")
                try:
                    left = time_left(seconds, begun)
                    written = write_count(encoding, path, packed, solutions.symmetry, left)
                except OutOfTimeError:
                    message = f"the certificate was not done within {seconds:g} s, the search included"
                    raise _at_limit(message, target, f"leave --time-limit out, give it more, or {LESS}") from None
                except UnfinishedError as error:
                    raise fail("PZ635", str(error), file=target, help=LESS) from None
                _compare(written.claims, solutions, target)
            else:
                options = OwnSymmetries(encoding, _identity(encoding))
                written = write_solutions(encoding, [options.options(each) for each in found], path, packed)
            by = f", by {written.weights}" if written.weights else ""
            by = f", by a table of {counted(written.rows, 'subproblem')}" if written.rows else by
            what = claimed(written.claims, solutions.symmetry)
            say(f"{target}: a certificate of {what}{by}", file=target, claims=written.claims)

        yield certify


def _at_limit(message: str, target: str, help: str) -> typer.Exit:
    """Report that a limit left no certificate; return what ends the command: a search at a limit ends so, too."""
    report_all(fail("PZ635", message, file=target, help=help).diagnostics)
    return typer.Exit(ExitStatus.LIMIT)


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
