"""Help that is an edit: what a diagnostic says should be written, where it says just that and nothing is left to think.

Most help asks for a decision; that is left to the person who types.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from puzzlec.diagnostics import Diagnostic, Span
from puzzlec.services.lsp.syntax import Syntax

#: An edit: a stretch of the source, and what comes there.
Edit = tuple[int, int, str]


class Mend(NamedTuple):
    """What can be done about a fault, in words, and the edits that do it."""

    title: str
    edits: tuple[Edit, ...]


_MEANT = re.compile(r"did you mean ((?:`[^`]+`(?:, | or )?)+)\?")
_WRITE = re.compile(r"(?:write|write blanks between:?) `([^`]+)`")
_STATEMENT = re.compile(r"(?:(?:or )?declare it:|write) `((colours|lattice) [^`]+)`")
_WITHOUT = re.compile(r"leave `([^`]+)` out")
_PLAIN = re.compile(r"\w[\w-]*(?:\[[^\]\s]*\])?")

#: Codes whose help says what the marked words should be.
_EXACT = {"PZ312", "PZ319", "PZ320", "PZ322"}


def mends(found: Diagnostic, syntax: Syntax) -> list[Mend]:
    """Return the mends that the help of a diagnostic describes; none where it asks for a decision."""
    return [mend for help in found.helps if found.span is not None for mend in _mends(found, found.span, help, syntax)]


def _mends(found: Diagnostic, span: Span, help: str, syntax: Syntax) -> Iterator[Mend]:
    if match := _MEANT.fullmatch(help):
        for word in re.findall("`([^`]+)`", match.group(1)):
            new = _quoted(word) if syntax.tree is not None and found.code not in ("PZ101", "PZ102") else word
            yield Mend(f"Write `{word}`", ((span.start, span.end, new),))
    elif match := _STATEMENT.fullmatch(help):
        yield Mend(f"Write `{match.group(1)}`", (_statement(match.group(2), match.group(1), syntax),))
    elif found.code in _EXACT and (match := _WRITE.fullmatch(help)):
        yield Mend(f"Write `{match.group(1)}`", ((span.start, span.end, match.group(1)),))
    elif (match := _WITHOUT.fullmatch(help)) and span.text == match.group(1):
        yield Mend(f"Leave `{match.group(1)}` out", (_removed(span),))


def _quoted(word: str) -> str:
    """Return a name as it is written: in quotes where it needs them."""
    return word if _PLAIN.fullmatch(word) else f'"{word}"'


def _removed(span: Span) -> Edit:
    """Return the edit that takes a stretch out, with its line where nothing else stands on that."""
    text = span.source.text
    start, end = text.rfind("\n", 0, span.start) + 1, text.find("\n", span.end) + 1 or len(text)
    alone = not text[start : span.start].strip() and not text[span.end : end].strip()
    return (start, end, "") if alone else (span.start, span.end, "")


def _statement(word: str, new: str, syntax: Syntax) -> Edit:
    """Return the edit that makes a statement say something else, or adds it behind the title."""
    statements = syntax.statements()
    old = next((each for each in statements if each.data == word), None)
    if old is not None:
        return old.meta.start_pos, old.meta.end_pos, new
    title = next((each for each in statements if each.data == "title"), None)
    if title is None:
        return 0, 0, f"{new}\n"
    at = syntax.source.text.find("\n", title.meta.end_pos)
    return (at + 1, at + 1, f"{new}\n") if at >= 0 else (len(syntax.source.text), len(syntax.source.text), f"\n{new}")
