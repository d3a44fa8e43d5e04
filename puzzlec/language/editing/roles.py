"""The role of each part of a text, for the colours of an editor.

The rules accept more than the grammar, so a half-typed statement also has colours.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from puzzlec.language.highlight.contexts import HighlightRule, contexts

#: Roles of the words of the language.
WORDS = ("statement", "word", "region", "modifier", "reckoning", "function")


class Stretch(NamedTuple):
    """Part of a text from ``start`` to ``end`` (exclusive), and its role."""

    start: int
    end: int
    role: str


class _ContextPatterns(NamedTuple):
    """The patterns of a context, its end first. Each has the roles of its groups and the context that it opens."""

    rules: list[tuple[re.Pattern[str], tuple[str, ...], str]]


#: The end of a context returns to the context around it.
_CONTEXT_END = "<"


@cache
def _contexts() -> dict[str, _ContextPatterns]:
    by_name = contexts()

    def rules(name: str) -> list[HighlightRule]:
        return [part for rule in by_name[name].rules for part in (rules(rule) if isinstance(rule, str) else [rule])]

    compiled = {}
    for name, context in by_name.items():
        patterns = [(re.compile(rule.pattern, re.MULTILINE), rule.roles, rule.opens) for rule in rules(name)]
        if context.end:
            roles = (context.role,) if context.role else ()
            patterns.insert(0, (re.compile(context.end, re.MULTILINE), roles, _CONTEXT_END))
        compiled[name] = _ContextPatterns(patterns)
    return compiled


_BLANKS = re.compile(r"[^\S\n]+|\n")


def stretches(text: str) -> list[Stretch]:
    """Return the parts of a text with a role, in order. Spaces are left out."""
    by_name = _contexts()
    parts: list[Stretch] = []
    opened = ["root"]
    at = 0
    while at < len(text):
        for pattern, roles, opens in by_name[opened[-1]].rules:
            match = pattern.match(text, at)
            if match and (match.end() > at or opens):
                parts += (
                    Stretch(match.start(number), match.end(number), role)
                    for number, role in enumerate(roles, 1)
                    if role and match.end(number) > match.start(number)
                )
                at = match.end()
                if opens == _CONTEXT_END:
                    opened.pop()
                elif opens:
                    opened.append(opens)
                break
        else:
            blanks = _BLANKS.match(text, at)
            at = blanks.end() if blanks else at + 1
    return parts


def word_at(text: str, at: int) -> str:
    """Return the word of the language that contains a character or ends before it; empty for a name.

    >>> word_at("locations box 6x10", 11), word_at("piece box { x }", 7)
    ('box', '')
    """
    for stretch in stretches(text):
        if stretch.start <= at <= stretch.end and stretch.role in WORDS:
            return text[stretch.start : stretch.end]
        if stretch.start > at:
            break
    return ""
