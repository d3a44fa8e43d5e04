"""Fixes of errors, as edits of the text, which the suggestions of a diagnostic describe."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from puzzlec.diagnostics import Diagnostic, Span
from puzzlec.language.editing.painting import TextEdit
from puzzlec.language.editing.syntax import Syntax


class Fix(NamedTuple):
    """A fix of an error: its title, and its edits."""

    title: str
    edits: tuple[TextEdit, ...]


_MEANT = re.compile(r"did you mean ((?:`[^`]+`(?:, | or )?)+)\?")
_WRITE = re.compile(r"write(?: spaces between:)? `([^`]+)`")
_STATEMENT = re.compile(r"(?:declare it:|write) `((colours|lattice) [^`]+)`")
_WITHOUT = re.compile(r"remove `([^`]+)`")
_PLAIN = re.compile(r"\w[\w-]*(?:\[[^\]\s]*\])?")

#: Codes with a suggestion that replaces the marked words.
_EXACT = {"PZ312", "PZ319", "PZ320", "PZ322"}


def fixes(found: Diagnostic, syntax: Syntax) -> list[Fix]:
    """Return the fixes that the suggestions of a diagnostic describe; none if they need a decision."""
    return [fix for help in found.helps if found.span is not None for fix in _fixes(found, found.span, help, syntax)]


def _fixes(found: Diagnostic, span: Span, help: str, syntax: Syntax) -> Iterator[Fix]:
    if match := _MEANT.fullmatch(help):
        for word in re.findall("`([^`]+)`", match.group(1)):
            new = _quoted(word) if syntax.tree is not None and found.code not in ("PZ101", "PZ102") else word
            yield Fix(f"Write `{word}`", (TextEdit(span.start, span.end, new),))
    elif match := _STATEMENT.fullmatch(help):
        yield Fix(f"Write `{match.group(1)}`", (_statement(match.group(2), match.group(1), syntax),))
    elif found.code in _EXACT and (match := _WRITE.fullmatch(help)):
        yield Fix(f"Write `{match.group(1)}`", (TextEdit(span.start, span.end, match.group(1)),))
    elif (match := _WITHOUT.fullmatch(help)) and span.text == match.group(1):
        yield Fix(f"Remove `{match.group(1)}`", (_removed(span),))


def _quoted(word: str) -> str:
    """Return a name, in quotes if it needs them."""
    return word if _PLAIN.fullmatch(word) else f'"{word}"'


def _removed(span: Span) -> TextEdit:
    """Return the edit that removes a range, with its line if nothing else is on it."""
    text = span.source.text
    start, end = text.rfind("\n", 0, span.start) + 1, text.find("\n", span.end) + 1 or len(text)
    alone = not text[start : span.start].strip() and not text[span.end : end].strip()
    return TextEdit(start, end, "") if alone else TextEdit(span.start, span.end, "")


def _statement(word: str, new: str, syntax: Syntax) -> TextEdit:
    """Return the edit that replaces a statement, or adds it after the title."""
    statements = syntax.statements()
    old = next((statement for statement in statements if statement.data == word), None)
    if old is not None:
        return TextEdit(old.meta.start_pos, old.meta.end_pos, new)
    title = next((statement for statement in statements if statement.data == "title"), None)
    if title is None:
        return TextEdit(0, 0, f"{new}\n")
    text = syntax.source.text
    at = text.find("\n", title.meta.end_pos)
    return TextEdit(at + 1, at + 1, f"{new}\n") if at >= 0 else TextEdit(len(text), len(text), f"\n{new}")
