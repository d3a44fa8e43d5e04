"""Parse the puzzle language (``.puzzle``) and recover from errors, so that all of them are reported."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache

import lark
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken

from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Source
from puzzlec.ir import Puzzle
from puzzlec.language.elaborate.context import FileUses
from puzzlec.language.elaborate.puzzle import elaborate
from puzzlec.language.given import Given
from puzzlec.language.line_forms import parse_statements
from puzzlec.language.parsing import (
    MAX_TOKENS,
    GluedError,
    LengthError,
    NestingError,
)
from puzzlec.resources import without_cycles

_MAX_REPORTED_ERRORS = 20

#: Longer texts, in characters, get fewer errors: each error costs another parse.
_LARGE_TEXT_CHARACTERS, _FEW_ERRORS = 200_000, 3


def read_given(source: Source, report: Report, given: Given) -> Puzzle:
    """Return the puzzle that a ``.puzzle`` text describes, like :func:`read_puzzle`, with these options."""
    return read_puzzle(source, report, given.parameters)


def read_puzzle(source: Source, warnings: Report | None = None, parameters: Mapping[str, int] | None = None) -> Puzzle:
    """Return the puzzle that a ``.puzzle`` text describes; add warnings to the report.

    ``parameters`` are values for `param` statements, which replace those in the text. Raises PuzzleError with all
    errors of form and of meaning. A statement that cannot be read does not hide errors of others, and names that it
    may define are not reported as unknown.
    """
    report = Report()
    try:
        puzzle = _puzzle_of(source, report, parameters)
    except PuzzleError as error:
        from puzzlec.language.advice import advised  # only texts with errors need advice
        from puzzlec.language.recovery import statement_range

        after = lambda text: _errors(Source(source.name, text), parameters)  # noqa: E731
        raise PuzzleError(list(advised(error.diagnostics, source, after, statement_range, _statements))) from None
    if warnings is not None:
        for diagnostic in report.diagnostics:
            warnings.append(diagnostic)
    return puzzle


def _statements(source: Source) -> list[lark.Tree[lark.Token]] | None:
    """Return the readable statements of a text; None if it has none."""
    tree = readable_tree(source)
    return None if tree is None else [child for child in tree.children if isinstance(child, lark.Tree)]


def read_part(source: Source, uses: FileUses) -> Puzzle:
    """Return the puzzle in a file whose pieces another text uses: it may have no board. Raise PuzzleError if needed."""
    return _read(source, Report(), None, uses)


def _puzzle_of(source: Source, report: Report, parameters: Mapping[str, int] | None) -> Puzzle:
    """Return the puzzle that a text describes; raise PuzzleError with all errors of form and of meaning."""
    with without_cycles():
        return _read(source, report, parameters, FileUses((), [], read_part))


def _read(source: Source, report: Report, parameters: Mapping[str, int] | None, uses: FileUses) -> Puzzle:
    tree, unread = _tree(source, report)
    if tree is None or "lattice" in unread:
        raise report.error()
    formal = list(report.diagnostics)
    try:
        return elaborate(tree, source, report, parameters, unread, uses)
    except PuzzleError as error:
        raise PuzzleError(_sorted(error.diagnostics) if formal else error.diagnostics) from None


def _errors(source: Source, parameters: Mapping[str, int] | None) -> list[Diagnostic]:
    """Return the errors of a text."""
    try:
        _puzzle_of(source, Report(), parameters)
    except PuzzleError as error:
        return list(error.diagnostics)
    return []


def _sorted(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return diagnostics in the order of their positions, those without a position last."""
    return sorted(diagnostics, key=lambda diagnostic: diagnostic.span.start if diagnostic.span else sys.maxsize)


def syntax_tree(source: Source) -> lark.Tree[lark.Token]:
    """Return the syntax tree of a ``.puzzle`` text; raise PuzzleError with all errors of form."""
    report = Report()
    tree, _ = _tree(source, report)
    if tree is None or report.errors:
        raise report.error()
    return tree


def readable_tree(source: Source) -> lark.Tree[lark.Token] | None:
    """Return the tree of the readable statements of a ``.puzzle`` text that is being typed; None if there are none.

    Unreadable text between the statements is left out without a diagnostic.
    """
    return _tree(source, Report(), forgiving=True)[0]


def _tree(source: Source, report: Report, forgiving: bool = False) -> tuple[lark.Tree[lark.Token] | None, set[str]]:
    """Return the tree of all readable statements, and the kinds of the unreadable ones, which are reported.

    Spaces replace an unreadable statement, and the rest is parsed again: so all positions stay the same. There is no
    tree if such a statement may have been of any kind, unless ``forgiving``.
    """
    text = source.text + "\n"
    unread: set[str] = set()
    parse = _parsed if len(text) < _LARGE_TEXT_CHARACTERS else _parsed.__wrapped__
    for _ in range(_MAX_REPORTED_ERRORS if len(text) < _LARGE_TEXT_CHARACTERS else _FEW_ERRORS):
        try:
            return parse(text), unread
        except LengthError as error:
            many = f"{MAX_TOKENS // 1_000_000} million words"
            report.add("PZ007", f"text has more than {many}", source.span(error.pos_in_stream), "stopped here")
            return None, unread
        except (UnexpectedCharacters, UnexpectedToken, UnexpectedEOF, NestingError, GluedError) as error:
            from puzzlec.language.recovery import unreadable  # only texts with errors need it

            start, end, kinds = unreadable(error, source, report, text)
            if ((not kinds or "lattice" in kinds) and not forgiving) or not text[start:end].strip():
                return None, unread
            unread |= kinds
            text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return None, unread


@lru_cache(maxsize=1)
def _parsed(text: str) -> lark.Tree[lark.Token]:
    """Return the tree of a text. It is kept, because a sweep compiles the same text again; no tree is ever changed."""
    return parse_statements(text)
