"""The two texts of the solver miniexact: items in brackets with options ended by ``;``, or numbers ended by 0.

The first form is ``< a b:1;3 > [ s ]``, then options such as ``a s:red $5;``. The second one is ``p xc 2 1`` with the
numbers of primary and secondary items, then options such as ``1 3 -2 $5 0``. A negative number is the colour of the
item before it. Source: https://github.com/miniexact/miniexact
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from puzzlec.diagnostics import Report, Source
from puzzlec.diagnostics.error import fail
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.dlx import ItemLine, cover_of, option_chunks, written_items
from puzzlec.formats.plain import Unsupported
from puzzlec.formats.record import Format, Sign, WriterChoices
from puzzlec.ir import ANY
from puzzlec.language.given import Given
from puzzlec.lower.labels import Labelled
from puzzlec.lower.labels import words as label_words

#: The largest number of items, because each takes memory.
MAX_ITEMS = 2_000_000

#: The characters of a name, besides those that are not ASCII.
_NAME = r"[\w,!#@+%^&*\x80-\U0010ffff-]"

#: The line of `p xc`, after comments.
_NUMBERED = re.compile(r"\s*+(?:c(?:[ \t][^\n]*+)?+\n\s*+)*+p[ \t]+xcc?\b[ \t]*([^\n]*+)")

#: A primary item, with its bounds.
_PRIMARY = re.compile(rf"({_NAME}+)(?:\s*:\s*([0-9]+)(?:\s*[;:]\s*([0-9]+))?)?")


def read_miniexact(source: Source, report: Report, given: Given) -> ExactCover:  # noqa: ARG001
    """Return the exact cover of a text for miniexact; warnings go into the report.

    An option without a primary item is left out with a warning. Raises PuzzleError with all errors.
    """
    head = _NUMBERED.match(source.text)
    if head is not None:
        return cover_of(source, report, _numbered_items(source, report, head), _numbered_options(source, report, head))
    items, end = _named_items(source, report)
    return cover_of(source, report, items, _named_options(source, report, end))


def _numbered_items(source: Source, report: Report, head: re.Match[str]) -> ItemLine:
    """Return the items of a line such as `p xc 2 1`, which are named by their numbers from 1."""
    sizes = re.fullmatch(r"([0-9]{1,9})[ \t]+([0-9]{1,9})\s*", head.group(1), re.ASCII)
    items = ItemLine(source, report, head.end(1) - len(head.group().lstrip()), head.end(1))
    if sizes is None:
        said = f"expected the numbers of primary and secondary items, found `{head.group(1).strip()[:20]}`"
        raise fail("PZ281", said, source.span(head.start(1), head.end(1)), help="write `p xc 2 1`, for example")
    primary, secondary = map(int, sizes.groups())
    if primary + secondary > MAX_ITEMS:
        many = f"{primary + secondary} items are too many (limit {MAX_ITEMS:,})"
        raise fail("PZ281", many, source.span(head.start(1), head.end(1)), note="each item takes memory")
    items.names = {str(item): item - 1 for item in range(1, primary + secondary + 1)}
    items.low = items.high = [1] * primary
    items.primary = primary
    return items


def _numbered_options(source: Source, report: Report, head: re.Match[str]) -> Iterator[tuple[int, str]]:
    """Yield each option with its position, in the form of DLX, at the same places as in the text."""
    at, last = head.end(), len(source.text.rstrip())
    for zero in re.compile(r"(?<!\S)0(?!\S)").finditer(source.text, at):
        text = source.text[at : zero.start()]
        if text.isspace():
            report.add("PZ282", "missing items before this 0", source.span(zero.start()))
        yield _option(text, at, r"\s+-")
        at = zero.end()
    if at < last:
        report.add("PZ282", "missing 0 at the end of the last option", source.end)


def _option(text: str, at: int, between: str) -> tuple[int, str]:
    """Return an option as DLX writes it, with its position: ``item:colour``, and ``|5`` for a cost.

    ``between`` is what separates an item from its colour. Later words keep their places.
    """
    at += len(text) - len(text.lstrip())
    text = text.strip()
    if ":" in text or "-" in text:
        joined = re.compile(rf"(\S)({between})({_NAME}+)")
        text = joined.sub(lambda match: f"{match[1]}:{match[3]}" + " " * (len(match[2]) - 1), text)
    if "$" in text:
        text = re.sub(r"\s?\$(\s*)([0-9]+)", lambda match: f" |{match[2]}{match[1]}", text)
    return at, text


def _named_items(source: Source, report: Report) -> tuple[ItemLine, int]:
    """Return the items in brackets, and the position after them."""
    text = source.text
    begin = re.compile(r"\s*<").match(text)
    end = text.find(">", begin.end()) if begin else -1
    if begin is None or end < 0:
        what = "`>` after" if begin else "`<` before"
        raise fail("PZ281", f"missing {what} the primary items", source.span(begin.start() if begin else 0))
    items = ItemLine(source, report, begin.end() - 1, end + 1)
    for at, match in _items(source, report, begin.end(), end):
        low = int((match[2] or "1")[:11])
        high = int((match[3] or match[2] or "1")[:11])
        span = source.span(at, at + len(match.group()))
        if high < max(low, 1) or high > ANY:
            report.add("PZ281", f"invalid bounds of item `{match[1]}`: {low} to {high}", span)
        items.define(match[1], at, low, min(high, ANY), span)
    items.primary = len(items.names)
    more = re.compile(r"\s*\[").match(text, end + 1)
    if more is None:
        return items, end + 1
    last = text.find("]", more.end())
    if last < 0:
        raise fail("PZ281", "missing `]` after the secondary items", source.span(more.end() - 1))
    for at, match in _items(source, report, more.end(), last):
        span = source.span(at, at + len(match.group()))
        if match[2]:
            report.add("PZ281", f"secondary item `{match[1]}` has bounds", span)
        items.define(match[1], at, 1, 1, span)
    return items, last + 1


def _items(source: Source, report: Report, begin: int, end: int) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield the items between brackets, each with its position."""
    at = begin
    while space := re.compile(r"\s*").match(source.text, at, end):
        at = space.end()
        if at >= end:
            return
        match = _PRIMARY.match(source.text, at, end)
        if match is None:
            report.add("PZ281", f"unexpected `{source.text[at]}` in the items", source.span(at))
            at += 1
            continue
        yield at, match
        at = match.end()


