"""Output of programs for exact cover: the options of a cover, by their items, their names or their numbers.

Knuth's DLX1, DLX2, DLX3 and their relatives (https://www-cs-faculty.stanford.edu/~knuth/programs.html) print the number
of a solution and a colon, and then each option on a line: its items in a cyclic order, colours after a colon, and the
number of choices: ` A X:1 Y (1 of 4)`. Others print the same without numbers and comments, or options joined by `|` on
one line.

DLX6 prints all covers as a zero-suppressed decision diagram (TAOCP 7.1.4) over the options. A line ``5: (~3?4:2)`` is
node 5: without option 3 (from 1) continue at node 4, with it at node 2. The numbers of nodes are hexadecimal. Node 0 is
no cover, node 1 is a cover. The root is the node of the last line, with option 0. The diagram is kept in memory, and
the covers are listed one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from puzzlec.diagnostics import Report, Span, suggestion
from puzzlec.diagnostics.error import fail
from puzzlec.formats.dlx import number_of
from puzzlec.formats.solutions.claims import words_of
from puzzlec.formats.solvers.answers.lines import SourceLines
from puzzlec.formats.solvers.answers.model import (
    AnswerMeaning,
    Ending,
    EndingClaim,
    Event,
    Model,
    Values,
    numbers_known,
    refused,
)

_CHOICES = re.compile(r"\s+\((?:[0-9]+ of [0-9]+|\?)\)\s*$")
_HEAD = re.compile(r"\s*[0-9]+:\s*(?:\(total cost \$-?[0-9]+\)\s*)?$")
_TOTAL = re.compile(r"\s*Altogether ([0-9]+) solutions?\b")
_REMARK = re.compile(r"\s*\([0-9]+ options, .*\)\s*$|\s*The optimum cost is ")

#: Maximum number of names that are searched for suggestions.
MAX_NAMES_COMPARED = 5000


class NamedCover(Values):
    """The options of one cover by their names or items, added one after another."""

    def by_label(self, name: Span) -> bool:
        """Add the option with this name, if there is one; of several, the first that is missing."""
        called = self.meaning.labelled(name.text)
        if called is not None:
            self.add(self.first_missing(called), name)
        return called is not None

    def by_name(self, name: Span) -> None:
        """Add the option with this name, or with these items; a name of an uncovered item adds nothing."""
        if not name.text.strip():
            # An empty name is shown with its quotes.
            at = name if name.text else name.source.span(name.start - 1, name.end + 1)
            self.report.add("PZ612", "missing name between quotes", at)
        elif not self.by_label(name):
            free = re.match(r"not?_(.*)", name.text)
            if not free or (
                free[1] not in self.meaning.item_of and free[1].replace("_", " ") not in self.meaning.item_of
            ):
                self.by_items(words_of(name))

    def by_items(self, words: list[Span]) -> None:
        """Add the option with these items. If several have the same items, add the first that is missing."""
        items: dict[int, frozenset[int]] = {}
        whole = words[0].source.span(words[0].start, words[-1].end)
        faults = self.report.errors
        for word in words:
            item, colours = self._item(word)
            if item is None:
                continue
            if item in items:
                self.report.add("PZ615", f"duplicate item `{word.text[:40]}` in one option", word)
            items[item] = colours
        if self.report.errors > faults:
            return
        cover = self.meaning.cover
        options = [
            option
            for option in self.meaning.options_with.get(frozenset(items), ())
            if all(colour in items[item] for item, colour in cover.entries(option))
        ]
        if options:
            self.add(self.first_missing(options), whole)
        elif not self._is_forced(words, items):
            self.report.add("PZ618", "no option matches these items", whole, note=self._near(items))

    def _item(self, word: Span) -> tuple[int | None, frozenset[int]]:
        """Return the item of a word, and its possible colours (0: none)."""
        item = self.meaning.item_of.get(word.text)
        if item is not None:
            return item, frozenset((0,))
        name, colon, colour = word.text.rpartition(":")
        item = self.meaning.item_of.get(name)
        if colon and colour and item is not None:
            numbers = {number_of(colour)}
            if colour in self.meaning.cover.colour_names:
                numbers.add(self.meaning.cover.colour_names.index(colour) + 1)
            return item, frozenset(number for number in numbers if number is not None)
        if not self._keeps_free(word.text):
            help = suggestion(word.text, self.meaning.item_of) if len(self.meaning.item_of) < MAX_NAMES_COMPARED else ()
            self.report.add("PZ613", f"unknown item `{word.text[:40]}`", word, help=help)
        return None, frozenset()

    def _keeps_free(self, word: str) -> bool:
        """Whether this is the item that our DLX files add for an item that is never covered."""
        item = self.meaning.item_of.get(word.removeprefix("no-").rstrip("'"), -1)
        return word.startswith("no-") and 0 <= item < self.meaning.cover.primary and not self.meaning.cover.high[item]

    def _is_forced(self, words: list[Span], items: dict[int, frozenset[int]]) -> bool:
        """Whether this is the option that our DLX files add for an item that is never covered."""
        high = self.meaning.cover.high
        return len(words) == 2 and len(items) == 1 and next(iter(items)) < len(high) and not high[next(iter(items))]

    def _near(self, items: dict[int, frozenset[int]]) -> str | tuple[()]:
        """Return a note about options with other colours, if there are any."""
        others = self.meaning.options_with.get(frozenset(items))
        if others:
            return f"option {others[0] + 1} has the same items with other colours: `{self.meaning.label(others[0])}`"
        return ()


def read_dlx_answer(lines: SourceLines, meaning: AnswerMeaning) -> Iterator[Event]:
    """Yield the covers that one of Knuth's programs printed; if they have no numbers, empty lines separate them."""
    cover: NamedCover | None = None
    headed, count = False, 0
    for line in lines:
        text = line.text
        total = _TOTAL.match(text)
        head = _HEAD.match(text) and text.strip() not in meaning.item_of
        if head or total or (not text.strip() and not headed):
            if cover is not None:
                yield cover.model()
                count += 1
            cover = None
            if head:
                cover, headed = NamedCover(meaning, line), True
            elif total:
                yield _total(int(total[1]), count, line)
        elif text.strip() and not _REMARK.match(text) and not meaning.is_remark(text):
            cover = cover or NamedCover(meaning, line)
            choices = _CHOICES.search(text)
            words = words_of(line.source.span(line.start, line.start + choices.start()) if choices else line)
            if len(words) == 2 and words[0].text == "null" and choices:
                continue  # DLX3 prints this if it covers an item no further
            if choices and not words:
                cover.report.add("PZ612", "missing items on this line", line)
                continue
            cover.by_items(words)
    if cover is not None:
        yield cover.model()


