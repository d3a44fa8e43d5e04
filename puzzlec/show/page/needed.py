"""The part of a program that can run: definitions that nothing mentions are left out, so that a page is smaller.

A name counts as used wherever it stands, also in a string and as a member of any object. So everything that runs stays,
and a little more. The program calls no member of a class by a name that it puts together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_TOP = re.compile(r"(?:async )?(class|function\*?|const|let) (\w*)")
_MEMBER = re.compile(r"  (?:(?:static|async|get|set) |\*)*(\w+)\(.*\{")
_IN_CLASS = re.compile(r"  [^ /}*]")
_COMMENT = re.compile(r" *(?://|/\*\*| \*|$)")
_ASSIGNED = re.compile(r"\b(\w+) = ")
_WORD = re.compile(r"[\w$]+")


@dataclass(eq=False)
class _Unit:
    """A definition: its names (none: it is always used), its class, and its lines with the comment before it."""

    names: set[str]
    within: _Unit | None = None
    lines: list[str] = field(default_factory=list)
    is_used: bool = False

    def is_mentioned(self, words: set[str]) -> bool:
        return (self.within is None or self.within.is_used) and (not self.names or bool(self.names & words))

    def words(self) -> set[str]:
        """Return all words, except those of comments that fill their lines."""
        return {word for line in self.lines if not _COMMENT.match(line) for word in _WORD.findall(line)}


def needed(source: str, end: str) -> str:
    r"""Return the definitions of a program that its ``end`` mentions, or one of these definitions.

    Definitions begin at the start of a line, and members of a class after two spaces. A class loses its unused members.

    >>> needed("function a() {}\nclass B {\n  c() {\n    a();\n  }\n  d() {\n  }\n}\nlet e = a;\n", "new B().d();")
    'class B {\n  d() {\n  }\n}\n'
    """
    units = _units(source)
    words, waiting = {"constructor", *_WORD.findall(end)}, units
    while mentioned := [unit for unit in waiting if unit.is_mentioned(words)]:
        for unit in mentioned:
            unit.is_used = True
            words |= unit.words()
        waiting = [unit for unit in waiting if not unit.is_used]
    return "".join(line for unit in units if unit.is_used for line in unit.lines)


def _units(source: str) -> list[_Unit]:
    units = [_Unit(set())]
    within: _Unit | None = None
    comment: list[str] = []
    for line in source.splitlines(keepends=True):
        if _COMMENT.match(line):
            comment.append(line)
            continue
        if top := _TOP.match(line):
            # A line may define several constants.
            units.append(_Unit(set(_ASSIGNED.findall(line)) if top[1] in ("const", "let") else {top[2]}))
            within = units[-1] if top[1] == "class" else None
        elif within and (line == "}\n" or _IN_CLASS.match(line)):
            member = _MEMBER.match(line)
            units.append(_Unit({member[1]} if member else set(), within))
        units[-1].lines += [*comment, line]
        comment = []
    return units
