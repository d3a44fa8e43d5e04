"""Parse texts with Lark grammars, and turn parse errors into diagnostics in the user's words."""

from __future__ import annotations

import pickle
import re
import sys
import unicodedata
from array import array
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache, cached_property
from importlib import import_module
from io import BytesIO
from types import ModuleType
from typing import Any

import lark
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken
from lark.parsers.lalr_analysis import Action

from puzzlec import resources
from puzzlec.diagnostics import PuzzleError, Report, Source, Span, listed, suggestion
from puzzlec.diagnostics.error import fail

#: Names of terminals in messages.
WORDS = {
    "NAME": "a name",
    "STRING": 'a name in double quotes (`"`)',
    "COLOUR": "a colour of one character",
    "DRAWING": "a drawing in `{ }`",
    "SIZE": "sizes such as `10x6`",
    "INTEGER": "an integer",
    "VARIABLE": "a variable",
    "SIGN": "a colour",
    "TIMES": "`*`, `//`, `%`",
    "COMPARISON": "a comparison such as `<`",
    "FUNCTION": "`min`, `max`, `abs`",
    "NUMBER": "a number",
    "COPIES": "a modifier such as `x2` or `fixed`",
    "FREEDOM": "a modifier such as `x2` or `fixed`",
    "VALUE": "a value or a range of values",
    "LINE": "a part of the board",
    "CHOSEN": "a region",
    "_POINT": "`at a point`",
    "QUANTITY": "`exactly`, `at most`, `at least`",
    "FIRST": "a range such as `0..4`",
    "LOOPED": "a variable",
    "EQUAL": "`=`",
    "UNEQUAL": "a comparison such as `<`",
    "ROW": "a row of `x` and `.`",
    "_NL": "the end of the line",
    "$END": "the end of the text",
    "_TYPE": "a type",
    "_FURTHER": "`,`",
    "MEASURE": "a number to promise such as `raw`",
    "LEVEL": "a level such as `5.3`",
    "SAMENESS": "`different`, `equal`",
    "KINSHIP": "`colours`, `copies`",
    "MOTION": "a rotation such as `half-turn`",
}


@cache
def parser(name: str) -> lark.Lark:
    """Return the LALR parser of ``grammars/<name>.lark``, from a private cache if it is there."""
    grammar, file = resources.grammar(name), f"{name}.parser.cache"
    made_from = f"{lark.__version__}\n{sys.version}\n{grammar}".encode()
    kept = resources.cached(file, made_from)
    if kept is not None:
        with suppress(Exception), resources.without_cycles():  # the classes in it may have changed
            return _Unpickler(BytesIO(kept)).parser()
    made = lark.Lark(
        grammar,
        parser="lalr",
        start=["start", "expression"] if name == "puzzle" else "start",
        propagate_positions=True,
        maybe_placeholders=False,
        postlex=_Brackets() if name == "puzzle" else None,
    )
    written = BytesIO()
    with suppress(Exception):  # another version of Lark may have a part that cannot be pickled
        _Pickler(written, made).dump(made)
        resources.keep(file, made_from, written.getvalue())
    return made


class _Pickler(pickle.Pickler):
    """Pickles a parser as it is. `Lark.save` keeps a form of it that takes four times as long to load."""

    def __init__(self, file: BytesIO, made: lark.Lark) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.made = made

    def persistent_id(self, part: Any) -> str | None:
        """Leave out the functions that make trees: they are closures."""
        if part is self.made._callbacks:
            return _CALLBACKS
        return _BUILDER if part is self.made._parse_tree_builder else None

    def reducer_override(self, part: Any) -> Any:
        """Keep a module by its name, and the two actions, which Lark tells apart by identity, by theirs."""
        if isinstance(part, ModuleType):
            return import_module, (part.__name__,)
        return part.name if isinstance(part, Action) else NotImplemented


class _Unpickler(pickle.Unpickler):
    """Loads a parser that :class:`_Pickler` wrote."""

    def __init__(self, file: BytesIO) -> None:
        super().__init__(file)
        self.callbacks: dict[Any, Any] = {}

    def persistent_load(self, part: str) -> Any:
        """Return the dictionary for the functions that make trees, which is still empty."""
        return self.callbacks if part == _CALLBACKS else None

    def parser(self) -> lark.Lark:
        """Return the parser, with new functions that make trees."""
        made: lark.Lark = self.load()
        made._prepare_callbacks()
        self.callbacks.update(made._callbacks)
        made._callbacks = self.callbacks
        return made


