"""Suggestions for a text with errors: each is tried before it is made.

A statement that cannot be read gets the first rewriting that can be read. If the whole text is short, a rewriting after
which it has fewer errors is better. So an error of meaning gets a suggestion in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from puzzlec.diagnostics import Diagnostic, Source
from puzzlec.language.hints import Meant, elsewhere, meant_by, readable

#: Errors that get a suggestion by trial, the longest text for it in characters, and the number of trials.
MAX_ADVISED, MAX_CHARACTERS_ADVISED, MAX_TRIALS = 3, 10_000, 16

#: A number so large that a trial could make a board too large to try.
_LARGE_NUMBER = re.compile(r"[0-9]{5}")

#: Errors about two statements: no rewriting of one of them is the answer.
_OF_TWO = ("PZ310", "PZ324", "PZ370")

#: A suggestion that names a form, not an edit.
_VAGUE = re.compile(
    r"such as|\.\.\.|[,;] or |^draw|^write (?:`x` for|`/` between|spaces|one character)"
    r"|^name the locations|^a cell here"
)

_UNKNOWN_VARIABLE = re.compile(r"unknown variable `([^\W\d]\w*)`")

_NAMES_ONLY = re.compile(r"^[ \t]*lattice[ \t]+none\b", re.MULTILINE)
_PIECE = re.compile(r"^[ \t]*piece[ \t]+([^\W\d]\w*)", re.MULTILINE)


def can_be_read(text: str, statement: str) -> bool:
    """Return whether a statement can be read in a text."""
    return readable(statement, _NAMES_ONLY.search(text) is None)


def meant_in(text: str, extent: tuple[int, int]) -> Meant | None:
    """Return what an unreadable statement of a text means; None if nothing is known."""
    statement = text[slice(*extent)]
    if (help := elsewhere(statement)) is not None:
        return Meant(0, len(statement), "", help)
    return meant_by(statement, lambda new: can_be_read(text, new), _first_piece(text))


def _first_piece(text: str) -> str:
    """Return the name of the first piece in a text."""
    found = _PIECE.search(text)
    return found.group(1) if found else "A"


def advised(
    diagnostics: Iterable[Diagnostic],
    source: Source,
    errors: Callable[[str], list[Diagnostic]],
    extent_of: Callable[[str, int], tuple[int, int]],
) -> Iterator[Diagnostic]:
    """Yield the errors of a text, with suggestions after which it has fewer errors.

    ``errors`` finds those of a text, ``extent_of`` the statement that contains a character of it. A suggestion that
    is an edit stays, unless its statement cannot be read.
    """
    every = list(diagnostics)
    tried = 0
    for found in every:
        vague = [help for help in found.helps if _VAGUE.search(help)]
        formal = found.code in ("PZ101", "PZ102")
        here = found.span is not None and found.span.source is source and len(source.text) <= MAX_CHARACTERS_ADVISED
        answered = found.code in _OF_TWO or (found.helps and not vague and not formal)
        if found.span is None or not here or answered or tried == MAX_ADVISED:
            yield found
            continue
        tried += 1
        start, end = extent_of(source.text, found.span.start)
        good = _Better(source.text, (start, end), errors, len(every))
        meant = meant_by(source.text[start:end], good, _first_piece(source.text))
        kept = tuple(help for help in found.helps if help not in vague and not formal)
        if meant:
            yield replace(found, helps=(meant.help, *kept))
        elif (unknown := _UNKNOWN_VARIABLE.fullmatch(found.message)) and not found.helps:
            yield replace(found, helps=(f"add `param {unknown.group(1)} = 1`",))
        else:
            yield found


class _Better:
    """Whether a text with another statement has fewer errors, none of them in the statement."""

    def __init__(
        self,
        text: str,
        extent: tuple[int, int],
        errors: Callable[[str], list[Diagnostic]],
        number: int,
    ) -> None:
        self.text, self.extent, self.errors, self.number = text, extent, errors, number
        self.trials = 0

    def __call__(self, new: str) -> bool:
        if self.trials == MAX_TRIALS or _LARGE_NUMBER.search(new) or not can_be_read(self.text, new):
            return False
        self.trials += 1
        start, end = self.extent
        after = self.errors(self.text[:start] + new + self.text[end:])
        inside = [error for error in after if error.span and start <= error.span.start < start + len(new)]
        return len(after) < self.number and not inside
