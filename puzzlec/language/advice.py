"""Suggestions for a text with errors: each is tried before it is made.

A statement that cannot be read gets the first rewriting that can be read. If the whole text is short, a rewriting after
which it has fewer errors is better. So an error of meaning gets a suggestion in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from puzzlec.diagnostics import Diagnostic, Source
from puzzlec.language.expressions import Tree
from puzzlec.language.fixing import Extent, Fix, applied, fixes
from puzzlec.language.hints import NAMES_ONLY, Rewriting, elsewhere, meant_by, readable, suggested

#: Errors that get a suggestion by trial, the longest text for it in characters, and the numbers of trials and loops.
MAX_ADVISED, MAX_CHARACTERS_ADVISED, MAX_TRIALS, MAX_LOOPS = 3, 10_000, 16, 4

#: A number so large that a trial could make a board too large to try. A colour such as `#102030` does not count.
_LARGE_NUMBER = re.compile(r"(?<![#0-9A-Fa-f])[0-9]{5}")

#: Errors about two statements: no rewriting of one of them is the answer.
_WITHOUT_REWRITING = ("PZ310", "PZ324", "PZ370")

_UNKNOWN_VARIABLE = re.compile(r"unknown variable `([^\W\d]\w*)`")

_PIECE = re.compile(r"^[ \t]*piece[ \t]+([^\W\d]\w*)(?![\w\[])", re.MULTILINE)
_LOOP = re.compile(r"\bfor\s+(\w+)\s+in\b|,\s*(\w+)\s+in\b")


def can_be_read(text: str, statement: str) -> bool:
    """Return whether a statement can be read in a text."""
    return readable(statement, NAMES_ONLY.search(text) is None)


def meant_in(text: str, extent: tuple[int, int]) -> Rewriting | None:
    """Return what an unreadable statement of a text means; None if nothing is known."""
    statement = text[slice(*extent)]
    if (help := elsewhere(statement)) is not None:
        return Rewriting(0, len(statement), "", help)
    return meant_by(statement, lambda new: can_be_read(text, new), _pieces(text))


def _pieces(text: str) -> list[str]:
    """Return the names of the pieces that a text defines one by one."""
    return list(dict.fromkeys(_PIECE.findall(text)))


def advised(
    diagnostics: Iterable[Diagnostic],
    source: Source,
    errors: Callable[[str], list[Diagnostic]],
    extent_of: Extent,
    statements_of: Callable[[Source], Sequence[Tree] | None],
) -> Iterator[Diagnostic]:
    """Yield the errors of a text, with suggestions after which it has fewer errors.

    ``errors`` finds those of a text, ``extent_of`` the statement that contains a character of it, and ``statements_of``
    the readable ones. Each suggestion is followed. If none helps, the statement is rewritten; if no rewriting helps,
    the suggestions stay.
    """
    every = list(diagnostics)
    statements: Sequence[Tree] | None = ()
    tried = 0
    for diagnostic in every:
        here = (
            diagnostic.span is not None
            and diagnostic.span.source is source
            and len(source.text) <= MAX_CHARACTERS_ADVISED
        )
        if diagnostic.span is None or not here or diagnostic.code in _WITHOUT_REWRITING or tried == MAX_ADVISED:
            yield diagnostic
            continue
        tried += 1
        start, end = extent_of(source.text, diagnostic.span.start)
        cells = diagnostic.span.text if diagnostic.code == "PZ311" and diagnostic.span.text[:1] == "(" else ""
        good = _Better(source.text, (start, end), errors, every, cells)
        if diagnostic.helps and statements == ():
            statements = statements_of(source)
        helping, vague = good.sorted_helps(
            {help: fixes(replace(diagnostic, helps=(help,)), statements, extent_of) for help in diagnostic.helps}
        )
        statement = source.text[start:end]
        other_way = elsewhere(statement)
        if (not helping or diagnostic.helps[0] in vague) and other_way is None:
            rewriting = _variable_of_loop(diagnostic, source.text, (start, end), good)
            rewriting = rewriting or meant_by(statement, good, _pieces(source.text))
            helping, vague = (list(dict.fromkeys([rewriting.help, *helping])), []) if rewriting else (helping, vague)
        if helping:
            yield replace(diagnostic, helps=(helping[0].removeprefix("or "), *helping[1:], *vague))
        elif (unknown := _UNKNOWN_VARIABLE.fullmatch(diagnostic.message)) and not diagnostic.helps:
            yield replace(diagnostic, helps=(f"add `param {unknown.group(1)} = 1`",))
        elif not diagnostic.helps and other_way is not None:
            yield replace(diagnostic, helps=(other_way,))
        else:
            yield diagnostic


def _variable_of_loop(
    diagnostic: Diagnostic, text: str, extent: tuple[int, int], good: Callable[[str], bool]
) -> Rewriting | None:
    """Return the statement with the variable of its loop instead of an unknown one; None if that does not help."""
    unknown = _UNKNOWN_VARIABLE.fullmatch(diagnostic.message)
    statement = text[slice(*extent)]
    for names in reversed(_LOOP.findall(text[: extent[1]])[-MAX_LOOPS:] if unknown else []):
        new = re.sub(rf"\b{unknown.group(1)}\b", "".join(names), statement)  # type: ignore[union-attr]
        if new != statement and good(new):
            return suggested(statement, new, ())
    return None


class _Better:
    """Whether a text with another statement has fewer errors, none of them in the statement.

    ``wrong`` are cells that the statement must not keep.
    """

    def __init__(
        self,
        text: str,
        extent: tuple[int, int],
        errors: Callable[[str], list[Diagnostic]],
        before: list[Diagnostic],
        wrong: str,
    ) -> None:
        self.text, self.extent, self.errors, self.before = text, extent, errors, before
        self.messages = {(error.code, error.message) for error in before}
        self.wrong = wrong
        self.trials = 0

    def sorted_helps(self, fixes: dict[str, list[Fix]]) -> tuple[list[str], list[str]]:
        """Return the suggestions with their fixes that help when they are followed, and those that are no edits."""
        helping = [help for help, made in fixes.items() if any(self._helps(fix) for fix in made)]
        return helping, [help for help, made in fixes.items() if not made]

    def _helps(self, fix: Fix) -> bool:
        """Return whether a text has fewer errors after a fix, none of them new."""
        new = applied(self.text, list(fix.edits))
        if len(new) > MAX_CHARACTERS_ADVISED or _LARGE_NUMBER.search(new):
            return False
        after = self.errors(new)
        return len(after) < len(self.before) and all((error.code, error.message) in self.messages for error in after)

    def __call__(self, new: str) -> bool:
        if self.wrong and self.wrong in new:
            return False
        if self.trials == MAX_TRIALS or _LARGE_NUMBER.search(new) or not can_be_read(self.text, new):
            return False
        self.trials += 1
        start, end = self.extent
        after = self.errors(self.text[:start] + new + self.text[end:])
        inside = [error for error in after if error.span and start <= error.span.start < start + len(new)]
        return len(after) < len(self.before) and not inside