_CALLBACKS, _BUILDER = "callbacks", "builder"


#: Brackets may be nested this deep: each level costs a level of recursion later.
MAX_BRACKET_DEPTH = 50


class NestingError(Exception):
    """A bracket opens more than :data:`MAX_BRACKET_DEPTH` levels deep, at this position of the text."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.pos_in_stream = at


#: Maximum number of tokens of a text: the tree of a longer text would fill the memory.
MAX_TOKENS = 1_000_000


class LengthError(NestingError):
    """A text has more than :data:`MAX_TOKENS` tokens; this position is after the last of them."""


class GluedError(Exception):
    """Two words are not separated by a space; the second begins at this position."""

    def __init__(self, first: str, second: str, at: int) -> None:
        super().__init__("two words without a space between them")
        self.first, self.second, self.pos_in_stream = first, second, at


class _Brackets:
    """Drops the newlines inside brackets, where a statement continues; keeps those between statements of a block."""

    always_accept = ("_NL",)

    def process(self, stream: Iterable[lark.Token]) -> Iterator[lark.Token]:
        """Yield all tokens except newlines inside brackets; raise an error for too many tokens or levels."""
        #: For each open bracket: whether it is the brace of a block, with statements inside.
        opened: list[bool] = []
        header = -1  # number of brackets open at the `for` of a block, or -1 if no `for` waits for its brace
        begins = True  # whether a statement begins with the next token
        before: lark.Token | None = None
        for number, token in enumerate(stream):
            if number == MAX_TOKENS:
                raise LengthError(token.start_pos or 0)
            if before is not None and before.end_pos == token.start_pos and (before[-1] + token[0]).isalnum():
                raise GluedError(str(before), str(token), token.start_pos or 0)
            before = token
            if token.type == "FOR" and begins:
                header = len(opened)
            begins = token.type == "_NL"
            if token.type in _OPENING:
                begins = token.type == "LBRACE" and header == len(opened)
                if begins:
                    header = -1
                opened.append(begins)
                if len(opened) > MAX_BRACKET_DEPTH:
                    raise NestingError(token.start_pos or 0)
            elif token.type in _CLOSING and opened:
                opened.pop()
            if token.type != "_NL" or not opened or opened[-1]:
                yield token


_OPENING, _CLOSING = ("LPAR", "LBRACE", "LSQB"), ("RPAR", "RBRACE", "RSQB")


def parse(name: str, source: Source) -> lark.Tree[lark.Token]:
    """Return the tree of a text by the grammar of this name.

    Raises PuzzleError with one diagnostic at the first token that the grammar does not allow.
    """
    try:
        return parser(name).parse(source.text)
    except (UnexpectedCharacters, UnexpectedToken, UnexpectedEOF) as error:
        report = Report()
        explain(error, source, report)
        raise report.error() from None


def where(error: Exception, source: Source) -> Span:
    """Return the smallest span that shows the unexpected token."""
    text = source.text
    at = getattr(error, "pos_in_stream", None)
    token = getattr(error, "token", None)
    if at is None or isinstance(error, UnexpectedEOF) or (token is not None and token.type == "$END"):
        return source.end
    if token is not None and token.type not in ("_NL", "COLOUR"):
        return source.span(token.start_pos, token.end_pos)
    word = re.compile(r"\w[\w-]*|//|.", re.DOTALL).match(text, at)
    if word is None or word.group()[0] in "\r\n":
        return source.span(at)
    return source.span(at, word.end())


def explain(
    error: Exception,
    source: Source,
    report: Report,
    help: Iterable[str] | None = None,
    expected: str | None = None,
) -> None:
    """Add the diagnostic for a parse error: what was expected, after which word, and what was found.

    ``help`` is the suggestion. Default: a keyword that may be meant. ``expected`` describes the expected part.
    Default: the tokens that the parser accepts.
    """
    span = where(error, source)
    at = span.start
    at_end = span.start >= len(source.text.rstrip()) or span.text[:1] in ("\r", "\n")
    if at_end and (comment := _comment_before(source.text, span.start)) is not None:
        span = source.span(comment)
    usable = _expected(error)
    keywords = [word.strip("`") for word in usable if word.startswith("`") and word[1:-1].isalpha()]
    first = re.split(r"[\r\n]", span.text)[0][:40]
    token = f"`{first}`" if not at_end else "the line ends" if at < len(source.text) else "the text ends"
    before = re.search(r'("[^"\n]*"|[\w-]+|\S)[ \t]*$', source.text[max(0, span.start - 200) : span.start])
    after = f" after `{before.group(1)}`" if before else ""
    choices = expected or listed(usable, "or") or "something else"
    report.add(
        "PZ101",
        f"expected {choices}{after}, {'but ' + token if at_end else 'found ' + token}",
        span,
        note=strange_signs(span.text),
        help=suggestion(span.text, keywords) if help is None else tuple(help),
    )


def _comment_before(text: str, at: int) -> int | None:
    """Return the end of the statement before a comment that ends at a position; None if there is no comment."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    code = re.match(r'(?:"[^"]*"|[^"#])*', line)
    return at - len(line) + len(code[0].rstrip()) if code is not None and code.end() < len(line) else None


def report_nesting(error: NestingError, source: Source, report: Report, at: int = 0) -> None:
    """Add the diagnostic for a bracket that is too deep, in the text that begins at ``at``."""
    report.add(
        "PZ106",
        "brackets are nested too deeply",
        source.span(at + error.pos_in_stream),
        note=f"the limit is {MAX_BRACKET_DEPTH} open brackets",
    )


def unexpected_in_expression(error: Exception, source: Source, report: Report, at: int, text: str) -> None:
    """Add the diagnostic for an error in the expression ``text``, which is at ``at``, in ``{ }`` or in an option."""
    if isinstance(error, NestingError):
        report_nesting(error, source, report, at)
        return
    within = Source("", text)
    span = where(error, within)
    after = source.text[at + len(text) : at + len(text) + 1].strip()
    there = f"`{span.text[:40]}`" if span.start < len(text.rstrip()) else f"`{after}`" if after else "the end"
    expected = _expected(error)
    choices = listed(expected, "or") if 0 < len(expected) < 6 else "an expression such as `n-1`"
    start = at + span.start
    report.add("PZ101", f"expected {choices}, found {there}", source.span(start, max(start + 1, at + span.end)))


def strange_signs(text: str) -> tuple[str, ...]:
    """Return the note that names the first character outside ASCII: it may look like another one."""
    sign = next((character for character in text if not character.isascii()), "")
    name = unicodedata.name(sign, "") if sign else ""
    return (f"the character is {name} (U+{ord(sign):04X})",) if name else ()


def _expected(error: Exception) -> list[str]:
    """Return in words what the parser could accept where it stopped."""
    # Lark knows two sets: the terminals of the lexer, and the smaller set that the parser accepts.
    machine = getattr(error, "interactive_parser", None)
    names: Iterable[str] = machine.accepts() if machine is not None else getattr(error, "expected", None) or ()
    names = list(names)
    terminals: dict[str, Any] = {}
    for grammar in ("puzzle", "dpf", "compact", "board", "offsets"):
        if not all(name in WORDS or name in terminals for name in names):  # this grammar may have words
            terminals |= {terminal.name: terminal.pattern for terminal in parser(grammar).terminals}
    words = {WORDS.get(name) or f"`{terminals[name].value}`" for name in names if name in WORDS or name in terminals}
    if "a name" in words:
        words.discard(WORDS["STRING"])
    if len(words) > 1:
        words -= {WORDS["$END"], "`or`", "`and`"}
    for several in list(words):
        if re.fullmatch(r"`[^`]+`(?:, `[^`]+`)+", several):
            words.remove(several)
            words.update(several.split(", "))
    if WORDS["COMPARISON"] in words or {"`*`", "`+`"} <= words:
        words -= {
            WORDS["COMPARISON"],
            *(f"`{operator}`" for operator in ("*", "//", "%", "+", "-", "&", "and", "or", "at")),
        }
        words.add("an operator such as `+`")
    if {"`min`", "`max`"} <= words:
        words -= {"`min`", "`max`", "`abs`", "`-`", "`not`", "`(`", WORDS["VARIABLE"], WORDS["NUMBER"]}
        words.add("an expression such as `n-1`")
    return sorted(words, key=lambda word: (word.startswith("`"), word))


_MAX_NUMBER = 2**31 - 1

#: Digits for the letters that look like them.
_LIKE_DIGITS = str.maketrans("lIOo", "1100")


def _too_large(number: str) -> bool:
    return len(number) > 9 and (len(number) > 15 or abs(int(number)) > _MAX_NUMBER)


class NumberSequence:
    """The numbers of a text in order, with their positions for diagnostics."""

    def __init__(self, source: Source, grammar: str) -> None:
        self.source, self.grammar = source, grammar
        # Comments become spaces, so that the numbers keep their positions.
        self.code = re.sub(r"(?://|#)[^\n]*", lambda comment: " " * len(comment.group()), source.text)
        self.values = self._read()
        self.at = 0

    def _read(self) -> array[int]:
        if not re.fullmatch(r"[-0-9 \t\r\n\f\v]*", self.code):
            raise self._refusal()
        values = array("i")
        try:
            # Line by line: a list of all words of a large text would fill the memory.
            for line in self.code.split("\n"):
                values.extend(map(int, line.split()))
        except (OverflowError, ValueError):  # a huge number, or a sign without digits
            raise self._refusal() from None
        if self.grammar == "dpf" and values and min(values) < 0:
            raise self._refusal()
        return values

    def _refusal(self) -> PuzzleError:
        """Return the error for the first word that is not a number, or that is too large."""
        span = self.source.end
        large = next((place for place in self._places() if _too_large(place.group())), None)
        if large is not None and not re.search(r"[^-0-9\s]|\d-|-(?!\d)", self.code[: large.start()]):
            span = self.source.span(large.start(), large.end())
            return fail("PZ201", f"number is too large (limit {_MAX_NUMBER:,})", span)
        try:
            for _ in parser(self.grammar).lex(self.source.text):
                pass
        except UnexpectedCharacters as error:
            at = error.pos_in_stream or 0
            match = re.compile(r"\S+").match(self.source.text, at)
            span = self.source.span(at, match.end() if match else None)
        digits = span.text.translate(_LIKE_DIGITS)
        help = f"write `{digits}`" if digits != span.text and digits.isdecimal() else ()
        return fail("PZ201", f"expected a number, found `{span.text[:40]}`", span, help=help)

    def _places(self) -> Iterator[re.Match[str]]:
        return re.finditer(r"-?[0-9]+", self.code)

    @cached_property
    def _spans(self) -> array[int]:
        """Positions where the numbers begin; computed on demand."""
        return array("i", (match.start() for match in self._places()))

    def span(self, index: int) -> Span:
        """Return the position of a number, or the end of the text for a missing one."""
        if index >= len(self._spans):
            return self.source.end
        match = re.compile(r"-?[0-9]+").match(self.code, self._spans[index])
        return self.source.span(self._spans[index], match.end() if match else None)

    def next(self, what: str) -> int:
        """Return the next number; raise PuzzleError if the text ends before ``what``."""
        if self.at >= len(self.values):
            raise fail("PZ202", f"unexpected end of the text: missing {what}", self.source.end)
        self.at += 1
        return self.values[self.at - 1]

    def rest(self, count: int, what: str) -> array[int]:
        """Return the next ``count`` numbers; raise PuzzleError if the text ends before the last of them."""
        if self.at + count > len(self.values):
            missing = self.at + count - len(self.values)
            raise fail(
                "PZ202",
                f"unexpected end of the text within {what}",
                self.source.end,
                note=f"{missing} more number{'s' * (missing > 1)} expected",
            )
        self.at += count
        return self.values[self.at - count : self.at]

    @property
    def last(self) -> Span:
        """Position of the number that was read last."""
        return self.span(self.at - 1)

    def finish(self) -> None:
        """Raise PuzzleError if numbers are left over."""
        if self.at < len(self.values):
            left = len(self.values) - self.at
            raise fail(
                "PZ203",
                "expected the end of the text",
                self.span(self.at),
                note=f"{left} number{'s' * (left > 1)} left over; an earlier count may be wrong",
            )
