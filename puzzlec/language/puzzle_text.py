"""The puzzle language (``.puzzle``): the text to a tree, as far as it can be read."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import lark
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken

from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Source, near, suggestion
from puzzlec.geometry import library_names
from puzzlec.geometry.families import family_names
from puzzlec.ir import Puzzle
from puzzlec.language.drawing_errors import hash_slip
from puzzlec.language.elaborate import KEYWORDS, elaborate
from puzzlec.language.parsing import (
    MOST_WORDS,
    GluedError,
    LengthError,
    NestingError,
    explain,
    parser,
    report_nesting,
    strange_signs,
    where,
)
from puzzlec.language.read_options import Given

_STATEMENT = re.compile(rf"^[ \t]*(?:{'|'.join(KEYWORDS)})\b", re.MULTILINE)
#: The first word of a line that is not blank. (Nothing here may be tried in two ways: lines can be very long.)
_FIRST_WORD = re.compile(r"^[ \t]*+(?=.*\S)([^\W\d][\w-]*+)?", re.MULTILINE)
_MOST_ERRORS = 20

#: In texts of more characters fewer errors are looked for, since each costs another reading.
_LARGE, _FEW_ERRORS = 200_000, 3
_MOST_STRANGERS = 200

_STRING = re.compile(r'"[^"\n]*"')

#: A brace with its partner, one pair within another at most.
_CLOSED = re.compile(r"\{(?:[^{}#]++|#[^\n]*+\n|\{[^{}\n]*+\})*+\}")

#: What a line begins with that goes on with the one before, blank lines and comments between (as in the grammar).
_GOES_ON = r"(?:\s{0,200}+#[^\n]*+\n){0,20}+\s{0,200}+(?:(?:where|and|or)\b|\{)"

#: What counts when brackets are matched: brackets, ends of lines, and what may hide brackets.
_SIGNS = re.compile(rf'"[^"\n]*"|#[^\n]*|[(){{}}\[\]]|\n(?!{_GOES_ON})')

_LOOP = re.compile(r"\s*for\b")


def read_given(source: Source, report: Report, given: Given) -> Puzzle:
    """Return the puzzle that a ``.puzzle`` text describes, as :func:`read_puzzle`, with what is given beside it."""
    return read_puzzle(source, report, given.parameters)


def read_puzzle(source: Source, warnings: Report | None = None, parameters: Mapping[str, int] | None = None) -> Puzzle:
    """Return the puzzle that a ``.puzzle`` text describes; warnings go into the report given.

    ``parameters`` are values for `param` statements, in place of those in the text. Raises PuzzleError with all
    faults found, those of form and those of meaning: a statement that cannot be read does not hide the faults of
    the others, and what it may have said is not missed.
    """
    report = Report()
    tree, lost = _tree(source, report)
    if tree is None or "lattice" in lost:
        raise report.error()
    formal = list(report.diagnostics)
    try:
        puzzle = elaborate(tree, source, report, parameters, lost)
    except PuzzleError as error:
        raise PuzzleError(_sorted(error.diagnostics) if formal else error.diagnostics) from None
    if warnings is not None:
        for each in report.diagnostics:
            warnings.append(each)
    return puzzle


def _sorted(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return diagnostics in the order of their places, those without a place last."""
    return sorted(diagnostics, key=lambda each: each.span.start if each.span else sys.maxsize)


def syntax_tree(source: Source) -> lark.Tree[lark.Token]:
    """Return the syntax tree of a ``.puzzle`` text; raise PuzzleError with all faults of form."""
    report = Report()
    tree, _ = _tree(source, report)
    if tree is None or report.errors:
        raise report.error()
    return tree


def readable_tree(source: Source) -> lark.Tree[lark.Token] | None:
    """Return the tree of what can be read of a ``.puzzle`` text that is being typed; None where nothing can.

    Whatever stands between the statements in it is left out without a word.
    """
    return _tree(source, Report(), forgiving=True)[0]