def _total(number: int, count: int, line: Span) -> Event:
    """Return the event of the number of solutions at the end: complete, not complete, or missing solutions."""
    if number <= count:
        return EndingClaim(Ending.COMPLETE, line)
    if count:
        return EndingClaim(Ending.UNKNOWN, line)
    help = "add the argument `m1` to Knuth's programs to print each solution"
    return refused(line, "PZ616", "the answer claims solutions but lists none", help=help)


def read_bars(lines: SourceLines, meaning: AnswerMeaning) -> Iterator[Event]:
    """Yield the covers of an answer with one on each line: options joined by ``|``, each by its items or its name."""
    for line in lines:
        text = line.text
        if not text.strip() or meaning.is_remark(text):
            continue
        cover = NamedCover(meaning, line)
        at = line.start
        parts = text.strip().strip("|").split("|")
        at += len(text) - len(text.lstrip()) + (len(text.strip()) - len(text.strip().lstrip("|")))
        for part in parts:
            span = line.source.span(at, at + len(part))
            at += len(part) + 1
            if part.strip():
                start = span.start + len(part) - len(part.lstrip())
                cover.by_name(line.source.span(start, start + len(part.strip())))
            else:
                cover.report.add("PZ612", "missing option between two bars", line.source.span(span.start))
        yield cover.model()


_NODE = re.compile(r"\s*([0-9a-f]{1,15}): \(~([0-9]{1,12})\?([0-9a-f]{1,15}):([0-9a-f]{1,15})\)\s*$")
_DIAGRAM_REMARK = re.compile(r"\s*(?:\([0-9]+ options, .*\)|Altogether [0-9]+ solutions?\b.*|#.*)?\s*$")


class _DiagramNode(NamedTuple):
    option: int
    without: int
    having: int


def read_zdd(lines: SourceLines, meaning: AnswerMeaning) -> Iterator[Event]:
    """Yield the covers of a decision diagram, beginning with the first option of the root.

    Raises PuzzleError for lines that are not nodes, and for unknown options or nodes.
    """
    report = Report()
    nodes: dict[int, _DiagramNode] = {}
    dead = {0}  # nodes without a path to node 1, which are never visited
    root: int | None = None
    first: Span | None = None
    for line in lines:
        match = _NODE.match(line.text)
        if match is None:
            if not _DIAGRAM_REMARK.match(line.text):
                report.add("PZ612", "expected a node of a decision diagram", line, note="such as `5: (~3?4:2)`")
            continue
        first = first or line
        number, without, having = (int(match[group], 16) for group in (1, 3, 4))
        if number in nodes or number < 2:
            report.add("PZ615", f"duplicate node {match[1]}", line)
        for target in (without, having):
            if target > 1 and target not in nodes:  # so there is no cycle
                report.add("PZ613", f"unknown node {target:x}: it must precede this one", line)
        option = int(match[2])
        if option > meaning.options:
            at = line.source.span(line.start + match.start(2), line.start + match.end(2))
            report.add("PZ613", f"unknown option {option}", at, note=numbers_known(meaning))
        nodes[number] = _DiagramNode(option, 0 if without in dead else without, 0 if having in dead else having)
        if not nodes[number].without and not nodes[number].having:
            dead.add(number)
        root = nodes[number].having if not option else None
    report.stop_on_errors()
    if first is None or root is None:
        raise fail("PZ616", "unexpected end of file: missing the root `(~0?0:...)`", lines.end)
    yield from _covers(nodes, root, first)
    yield EndingClaim(Ending.COMPLETE, lines.end)


def _covers(nodes: dict[int, _DiagramNode], root: int, at: Span) -> Iterator[Model]:
    """Yield the options of each path from a node to node 1; the diagram has no cycles."""
    # A stack of nodes, each with the number of options before it, and the option that leads to it (0: none).
    stack = [(root, 0, 0)]
    options: list[int] = []
    while stack:
        node, length, option = stack.pop()
        del options[length:]
        if option:
            options.append(option)
        if node == 1:
            yield Model(at, tuple(sorted(number - 1 for number in options)))
        elif node:
            branch = nodes[node]
            stack.append((branch.without, len(options), 0))
            stack.append((branch.having, len(options), branch.option))
