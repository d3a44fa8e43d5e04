"""Solutions that CPLEX writes as XML (`.sol`), one or a pool of them.

Described in IBM's "SOL file format: solution files"
(https://www.ibm.com/docs/en/icos/22.1.1?topic=cplex-sol-file-format-solution-files): elements `CPLEXSolution` with a
`header`, whose `solutionStatusString` is the status, and `variable` with `name`, `index` (from 0) and `value`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.parsers import expat

from puzzlec.diagnostics import Source, Span
from puzzlec.diagnostics.error import fail
from puzzlec.formats.solvers.answers.lines import Lines
from puzzlec.formats.solvers.answers.model import Event, Known, Said, Values
from puzzlec.formats.solvers.answers.named import statement

#: So many elements are inside one another at most.
DEEPEST = 50


class _Element(NamedTuple):
    name: str
    attributes: dict[str, str]
    offset: int
    opens: bool


def read_cplex(lines: Lines, known: Known) -> Iterator[Event]:
    """Give the solutions of an XML text of CPLEX.

    Raises PuzzleError for what is no well-formed XML, or XML that defines a document type.
    """
    source = lines.whole()
    values: Values | None = None
    seen = False
    for element in _elements(source):
        at = source.span(element.offset, element.offset + 1 + len(element.name))
        if element.name == "CPLEXSolution" and not element.opens:
            if values is not None:
                yield values.model(values.span or at)
            values = None
        elif not element.opens:
            continue
        elif element.name == "CPLEXSolution":
            values, seen = Values(known), True
            values.span = at
        elif element.name == "header":
            words = element.attributes.get("solutionStatusString", "")
            ending = statement(words) if words else None
            if ending is not None:
                yield Said(ending, at)
                values, seen = None, True
        elif element.name == "variable":
            if values is None and not seen:  # a list of variables alone, as SCIP reads it
                values, seen = Values(known), True
                values.span = at
            if values is not None:
                _variable(values, element, at)
    if values is not None:
        yield values.model(values.span or source.end)
    elif not seen:
        raise fail("PZ616", "there is no solution in this XML", source.end)


def _variable(values: Values, element: _Element, at: Span) -> None:
    """Take an element `variable`; one without a name is known by its index."""
    said, name, index = (element.attributes.get(each) for each in ("value", "name", "index"))
    if said is None or (name is None and index is None):
        missing = "value" if said is None else "name"
        values.report.add("PZ612", f"this variable has no attribute `{missing}`", at)
        return
    option: int | None
    if name is not None:
        option = values.option(name, at)
    elif not re.fullmatch("[0-9]{1,9}", index or ""):
        values.report.add("PZ612", f"`{(index or '')[:40]}` is no index of a variable", at)
        return
    else:
        option = int(index or 0) if int(index or 0) < values.known.options else None
    if option is not None:
        values.set_number(option, at, at, said)


def _elements(source: Source) -> Iterator[_Element]:
    """Give the beginnings and ends of the elements of an XML text, in their order."""
    found: list[_Element] = []
    parser = expat.ParserCreate()
    parser.ordered_attributes = False
    content = re.sub(r"^\s*<\?xml[^>]*\?>", lambda match: " " * len(match[0]), source.text).encode()
    same = len(content) == len(source.text)
    depth = 0

    def offset() -> int:
        return parser.CurrentByteIndex if same else len(content[: parser.CurrentByteIndex].decode("utf-8", "replace"))

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise fail("PZ612", f"elements are nested more than {DEEPEST} deep", source.span(offset()))
        found.append(_Element(name, attributes, offset(), True))

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        found.append(_Element(name, {}, offset(), False))

    def refuse(*_: object) -> None:
        start = max(source.text.find("<!DOCTYPE"), 0)
        raise fail("PZ612", "XML that defines a document type or entities is refused", source.span(start, start + 2))

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.StartDoctypeDeclHandler = refuse
    try:
        for first in range(0, len(content), 1 << 16):
            parser.Parse(content[first : first + (1 << 16)], first + (1 << 16) >= len(content))
            yield from found
            found.clear()
    except expat.ExpatError as error:
        at = source.span(min(offset(), len(source.text) - 1))
        why = expat.ErrorString(error.code)
        code = "PZ616" if error.code == expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS] else "PZ612"
        raise fail(code, f"this is not well-formed XML: {why}", at) from None