def standing(text: str, at: int) -> tuple[int, list[tuple[int, int]]]:
    """Return where the statement begins that holds a character, and the blocks around it.

    Each block is the place of its `for` and that of its brace, the outermost one first.
    """
    here = _context(text, at)
    return here.start, [(start, bracket.at) for start, bracket in zip(here.headers, here.blocks, strict=True)]


def _tree(source: Source, report: Report, forgiving: bool = False) -> tuple[lark.Tree[lark.Token] | None, set[str]]:
    """Return the tree of all statements that can be read, and the kinds of those that cannot, which are reported.

    A statement that cannot be read is replaced with blanks, and the rest is parsed again: all places stay. There is
    no tree where such a statement may have been of any kind, unless ``forgiving``.
    """
    text = source.text + "\n"
    lost: set[str] = set()
    for _ in range(_MOST_ERRORS if len(text) < _LARGE else _FEW_ERRORS):
        try:
            return parser("puzzle").parse(text, start="start"), lost
        except LengthError as error:
            many = f"{MOST_WORDS // 1_000_000} million words"
            report.add("PZ007", f"this text has more than {many}", source.span(error.pos_in_stream), "stopped here")
            return None, lost
        except (UnexpectedCharacters, UnexpectedToken, UnexpectedEOF, NestingError, GluedError) as error:
            at = min(where(error, Source(source.name, text)).start, len(text) - 1)
            here = _context(text, at)
            _report(error, source, report, text, here)
            start = here.start
            if here.opened and _reaches_on(text, here.opened[-1].at, at):
                at = here.opened[-1].at
            end = max(_statement_end(text, start, at, bool(here.blocks)), at + 1)
            kinds = _kinds(text[start:end])
            if ((not kinds or "lattice" in kinds) and not forgiving) or not text[start:end].strip():
                return None, lost
            lost |= kinds
            text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return None, lost


def _kinds(text: str) -> set[str]:
    """Return what kinds of statements a stretch of text was meant to hold, by the first words of its lines.

    Nothing where a first word is near no kind: it may have been any.
    """
    from puzzlec.language.hints import BEGINNINGS  # only texts with errors need hints

    found = _FIRST_WORD.search(text)
    first = found.group(1) or "" if found else ""
    meant = BEGINNINGS.get(first.lower(), first).split()[:1]
    if not meant or not (meant[0] in KEYWORDS or near(meant[0], KEYWORDS)):
        return set()
    kind = meant[0] if meant[0] in KEYWORDS else near(meant[0], KEYWORDS)[0]
    if kind == "for" or "{" in text:
        return {kind} | {word for word in KEYWORDS if kind == "for" and re.search(rf"\b{word}\b", text)}
    return {kind}


class _Bracket(NamedTuple):
    sign: str
    at: int


class _Context(NamedTuple):
    """Where the statement begins that holds a character, and which brackets are open there.

    ``opened`` are those of the statement itself, ``blocks`` the braces of the blocks around it, ``headers`` where the
    `for` of each block stands.
    """

    start: int
    opened: list[_Bracket]
    blocks: list[_Bracket]
    headers: list[int]


def _context(text: str, at: int) -> _Context:
    """Return where a character stands. What is before its statement can be read, so all brackets there match."""
    start = 0
    opened: list[_Bracket] = []
    blocks: list[tuple[_Bracket, int]] = []  # each with where the statement begins that it belongs to
    for match in _SIGNS.finditer(text, 0, at):
        sign = match.group()
        if sign in "([{":
            if sign == "{" and not opened and _LOOP.match(text, start):
                blocks.append((_Bracket(sign, match.start()), start))
                start = match.end()
            else:
                opened.append(_Bracket(sign, match.start()))
        elif sign in ")]}":
            if opened:
                opened.pop()
            elif sign == "}" and blocks:
                start = blocks.pop()[1]
        elif sign == "\n" and not opened:
            start = match.end()
    return _Context(start, opened, [bracket for bracket, _ in blocks], [begins for _, begins in blocks])


