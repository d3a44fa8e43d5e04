"""The claims of a certificate in words."""

from __future__ import annotations

from puzzlec.diagnostics import counted
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