def _named_options(source: Source, report: Report, at: int) -> Iterator[tuple[int, str]]:
    """Yield each option with its position, in the form of DLX, at the same places as in the text."""
    strange = re.compile(rf"(?![\s:;$]|{_NAME}).").search(source.text, at)
    if strange is not None:
        report.add("PZ282", f"unexpected `{strange.group()}` in an option", source.span(strange.start()))
        return
    while at < len(source.text.rstrip()):
        end = source.text.find(";", at)
        end = end if end >= 0 else len(source.text)
        text = source.text[at:end]
        if text.lstrip().startswith("$"):
            report.add("PZ282", "missing items before the cost of this option", source.span(at + text.index("$")))
        else:
            yield _option(text, at, r"\s*:\s*")
        at = end + 1


def write_miniexact(what: Labelled, choices: WriterChoices) -> Iterator[str]:  # noqa: ARG001
    """Yield the text of an exact cover with items in brackets: a line of items, then a line for each option.

    Other characters in names become ``_``. Items that are never covered are written as for Knuth's programs. Raises
    PuzzleError for negative costs.
    """
    cover = what.cover
    if cover.costs and min(cover.costs) < 0:
        report = Unsupported("the format `miniexact`", what.title)
        report.whole("negative costs", help="convert to `dlx`, which puzzlec reads with negative costs")
        raise report.error()
    strange = f"(?!{_NAME})."
    written = written_items(what, strange)
    heads = [
        name if (low, high) == (1, 1) else f"{name}:{low}" if low == high else f"{name}:{low};{high}"
        for name, low, high in written.primary
    ]
    first = f"< {' '.join(heads)} >\n"
    if cover.secondary:
        first += f"[ {' '.join(written.names[cover.primary :])} ]\n"
    shades = label_words(cover.colour_names or map(str, range(1, max(cover.colours, default=0) + 1)), strange)
    colours = {colour: f":{word}" for colour, word in enumerate(shades, 1)} if any(cover.colours) else {}
    end = " $0;" if cover.costs else ";"
    last = "".join(f"{' '.join(option)}{end}\n" for option in written.forced)
    return option_chunks(what, first, written.names, last, colours, "$", ";")


FORMAT = Format(
    "miniexact",
    (".ccxc", ".xcc", ".xc"),
    "miniexact: items in brackets, or p xc with numbers",
    stage="cover",
    read=read_miniexact,
    write=write_miniexact,
    recognise=(
        Sign(92, r"\s*+<(?=[\s>])[^<>/\"=]*+>\s*+(?:\[[^\[\]<>]*+\]\s*+)?+[^<>\[\];]++;"),
        Sign(94, r"\s*+(?:c(?:[ \t][^\n]*+)?+\n\s*+)*+p[ \t]+xcc?[ \t]+[0-9]+[ \t]+[0-9]+\s"),
    ),
    aliases=("ccxc", "xc"),
    place=85,
    traits=("costs",),
    largest=2**29,
)
