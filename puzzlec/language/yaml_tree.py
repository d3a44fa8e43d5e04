"""Plain YAML as a tree whose parts know their positions, so that a diagnostic can show them.

Plain YAML is one document of keys, lists, texts and numbers. Anchors, aliases, tags, several documents and deep nesting
are refused: no lattice needs them, and a short text with aliases can expand without end. Numbers are decimal. The
events come from PyYAML's Python parser, not from the one in C. Both parsers accept the same texts, but their error
messages differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import yaml

from puzzlec.diagnostics import Report, Source, Span
from puzzlec.diagnostics.error import fail

Value: TypeAlias = "str | int | float | list[YamlNode] | dict[str, YamlNode] | None"

#: Maximum depth of nested lists and keys.
MAX_YAML_DEPTH = 12

#: Maximum number of keys, texts, numbers and lists together: more take seconds to read.
MAX_YAML_VALUES = 20_000

_WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,30})", re.ASCII)
_NUMBER = re.compile(r"[-+]?(?:[0-9]{1,30}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})(?:[eE][-+]?[0-9]{1,3})?", re.ASCII)


@dataclass
class YamlNode:
    """A value in a text and its position. ``keys`` are the positions of the keys of a mapping."""

    span: Span
    value: Value
    keys: dict[str, Span] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return a description for messages."""
        if isinstance(self.value, dict):
            return "a group of keys"
        if isinstance(self.value, list):
            return "a list"
        if self.value is None:
            return "nothing"
        line = self.span.text.split("\n")[0]
        return f"`{line if len(line) <= 40 else line[:37] + '...'}`"

    @property
    def head(self) -> Span:
        """Place where it begins: its first key if it has keys, else itself."""
        return next(iter(self.keys.values()), self.span)

    def at(self, path: tuple[str | int, ...]) -> YamlNode:
        """Return the part at a path of keys and numbers, or the last part on the way that exists."""
        here = self
        for step in path:
            if isinstance(here.value, dict) and step in here.value:
                here = here.value[str(step)]
            elif isinstance(here.value, list) and isinstance(step, int) and 0 <= step < len(here.value):
                here = here.value[step]
            else:
                break
        return here


def yaml_tree(source: Source, report: Report) -> YamlNode:
    """Return the tree of a YAML text; report duplicate keys.

    Raises PuzzleError if the text is not YAML, or uses more than plain YAML.
    """
    try:
        return _YamlReader(source, report).document()
    except yaml.reader.ReaderError as error:
        at = source.span(error.position)
        raise fail("PZ340", f"U+{int(error.character):04X} is not allowed in YAML", at) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = source.span(min(mark.index, source.end.start)) if mark else source.span(0)
        begun = source.span(error.context_mark.index) if error.context_mark else None
        text = f"{error.problem or ''}{f', {error.context}' * bool(error.context)}"
        report.add(
            "PZ340",
            "cannot read the text as YAML",
            at,
            others=[(begun if begun != at else None, "begins here")],
            note=_worded(text),
        )
        raise report.error() from None


#: PyYAML's names for parts of a text, and plainer ones.
_WORDS = {
    "'<scalar>'": "a word",
    "<scalar>": "a word",
    "'<stream end>'": "the end of the text",
    "'<document start>'": "a document's beginning",
    "<block end>": "the end of the group",
    "flow sequence": "list in brackets",
    "flow mapping": "group in braces",
    "block mapping": "group of keys",
    "block collection": "list",
}


def _worded(text: str) -> str:
    """Return a message of PyYAML in plainer words.

    >>> _worded("expected <block end>, but found '-', while parsing a block mapping")
    'expected the end of the group, but found `-`, while parsing a group of keys'
    """
    for old, new in _WORDS.items():
        text = text.replace(old, new)
    return re.sub(r"'([^']+)'", r"`\1`", text)


class _YamlReader:
    """One walk over the events of a text."""

    def __init__(self, source: Source, report: Report) -> None:
        self.source, self.report = source, report
        self.events: Iterator[Any] = iter(yaml.parse(source.text, Loader=yaml.SafeLoader))
        self.count = 0

    def document(self) -> YamlNode:
        """Return the document of the text."""
        next(self.events)  # start of the stream
        begin: Any = next(self.events)
        if not isinstance(begin, yaml.DocumentStartEvent):
            raise fail("PZ003", "file has only comments", file=self.source.name)
        node = self.node(next(self.events), 0)
        next(self.events)  # end of the document
        further: Any = next(self.events)
        if not isinstance(further, yaml.StreamEndEvent):
            at = further.start_mark.index
            raise fail(
                "PZ340",
                "unexpected second document",
                self.source.span(at, at + 3),
                note="a file describes one lattice",
                help="write each document in a separate file",
            )
        return node

    def node(self, event: Any, depth: int) -> YamlNode:
        """Return the node that begins with an event."""
        span = self.source.span(event.start_mark.index, max(event.end_mark.index, event.start_mark.index + 1))
        self.count += 1
        if self.count > MAX_YAML_VALUES:
            raise fail("PZ347", f"text has more than {MAX_YAML_VALUES} values", span, "stopped here")
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise fail("PZ340", "anchors and aliases are not allowed", span, help="write the repeated part out")
        if getattr(event, "tag", None) is not None:
            raise fail("PZ340", "tags are not allowed", span, help="remove the tag")
        if isinstance(event, yaml.ScalarEvent):
            return YamlNode(span, _scalar(event))
        if depth == MAX_YAML_DEPTH:
            raise fail("PZ340", f"nesting is too deep (limit {MAX_YAML_DEPTH:,} levels)", span)
        return self.mapping(span, depth) if isinstance(event, yaml.MappingStartEvent) else self.sequence(span, depth)

    def sequence(self, span: Span, depth: int) -> YamlNode:
        """Return a list, after its first event."""
        nodes: list[YamlNode] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            nodes.append(self.node(event, depth + 1))
        return YamlNode(self.source.span(span.start, self.end(span, event)), nodes)

    def mapping(self, span: Span, depth: int) -> YamlNode:
        """Return keys and values, after their first event. A duplicate key has its first value."""
        members: dict[str, YamlNode] = {}
        keys: dict[str, Span] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self.node(event, depth + 1)
            if isinstance(key.value, list | dict):
                raise fail("PZ340", "key is not a single word", key.span)
            name = key.span.text if key.value is None else str(key.value)
            value = self.node(next(self.events), depth + 1)
            if name in members:
                self.report.add(
                    "PZ342", f"duplicate key `{name}`", key.span, "second time",
                    others=[(keys[name], "first time")], help="remove one of them",
                )  # fmt: skip
            members.setdefault(name, value)
            keys.setdefault(name, key.span)
        return YamlNode(self.source.span(span.start, self.end(span, event)), members, keys)

    def end(self, span: Span, event: Any) -> int:
        """Return where a list or mapping ends: at its bracket, or on its first line if it has none."""
        if self.source.text[span.start : span.start + 1] in ("[", "{"):
            return int(event.end_mark.index)
        line = self.source.text.find("\n", span.start)
        return min(int(event.end_mark.index), line if line > span.start else len(self.source.text))


def _scalar(event: yaml.ScalarEvent) -> str | int | float | None:
    """Return the value of a scalar: a number or None if it has no quotes and looks like one, else its text."""
    text = str(event.value)
    if event.style is not None:
        return text
    if _WHOLE.fullmatch(text):
        return int(text)
    if _NUMBER.fullmatch(text):
        return float(text)
    return None if text in ("", "~", "null") else text
