"""What solutions are counted up to, in words."""

from __future__ import annotations

from puzzlec.diagnostics import counted

#: For each kind of symmetry what solutions are that are counted up to it: no two of them go into each other so.
DISTINCT = {
    "none": "raw",
    "rotations": "distinct under rotations",
    "all": "distinct",
    "parts": "distinct with each part turned on its own",
    "automorphisms": "distinct under all automorphisms of the problem",
}


def counted_solutions(number: int, symmetry: str = "all") -> str:
    """Return a number of solutions in words, with what they are counted up to.

    >>> counted_solutions(1, "all"), counted_solutions(480, "rotations")
    ('1 distinct solution', '480 solutions distinct under rotations')
    """
    words = DISTINCT[symmetry]
    return f"{counted(number, 'solution')} {words}" if " " in words else counted(number, f"{words} solution")
