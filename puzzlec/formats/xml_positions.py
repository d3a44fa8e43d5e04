"""XML with positions: elements with their position in the text, read by expat without entities.

Texts with a document type are refused, so entities cannot expand without limit. The number of elements is limited.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator
from pyexpat import ErrorString, ExpatError, ParserCreate
from typing import NoReturn

from puzzlec.diagnostics import Source, Span
from puzzlec.diagnostics.error import fail

#: Maximum number of elements, far above that of any puzzle.
MAX_ELEMENTS = 500_000

_HEAD = re.compile(r"<[^\s/>\"']+(?:[^>\"']|\"[^\"]*\"|'[^']*')*>")


class XmlElement:
    """An element: its tag, its start, its attributes, its children, and its own text.

    Some elements are only counted: ``inside`` has, for each tag, the number of elements inside and the start of the
    first one.
    """

    __slots__ = ("attributes", "children", "inside", "source", "start", "tag", "text")

    def __init__(self, source: Source, tag: str, attributes: dict[str, str], start: int) -> None:
        self.source, self.tag, self.attributes, self.start = source, tag, attributes, start
        self.children: list[XmlElement] = []
        self.inside: dict[str, tuple[int, int]] = {}
        self.text = ""

    def __iter__(self) -> Iterator[XmlElement]:
        return iter(self.children)

    def all(self, tag: str) -> list[XmlElement]:
        """Return the children with a tag."""
        return [child for child in self.children if child.tag == tag]

    def walk(self) -> Iterator[XmlElement]:
        """Yield the element and all elements inside, in the order of the text."""
        open_ = [self]
        while open_:
            element = open_.pop()
            yield element
            open_ += reversed(element.children)

    def first(self, tag: str) -> XmlElement | None:
        """Return the first child with a tag."""
        return next((child for child in self.children if child.tag == tag), None)

    @property
    def span(self) -> Span:
        """The opening bracket and the tag."""
        return self.source.span(self.start, self.start + 1 + len(self.tag))

    @property
    def head(self) -> str:
        """The start of the element in the text, up to the closing bracket."""
        match = _HEAD.match(self.source.text, self.start)
        return match.group() if match else ""

    def span_of(self, attribute: str) -> Span:
        """Return the name and the value of an attribute in the text, or the tag if the element lacks the attribute."""
        for match in re.finditer(r"([^\s=<\"'/]+)\s*=\s*(?:\"[^\"]*\"|'[^']*')", self.head):
            if match.group(1) == attribute:
                return self.source.span(self.start + match.start(), self.start + match.end())
        return self.span

    def span_in_text(self, at: int, length: int = 1) -> Span:
        """Return some characters of the element's text, or the tag if the source writes them in another form."""
        start = self.start + len(self.head)
        if self.source.text.startswith(self.text[: at + length], start):
            return self.source.span(start + at, start + at + length)
        return self.span


def read_xml(
    source: Source, uncounted: Collection[str] = (), limit: int | None = None, depth: int = sys.maxsize
) -> XmlElement:
    """Return the root element of a text.

    The content of elements with a tag in ``uncounted`` is only counted. Raises PuzzleError for text that is not
    well-formed XML, and for a document type. The numbers of elements (default: :data:`MAX_ELEMENTS`) and of elements
    inside each other are limited.
    """
    return _XmlWalk(source, uncounted, MAX_ELEMENTS if limit is None else limit, depth).root()


class _XmlWalk:
    """One walk through a text: expat calls the methods, and a list contains the open elements."""

    def __init__(self, source: Source, uncounted: Collection[str], limit: int, depth: int) -> None:
        self.source, self.uncounted, self.limit, self.depth = source, uncounted, limit, depth
        self.parser = ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.begin
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.refuse
        self.outermost: XmlElement | None = None
        self.open: list[XmlElement] = []
        self.pieces: list[list[str]] = []
        self.elements = 0
        self.below = 0  # depth inside an element whose content is only counted
        self.content = source.text.encode()
        self.ascii = len(self.content) == len(source.text)
        self.position = (0, 0)  # a byte, and the character that it begins

    def root(self) -> XmlElement:
        try:
            self.parser.Parse(self.content, True)
        except ExpatError as error:
            at = min(self.character(self.parser.ErrorByteIndex), len(self.source.text))
            cut = self.open and at >= len(self.source.text.rstrip())
            reason = f"the text ends before `</{self.open[0].tag}>`" if cut else ErrorString(error.code)
            raise fail("PZ231", f"invalid XML: {reason}", self.source.span(at)) from None
        assert self.outermost is not None
        return self.outermost

    def character(self, byte: int) -> int:
        """Return the number of the character that begins at a byte. Calls must have ascending bytes to be fast."""
        if self.ascii:
            return byte
        last, number = self.position if self.position[0] <= byte else (0, 0)
        number += len(self.content[last:byte].decode("utf-8", "replace"))
        self.position = byte, number
        return number

    def begin(self, tag: str, attributes: dict[str, str]) -> None:
        start = self.character(self.parser.CurrentByteIndex)
        if self.below or (self.open and self.open[-1].tag in self.uncounted):
            self.below += 1
            inside = self.open[-1].inside
            number, first = inside.get(tag, (0, start))
            if number or len(inside) < self.limit:
                inside[tag] = number + 1, first
            return
        self.elements += 1
        if self.elements > self.limit:
            raise fail("PZ007", f"too many XML elements (limit {self.limit:,})", self.source.span(start))
        if len(self.open) >= self.depth:
            raise fail("PZ231", f"XML elements are nested too deeply (limit {self.depth})", self.source.span(start))
        element = XmlElement(self.source, tag, attributes, start)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.outermost = element
        self.open.append(element)
        self.pieces.append([])

    def end(self, tag: str) -> None:  # noqa: ARG002
        if self.below:
            self.below -= 1
            return
        self.open.pop().text = "".join(self.pieces.pop())

    def characters(self, text: str) -> None:
        if self.below:
            return
        self.pieces[-1].append(text)

    def refuse(self, *_: object) -> NoReturn:
        behind = self.character(self.parser.CurrentByteIndex) + 1
        at = max(self.source.text.rfind("<!DOCTYPE", 0, behind + len("<!DOCTYPE")), 0)
        raise fail("PZ232", "XML with a document type or entities is not allowed", self.source.span(at, at + len("<!")))
