"""Recover from errors of form in a text of the puzzle language: where an unreadable statement ends, and what it is.

Only texts with errors need this module.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from puzzlec.diagnostics import Report, Source, Span, near, suggestion
from puzzlec.language.drawing_errors import hash_slip
from puzzlec.language.elaborate.statements import KEYWORDS, WORDS
from puzzlec.language.parsing import GluedError, NestingError, explain, report_nesting, strange_signs, where

if TYPE_CHECKING:
    from puzzlec.language.hints import Rewriting

_STATEMENT = re.compile(rf"^[ \t]*(?:{'|'.join(KEYWORDS)})\b", re.MULTILINE)
#: The first word of a line that is not blank. (Alternatives here must not overlap: lines can be very long.)
_FIRST_WORD = re.compile(r"^[ \t]*+(?=.*\S)([^\W\d][\w-]*+)?", re.MULTILINE)
_MAX_STRANGE_WORDS = 200

_STRING = re.compile(r'"[^"\n]*"')

#: A brace with its partner; between them at most one more pair.
_CLOSED = re.compile(r"\{(?:[^{}#]++|#[^\n]*+\n|\{[^{}\n]*+\})*+\}")

#: The beginning of a line that continues the statement before it, as in the grammar.
_GOES_ON = r"(?:\s{0,200}+#[^\n]*+\n){0,20}+\s{0,200}+(?:(?:where|and|or)\b|\{)"

#: Tokens for matching brackets: brackets, line ends, and comments and names that may hide brackets.
_SIGNS = re.compile(rf'"[^"\n]*"|#[^\n]*|[(){{}}\[\]]|\n(?!{_GOES_ON})')

_LOOP = re.compile(r"\s*for\b")


def unreadable(error: Exception, source: Source, report: Report, text: str) -> tuple[int, int, set[str]]:
    """Report an error, and return the beginning and the end of its statement, and the kinds that it may have.

    ``text`` is the source without the statements that were unreadable before.
    """
    at = min(where(error, Source(source.name, text)).start, len(text) - 1)
    here = _context(text, at)
    _report(error, source, report, text, here)
    start = here.start
    if here.opened and _reaches_on(text, here.opened[-1].at, at):
        at = here.opened[-1].at
    end = max(_statement_end(text, start, at, bool(here.blocks)), at + 1)
    return start, end, _kinds(text[start:end])


def statement_at(text: str, at: int) -> tuple[int, list[tuple[int, int]]]:
    """Return the beginning of the statement that contains a character, and the blocks around the statement.

    A block is given by the position of its `for` and the position of its brace. The outermost block is first.
    """
    here = _context(text, at)
    return here.start, [(start, bracket.at) for start, bracket in zip(here.headers, here.blocks, strict=True)]


def _kinds(text: str) -> set[str]:
    """Return the kinds of statements in an unreadable text, from the first words of its lines.

    Return nothing if a first word is not near any kind: it may be any statement.
    """
    from puzzlec.language.mistakes import BEGINNINGS  # only texts with errors need hints

    match = _FIRST_WORD.search(text)
    first = match.group(1) or "" if match else ""
    words = BEGINNINGS.get(first.lower(), first).split()[:1]
    if not words or not (words[0] in KEYWORDS or near(words[0], KEYWORDS)):
        return set()
    kind = words[0] if words[0] in KEYWORDS else near(words[0], KEYWORDS)[0]
    if kind == "for" or "{" in text:
        return {kind} | {word for word in KEYWORDS if kind == "for" and re.search(rf"\b{word}\b", text)}
    return {kind}


class _OpeningBracket(NamedTuple):
    sign: str
    at: int


class _OpenStatement(NamedTuple):
    """The beginning of the statement that contains a character, and the brackets open there.

    ``opened`` are the brackets of the statement itself, ``blocks`` the braces of the blocks around it, ``headers``
    the positions of their `for`.
    """

    start: int
    opened: list[_OpeningBracket]
    blocks: list[_OpeningBracket]
    headers: list[int]


def _context(text: str, at: int) -> _OpenStatement:
    """Return the context of a character. The text before its statement is readable, so all brackets there match."""
    start = 0
    opened: list[_OpeningBracket] = []
    blocks: list[tuple[_OpeningBracket, int]] = []  # each with the beginning of its statement
    for match in _SIGNS.finditer(text, 0, at):
        sign = match.group()
        if sign in "([{":
            if sign == "{" and not opened and _LOOP.match(text, start):
                blocks.append((_OpeningBracket(sign, match.start()), start))
                start = match.end()
            else:
                opened.append(_OpeningBracket(sign, match.start()))
        elif sign in ")]}":
            if opened:
                opened.pop()
            elif sign == "}" and blocks:
                start = blocks.pop()[1]
        elif sign == "\n" and not opened:
            start = match.end()
    return _OpenStatement(start, opened, [bracket for bracket, _ in blocks], [begins for _, begins in blocks])


def _statement_end(text: str, start: int, at: int, in_block: bool) -> int:
    """Return the end of an unreadable statement: the end of a line outside brackets, or of its block.

    A bracket that is never closed ends before the next line that begins with a statement.
    """
    depth = 0
    is_loop = _LOOP.match(text, start)
    following = _STATEMENT.search(text, text.find("\n", start) + 1) if "\n" in text[start:] else None
    for match in _SIGNS.finditer(text, start):
        sign = match.group()
        if following and match.start() >= following.start() and not is_loop:
            if match.start() >= at:
                return following.start()
            following = _STATEMENT.search(text, max(at, following.end()))
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
            if depth < 0 and in_block and match.start() > at:
                return match.start()
        elif sign == "\n" and depth <= 0 and match.start() >= at:
            return _behind_strangers(text, match.start(), not _STATEMENT.match(text, start), in_block)
    return following.start() if following else len(text)


def _behind_strangers(text: str, at: int, strange: bool, in_block: bool) -> int:
    """Return the position after a line and the strange lines that follow it, up to the end of a block.

    A line is strange if it begins with a word that is not near any statement, so several lines of prose are a single
    error.
    """
    if not strange:
        return at
    for number, word in enumerate(_FIRST_WORD.finditer(text, at)):
        if in_block and text.startswith("}", word.end()):
            return word.start()
        if (word.group(1) or "") in KEYWORDS or near(word.group(1) or "", KEYWORDS):
            return word.start()
        if number == _MAX_STRANGE_WORDS:
            following = _STATEMENT.search(text, word.end())
            return following.start() if following else len(text)
    return len(text)


def _report(error: Exception, source: Source, report: Report, text: str, here: _OpenStatement) -> None:
    """Add the diagnostic for the first unreadable token; ``text`` is the rest of the source."""
    if isinstance(error, NestingError):
        report_nesting(error, source, report)
        return
    if isinstance(error, GluedError):
        _report_glued(error, source, report, text, here)
        return
    span = where(error, source)
    word = span.text
    opened = here.opened
    if not opened and here.blocks and not text[span.start :].strip():
        opened = here.blocks
    token = getattr(error, "token", None)
    unclosed = word[:1] == "{" and not _CLOSED.match(text, span.start)
    bracket = _OpeningBracket(word[:1], span.start)
    if opened and (_reaches_on(text, opened[-1].at, span.start) or (opened[-1].sign == "{" == word[:1])):
        unclosed, bracket = True, opened[-1]
    if unclosed:
        _report_unclosed(report, text, here, span, bracket)
    elif word[:1] == '"' and (token is None or token.type != "STRING") and not _STRING.match(text, span.start):
        rewriting = _rewriting(report, text, _extent(text, here, span.start))
        help = rewriting.help if rewriting else 'write `"` after the name'
        report.add("PZ105", "quoted name is never closed on its line", source.span(span.start), help=help)
    elif word[:1] in ("}", ")", "]") and not opened and not (word[0] == "}" and here.blocks):
        rewriting = _rewriting(report, text, _extent(text, here, span.start))
        report.add(
            "PZ104", f"unmatched `{word[0]}`", span,
            help=rewriting.help if rewriting else "remove it, or write the opening bracket",
        )  # fmt: skip
    elif not text[here.start : span.start].strip() and word.strip() and not opened:
        _report_unknown(report, text, here, span)
    else:
        _report_unexpected(error, report, text, here, span)


def _report_glued(error: GluedError, source: Source, report: Report, text: str, here: _OpenStatement) -> None:
    """Add the diagnostic for two words without a space, such as `foreach`, which begins with a keyword."""
    span = source.span(error.pos_in_stream, error.pos_in_stream + len(error.second))
    rewriting = _rewriting(report, text, _extent(text, here, span.start))
    start = span.start - len(error.first)
    if rewriting and not text[here.start : start].strip():
        word = re.compile(r"\w[\w-]*").match(text, start)
        span = source.span(start, word.end() if word else span.end)
        report.add("PZ102", f"unknown statement `{span.text[:40]}`", span, help=rewriting.help)
        return
    message = f"missing space between `{error.first}` and `{error.second[:40]}`"
    report.add("PZ101", message, span, help=(rewriting.help,) if rewriting else ())


def _report_unclosed(report: Report, text: str, here: _OpenStatement, span: Span, bracket: _OpeningBracket) -> None:
    """Add the diagnostic for a bracket that is never closed."""
    from puzzlec.language.advice import can_be_read

    name, closing = {"{": ("brace", " }"), "(": ("bracket", ")"), "[": ("square bracket", "]")}[bracket.sign]
    following = _STATEMENT.search(text, bracket.at)
    slip = hash_slip(text[: following.start() if following else None], bracket.at) if bracket.sign == "{" else None
    note, help = slip or ((), f"write `{closing.strip()}` at its end")
    extent = _extent(text, here, span.start)
    if bracket in here.blocks:
        extent = (here.headers[here.blocks.index(bracket)], len(text.rstrip()))
    line = text[slice(*extent)]
    if "\n" in line and bracket.at < text.find("\n", extent[0]):
        line = line[: line.index("\n")]
    whole = line.replace("#", "x") if slip and "cell" in help else line.rstrip() + closing
    if re.compile(r"\{\s*\{").match(text, bracket.at):
        rewriting = _rewriting(report, text, extent)
        help = rewriting.help if rewriting else "write one pair of braces around a drawing"
    elif "\n" not in line and can_be_read(text, whole):
        help = f"write `{whole}`"
    report.add("PZ103", f"{name} is never closed", span.source.span(bracket.at), note=note, help=help)


def _report_unexpected(error: Exception, report: Report, text: str, here: _OpenStatement, span: Span) -> None:
    """Add the diagnostic for an unexpected token, at an earlier token if that is the mistake."""
    from puzzlec.language.hints import by_example

    source = span.source
    extent = _extent(text, here, span.start)
    rewriting = _rewriting(report, text, extent)
    start = extent[0] + (rewriting.start if rewriting else 0)
    if rewriting is None or (not rewriting.expected and start + (rewriting.end > rewriting.start) > span.start):
        explain(
            error, source, report, (rewriting.help,) if rewriting else _similar(text, extent, span), by_example(error)
        )
        return
    blank = not source.text[start : extent[0] + rewriting.end].strip()
    if not rewriting.expected and (blank or extent[0] + rewriting.end > span.start):
        explain(error, source, report, (rewriting.help,), by_example(error))
        return
    first = re.match(r"\w[\w-]*|\S*", source.text[start : extent[0] + rewriting.end])
    there = source.span(start, start + max(len(first.group()) if first else 0, 1))
    expected = f"expected {rewriting.expected}, found" if rewriting.expected else "unexpected"
    report.add("PZ101", f"{expected} `{there.text[:40]}`", there, help=rewriting.help)


def _similar(text: str, extent: tuple[int, int], span: Span) -> tuple[str, ...]:
    """Return the suggestion of a word of the language in place of a similar one, if the statement can be read then."""
    from puzzlec.language.advice import can_be_read

    start, end = extent
    words = near(span.text, WORDS)
    good = [word for word in words if can_be_read(text, text[start : span.start] + word + text[span.end : end])]
    return suggestion(span.text, good)


def _report_unknown(report: Report, text: str, here: _OpenStatement, span: Span) -> None:
    """Add the diagnostic for the first word of a statement that no statement begins with."""
    word = span.text
    if word in KEYWORDS and here.blocks:
        report.add("PZ102", f"unexpected `{word}` in a block", span, help="write it before the `for`")
        return
    rewriting = _rewriting(report, text, _extent(text, here, span.start))
    advice = (rewriting.help,) if rewriting else suggestion(word, KEYWORDS)
    report.add(
        "PZ102",
        f"unknown statement `{word[:40]}`",
        span,
        note=strange_signs(word) or (() if advice else "statements are " + ", ".join(KEYWORDS)),
        help=advice,
    )


#: Errors of a long text that get a suggestion: each costs many trials.
_MAX_REWRITINGS, _MAX_REWRITTEN_CHARACTERS = 3, 20_000


def _rewriting(report: Report, text: str, extent: tuple[int, int]) -> Rewriting | None:
    """Return what an unreadable statement means; None if nothing is known, or for later errors of a long text."""
    from puzzlec.language.advice import meant_in  # only texts with errors need advice

    return meant_in(text, extent) if len(text) < _MAX_REWRITTEN_CHARACTERS or report.errors < _MAX_REWRITINGS else None


def _extent(text: str, here: _OpenStatement, at: int) -> tuple[int, int]:
    """Return the beginning and the end of the statement that contains a character, without comments around it."""
    begin = re.compile(r"(?:\s|#[^\n]*\n)*+").match(text, here.start)
    start = min(begin.end() if begin else here.start, at)
    end = max(_statement_end(text, here.start, at, bool(here.blocks)), at + 1)
    last = text.rfind("\n", start, end) + 1 or start
    code = re.compile(r'(?:"[^"\n]*"|[^"#\n]|"(?=[^"\n]*$))*', re.MULTILINE).match(text, last, end)
    return start, len(text[: code.end() if code else end].rstrip())


def statement_range(text: str, at: int) -> tuple[int, int]:
    """Return the beginning and the end of the statement that contains a character, without comments around it."""
    return _extent(text, _context(text, at), at)


def _reaches_on(text: str, bracket: int, at: int) -> bool:
    """Return whether an open bracket reaches into the next statement, or to the end of the text."""
    following = _STATEMENT.search(text, bracket)
    return not text[at:].strip() or (following is not None and following.start() <= at)
