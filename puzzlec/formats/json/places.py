"""JSON as values, and where each of them stands: read fast, and looked at again only where something is wrong.

The parser of the standard library gives no positions of what it has read. So a text is read by it first; where a value
turns out to be wrong, the text is walked through once more, and everything beside the way to that value is skipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from puzzlec.diagnostics import PuzzleError, Source, Span
from puzzlec.diagnostics.error import fail

#: A way to a value: keys of objects, and numbers of entries in lists.
Path: TypeAlias = tuple[str | int, ...]

#: Lists and objects are nested in each other so deep at most.
DEEPEST = 50

#: Numbers have so many digits at most.
MOST_DIGITS = 18

_BLANKS = re.compile(r"[ \t\n\r]*")
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_STRANGE = re.compile(
    rf"(?P<string>{_STRING})(?P<colon>\s*:)?|(?P<bracket>[\[\]{{}}])|(?P<constant>NaN|-?Infinity)"
    rf"|(?P<number>-?[0-9]{{{MOST_DIGITS + 1},}})",
    re.DOTALL,
)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class _StrangeError(Exception):
    """Something is read by the standard library that this format does not allow."""


def json_value(source: Source) -> Any:
    """Return the value of a JSON text.

    Raises PuzzleError where it is no JSON, has a key twice in one object, numbers of more than :data:`MOST_DIGITS`
    digits or such as NaN, half characters, or nests values deeper than the parser goes.
    """
    decoder = json.JSONDecoder(
        object_pairs_hook=_object, parse_constant=_refuse, parse_int=_Numbers().__getitem__, parse_float=_decimal
    )
    try:
        value = decoder.decode(source.text)
    except json.JSONDecodeError as error:
        raise _malformed(source, error) from None
    except (_StrangeError, RecursionError):
        raise _strange(source) or fail("PZ271", "this JSON cannot be read", source.span(0)) from None
    if _SURROGATE.search(source.text):
        strange = _strange(source)
        if strange is not None:
            raise strange
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _StrangeError
    return found


def _refuse(constant: str) -> None:  # noqa: ARG001
    raise _StrangeError


def _decimal(digits: str) -> float:
    # What is too large for a float becomes infinite, and what is meant by that nobody knows.
    value = float(digits)
    if value - value:
        raise _StrangeError
    return value


class _Numbers(dict[str, int]):
    """Numbers by their digits: the small ones are kept, so that a million of them take no more room than one."""

    def __missing__(self, digits: str) -> int:
        if len(digits) > MOST_DIGITS:
            raise _StrangeError
        value = int(digits)
        if len(digits) < 6:
            self[digits] = value
        return value


#: What the parser of the standard library says, and what is said here.
_WORDED = (
    ("Expecting property name", "a key in double quotes was expected"),
    ("Illegal trailing comma", "nothing follows this comma"),
    ("Expecting ':'", "a colon was expected behind this key"),
    ("Expecting ','", "a comma or a closing bracket was expected"),
    ("Expecting value", "a value was expected"),
    ("Unterminated string", "this text is never closed"),
    ("Invalid control character", "a text goes on over the end of its line, or has a control character"),
    ("Invalid \\", "this is no escape that JSON knows"),
    ("Extra data", "the text goes on after its end"),
)


def _malformed(source: Source, error: json.JSONDecodeError) -> PuzzleError:
    """Return the error for a text that is no JSON."""
    text, at = source.text, error.pos
    message = next((words for begin, words in _WORDED if error.msg.startswith(begin)), error.msg.lower())
    before = text[:at].rstrip(" \t\n\r")[-1:]
    help: str | tuple[str, ...] = ()
    if text.startswith(("//", "/*", "#"), at):
        help = "JSON has no comments"
    elif text.startswith("'", at):
        help = "write `\"` in place of `'`"
    elif (before == "," and text[at : at + 1] in ("]", "}")) or "trailing comma" in error.msg:
        help = "leave out the comma in front of the closing bracket"
    if at >= len(text.rstrip()):
        return fail("PZ271", f"this JSON ends early: {message}", source.end, help=help)
    return fail("PZ271", f"this is no JSON: {message}", source.span(at), help=help)


def _strange(source: Source) -> PuzzleError | None:
    """Return the error for the first thing in a text that JSON may have, and this format does not; None without one."""
    opened: list[set[str]] = []  # for each open bracket the keys that were met in it
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
                    "PZ271", "this text has half a character", span, note="`\\ud800` to `\\udfff` come in pairs"
                )
            except ValueError:
                return None
            if match["colon"] and opened:
                if value in opened[-1]:
                    return fail("PZ272", f"the key `{value[:40]}` is given twice", span)
                opened[-1].add(value)
        elif kind == "constant":
            return fail("PZ271", f"`{match.group()}` is no number of JSON", span)
        elif kind == "number":
            return fail("PZ271", "this number is too large", span, note=f"it has more than {MOST_DIGITS} digits")
        elif match.group() in "[{":
            opened.append(set())
            if len(opened) > DEEPEST:
                return fail("PZ271", f"more than {DEEPEST} brackets are open here", source.span(match.start()))
        elif opened:
            opened.pop()
    return _infinite(source)


def _infinite(source: Source) -> PuzzleError | None:
    """Return the error for a decimal number beyond all bounds."""
    for match in re.finditer(rf"{_STRING}|(-?[0-9.]+[eE][-+]?[0-9]+|[0-9]{{300,}}\.[0-9]+)", source.text, re.DOTALL):
        if match[1] and float(match[1]) - float(match[1]):
            return fail("PZ271", "this number is too large", source.span(match.start(), match.end()))
    return None


@dataclass
class _Way:
    """Ways to values that are looked for, as a tree; ``ends`` are those that end here, each with whether at its key."""

    on: dict[str | int, _Way] = field(default_factory=dict)
    ends: list[tuple[Path, bool]] = field(default_factory=list)


def places(source: Source, wanted: Iterable[tuple[Path, bool]]) -> dict[tuple[Path, bool], Span]:
    """Return where values stand in a JSON text that :func:`json_value` has read, in one walk through it.

    Each is asked for by its way, and whether its key is meant. What is not there has the place of the last one on the
    way. Of a list or an object on several lines the place is its bracket.

    >>> found = places(Source("x", '{"a": [1, 22], "b": {}}'), [(("a", 1), False), (("b",), True)])
    >>> [each.text for each in found.values()]
    ['22', '"b"']
    """
    root = _Way()
    for path, of_key in wanted:
        way = root
        for step in path:
            way = way.on.setdefault(step, _Way())
        way.ends.append((path, of_key))
    walk = _Walk(source)
    walk.value(walk.skipped(0), root, None)
    return walk.found


class _Walk:
    """One walk through a text."""

    def __init__(self, source: Source) -> None:
        self.source, self.text = source, source.text
        self.scan = json.JSONDecoder(parse_int=len, parse_float=len).raw_decode
        self.found: dict[tuple[Path, bool], Span] = {}

    def skipped(self, at: int) -> int:
        """Return where the next character stands that is no blank."""
        match = _BLANKS.match(self.text, at)
        assert match is not None
        return match.end()

    def value(self, at: int, way: _Way | None, key: Span | None) -> int:
        """Walk through the value that begins here; return where it ends."""
        if way is None:
            end: int = self.scan(self.text, at)[1]
            return end
        if not way.on or self.text[at] not in "[{":
            end = self.scan(self.text, at)[1]
        else:
            end = self.list(at, way) if self.text[at] == "[" else self.object(at, way)
        here = self.shown(at, end)
        self.end(way, key, here)
        for further in way.on.values():
            self.lost(further, here)
        return end

    def end(self, way: _Way, key: Span | None, here: Span) -> None:
        """Note the places that are looked for here."""
        for path, of_key in way.ends:
            self.found[path, of_key] = key if of_key and key else here

    def lost(self, way: _Way, here: Span) -> None:
        """Note this place for what is looked for further on, and is not there."""
        for end in way.ends:
            self.found.setdefault(end, here)
        for each in way.on.values():
            self.lost(each, here)

    def shown(self, at: int, end: int) -> Span:
        """Return the place of a value: all of it on one line, else its bracket."""
        long = self.text[at] in "[{" and (end - at > 80 or "\n" in self.text[at:end])
        return self.source.span(at, at + 1 if long else end)

    def list(self, at: int, way: _Way) -> int:
        """Walk through a list."""
        at = self.skipped(at + 1)
        index = 0
        while self.text[at] != "]":
            at = self.skipped(self.value(at, way.on.get(index), None))
            index += 1
            if self.text[at] == ",":
                at = self.skipped(at + 1)
        return at + 1

    def object(self, at: int, way: _Way) -> int:
        """Walk through an object."""
        at = self.skipped(at + 1)
        while self.text[at] != "}":
            key, end = self.scan(self.text, at)
            begin = self.skipped(self.skipped(end) + 1)  # behind the colon
            at = self.skipped(self.value(begin, way.on.get(key), self.source.span(at, end)))
            if self.text[at] == ",":
                at = self.skipped(at + 1)
        return at + 1
