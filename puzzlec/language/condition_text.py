"""Read conditions on solutions, such as ``X on corner and not (I off border or 3,3 empty)``, as trees."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias, cast

import lark
from lark.exceptions import UnexpectedInput

from puzzlec.diagnostics import PuzzleError, Source, Span, suggestion
from puzzlec.diagnostics.error import fail
from puzzlec.language.parsing import MAX_BRACKET_DEPTH, parser, where
from puzzlec.language.spelling import REGION_WORDS

#: Relations between a piece and a place, in words for a message.
RELATIONS = "`inside`, `on`, `off`, `at`, `used`, `empty` or `covered`"
_RELATIONS = ("inside", "on", "off", "at", "used", "empty", "covered")
_RELATION = r"(inside|on|off|at) "

#: Maximum number of characters of a condition.
MAX_CONDITION_CHARACTERS = 10_000


@dataclass(frozen=True)
class ConditionName:
    """Words that name a piece, a place or a region; ``words`` are without their quotes.

    ``quoted`` has a flag for each word: whether it was in quotes, which make a word a name. A region has no words.
    """

    span: Span
    words: tuple[str, ...] = ()
    quoted: tuple[bool, ...] = ()

    @property
    def text(self) -> str:
        """The name as one text: the words with spaces between them, or the region."""
        return " ".join(self.words) if self.words else self.span.text


@dataclass(frozen=True)
class Lies:
    """A copy of a piece is ``on`` or ``at`` a place, or it is used and each copy is ``inside`` or ``off`` the place."""

    piece: ConditionName
    place: ConditionName
    relation: str


@dataclass(frozen=True)
class Is:
    """A piece is "used", or all locations of a place are "empty" or "covered": the ``state``."""

    what: ConditionName
    state: str


@dataclass(frozen=True)
class Not:
    """A condition does not hold."""

    of: Written


@dataclass(frozen=True)
class Join:
    """All conditions hold, or, if ``every`` is false, at least one of them."""

    parts: tuple[Written, ...]
    every: bool


#: A condition as written.
Written: TypeAlias = Lies | Is | Not | Join


def read_condition(text: str) -> Written:
    """Return a condition as a tree; raise PuzzleError (PZ630) at the place that cannot be read."""
    source = Source("<condition>", text)
    if len(text) > MAX_CONDITION_CHARACTERS:
        said = f"condition is too long: {len(text)} characters"
        raise fail(
            "PZ630", said, source.span(MAX_CONDITION_CHARACTERS), note=f"the limit is {MAX_CONDITION_CHARACTERS}"
        )
    depth = 0
    for at, sign in enumerate(re.sub(r'"(?:[^"\\]|\\.)*"', lambda quoted: "_" * len(quoted[0]), text)):
        depth += (sign == "(") - (sign == ")")
        if depth > MAX_BRACKET_DEPTH:
            note = f"the limit is {MAX_BRACKET_DEPTH} open brackets"
            raise fail("PZ630", "brackets are nested too deeply", source.span(at), note=note)
    try:
        tree = parser("condition").parse(text)
    except UnexpectedInput as error:
        span = where(error, source)
        raise _fault(_expected(error), span, source) from None
    return _condition(cast("lark.Tree[lark.Token]", tree.children[0]), source)


def _condition(tree: lark.Tree[lark.Token], source: Source) -> Written:
    children = [child for child in tree.children if isinstance(child, lark.Tree)]
    tokens = [child for child in tree.children if isinstance(child, lark.Token)]
    denied = sum(token.type == "NOT" for token in tokens) % 2 == 1
    condition: Written
    if tree.data in ("either", "both"):
        return Join(tuple([_condition(child, source) for child in children]), tree.data == "both")
    if tree.data == "negated":
        condition = _condition(children[0], source)
    elif tree.data == "lies":
        _refuse_joined(children[0], source)
        condition = Lies(_name(children[0], source), _name(children[1], source), str(tokens[-1]))
    else:
        condition = Is(_name(children[0], source), str(tokens[-1]))
    return Not(condition) if denied else condition


def _refuse_joined(piece: lark.Tree[lark.Token], source: Source) -> None:
    """Raise PuzzleError for `and` or `or` between the names of two pieces."""
    for token in piece.children[1:]:
        if isinstance(token, lark.Token) and token.type == "NAME" and str(token) in ("and", "or"):
            raise _fault(RELATIONS, source.span(token.start_pos or 0, token.end_pos), source)


def _name(tree: lark.Tree[lark.Token], source: Source) -> ConditionName:
    tokens = list(tree.scan_values(lambda node: isinstance(node, lark.Token)))
    span = source.span(tokens[0].start_pos or 0, tokens[-1].end_pos)
    if tree.data == "region":
        return ConditionName(span)
    quoted = tuple([token.type == "STRING" for token in tokens])
    words = [re.sub(r"\\(.)", r"\1", token[1:-1]) if token.type == "STRING" else str(token) for token in tokens]
    return ConditionName(span, tuple(words), quoted)


def _fault(expected: str, span: Span, source: Source) -> PuzzleError:
    """Return the error for a condition that cannot be read at a place, where ``expected`` was expected."""
    text, token = source.text, span.text
    if token == ")" and text[: span.start].count("(") <= text[: span.start].count(")"):
        return fail("PZ630", "unmatched `)`", span)
    helps = _help(text)
    before = re.split(r"\b(and|or)\b|[()]", text[: span.start])
    clause = before[-1]
    words = [match for match in re.finditer(r"\S+", clause) if match[0] != "not"]
    if expected == RELATIONS and (not token.strip() or token == ")" or len(words) > 1):
        begin = span.start - len(clause)
        if (
            len(words) == 1
            and len(before) > 1
            and before[-2]
            and (said := re.match(rf"(?:not )?(\S+) {_RELATION}", before[0]))
        ):
            whole = f"{said[1]} {said[2]} {words[0][0]}"
            return fail(
                "PZ630", f"expected a complete condition after `{before[-2]}`, such as `{whole}`",
                source.span(begin + words[0].start(), begin + words[0].end()), help=helps,
            )  # fmt: skip
        for word in words[1:]:
            places = clause[word.end() :].strip()
            near = suggestion(word[0].lower(), _RELATIONS[:4] if places else _RELATIONS)
            if word[0].lower() == "in":
                near = ("write `on` (covers some of it) or `inside` (covers nothing else)",)
            if near or re.fullmatch(r"[a-z]{2,}|[=:~]+", word[0]):
                at = source.span(begin + word.start(), begin + word.end())
                piece = words[0][0]
                usual = f"write `{piece} on {places}`" if places else f"write `{piece} used`"
                message = f"unknown relation `{word[0]}`: expected {RELATIONS}"
                return fail("PZ630", message, at, help=helps or near or (usual,))
    if expected == RELATIONS and token in ("and", "or") and len(words) == 1:
        helps = helps or (f"write a complete condition on both sides of `{token}`: `X on corner {token} P on corner`",)
    if token == "at" and re.match(r"\s*-?\d+,", text[span.end :]):
        helps = helps or ("write the cell after `at` in brackets: `box 3x3 at (1,1)`",)
    ends = f"found `{token[:40]}`" if token.strip() else "but the condition ends"
    return fail("PZ630", f"expected {expected}, {ends}", span, help=helps)


def _expected(error: UnexpectedInput) -> str:
    """Return in words what the parser could accept where it stopped."""
    machine = getattr(error, "interactive_parser", None)
    terminals = getattr(error, "expected", None) or getattr(error, "allowed", None) or ()
    names = machine.accepts() if machine is not None else terminals
    if "RPAR" in terminals and getattr(error, "token", None) is not None and not error.token:  # type: ignore[attr-defined]
        return "`)`"
    if "LPAR" in names:
        return "a condition such as `X on corner`"
    if "INSIDE" in names:
        return RELATIONS
    if "NAME" in names or "STRING" in names:
        return "a place such as `corner`, `0,0` or `box 2x2 at (4,4)`"
    if "EMPTY" in names:
        return "`empty` or `covered`"
    if "USED" in names:
        return "`used`, `empty` or `covered`"
    if "_AND" in names:
        return "`)`, `and` or `or`" if "RPAR" in names else "`and` or `or`"
    return "a cell such as `(4,4)`" if "CELL" in names else "a region such as `box 2x2 at (4,4)`"


def _help(text: str) -> tuple[str, ...]:
    """Return the suggestion for the text that was probably meant."""
    if text.replace('\\"', "").count('"') % 2:
        return ('write `"` after the name',)
    if re.search(r"[&|!]", text):
        return ("write `and`, `or` and `not`",)
    if re.search(r",\s", text):
        return ("write `and` between conditions, and spaces between locations",)
    if "@" in text:
        return ("write `PIECE on WHERE`",)
    if re.search(rf"\((?:{'|'.join(REGION_WORDS)}|\{{)", text):
        return ('write a region with brackets in double quotes: `X inside "(box 2x2 + {x}) at (1,1)"`',)
    return ()
