"""The puzzle language (``.puzzle``): the text to a tree, as far as it can be read."""

from __future__ import annotations

import re
from typing import NamedTuple

import lark
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken

from puzzlec.diagnostics import Report, Source, near, suggestion
from puzzlec.ir import Puzzle
from puzzlec.readers.elaborate import elaborate
from puzzlec.readers.parsing import DEEPEST, GluedError, NestingError, explain, parser, strange_signs, where
from puzzlec.readers.slips import BEGINNINGS, help_for

#: The words that a statement begins with.
KEYWORDS = (
    "puzzle",
    "lattice",
    "colours",
    "locations",
    "optional",
    "piece",
    "pieces",
    "allow",
    "empty",
    "place",
    "fix",
    "forbid",
)

_STATEMENT = re.compile(rf"^[ \t]*(?:{'|'.join(KEYWORDS)})\b", re.MULTILINE)
_FIRST_WORD = re.compile(r"^[ \t]*([^\W\d][\w-]*)?.*\S", re.MULTILINE)
_MOST_ERRORS = 20
_MOST_STRANGERS = 200

_STRING = re.compile(r'"[^"\n]*"')

#: What counts when brackets are matched: brackets, ends of lines, and what may hide brackets.
_SIGNS = re.compile(r'"[^"\n]*"|#[^\n]*|[(){}\n]')


def read_puzzle(source: Source, warnings: Report | None = None) -> Puzzle:
    """Return the puzzle that a ``.puzzle`` text describes; warnings go into the report given.

    Raises PuzzleError with all faults found: first those of form, and only when there are none those
    of meaning, since a statement that could not be read would make the rest look wrong.
    """
    report = Report()
    tree = _tree(source, report)
    if tree is None or report.errors:
        raise report.error()
    puzzle = elaborate(tree, source, report)
    if warnings is not None:
        for each in report.diagnostics:
            warnings.append(each)
    return puzzle


def _tree(source: Source, report: Report) -> lark.Tree[lark.Token] | None:
    """Return the tree; where a statement cannot be read, report it, skip what was read and go on behind it."""
    text = source.text
    for _ in range(_MOST_ERRORS):
        try:
            return parser("puzzle").parse(text + "\n")
        except (UnexpectedCharacters, UnexpectedToken, UnexpectedEOF, NestingError, GluedError) as error:
            at = where(error, Source(source.name, text + "\n")).start
            start = _statement_start(text, at)
            _report(error, source, report, text, start)
            opened = _open_brackets(text, start, at)
            if opened and _reaches_on(text, opened[-1].at, at):
                at = opened[-1].at
            end = _statement_end(text, start, at)
            if not text[end:].strip():
                return None
            # What stands before was read already: blanks keep the places of all that follows.
            text = " " * end + text[end:]
    return None


class _Bracket(NamedTuple):
    sign: str
    at: int


def _open_brackets(text: str, start: int, end: int) -> list[_Bracket]:
    """Return the brackets that open in a stretch of text and do not close there, the outermost first."""
    found: list[_Bracket] = []
    for match in _SIGNS.finditer(text, start, end):
        sign = match.group()
        if sign in "({":
            found.append(_Bracket(sign, match.start()))
        elif sign in ")}" and found:
            found.pop()
    return found


def _statement_start(text: str, at: int) -> int:
    """Return where the statement that holds a character begins: it goes on over lines only inside brackets."""
    first = _STATEMENT.search(text, text.rfind("\n", 0, max(0, at - 100_000)) + 1, at)
    opened = _open_brackets(text, first.start(), at) if first else []
    inside = opened[0].at if opened else at
    start = text.rfind("\n", 0, inside) + 1
    if text[start:inside].lstrip()[:1] in ("}", ")"):
        starts = [each.start() for each in _STATEMENT.finditer(text, first.start() if first else start, inside)]
        start = starts[-1] if starts else start
    return start


