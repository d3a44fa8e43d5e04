"""Texts of version 0.1 in the language of today: one table of old forms, each with the new one.

``puzzlec fmt`` applies the table. A renamed word or a changed form of a statement is a row in it, and nothing else in
puzzlec rewrites old texts. ``tests/language/upgrade/`` has texts of version 0.1 whose exact covers must stay the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from puzzlec.diagnostics import listed

_NAME = r'(?:"[^"\n]*"|\w[\w-]*)(?:\[[^\]\n]*\])?'

#: A region follows; so words that are names or prose do not match.
_BEFORE_REGION = r"(?=\s+(?:box|cells|names|grid|sides|edges)\b|\s*[{(])"

_COMMENT_OR_STRING = re.compile(r'#[^\n]*|"[^"\n]*"')


class Rewrite(NamedTuple):
    """An old form of the language, and its form of today.

    Attributes:
        old: The old form, for remarks.
        new: The new form, for remarks.
        pattern: Pattern of the old form, on one line. It never matches a text of today, except if ``valid``.
        by: The replacement, a template or a function of the match, which returns None to leave it as it is.
        only: Pattern of a text that can have the old form. Default: any text.
        valid: Whether the old form is a statement of today as well, with another meaning. If so, it is rewritten only
            in a text with another old form.

    """

    old: str
    new: str
    pattern: re.Pattern[str]
    by: str | Callable[[re.Match[str]], str | None]
    valid: bool = False
    only: re.Pattern[str] | None = None

    def applies(self, code: str) -> bool:
        """Return whether a text has the old form."""
        return (self.only is None or self.only.search(code) is not None) and self.pattern.search(code) is not None


class Change(NamedTuple):
    """A rewrite that was made, and the lines where, counted from 1."""

    rewrite: Rewrite
    lines: tuple[int, ...]

    def __str__(self) -> str:
        """Return the remark, such as ``line 3: `fix ... in` is now `fix ... at```."""
        where = f"line{'s' * (len(self.lines) > 1)} {listed(map(str, self.lines))}"
        return f"{where}: `{self.rewrite.old}` is now `{self.rewrite.new}`"


def _before_region(old: str, new: str, start: str, valid: bool = False) -> Rewrite:
    """Return the rewrite of a word between the start of a statement and a region."""
    first = start.split("\\", 1)[0].strip("(?:")
    pattern = re.compile(rf"(\b{start}){old}\b{_BEFORE_REGION}")
    return Rewrite(f"{first} ... {old}", f"{first} ... {new}", pattern, rf"\g<1>{new}", valid)


#: The colours of a tile between its name and the cells of its placement.
_SIDES = r"(?:(?:edges|sides)\s+[^\n]*?\s+)?"

_MODIFIERS = r"(?:(?:x(?:[\d*]|\{[^{}\n]*\})\S*|one-sided|fixed|free)\s+)*"


def _sides_of_tile(statement: str, after: str) -> Rewrite:
    """Return the rewrite of `edges` after the name of a tile."""
    pattern = re.compile(rf"(\b{statement}\s+{_NAME}\s+{_MODIFIERS})edges\b{after}")
    return Rewrite(f"{statement} ... edges", f"{statement} ... sides", pattern, r"\g<1>sides")


def _frame(match: re.Match[str]) -> str | None:
    """Return the word `frame`, unless `border` is in brackets: then it is a name in a list."""
    before = match.string[: match.start()]
    return None if before.count("(") > before.count(")") else f"{match[1]}frame"


def _shape(match: re.Match[str]) -> str:
    """Return a shape after the size of its family, in quotes unless it is a plain name."""
    name = match[2].strip('"')
    return f"{match[1]} {name}" if re.fullmatch(r"[^\W\d][\w-]*", name) else f'{match[1]} "{name}"'


def _unbraced(match: re.Match[str]) -> str:
    """Return a match without the braces of its expressions."""
    return re.sub(r"\{[ \t]*([^{}\n]*?)[ \t]*\}", r"\1", match[0])


def _variant(match: re.Match[str]) -> str:
    """Return a statement with the name of a set and its freedom apart."""
    head, freedom, library = match.groups()
    if head.startswith("pieces"):
        return f"{head}{library} {freedom}"
    given = re.search(r"\s(?:one-sided|fixed|free)\b", head)
    return f"{head}{library}" if given else f"{head.rstrip(' =')} {freedom} = {library}"


def _numbers(match: re.Match[str]) -> str:
    """Return the range of names that a number of locations stood for."""
    return f"{match[1]} names 0..{max(0, int(match[2][:9]) - 1)}"


#: A text of version 0.1 with named locations: it cannot name regions.
_IS_NAMED = re.compile(r"\A(?![\s\S]*^[ \t]*region\s)[\s\S]*^[ \t]*lattice[ \t]+none\b", re.MULTILINE)

_REGION = r"(?:box|cells|grid|sides|edges|names)\b"

REWRITES = (
    Rewrite("border", "frame", re.compile(r"(?m)^([ \t]*)border(?=[ \t]+[^\s#=])"), _frame),
    _before_region("in", "inside", rf"place\s+{_NAME}\s+"),
    _before_region("in", "at", rf"fix\s+{_NAME}\s+{_SIDES}"),
    _before_region("in", "at", rf"forbid\s+{_NAME}\s+{_SIDES}"),
    _before_region("in", "inside", rf"cost\s+(?:{_NAME}\s+)?"),
    _sides_of_tile("piece", r"(?=\s+[^\s#])"),
    _sides_of_tile("fix", r"(?=\s+[^\n#]*?\sat\b)"),
    _sides_of_tile("forbid", r"(?=\s+[^\n#]*?\sat\b)"),
    Rewrite(
        "sides of",
        "edges of",
        re.compile(rf"((?:[-+&(]|\b(?:locations|wall|rule|inside|on|off|at|per))\s*)\bsides(?=\s+of{_BEFORE_REGION})"),
        r"\g<1>edges",
    ),
    Rewrite("x2..*", "x2..", re.compile(r"(?<![\w-])(x(?:\d+|\{[^{}\n]*\})\.\.)\*"), r"\1"),
    Rewrite("empty {n}", "empty n", re.compile(r"^[ \t]*empty[ \t]+[^{\n]*\{[^\n]*", re.MULTILINE), _unbraced),
    Rewrite(
        "polyominoes {n}",
        "polyominoes n",
        re.compile(r"\bpoly[a-z]+[ \t]+\{[^{}\n]*[^{}\n/.x \t][^{}\n]*\}"),
        _unbraced,
    ),
    Rewrite(
        "polyominoes 7.7-12",
        'polyominoes 7 "7-12"',
        re.compile(r"(=[ \t]*poly[a-z]+[ \t]+[^\s.{}]+)[ \t]*\.[ \t]*(\"[^\"\n]*\"|[\w-]+)"),
        _shape,
    ),
    *(
        Rewrite(f"{word} allowed", word, re.compile(rf"^([ \t]*{word})[ \t]+allowed\b", re.MULTILINE), r"\1")
        for word in ("crossing", "turns")
    ),
    Rewrite(
        "one-sided-pentominoes",
        "pentominoes one-sided",
        re.compile(
            r"(\bpieces[ \t]+|\bpiece[ \t][^=\n]*=[ \t]*)(one-sided|free)-([a-z]+(?:\.(?:\"[^\"\n]*\"|[\w-]+))?)"
        ),
        _variant,
    ),
    Rewrite(
        "locations 5",
        "locations names 0..4",
        re.compile(r"^([ \t]*(?:optional[ \t]+)?locations)[ \t]+(\d+)[ \t]*$", re.MULTILINE),
        _numbers,
        only=_IS_NAMED,
    ),
    Rewrite(
        "locations a b",
        "locations names a b",
        re.compile(
            rf"^([ \t]*(?:for\b[^\n]*\{{[ \t]*)?(?:optional[ \t]+)?locations)"
            rf"(?=[ \t]+(?!{_REGION})[\w\"]|[ \t]*\((?!\s*(?:{_REGION}|\())\s*[\w\"])",
            re.MULTILINE,
        ),
        r"\g<1> names",
        only=_IS_NAMED,
    ),
    Rewrite(
        "cells a b",
        "names a b",
        re.compile(r"((?:[-+&(]|\b(?:locations|wall|rule|inside|on|off|at|per))\s*)\bcells(?=[ \t]+[\w\"])"),
        r"\g<1>names",
        only=_IS_NAMED,
    ),
    _before_region("on", "per", rf"cost\s+(?:colour\s+\S+\s+|{_NAME}\s+)?", valid=True),
)


def upgraded(text: str) -> tuple[str, list[Change]]:
    r"""Return a text of version 0.1 in the language of today, and the changes in the order of :data:`REWRITES`.

    A text of today stays as it is. So do comments and the title.

    >>> new, changes = upgraded("fix A in cells (0,0)\ncost A on box 1x1 = 2")
    >>> new
    'fix A at cells (0,0)\ncost A per box 1x1 = 2'
    >>> print(changes[0])
    line 1: `fix ... in` is now `fix ... at`
    >>> upgraded("cost A on box 1x1 = 2")[1]
    []
    """
    code = _code(text)
    if not any(rewrite.applies(code) for rewrite in REWRITES if not rewrite.valid):
        return text, []
    changes = []
    for rewrite in REWRITES:
        if not rewrite.applies(_code(text)):
            continue
        parts, lines, end = [], [], 0
        for match in rewrite.pattern.finditer(_code(text)):
            new = rewrite.by(match) if callable(rewrite.by) else match.expand(rewrite.by)
            if new is None:
                continue
            parts += [text[end : match.start()], new]
            lines.append(text.count("\n", 0, match.start()) + 1)
            end = match.end()
        if lines:
            text = "".join(parts) + text[end:]
            changes.append(Change(rewrite, tuple(dict.fromkeys(lines))))
    return text, changes


def _code(text: str) -> str:
    """Return a text of the same length with spaces instead of comments and the title."""

    def code(match: re.Match[str]) -> str:
        start = text.rfind("\n", 0, match.start()) + 1
        prose = match.group().startswith("#") or text[start : match.start()].strip() == "puzzle"
        return " " * len(match.group()) if prose else match.group()

    return _COMMENT_OR_STRING.sub(code, text)
