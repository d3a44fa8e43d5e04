"""JSON as values, and the position of each value.

The parser of the standard library is fast but gives no positions, so it reads a text first. Only if there are errors, a
second walk through the text finds the positions of the wrong values. It skips everything that is not on a path to one
of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from puzzlec.diagnostics import PuzzleError, Source, Span
from puzzlec.diagnostics.error import fail

#: A path to a value: keys of objects, and numbers of entries in lists.
Path: TypeAlias = tuple[str | int, ...]

#: Deepest nesting of lists and objects.
MAX_DEPTH = 50

#: Maximum number of digits in a number.
MAX_DIGITS = 18

_BLANK_RUN = re.compile(r"[ \t\n\r]*")
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_STRANGE = re.compile(
    rf"(?P<string>{_STRING})(?P<colon>\s*:)?|(?P<bracket>[\[\]{{}}])|(?P<constant>NaN|-?Infinity)"
    rf"|(?P<number>-?[0-9]{{{MAX_DIGITS + 1},}})",
    re.DOTALL,
)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class _StrangeError(Exception):
    """The standard library reads something that this format does not allow."""


def json_value(source: Source) -> Any:
    """Return the value of a JSON text.

    Raises PuzzleError for text that is not JSON, and for a duplicate key in an object. Numbers of more than
    :data:`MAX_DIGITS` digits, NaN, surrogates, and values that are nested too deeply are also refused.
    """
    decoder = json.JSONDecoder(
        object_pairs_hook=_object, parse_constant=_refuse, parse_int=_NumberCache().__getitem__, parse_float=_decimal
    )
    try:
        value = decoder.decode(source.text)
    except json.JSONDecodeError as error:
        raise _malformed(source, error) from None
    except (_StrangeError, RecursionError):
        raise _strange(source) or fail("PZ271", "cannot read this JSON", source.span(0)) from None
    if _SURROGATE.search(source.text):
        strange = _strange(source)
        if strange is not None:
            raise strange
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _StrangeError
    return members


def _refuse(constant: str) -> None:  # noqa: ARG001
    raise _StrangeError


def _decimal(digits: str) -> float:
    # A number that is too large for a float becomes infinite.
    value = float(digits)
    if value - value:
        raise _StrangeError
    return value


class _NumberCache(dict[str, int]):
    """Numbers by their digits: small ones are stored once, so a million of them take little memory."""

    def __missing__(self, digits: str) -> int:
        if len(digits) > MAX_DIGITS:
            raise _StrangeError
        value = int(digits)
        if len(digits) < 6:
            self[digits] = value
        return value


# Messages of the standard library's parser, and their replacements.
_MESSAGES = (
    ("Expecting property name", "expected a key in double quotes"),
    ("Illegal trailing comma", "unexpected comma: nothing follows it"),
    ("Expecting ':'", "expected a colon after this key"),
    ("Expecting ','", "expected a comma or a closing bracket"),
    ("Expecting value", "expected a value"),
    ("Unterminated string", "missing closing quote of this text"),
    ("Invalid control character", "unexpected line end or control character in a text"),
    ("Invalid \\", "unknown escape sequence"),
    ("Extra data", "unexpected text after the end"),
)


def _malformed(source: Source, error: json.JSONDecodeError) -> PuzzleError:
    """Return the error for a text that is not JSON."""
    text, at = source.text, error.pos
    message = next((words for begin, words in _MESSAGES if error.msg.startswith(begin)), error.msg.lower())
    before = text[:at].rstrip(" \t\n\r")[-1:]
    help: str | tuple[str, ...] = ()
    if text.startswith(("//", "/*", "#"), at):
        help = "remove this comment"
    elif text.startswith("'", at):
        help = "write `\"` instead of `'`"
    elif (before == "," and text[at : at + 1] in ("]", "}")) or "trailing comma" in error.msg:
        help = "remove the comma before the closing bracket"
    if at >= len(text.rstrip()):
        return fail("PZ271", f"unexpected end of JSON: {message}", source.end, help=help)
    return fail("PZ271", f"invalid JSON: {message}", source.span(at), help=help)


def _strange(source: Source) -> PuzzleError | None:
    """Return the error for the first part of a text that JSON allows, but this format does not; None without one."""
    opened: list[set[str]] = []  # the keys so far in each open bracket
    for match in _STRANGE.finditer(source.text):
        span = source.span(match.start(), match.end())
        kind = match.lastgroup
        if match["string"] is not None:
            span = source.span(*match.span("string"))
            try:
                value = json.loads(match["string"])
                value.encode()
            except UnicodeEncodeError:
                return fail(
                    "PZ271", "unexpected surrogate in this text", span, note="`\\ud800` to `\\udfff` come in pairs"
                )
            except ValueError:
                return None
            if match["colon"] and opened:
                if value in opened[-1]:
                    return fail("PZ272", f"duplicate key `{value[:40]}`", span, help="write each key once")
                opened[-1].add(value)
        elif kind == "constant":
            return fail("PZ271", f"invalid number `{match.group()}`", span)
        elif kind == "number":
            return fail("PZ271", "number is too large", span, note=f"it has more than {MAX_DIGITS} digits")
        elif match.group() in "[{":
            opened.append(set())
            if len(opened) > MAX_DEPTH:
                return fail(
                    "PZ271", f"brackets are nested too deeply (limit {MAX_DEPTH:,})", source.span(match.start())
                )
        elif opened:
            opened.pop()
    return _infinite(source)


def _infinite(source: Source) -> PuzzleError | None:
    """Return the error for an infinite decimal number."""
    for match in re.finditer(rf"{_STRING}|(-?[0-9.]+[eE][-+]?[0-9]+|[0-9]{{300,}}\.[0-9]+)", source.text, re.DOTALL):
        if match[1] and float(match[1]) - float(match[1]):
            return fail("PZ271", "number is too large", source.span(match.start(), match.end()))
    return None


@dataclass
class _PathTree:
    """Paths to values, as a tree; each of the ``ends`` here has a flag: whether the position of its key is wanted."""

    on: dict[str | int, _PathTree] = field(default_factory=dict)
    ends: list[tuple[Path, bool]] = field(default_factory=list)


def places(source: Source, paths: Iterable[tuple[Path, bool]]) -> dict[tuple[Path, bool], Span]:
    """Return the positions of values in a JSON text that :func:`json_value` has read, in one walk through the text.

    Each value is given by its path and whether its key is wanted. A missing value has the position of the last existing
    one on its path. A list or an object on several lines has the position of its bracket.

    >>> spans = places(Source("x", '{"a": [1, 22], "b": {}}'), [(("a", 1), False), (("b",), True)])
    >>> [place.text for place in spans.values()]
    ['22', '"b"']
    """
    root = _PathTree()
    for path, of_key in paths:
        way = root
        for step in path:
            way = way.on.setdefault(step, _PathTree())
        way.ends.append((path, of_key))
    walk = _JsonWalk(source)
    walk.value(walk.skipped(0), root, None)
    return walk.spans


class _JsonWalk:
    """One walk through a text."""

    def __init__(self, source: Source) -> None:
        self.source, self.text = source, source.text
        self.scan = json.JSONDecoder(parse_int=len, parse_float=len).raw_decode
        self.spans: dict[tuple[Path, bool], Span] = {}

    def skipped(self, at: int) -> int:
        """Return the position of the next character that is not white space."""
        match = _BLANK_RUN.match(self.text, at)
        assert match is not None
        return match.end()

    def value(self, at: int, way: _PathTree | None, key: Span | None) -> int:
        """Walk through the value that begins here; return its end."""
        if way is None:
            end: int = self.scan(self.text, at)[1]
            return end
        if not way.on or self.text[at] not in "[{":
            end = self.scan(self.text, at)[1]
        else:
            end = self.list(at, way) if self.text[at] == "[" else self.object(at, way)
        here = self.span(at, end)
        self.end(way, key, here)
        for further in way.on.values():
            self.lost(further, here)
        return end

    def end(self, way: _PathTree, key: Span | None, here: Span) -> None:
        """Note the positions that are wanted here."""
        for path, of_key in way.ends:
            self.spans[path, of_key] = key if of_key and key else here

    def lost(self, way: _PathTree, here: Span) -> None:
        """Note this position for values further on that do not exist."""
        for end in way.ends:
            self.spans.setdefault(end, here)
        for onward in way.on.values():
            self.lost(onward, here)

    def span(self, at: int, end: int) -> Span:
        """Return the position of a value: all of it if it is on one line, else its bracket."""
        long = self.text[at] in "[{" and (end - at > 80 or "\n" in self.text[at:end])
        return self.source.span(at, at + 1 if long else end)

    def list(self, at: int, way: _PathTree) -> int:
        """Walk through a list."""
        at = self.skipped(at + 1)
        index = 0
        while self.text[at] != "]":
            at = self.skipped(self.value(at, way.on.get(index), None))
            index += 1
            if self.text[at] == ",":
                at = self.skipped(at + 1)
        return at + 1

    def object(self, at: int, way: _PathTree) -> int:
        """Walk through an object."""
        at = self.skipped(at + 1)
        while self.text[at] != "}":
            key, end = self.scan(self.text, at)
            begin = self.skipped(self.skipped(end) + 1)  # after the colon
            at = self.skipped(self.value(begin, way.on.get(key), self.source.span(at, end)))
            if self.text[at] == ",":
                at = self.skipped(at + 1)
        return at + 1
