"""Fixes of errors: the edits of a text that suggestions describe."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from puzzlec.diagnostics import Diagnostic, Span
from puzzlec.language.elaborate.statements import KEYWORDS
from puzzlec.language.expressions import Tree

#: Returns the beginning and the end of the statement that contains a character of a text.
Extent: TypeAlias = Callable[[str, int], tuple[int, int]]


class TextEdit(NamedTuple):
    """New text for the characters from ``start`` to ``end`` (exclusive)."""

    start: int
    end: int
    text: str


def applied(text: str, edits: Iterable[TextEdit]) -> str:
    """Return a text with edits; those at one position keep their order.

    >>> applied("abc", [TextEdit(1, 2, "x"), TextEdit(3, 3, "!")])
    'axc!'
    """
    parts, at = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join(parts) + text[at:]


class Fix(NamedTuple):
    """A fix of an error: its title, and its edits."""

    title: str
    edits: tuple[TextEdit, ...]


_MEANT = re.compile(r"did you mean ((?:`[^`]+`(?:, | or )?)+)\?")
_NEW = re.compile(r"(?:or )?(?:add|declare it:) `([^`]+)`")
_INSTEAD = re.compile(r"write `([^`]+)` instead of `([^`]+)`")
_WRITE = re.compile(r"(?:or )?(?:write|[^`]*:) (`[^`]+`(?: and `[^`]+`)*)")
_WITHOUT = re.compile(r"remove `([^`]+)`")
_REMOVE = re.compile(r"remove (?:it(?=:)|the second one$)")
_PLAIN = re.compile(r"\w[\w-]*(?:\[[^\]\s]*\])?")


def fixes(diagnostic: Diagnostic, statements: Sequence[Tree] | None, extent_of: Extent) -> list[Fix]:
    """Return the fixes that the suggestions of a diagnostic describe; none if they need a decision.

    ``statements`` are those of the text, None for an unreadable one. ``extent_of`` finds the statement at a position.
    The form of a suggestion is a rule for its edit:

    - ``add `X``` adds a statement.
    - ``write `X` instead of `Y``` and ``remove `Y``` change the statement near the marked words.
    - ``remove it: REASON`` removes the statement.
    - ``write `X``` replaces the marked words, or the whole statement if X begins with a word for statements. Words may
      precede X: ``write the title in quotes: `X```.
    """
    span = diagnostic.span
    helps = diagnostic.helps if span is not None else ()
    return [fix for help in helps for fix in _fixes(diagnostic, span, help, statements, extent_of)]  # type: ignore[arg-type]


def _fixes(
    diagnostic: Diagnostic, span: Span, help: str, statements: Sequence[Tree] | None, extent_of: Extent
) -> Iterator[Fix]:
    if match := _MEANT.fullmatch(help):
        for word in re.findall("`([^`]+)`", match.group(1)):
            new = _quoted(word) if statements is not None and diagnostic.code not in ("PZ101", "PZ102") else word
            yield Fix(f"Write `{word}`", (TextEdit(span.start, span.end, new),))
    elif match := _NEW.fullmatch(help):
        yield Fix(f"Add `{match.group(1)}`", (_new_statement(match.group(1), span.source.text, statements or ()),))
    elif match := _INSTEAD.fullmatch(help):
        yield from _replaced(span, extent_of, match.group(2), match.group(1), f"Write `{match.group(1)}`")
    elif help.startswith("write the layers") and (match := _WRITE.fullmatch(help)):
        text = span.source.text
        start, end = text.rfind("{", 0, span.start) + 1, text.find("}", span.start)
        yield Fix(f"Write {match.group(1)}", (TextEdit(start, end, f" {match.group(1).strip('`')} "),))
    elif match := _WRITE.fullmatch(help):
        new = "\n".join(re.findall("`([^`]+)`", match.group(1)))
        start, end = span.start, span.end
        if re.match(rf"(?:#|(?:{'|'.join(KEYWORDS)})\b)", new):
            start, end = extent_of(span.source.text, span.start)
        new = new.replace("\n", "\n" + _indent(span.source.text, start))
        yield Fix(f"Write {match.group(1)}", (TextEdit(start, end, new),))
    elif _REMOVE.match(help):
        yield Fix("Remove the statement", (_removed(span.source.span(*extent_of(span.source.text, span.start))),))
    elif match := _WITHOUT.fullmatch(help):
        yield from _replaced(span, extent_of, match.group(1), "", f"Remove `{match.group(1)}`")


def _indent(text: str, at: int) -> str:
    """Return the spaces before a statement."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line if not line.strip() else ""


def _replaced(span: Span, extent_of: Extent, old: str, new: str, title: str) -> Iterator[Fix]:
    """Yield the fix that replaces a part of the statement with the marked words: around them, or next to them."""
    text = span.source.text
    begin, end = extent_of(text, span.start)
    if old not in text[begin:end]:
        begin, end = 0, len(text)
    places = [match.start() for match in re.finditer(re.escape(old), text[begin:end])]
    if places:
        at = begin + min(places, key=lambda place: abs(begin + place - span.start))
        if new:
            yield Fix(title, (TextEdit(at, at + len(old), new),))
        else:
            yield Fix(title, (_removed(span.source.span(at, at + len(old))),))


def _quoted(word: str) -> str:
    """Return a name, in quotes if it needs them."""
    return word if _PLAIN.fullmatch(word) else f'"{word}"'


def _removed(span: Span) -> TextEdit:
    """Return the edit that removes a range, with its line if nothing else is on it."""
    text = span.source.text
    start, end = text.rfind("\n", 0, span.start) + 1, text.find("\n", span.end) + 1 or len(text)
    alone = not text[start : span.start].strip() and not text[span.end : end].strip()
    return TextEdit(start, end, "") if alone else TextEdit(span.start, span.end, "")


def _new_statement(new: str, text: str, statements: Sequence[Tree]) -> TextEdit:
    """Return the edit that replaces a statement that is allowed once or declares names, or adds it after the title."""
    word = new.split()[0]
    old = next((tree for tree in statements if tree.data == word and word in ("colours", "regions", "lattice")), None)
    if old is not None:
        return TextEdit(old.meta.start_pos, old.meta.end_pos, new)
    title = next((statement for statement in statements if statement.data == "title"), None)
    if title is None:
        return TextEdit(0, 0, f"{new}\n")
    at = text.find("\n", title.meta.end_pos)
    return TextEdit(at + 1, at + 1, f"{new}\n") if at >= 0 else TextEdit(len(text), len(text), f"\n{new}")
