"""``--certificate`` of `solve`, `count` and `check`: write certificates, and check them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from puzzlec.cli.arguments import Clock
from puzzlec.cli.command import OUTPUT
from puzzlec.cli.options import FILE
from puzzlec.cli.output import new_file
from puzzlec.cli.terminal import ExitStatus, out, out_json, report_all, say
from puzzlec.diagnostics import counted
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.files import shown_name
from puzzlec.engine import Stop
from puzzlec.ir import Solution
from puzzlec.lower import Encoding
from puzzlec.solving.solutions import Solutions


def check_certificate(name: str, encoding: Encoding | None, format: str) -> None:
    """Check the certificate in a file against a puzzle, or (None) its stored puzzle, and print the facts it proves."""
    from puzzlec.certificates.reading import Judged, carried, checked, judged

    certificate, file = checked(name), shown_name(name)
    of = encoding or carried(certificate, name)
    # The symmetries of a bare exact cover were not compared with a puzzle, whatever their name.
    judgement = Judged(certificate.proved, certificate.line, None) if of is None else judged(certificate, of, name)
    title = (of.fitting.title or of.cover.title)[:80] if of is not None else ""
    if format == "json":
        derived = None if judgement.placements is None else not judgement.placements.unknown
        puzzle = {"puzzle": None if of is None else "carried" if encoding is None else "given", "title": title or None}
        out_json(
            {
                "certificate": file,
                **puzzle,
                "proved": judgement.proved,
                "symmetry": judgement.symmetry,
                "lines": judgement.lines,
            }
            | {"solutions": judgement.solutions, "placements": derived}
        )
    if format != "text":
        return
    first, *others = judgement.in_words(title, of is not None, encoding is not None)
    out(f"{file}: {first}")
    for line in others:
        say(line)


CertificateFile = Annotated[
    str | None, FILE.saying("Write a certificate, for `puzzlec check`.", name="--certificate", panel=OUTPUT)
]

#: Maximum number of solutions in the certificate of a stopped search.
MAX_CERTIFIED_SOLUTIONS = 50_000

#: The options that stop a search.
LIMITS = {Stop.SECONDS: "--time-limit", Stop.NODES: "--nodes", Stop.SOLUTIONS: "--limit"}

#: Suggestion if the number of all solutions cannot be certified.
LIMIT_HELP = "use `puzzlec solve --limit N --certificate FILE`"

#: Writes the certificate of a search. Arguments: its solutions, the shown ones, and the limit of time.
Certify = Callable[[Solutions, list[Solution], Clock], None]


@contextmanager
def certifying(target: str | None, force: bool) -> Iterator[Certify | None]:
    """Yield the function that writes a certificate, or None; check before the search that the file can be written.

    The certificate is also written if the reader of standard output goes away.

    Raises:
        PuzzleError: If the file exists (unless ``force``).
        typer.Exit: If a limit was reached before there was something to certify, or before it was certified.

    """
    if target is None:
        yield None
        return
    with new_file(target, force) as path:

        def certify(solutions: Solutions, witnesses: list[Solution], clock: Clock) -> None:
            from puzzlec.certificates.reading import claimed
            from puzzlec.certificates.writing import OutOfTimeError, UnfinishedCertificateError, write_search

            if solutions.stopped is None:
                say("a second search, which keeps all subproblems, makes the certificate")
            elif not witnesses:
                help = f"leave {LIMITS[solutions.stopped]} out, or {LIMIT_HELP}"
                raise _at_limit("the search stopped before there was anything to certify", target, help)
            try:
                written = write_search(solutions, witnesses, path, target, clock.left)
            except OutOfTimeError:
                message = f"the search and its certificate took longer than {clock.time:g} s"
                raise _at_limit(message, target, f"leave --time-limit out, give it more, or {LIMIT_HELP}") from None
            except UnfinishedCertificateError as error:
                raise fail("PZ635", str(error), file=target, help=LIMIT_HELP) from None
            by = f", by {written.weights}" if written.weights else ""
            by = f", by a table of {counted(written.rows, 'subproblem')}" if written.rows else by
            what = claimed(written.claims, solutions.symmetry)
            say(f"{target}: a certificate of {what}{by}", file=target, claims=written.claims)

        yield certify


def _at_limit(message: str, target: str, help: str) -> typer.Exit:
    """Report that a limit left no certificate; return the exit of the command, the same as for a search at a limit."""
    report_all(fail("PZ635", message, file=target, help=help).diagnostics)
    return typer.Exit(ExitStatus.LIMIT)
