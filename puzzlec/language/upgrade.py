"""Texts of version 0.1 with the words of today: each old word has one new form."""

from __future__ import annotations

import re
from typing import NamedTuple

_NAME = r'(?:"[^"\n]*"|\w[\w-]*)(?:\[[^\]\n]*\])?'

#: A region follows; so words that are names or prose do not match.
_BEFORE_REGION = r"(?=\s+(?:box|cells|grid|sides)\b|\s*[{(])"


class Replacement(NamedTuple):
    """A word of version 0.1 before a region, and its new form."""

    old: str
    new: str
    pattern: re.Pattern[str]


REPLACEMENTS = (
    Replacement("place ... in", "place ... inside", re.compile(rf"(\bplace\s+{_NAME}\s+)in\b{_BEFORE_REGION}")),
    Replacement(
        "fix ... in", "fix ... at", re.compile(rf"(\bfix\s+{_NAME}\s+(?:edges\s+[^\n]*?\s+)?)in\b{_BEFORE_REGION}")
    ),
    Replacement(
        "forbid ... in",
        "forbid ... at",
        re.compile(rf"(\bforbid\s+{_NAME}\s+(?:edges\s+[^\n]*?\s+)?)in\b{_BEFORE_REGION}"),
    ),
    Replacement("cost ... in", "cost ... inside", re.compile(rf"(\bcost\s+(?:{_NAME}\s+)?)in\b{_BEFORE_REGION}")),
    Replacement(
        "cost ... on",
        "cost ... per",
        re.compile(rf"(\bcost\s+(?:colour\s+\S+\s+|{_NAME}\s+)?)on\b{_BEFORE_REGION}"),
    ),
)


def upgraded(text: str) -> tuple[str, list[Replacement]]:
    r"""Return a text of version 0.1 with the words of today, and the replacements that it needed.

    Comments stay as they are. ``cost ... on`` is still a statement, with another meaning, so it is replaced only in a
    text with another old word.

    >>> upgraded("fix A in cells (0,0)\ncost A on box 1x1 = 2")[0]
    'fix A at cells (0,0)\ncost A per box 1x1 = 2'
    >>> upgraded("cost A on box 1x1 = 2")[1]
    []
    """
    if not any(rule.pattern.search(text) for rule in REPLACEMENTS[:-1]):
        return text, []
    made = []
    lines = text.split("\n")
    for rule in REPLACEMENTS:
        word = rule.new.split()[-1]
        count = 0
        for number, line in enumerate(lines):
            code = line.split("#", 1)[0]
            new, times = rule.pattern.subn(rf"\g<1>{word}", code)
            lines[number], count = new + line[len(code) :], count + times
        made += [rule] * (count > 0)
    return "\n".join(lines), made
