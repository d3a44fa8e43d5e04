"""The text of an exact cover that Knuth's programs DLX1, DLX2 and DLX3 read: items, options, colours, multiplicities.

The form is told at the beginning of these programs, <https://www-cs-faculty.stanford.edu/~knuth/programs.html>, and in
TAOCP 7.2.2.1. Millions of options are read, so a line without a fault takes the short way; places are looked for
only where there is a fault.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from itertools import repeat

from puzzlec.diagnostics import Report, Source, suggestion
from puzzlec.diagnostics.diagnostic import MOST, fail
from puzzlec.diagnostics.wording import counted
from puzzlec.ir import ANY, ExactCover
from puzzlec.readers.given import Given
from puzzlec.readers.lines import lines, words
from puzzlec.readers.shades import free_numbers, number_of, word_of

#: What stands before the name of the option on the next line; his programs take it for a remark.
NAME = "| option:"

#: Suggestions are looked for among so many names at most.
_KNOWN = 5000


def read_dlx(source: Source, report: Report, given: Given) -> ExactCover:  # noqa: ARG001
    """Return the exact cover that a DLX text describes; warnings go into the report.

    Raises PuzzleError with all faults found: of the line of items, and of options with unknown items, items twice,
    colours on primary items, or no primary item.
    """
    rest = lines(source.text)
    for start, line in rest:
        first = line.lstrip()
        if first and not first.startswith("|"):
            items = _Items(source, report, line, start)
            break
    else:
        raise fail("PZ281", "there is no line of items", source.end, help="name the items in the first line")
    report.stop_on_errors()
    options = _Options(source, report, items)
    options.read(rest)
    options.finish()
    report.stop_on_errors()
    return ExactCover(
        items.primary,
        array("i", items.low),
        array("i", items.high),
        len(items.names) - items.primary,
        options.starts,
        options.items,
        options.numbered_colours(),
        tuple(items.names),
        options.names(),
        options.colour_names(),
    )


class _Items:
    """The line of items: their names, and how often each primary one is to be covered."""

    def __init__(self, source: Source, report: Report, line: str, start: int) -> None:
        self.source, self.report = source, report
        self.names: dict[str, int] = {}
        self.low: list[int] = []
        self.high: list[int] = []
        self.places: dict[str, int] = {}
        self.primary = -1
        for word, at in words(line, start):
            if not word.startswith("|"):
                self._item(word, at)
                continue
            if self.primary >= 0:
                report.add("PZ281", "a second `|` stands in the line of items", source.span(at))
            else:
                self.primary = len(self.names)
            if word != "|":
                self._item(word[1:], at + 1)
        self.line = source.span(start, start + len(line))
        if self.primary < 0:
            self.primary = len(self.names)

    def _item(self, word: str, at: int) -> None:
        """Add the item that a word names, with bounds before a ``|``."""
        bounds, bar, name = word.rpartition("|")
        span = self.source.span(at, at + len(word))
        fault = ""
        low = high = 1
        if bar and self.primary >= 0:
            fault = f"the secondary item `{name}` has bounds"
        elif bar:
            low, high, fault = _bounds(bounds, name)
        if not fault and not name:
            fault = f"there is no name behind `{word}`"
        elif not fault and ":" in name:
            fault = f"the name `{name}` has a `:`, which stands before colours and between bounds"
        if fault:
            note = (
                "bounds are written `3|name` or `low:high|name`, a `|` alone divides primary items from secondary ones"
            )
            self.report.add("PZ281", fault, span, note=note if bar or ":" in name else ())
        if name in self.names:
            earlier = self.source.span(self.places[name], self.places[name] + 1)
            self.report.add("PZ281", f"the item `{name}` is named twice", span, others=[(earlier, "first here")])
            return
        self.places[name] = at
        self.names[name] = len(self.names)
        if self.primary < 0:
            self.low.append(low)
            self.high.append(high)


def _bounds(text: str, name: str) -> tuple[int, int, str]:
    """Return the bounds that stand before an item, and what is wrong with them."""
    match = re.fullmatch(r"(?:([0-9]{1,10}):)?([0-9]{1,10})", text, re.ASCII)
    if match is None:
        return 1, 1, f"`{text}` are no bounds of the item `{name}`"
    high = int(match.group(2))
    low = high if match.group(1) is None else int(match.group(1))
    fault = ""
    if high == 0:
        fault = f"the item `{name}` may be covered 0 times at most"
    elif low > high:
        fault = f"the bounds of the item `{name}` run backwards: {low} to {high}"
    elif high > ANY:
        fault = f"the item `{name}` may be covered {ANY} times at most, not {high} times"
    return (1, 1, fault) if fault else (low, high, "")


class _Options:
    """Reads options line by line into arrays; what is wrong goes into the report."""

    def __init__(self, source: Source, report: Report, items: _Items) -> None:
        self.source, self.report, self.known = source, report, items
        self.primary = items.primary
        self.starts, self.items, self.colours = array("i", [0]), array("i"), array("i")
        #: The item of each word that may stand in an option: items, and from where they stand items with colours.
        self.item_of = dict(items.names)
        self.colour_of: dict[str, int] = {}
        self.free: dict[str, int] = {}  # words that mean some free colour, each with a number below 0 until the end
        self.unknown: dict[str, tuple[int, int]] = {}  # where each unknown item stands first, and how often
        self.costs: list[int] = []  # where the first cost stands, and the number of options that have one
        self.named: dict[int, str] = {}
        self.name: str | None = None

    def read(self, rest: Iterator[tuple[int, str]]) -> None:
        """Add the options of lines, until so much is wrong that nothing more need be read."""
        find, items, starts = self.item_of.__getitem__, self.items, self.starts
        secondary = len(self.known.names) > self.primary
        for start, line in rest:
            found = line.split()
            try:
                row = list(map(find, found))
            except KeyError:
                found = self._learned_line(found, line, start)
                row = list(map(find, found))
            if not row:
                if len(self.unknown) >= MOST:
                    return
                continue
            if len(set(row)) < len(row) or (secondary and min(row) >= self.primary):
                self._wrong(row, line, start)
            items.extend(row)
            starts.append(len(items))
            if self.colour_of:
                self.colours.extend(repeat(0, starts[-2] - len(self.colours)))
                self.colours.extend(map(self.colour_of.get, found, repeat(0)))
            if self.name is not None:
                self.named[len(starts) - 2] = self.name
                self.name = None

    def _learned_line(self, found: list[str], line: str, start: int) -> list[str]:
        """Learn what is new on a line. Return the items of its option, nothing for a remark or where one is wrong."""
        if found[0][0] == "|":
            if line.startswith(NAME):
                self.name = line[len(NAME) :].strip()
            return []
        found = self._learn(line, start)
        if not found:
            self.name = None
        return found

    def _learn(self, line: str, start: int) -> list[str]:
        """Learn the words of an option that are new, items with colours. Return those that are items, unless one
        is wrong: then nothing.
        """  # noqa: D205
        found: list[str] = []
        costs = 0
        right = True
        for word, at in words(line, start):
            if word in self.item_of:
                found.append(word)
            elif re.fullmatch(r"\|[0-9]+", word, re.ASCII):
                costs += 1
                if not self.costs:
                    self.costs = [at, 0]
            elif self._learned(word, at):
                found.append(word)
            else:
                right = False
        if costs:
            self.costs[1] += 1
        if right and not found:
            self.report.add("PZ285", "this option has no item", self.source.span(start, start + len(line)))
        return found if right else []

    def _learned(self, word: str, at: int) -> bool:
        """Learn an item with a colour; report a word that is none, and say whether it is one."""
        name, colon, colour = word.partition(":")
        item = self.known.names.get(name)
        span = self.source.span(at, at + len(word))
        if item is None and "|" in word:
            self.report.add(
                "PZ282",
                f"`{word}` is no item",
                span,
                note="a `|` stands in the line of items, before remarks, and before costs",
            )
        elif item is None:
            first, times = self.unknown.get(name, (at, 0))
            self.unknown[name] = first, times + 1
        elif colon and (not colour or re.search(r"[:|]", colour)):
            self.report.add(
                "PZ284", f"`{colour}` is no colour" if colour else f"there is no colour behind `{word}`", span
            )
        elif item < self.primary:
            self.report.add(
                "PZ284",
                f"the primary item `{name}` has a colour",
                span,
                help=f"write `{name}`, or name it behind the `|` in the line of items",
            )
        else:
            self.item_of[word] = item
            number = number_of(colour)
            self.colour_of[word] = self.free.setdefault(colour, -1 - len(self.free)) if number is None else number
            return True
        return False

    def _wrong(self, row: list[int], line: str, start: int) -> None:
        """Report an option that has an item twice or no primary item."""
        if min(row) >= self.primary:
            span = self.source.span(start, start + len(line.rstrip()))
            self.report.add("PZ285", "this option has no primary item", span, note="nothing would ever choose it")
            return
        seen: set[int] = set()
        places = ((word, at) for word, at in words(line, start) if word in self.item_of)
        for item, (word, at) in zip(row, places, strict=True):
            if item in seen:
                name = word.partition(":")[0]
                span = self.source.span(at, at + len(word))
                self.report.add("PZ283", f"the item `{name}` stands twice in this option", span)
                return
            seen.add(item)

    def finish(self) -> None:
        """Report what is told once for the whole text: unknown items, and costs."""
        for name, (at, times) in self.unknown.items():
            starred = next((each for each in self.known.names if re.fullmatch(r".\*" + re.escape(name), each)), "")
            if starred:
                help: tuple[str, ...] = (f"write `{starred.replace('*', '|', 1)}` in the line of items",)
            else:
                help = suggestion(name, self.known.names) if len(self.known.names) <= _KNOWN else ()
            self.report.add(
                "PZ282",
                f"the item `{name}` is not in the line of items",
                self.source.span(at, at + len(name)),
                note=f"it stands in {times} options" if times > 1 else (),
                others=[(self.known.line, "")] if len(self.unknown) == 1 and len(self.known.names) <= 20 else [],
                help=help,
            )
        if self.costs:
            at, number = self.costs
            self.report.add(
                "PZ286",
                f"{counted(number, 'option')} {'has a cost' if number == 1 else 'have costs'}, which are not used",
                self.source.span(at),
                note="all covers are found, whatever they cost",
            )

    def numbered_colours(self) -> array[int]:
        """Return the colours of all entries, words that mean any colour replaced by free ones."""
        self.colours.extend(repeat(0, len(self.items) - len(self.colours)))
        if self.free:
            numbers = free_numbers(len(self.free), set(self.colour_of.values()))
            return array("i", [colour if colour >= 0 else numbers[-1 - colour] for colour in self.colours])
        return self.colours

    def colour_names(self) -> tuple[str, ...]:
        """Return the words of the colours, in the order of their numbers; nothing where there are none, or too many."""
        greatest = max(self.colour_of.values(), default=0)
        if not self.colour_of or greatest > _KNOWN:
            return ()
        free = free_numbers(len(self.free), set(self.colour_of.values()))
        found = dict(zip(free, self.free, strict=True))
        return tuple(found.get(number) or word_of(number) for number in range(1, max([greatest, *free]) + 1))

    def names(self) -> tuple[str, ...]:
        """Return the names of the options, nothing where none has one; others are called by their numbers."""
        if not self.named:
            return ()
        return tuple([self.named.get(option, str(option)) for option in range(len(self.starts) - 1)])