def _statement_end(text: str, start: int, at: int, in_block: bool) -> int:
    """Return where a statement ends that cannot be read: at the end of a line outside brackets, or of its block.

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
    """Return where to go on behind a line: prose, say, is one error and not one a line.

    Lines are skipped where they and the one before begin with nothing that is near a statement, up to the end of a
    block.
    """
    if not strange:
        return at
    for number, word in enumerate(_FIRST_WORD.finditer(text, at)):
        if in_block and text.startswith("}", word.end()):
            return word.start()
        if (word.group(1) or "") in KEYWORDS or near(word.group(1) or "", KEYWORDS):
            return word.start()
        if number == _MOST_STRANGERS:
            following = _STATEMENT.search(text, word.end())
            return following.start() if following else len(text)
    return len(text)


def _report(error: Exception, source: Source, report: Report, text: str, here: _Context) -> None:
    """Add the diagnostic for the first thing that cannot be read; ``text`` is what is left of the source."""
    from puzzlec.language.expected import by_example
    from puzzlec.language.hints import BEGINNINGS, help_for

    if isinstance(error, NestingError):
        report_nesting(error, source, report)
        return
    if isinstance(error, GluedError):
        span = source.span(error.pos_in_stream, error.pos_in_stream + len(error.second))
        report.add("PZ101", f"a blank is missing between `{error.first}` and `{error.second[:40]}`", span)
        return
    span = where(error, source)
    word = span.text
    statement, opened = here.start, here.opened
    line_before = text[statement : span.start]
    if not opened and here.blocks and not text[span.start :].strip():
        opened = here.blocks
    token = getattr(error, "token", None)
    unclosed = word[:1] == "{" and not _CLOSED.match(text, span.start)
    if opened and (_reaches_on(text, opened[-1].at, span.start) or (opened[-1].sign == "{" == word[:1])):
        unclosed, bracket = True, opened[-1]
    else:
        bracket = _Bracket(word[:1], span.start)
    if unclosed:
        name, closing = {"{": ("brace", "}"), "(": ("bracket", ")"), "[": ("square bracket", "]")}[bracket.sign]
        doubled = re.compile(r"\{\s*\{").match(text, bracket.at)
        following = _STATEMENT.search(text, bracket.at)
        slip = hash_slip(text[: following.start() if following else None], bracket.at) if bracket.sign == "{" else None
        note, help = slip or ((), f"write `{closing}` where it ends")
        help = "write one pair of braces around a drawing" if doubled else help
        report.add("PZ103", f"this {name} is never closed", source.span(bracket.at), note=note, help=help)
    elif word[:1] == '"' and (token is None or token.type != "STRING") and not _STRING.match(text, span.start):
        report.add(
            "PZ105",
            "this quoted name is never closed on its line",
            source.span(span.start),
            help='write `"` behind the name',
        )
    elif word[:1] in ("}", ")", "]") and not opened and not (word[0] == "}" and here.blocks):
        report.add("PZ104", f"this `{word[0]}` closes nothing", span, help="leave it out, or open it before")
    elif not line_before.strip() and word.strip() and not opened:
        if word in KEYWORDS and here.blocks:
            report.add("PZ102", f"`{word}` cannot stand in a block", span, help="write it before the `for`")
            return
        hint = help_for("", text[span.start : span.start + 200])
        meant = BEGINNINGS.get(word.lower())
        mend = hint or ((f"did you mean `{meant}`?",) if meant else suggestion(word, KEYWORDS) or _named(word))
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
        explain(error, source, report, help_for(before, rest), by_example(error))


def _named(word: str) -> tuple[str, ...]:
    """Return the help for a line that begins with the name of a library or family of shapes, or nearly."""
    known = (*library_names(), *family_names())
    found = [word] if word in known else near(word, known)[:1]
    return tuple(f"did you mean `pieces {name}`?" for name in found)


def _reaches_on(text: str, bracket: int, at: int) -> bool:
    """Whether an open bracket reaches into the next statement, or to the end of the text."""
    following = _STATEMENT.search(text, bracket)
    return not text[at:].strip() or (following is not None and following.start() <= at)
