"""The values of parameters on a command line: texts such as ``n=12``, and ``n=3..6`` for a sweep.

:mod:`puzzlec.language.sweeps` reads a sweep. It needs the parser of expressions, and this module needs none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

#: Maximum number of digits in the value of a parameter.
MAX_DIGITS = 9


def is_sweep(texts: Sequence[str]) -> bool:
    """Return whether a text after ``-p`` gives a parameter several values, or a condition.

    >>> is_sweep(["n=12", "m=-1"]), is_sweep(["n=3..6"]), is_sweep(["n=3,5"]), is_sweep(["n=3 where n > 2"])
    (False, True, True, True)
    """
    return any(re.search(r"\.\.|,|\bwhere\b", text) for text in texts)


def refuse_other_ranges(texts: Sequence[str]) -> None:
    """Raise ValueError for a range in another form than `n=3..6`, such as `n=3:6`."""
    for text in texts:
        if match := re.fullmatch(r"\s*(\w+)\s*=\s*(-?\d+)\s*(?:[-:/~\u2013\u2026]|\.{3}|to)\s*(-?\d+)\s*", text):
            name, least, most = match.groups()
            words = f"expected a name, `=` and values, found `{text}`. Write `-p {name}={least}..{most}`"
            raise ValueError(words)


def read_parameters(given: Sequence[str]) -> dict[str, int]:
    """Return the values of ``-p n=12`` by their names; raise ValueError for another text."""
    values: dict[str, int] = {}
    for assignment in given:
        match = re.fullmatch(r"\s*(\w+)\s*=\s*(-?[0-9]+)\s*", assignment)
        if match is None:
            many = ": count, solve, check, estimate and explain take several values" * is_sweep([assignment])
            fault = f"expected a name, `=` and an integer, found `{assignment}`{many}"
            raise ValueError(f"{fault}. Write `-p {_assigned(assignment)}`")
        name, digits = match.groups()
        if len(digits.lstrip("-")) > MAX_DIGITS:
            words = f"the value of `{name}` is too large: the limit is {MAX_DIGITS} digits"
            raise ValueError(words)
        values[name] = int(digits)
    return values


def _assigned(text: str) -> str:
    """Return a parameter with a value, as near as possible to a wrong text.

    >>> _assigned("6"), _assigned("k=six"), _assigned("k:6"), _assigned("n=1_0"), _assigned("n=٤")
    ('n=6', 'k=12', 'k=6', 'n=10', 'n=4')
    """
    name, number = re.search(r"[^\W\d]\w*", text), re.search(r"\d(?:_?\d)*", text)
    return f"{name[0] if name else 'n'}={int(number[0]) if number else 12}"