def _statement_end(text: str, start: int, at: int) -> int:
    """Return where a statement ends that cannot be read: at the end of a line outside brackets.

    A bracket that is never closed ends before the next line that begins with a statement.
    """
    depth = 0
    following = _STATEMENT.search(text, text.find("\n", start) + 1) if "\n" in text[start:] else None
    for match in _SIGNS.finditer(text, start):
        sign = match.group()
        if following and match.start() >= following.start():
            if match.start() >= at:
                return following.start()
            following = _STATEMENT.search(text, max(at, following.end()))
        if sign in "({":
            depth += 1
        elif sign in ")}":
            depth -= 1
        elif sign == "\n" and depth <= 0 and match.start() >= at:
            return _behind_strangers(text, match.start(), strange=not _STATEMENT.match(text, start))
    return following.start() if following else len(text)


def _behind_strangers(text: str, at: int, strange: bool) -> int:
    """Return where to go on behind a line: prose, say, is one error and not one a line.

    Lines are skipped where they and the one before begin with nothing that is near a statement.
    """
    if not strange:
        return at
    for number, word in enumerate(_FIRST_WORD.finditer(text, at)):
        if (word.group(1) or "") in KEYWORDS or near(word.group(1) or "", KEYWORDS):
            return word.start()
        if number == _MOST_STRANGERS:
            following = _STATEMENT.search(text, word.end())
            return following.start() if following else len(text)
    return len(text)


def _report(error: Exception, source: Source, report: Report, text: str, statement: int) -> None:
    """Add the diagnostic for the first thing that cannot be read; ``text`` is what is left of the source."""
    if isinstance(error, NestingError):
        report.add(
            "PZ106",
            "brackets are nested too deeply",
            source.span(error.pos_in_stream),
            note=f"at most {DEEPEST} may be open at a time",
        )
        return
    if isinstance(error, GluedError):
        span = source.span(error.pos_in_stream, error.pos_in_stream + len(error.second))
        report.add("PZ101", f"a blank is missing between `{error.first}` and `{error.second[:40]}`", span)
        return
    span = where(error, source)
    word = span.text
    line_before = text[text.rfind("\n", 0, span.start) + 1 : span.start]
    opened = _open_brackets(text, statement, span.start)
    token = getattr(error, "token", None)
    unclosed = word[:1] == "{" and (token is None or token.type != "DRAWING")
    if opened and (_reaches_on(text, opened[-1].at, span.start) or (opened[-1].sign == "{" == word[:1])):
        unclosed, bracket = True, opened[-1]
    else:
        bracket = _Bracket(word[:1], span.start)
    if unclosed:
        name, closing = ("brace", "}") if bracket.sign == "{" else ("bracket", ")")
        doubled = re.compile(r"\{\s*\{").match(text, bracket.at)
        report.add(
            "PZ103",
            f"this {name} is never closed",
            source.span(bracket.at),
            help="write one pair of braces around a drawing" if doubled else f"write `{closing}` where it ends",
        )
    elif word[:1] == '"' and (token is None or token.type != "STRING") and not _STRING.match(text, span.start):
        report.add("PZ105", "this quoted name is never closed on its line", span, help='write `"` behind the name')
    elif word[:1] in ("}", ")") and not opened:
        report.add("PZ104", f"this `{word[0]}` closes nothing", span, help="leave it out, or open it before")
    elif not line_before.strip() and word.strip() and not opened:
        hint = help_for("", text[span.start : span.start + 200])
        meant = BEGINNINGS.get(word.lower())
        mend = hint or ((f"did you mean `{meant}`?",) if meant else suggestion(word, KEYWORDS))
        report.add(
            "PZ102",
            f"a line cannot begin with `{word[:40]}`",
            span,
            note=strange_signs(word) or (() if mend else "a line begins with one of " + ", ".join(KEYWORDS)),
            help=mend,
        )
    else:
        rest = text[span.start : span.start + 200].split("\n")[0]
        before = text[max(statement, span.start - 1000) : span.start]
        explain(error, source, report, help_for(before, rest))


def _reaches_on(text: str, bracket: int, at: int) -> bool:
    """Whether an open bracket reaches into the next statement, or to the end of the text."""
    following = _STATEMENT.search(text, bracket)
    return not text[at:].strip() or (following is not None and following.start() <= at)
