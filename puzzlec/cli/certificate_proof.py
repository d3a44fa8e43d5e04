"""``puzzlec check --certificate``: what a certificate proves, and what of it was compared with a puzzle."""

from __future__ import annotations

from puzzlec.cli.terminal import out, out_json, say
from puzzlec.diagnostics import counted
from puzzlec.diagnostics.files import shown_name
from puzzlec.lower import Encoding
from puzzlec.solving.subject import DISTINCT

#: What distinct solutions are, as certificates say it: all of them where none goes into another.
_DISTINCT = {**DISTINCT, "none": "distinct under no symmetry"}


def claimed(claims: dict[str, int], symmetry: str | None = "all") -> str:
    """Return what a certificate claims in words; ``symmetry`` is what its distinct solutions are counted up to.

    That is None where its exact cover and symmetries were compared with those of no puzzle.

    >>> claimed({"raw": 8, "listed": 8, "distinct": 2}), claimed({"listed": 1}), claimed({"raw": 0})
    ('8 raw solutions, 2 of them distinct', '1 solution', 'no solution')
    >>> claimed({"listed": 0})
    'nothing: it lists no solution, and does not say that there is none'
    >>> claimed({"raw": 8, "listed": 8, "distinct": 4}, "rotations")
    '8 raw solutions, 4 of them distinct under rotations'
    >>> claimed({"raw": 8, "listed": 8, "distinct": 2}, None)
    '8 raw solutions of its own exact cover, 2 of them distinct under its own symmetries'
    """
    own = " of its own exact cover" if symmetry is None else ""
    if "raw" not in claims and not claims["listed"]:
        return "nothing: it lists no solution, and does not say that there is none"
    if "raw" not in claims:
        return counted(claims["listed"], "solution") + own
    if not claims["raw"]:
        return "no solution" + own
    under = _DISTINCT[symmetry] if symmetry is not None else "distinct under its own symmetries"
    distinct = f", {claims['distinct']} of them {under}" if "distinct" in claims else ""
    return f"{counted(claims['raw'], 'raw solution')}{own}{distinct}"


def check_certificate(name: str, encoding: Encoding | None, format: str) -> None:
    """Check the certificate in a file, against a puzzle or (None) the one that it carries, and say what it proves."""
    from puzzlec.certificates.reading import Judged, carried, checked, judged

    certificate, file = checked(name), shown_name(name)
    of = encoding or carried(certificate, name)
    # Nobody has compared the symmetries of a bare exact cover with anything, whatever it calls them.
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
        say("it carries no puzzle, and none was given: nothing was compared with one")
        return
    which = f"{title!r}, the puzzle that it carries" if encoding is None and title else "the puzzle"
    say(f"the exact cover is that of {which}")
    if found.solutions:
        say("each solution that it lists is one of the puzzle")
    if found.placements is not None and found.placements.unknown:
        say(f"placements were not derived anew: {found.placements.unknown}")
    elif found.placements is not None:
        say(f"its {counted(found.placements.number, 'placement')} are those of the puzzle, derived anew")
