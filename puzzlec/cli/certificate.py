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
from puzzlec.lower import Encoding, symmetry
from puzzlec.solving.solutions import Solutions
from puzzlec.solving.subject import DISTINCT

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
    own = " of the exact cover in the file" if symmetry is None else ""
    for member, word in (("least", "lowest"), ("greatest", "highest")):
        if member in claims:
            return f"a {word} cost of {claims[member]}{own}"
    if "raw" not in claims and not claims["listed"]:
        return "nothing: it has no count and lists no solution"
    if "raw" not in claims:
        return counted(claims["listed"], "solution") + own
    if not claims["raw"]:
        return "no solution" + own
    under = _DISTINCT[symmetry] if symmetry is not None else "distinct under the symmetries in the file"
    distinct = f", {claims['distinct']} of them {under}" if "distinct" in claims else ""
    return f"{counted(claims['raw'], 'raw solution')}{own}{distinct}"


def check_certificate(name: str, encoding: Encoding | None, format: str) -> None:
    """Check the certificate in a file against a puzzle, or (None) its stored puzzle, and print the facts it proves."""
    from puzzlec.certificates.reading import Judged, carried, checked, judged

    certificate, file = checked(name), shown_name(name)
    of = encoding or carried(certificate, name)
    # The symmetries of a bare exact cover were not compared with a puzzle, whatever their name.
    found = Judged(certificate.proved, certificate.line, None) if of is None else judged(certificate, of, name)
    title = (of.fitting.title or of.cover.title)[:80] if of is not None else ""
    if format == "json":
        derived = None if found.placements is None else not found.placements.unknown
        puzzle = {"puzzle": None if of is None else "carried" if encoding is None else "given", "title": title or None}
        out_json(
            {"certificate": file, **puzzle, "proved": found.proved, "symmetry": found.symmetry, "lines": found.lines}
            | {"solutions": found.solutions, "placements": derived}
        )
    if format != "text":
        return
    out(f"{file}: this proves {claimed(found.proved, found.symmetry)}")
    if of is None:
        say("not compared with a puzzle: the certificate names none, and you gave none")
        return
    which = f"the stored puzzle {title!r}" if encoding is None and title else "the puzzle"
    say(f"its exact cover is that of {which}")
    if found.solutions:
        say("each listed solution is a solution of the puzzle")
    if found.placements is not None and found.placements.unknown:
        say(f"no independent derivation of the placements: {found.placements.unknown}")
    elif found.placements is not None:
        say(f"an independent derivation of its {counted(found.placements.number, 'placement')} agrees")


CertificateFile = Annotated[
    str | None, FILE.saying("Write a certificate, for `puzzlec check`.", name="--certificate", panel=OUTPUT)
]

#: Maximum number of solutions in the certificate of a stopped search.
MOST = 50_000

#: The options that stop a search.
LIMITS = {Stop.SECONDS: "--time-limit", Stop.NODES: "--nodes", Stop.SOLUTIONS: "--limit"}

#: Suggestion if the number of all solutions cannot be certified.
LESS = "use `puzzlec solve --limit N --certificate FILE`"

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

        def certify(solutions: Solutions, found: list[Solution], clock: Clock) -> None:
            from puzzlec.certificates.writing import (
                OutOfTimeError,
                UnfinishedError,
                write_best,
                write_count,
                write_solutions,
            )
            from puzzlec.solving.costs import BestSolutions
            from puzzlec.solving.own_symmetry import OwnSymmetries

            encoding, packed = solutions.encoding, target.endswith(".gz")
            if solutions.stopped is not None and not found:
                limit = LIMITS[solutions.stopped]
                help = f"leave {limit} out, or {LESS}"
                raise _at_limit("the search stopped before there was anything to certify", target, help)
            options = OwnSymmetries(encoding, symmetry(encoding, "none"))
            if solutions.stopped is None:
                say("a second search, which keeps all subproblems, makes the certificate")
                try:
                    if found and isinstance(solutions, BestSolutions):
                        best = options.options(found[0])
                        written = write_best(encoding, best, solutions.max_cost, path, packed, clock.left)
                    else:
                        written = write_count(encoding, path, packed, solutions.symmetry, clock.left)
                except OutOfTimeError:
                    message = f"the search and its certificate took longer than {clock.time:g} s"
                    raise _at_limit(message, target, f"leave --time-limit out, give it more, or {LESS}") from None
                except UnfinishedError as error:
                    raise fail("PZ635", str(error), file=target, help=LESS) from None
                if not isinstance(solutions, BestSolutions) or not found:
                    _compare(written.claims, solutions, target)
            else:
                written = write_solutions(encoding, [options.options(cover) for cover in found], path, packed)
            by = f", by {written.weights}" if written.weights else ""
            by = f", by a table of {counted(written.rows, 'subproblem')}" if written.rows else by
            what = claimed(written.claims, solutions.symmetry)
            say(f"{target}: a certificate of {what}{by}", file=target, claims=written.claims)

        yield certify


def _at_limit(message: str, target: str, help: str) -> typer.Exit:
    """Report that a limit left no certificate; return the exit of the command, the same as for a search at a limit."""
    report_all(fail("PZ635", message, file=target, help=help).diagnostics)
    return typer.Exit(ExitStatus.LIMIT)


def _compare(claims: dict[str, int], solutions: Solutions, target: str) -> None:
    """Raise PuzzleError if a certificate has another number than the search. The two share only the compiler."""
    same = "raw" if solutions.symmetry == "none" or not claims["raw"] else "distinct"
    if claims.get(same, solutions.number) != solutions.number:
        raise fail(
            "PZ635",
            f"the search found {solutions.counted(solutions.number)}, its certificate has {claims[same]}",
            note="one of them is wrong: this is a bug in puzzlec",
            help="please report it, with the puzzle",
            file=target,
        )
