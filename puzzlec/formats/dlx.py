"""The text of an exact cover that Knuth's programs DLX1 to DLX5 read: items, options, colours, multiplicities, costs.

The comments at the beginning of these programs define the form,
<https://www-cs-faculty.stanford.edu/~knuth/programs.html>, and so does TAOCP 7.2.2.1. The reader is fast because texts
have millions of options. It computes positions only for errors.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise, repeat
from typing import NamedTuple

from puzzlec.diagnostics import Report, Source, suggestion
from puzzlec.diagnostics.error import MAX_DIAGNOSTICS_KEPT, fail
from puzzlec.diagnostics.source import Span, lines, words
from puzzlec.engine.problem import MAX_TOTAL_COST, ExactCover
from puzzlec.formats.numeric import is_numeric
from puzzlec.formats.record import Format, Sign, WriterChoices, first_words
from puzzlec.formats.rows import is_rows
from puzzlec.formats.unchosen import Unchosen
from puzzlec.ir import ANY
from puzzlec.language.given import Given
from puzzlec.lower.labels import Labelled
from puzzlec.lower.labels import words as label_words

#: The characters of the colours 1, 2, 3 and so on: digits, letters, then the other printable ones except ``:`` and
#: ``|``. Knuth's programs read one character for each colour, so a text keeps its colours when it is read and written
#: again. Greater numbers are written in decimal digits, which his programs do not read.
COLOUR_CHARACTERS = "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0!\"#$%&'()*+,-./;<=>?@[\\]^_`{}~"

#: Largest colour that is written in decimal digits. Other words get free numbers.
MAX_COLOUR = 1_000_000

_NUMBER = {character: number for number, character in enumerate(COLOUR_CHARACTERS, 1)}


def number_of(word: str) -> int | None:
    """Return the colour that a word always means; None for a word that means any free colour.

    >>> number_of("1"), number_of("b"), number_of("200"), number_of("red"), number_of("12")
    (1, 11, 200, None, None)
    """
    if len(word) == 1:
        return _NUMBER.get(word)
    if word.isdecimal() and word.isascii() and word[0] != "0" and len(word) <= len(str(MAX_COLOUR)):
        number = int(word)
        return number if len(COLOUR_CHARACTERS) < number <= MAX_COLOUR else None
    return None


def word_of(number: int) -> str:
    """Return the word of a colour from 1 to :data:`MAX_COLOUR`; :func:`number_of` is the inverse."""
    return COLOUR_CHARACTERS[number - 1] if number <= len(COLOUR_CHARACTERS) else str(number)


def free_numbers(count: int, used: Collection[int]) -> list[int]:
    """Return the lowest ``count`` unused colours.

    >>> free_numbers(3, {1, 3})
    [2, 4, 5]
    """
    numbers: list[int] = []
    number = 1
    while len(numbers) < count:
        if number not in used:
            numbers.append(number)
        number += 1
    return numbers


class ItemLine:
    """The line of items: a ``|`` before the secondary ones, and bounds before the names of some primary ones.

    Errors go into the report.
    """

    def __init__(self, source: Source, report: Report, start: int, end: int) -> None:
        self.source, self.report = source, report
        self.names: dict[str, int] = {}
        self.low: list[int] = []
        self.high: list[int] = []
        self.places: dict[str, int] = {}
        self.primary = -1
        self.line = source.span(start, end)
        #: The position of a space between bounds and their bar, as in `2 | a`: that names an item `2`.
        self.apart: re.Match[str] | None = None

    @classmethod
    def of_line(cls, source: Source, report: Report, line: str, start: int) -> ItemLine:
        """Return the items of a line."""
        items = cls(source, report, start, start + len(line))
        items._read(line, start)
        return items

    def _read(self, line: str, start: int) -> None:
        for word, at in words(line, start):
            if not word.startswith("|"):
                self._item(word, at)
                continue
            if self.primary >= 0:
                self.report.add("PZ281", "duplicate `|` in the line of items", self.source.span(at))
            else:
                self.primary = len(self.names)
            if word != "|":
                self._item(word[1:], at + 1)
        self.apart = next(re.finditer(r"(?:^|(?<=\s))(?:[0-9]+:)?[0-9]+\s+\|\s*([^\s|]+)", line, re.ASCII), None)
        if self.primary < 0:
            self.primary = len(self.names)

    def _item(self, word: str, at: int) -> None:
        """Add the item that a word names, with bounds before a ``|``."""
        bounds, bar, name = word.rpartition("|")
        span = self.source.span(at, at + len(word))
        fault, help = "", tuple[str, ...]()
        low = high = 1
        if bar and self.primary >= 0:
            fault = f"secondary item `{name}` has bounds"
        elif bar:
            low, high, fault, help = _bounds(bounds, name)
        if not fault and not name:
            fault = f"missing name after `{word}`"
        elif not fault and ":" in name:
            fault = f"unexpected `:` in the item name `{name}`"
        if fault:
            note = "bounds are written `3|name` or `low:high|name`; a `|` alone precedes the secondary items"
            self.report.add("PZ281", fault, span, note=note if bar or ":" in name else (), help=help)
        self.define(name, at, low, high, span)

    def define(self, name: str, at: int, low: int, high: int, span: Span) -> None:
        """Add an item, primary unless the number of primary items is fixed; report one that exists already."""
        if name in self.names:
            earlier = self.source.span(self.places[name], self.places[name] + 1)
            self.report.add("PZ281", f"duplicate item `{name}`", span, others=[(earlier, "first here")])
            return
        self.places[name] = at
        self.names[name] = len(self.names)
        if self.primary < 0:
            self.low.append(low)
            self.high.append(high)


def _bounds(text: str, name: str) -> tuple[int, int, str, tuple[str, ...]]:
    """Return the bounds of an item, the error in them, and the suggestion for it."""
    match = re.fullmatch(r"(?:([0-9]{1,10}):)?([0-9]{1,10})", text, re.ASCII)
    if match is None:
        return 1, 1, f"invalid bounds `{text}` of item `{name}`", ()
    high = int(match.group(2))
    low = high if match.group(1) is None else int(match.group(1))
    fault, help = "", tuple[str, ...]()
    if high == 0:
        fault = f"the upper bound of item `{name}` must be at least 1, found 0"
    elif low > high:
        fault = f"the bounds of item `{name}` run backwards: {low} to {high}"
        help = (f"write `{high}:{low}|{name}`",)
    elif high > ANY:
        fault = f"the upper bound of item `{name}` must be at most {ANY}, found {high}"
    return (1, 1, fault, help) if fault else (low, high, "", ())


#: Precedes the name of the option on the next line. Knuth's programs read it as a comment.
NAME_PREFIX = "| option:"

#: Maximum number of names that are searched for suggestions.
_MAX_NAMES_COMPARED = 5000


def read_dlx(source: Source, report: Report, given: Given) -> ExactCover:  # noqa: ARG001
    """Return the exact cover of a DLX text; warnings go into the report.

    An option without a primary item is left out with a warning, as in Knuth's programs. Raises PuzzleError with all
    errors: in the line of items, and options with unknown items, duplicate items, or colours on primary items.
    """
    rest = lines(source.text)
    for start, line in rest:
        first = line.lstrip()
        if first and not first.startswith("|"):
            items = ItemLine.of_line(source, report, line, start)
            break
    else:
        raise fail("PZ281", "missing line of items", source.end, help="name the items on the first line")
    return cover_of(source, report, items, rest)


def cover_of(source: Source, report: Report, items: ItemLine, rest: Iterator[tuple[int, str]]) -> ExactCover:
    """Return the exact cover of items, and of options in lines with their positions."""
    report.stop_on_errors()
    options = _OptionReader(source, report, items)
    options.read(rest)
    options.finish()
    report.stop_on_errors()
    return ExactCover(
        primary=items.primary,
        low=array("i", items.low),
        high=array("i", items.high),
        secondary=len(items.names) - items.primary,
        starts=options.starts,
        items=options.items,
        colours=options.numbered_colours(),
        item_names=tuple(items.names),
        option_names=options.names(),
        colour_names=options.colour_names(),
        costs=options.option_costs(),
    )


class _OptionReader:
    """Reads options line by line into arrays; errors go into the report."""

    def __init__(self, source: Source, report: Report, items: ItemLine) -> None:
        self.source, self.report, self.item_line = source, report, items
        self.starts, self.items, self.colours = array("i", [0]), array("i"), array("i")
        #: The item of each word that options use: all items, and items with colours after their first use.
        self.item_of = dict(items.names)
        self.colour_of: dict[str, int] = {}
        self.free: dict[str, int] = {}  # words that mean a free colour, each with a number below 0 until the end
        self.unknown: dict[str, tuple[int, int]] = {}  # first position of each unknown item, and its number of uses
        self.costs: dict[int, int] = {}  # the options that have costs
        self.priced: Span | None = None  # the position of the first cost
        self.unchosen = Unchosen()
        self.named: dict[int, str] = {}
        self.name: str | None = None

    def read(self, rest: Iterator[tuple[int, str]]) -> None:
        """Add the options of some lines, until there are too many errors to continue."""
        find, items, starts, primary = self.item_of.__getitem__, self.items, self.starts, self.item_line.primary
        secondary = len(self.item_line.names) > primary
        for start, line in rest:
            words = line.split()
            try:
                row = list(map(find, words))
            except KeyError:
                words = self._learned_line(words, line, start)
                row = list(map(find, words))
            if not row:
                if len(self.unknown) >= MAX_DIAGNOSTICS_KEPT:
                    return
                continue
            if len(set(row)) < len(row):
                self._report_twice(row, line, start)
            if secondary and min(row) >= primary:
                self._leave_out(line, start)
                continue
            items.extend(row)
            starts.append(len(items))
            if self.colour_of:
                self.colours.extend(repeat(0, starts[-2] - len(self.colours)))
                self.colours.extend(map(self.colour_of.get, words, repeat(0)))
            if self.name is not None:
                self.named[len(starts) - 2] = self.name
                self.name = None

    def _learned_line(self, words: list[str], line: str, start: int) -> list[str]:
        """Learn the new words on a line. Return the items of its option; empty for a comment or after an error."""
        if words[0][0] == "|":
            if line.startswith(NAME_PREFIX):
                self.name = line[len(NAME_PREFIX) :].strip()
            return []
        words = self._learn(line, start)
        if not words:
            self.name = None
        return words

    def _learn(self, line: str, start: int) -> list[str]:
        """Learn the new words of an option, which are items with colours. Return all items, or none after an error."""
        items: list[str] = []
        right, total = True, 0
        for word, at in words(line, start):
            if word in self.item_of:
                items.append(word)
            elif re.fullmatch(r"\|-?[0-9]+", word, re.ASCII):
                cost = self._priced(word, at)
                right, total = right and cost is not None, total + (cost or 0)
            elif self._learned(word, at):
                items.append(word)
            else:
                right = False
        if right and not items:
            self._leave_out(line, start)
        if right and items and total:
            self.costs[len(self.starts) - 1] = total
        return items if right else []

    def _priced(self, word: str, at: int) -> int | None:
        """Return a cost. Report one that is too large, and return None."""
        span = self.source.span(at, at + len(word))
        self.priced = self.priced or span
        if len(word.lstrip("|-0")) > len(str(MAX_TOTAL_COST)):
            self.report.add("PZ717", "costs do not fit into 64 bits", span)
            return None
        return int(word[1:])

    def _learned(self, word: str, at: int) -> bool:
        """Learn an item with a colour. Report any other word, and return whether it is one."""
        name, colon, colour = word.partition(":")
        item = self.item_line.names.get(name)
        span = self.source.span(at, at + len(word))
        if item is None and "|" in word:
            before, _, cost = word.partition("|")
            costs = cost.isdecimal() and before.partition(":")[0] in self.item_line.names
            self.report.add(
                "PZ282",
                f"unexpected item name `{word}`",
                span,
                note="a `|` belongs in the line of items, before comments, and before costs",
                help=f"write `{before} |{cost}`, with a space, for a cost" if costs else (),
            )
        elif not name:
            self.report.add("PZ282", f"missing item before the colon of `{word}`", span)
        elif item is None:
            first, times = self.unknown.get(name, (at, 0))
            self.unknown[name] = first, times + 1
        elif colon and (not colour or re.search(r"[:|]", colour)):
            self.report.add("PZ284", f"invalid colour `{colour}`" if colour else f"missing colour after `{word}`", span)
        elif item < self.item_line.primary:
            self.report.add(
                "PZ284",
                f"primary item `{name}` has a colour",
                span,
                help=f"write `{name}`, or name it after the `|` in the line of items",
            )
        else:
            self.item_of[word] = item
            number = number_of(colour)
            self.colour_of[word] = self.free.setdefault(colour, -1 - len(self.free)) if number is None else number
            return True
        return False

    def _leave_out(self, line: str, start: int) -> None:
        """Leave out an option without a primary item."""
        kept = len(self.starts) - 1
        self.unchosen.add(kept, self.source.span(start, start + len(line.rstrip())))
        self.costs.pop(kept, None)
        self.name = None

    def _report_twice(self, row: list[int], line: str, start: int) -> None:
        """Report the first duplicate item of an option."""
        seen: set[int] = set()
        places = ((word, at) for word, at in words(line, start) if word in self.item_of)
        for item, (word, at) in zip(row, places, strict=True):
            if item in seen:
                name = word.partition(":")[0]
                span = self.source.span(at, at + len(word))
                self.report.add("PZ283", f"duplicate item `{name}` in this option", span, help="write each item once")
                return
            seen.add(item)

    def _report_unchosen(self) -> None:
        """Warn about options without a primary item, or report a space between bounds and their bar as the cause."""
        apart = self.item_line.apart if self.unchosen else None
        number = apart.group().split()[0] if apart else ""
        if apart is None or self.item_line.names.get(number, -1) in self.items:
            self.unchosen.warn(self.report)
            return
        at = self.item_line.line.start + apart.start()
        self.report.add(
            "PZ281",
            f"no option has the item `{number}`",
            self.source.span(at, at + len(apart.group())),
            others=[(self.unchosen.first, "this option has no primary item")],
            help=f"write `{number}|{apart.group(1)}`, without a space, for bounds",
        )

    def finish(self) -> None:
        """Report what appears once for the whole text: unknown items, large costs, and options that are left out."""
        self._report_unchosen()
        commas = self._names_with_commas()
        for name, (at, times) in self.unknown.items():
            if name in commas:
                if not commas[name]:
                    continue  # another name of the same mistake is reported
                help: tuple[str, ...] = (commas[name],)
                self.report.add(
                    "PZ282",
                    f"unknown item `{name}`",
                    self.source.span(at, at + len(name)),
                    others=[(self.item_line.line, "")],
                    help=help,
                )
                continue
            starred = next((item for item in self.item_line.names if re.fullmatch(r".\*" + re.escape(name), item)), "")
            if starred:
                help = (f"write `{starred.replace('*', '|', 1)}` in the line of items",)
            else:
                help = (
                    suggestion(name, self.item_line.names) if len(self.item_line.names) <= _MAX_NAMES_COMPARED else ()
                )
            self.report.add(
                "PZ282",
                f"unknown item `{name}`",
                self.source.span(at, at + len(name)),
                note=f"{times} options use it" if times > 1 else (),
                others=[(self.item_line.line, "")]
                if len(self.unknown) == 1 and len(self.item_line.names) <= 20
                else [],
                help=help,
            )
        if sum(map(abs, self.costs.values())) > MAX_TOTAL_COST:
            note = f"the absolute costs of all options may have the sum {MAX_TOTAL_COST} at most"
            self.report.add("PZ717", "costs do not fit into 64 bits", self.priced, note=note)

    def _names_with_commas(self) -> dict[str, str]:
        """Return suggestions for unknown names that are parts of an item with commas, or the reverse.

        If several names have the same cause, only the first gets a suggestion.
        """
        suggestions: dict[str, str] = {}
        with_commas = {item: word for word, item in self.item_line.names.items() if "," in word} if self.unknown else {}
        if with_commas.keys() & set(self.items):
            return {}  # commas are parts of names, as in `0,0`
        for word in with_commas.values():
            parts = [part for part in word.split(",") if part in self.unknown]
            if parts:
                suggestions |= dict.fromkeys(parts, "")
                suggestions[parts[0]] = f"write `{word.replace(',', ' ')}` in the line of items: spaces separate them"
        for word in self.unknown:
            if "," in word and all(part in self.item_line.names for part in word.split(",")):
                suggestions[word] = f"write `{word.replace(',', ' ')}`: spaces separate items"
        return suggestions

    def numbered_colours(self) -> array[int]:
        """Return the colours of all entries, with free numbers for words that mean any colour."""
        self.colours.extend(repeat(0, len(self.items) - len(self.colours)))
        if self.free:
            numbers = free_numbers(len(self.free), set(self.colour_of.values()))
            return array("i", [colour if colour >= 0 else numbers[-1 - colour] for colour in self.colours])
        return self.colours

    def colour_names(self) -> tuple[str, ...]:
        """Return the words of the colours in the order of their numbers; empty if there are none, or too many."""
        greatest = max(self.colour_of.values(), default=0)
        if not self.colour_of or greatest > _MAX_NAMES_COMPARED:
            return ()
        free = free_numbers(len(self.free), set(self.colour_of.values()))
        names = dict(zip(free, self.free, strict=True))
        return tuple(names.get(number) or word_of(number) for number in range(1, max([greatest, *free]) + 1))

    def option_costs(self) -> array[int]:
        """Return the costs of all options; empty if no option has one."""
        if self.priced is None:
            return array("q")
        return array("q", [self.costs.get(option, 0) for option in range(len(self.starts) - 1)])

    def names(self) -> tuple[str, ...]:
        """Return the names of the options; empty if no option has one and all are kept."""
        if not self.named and not self.unchosen:
            return ()
        numbers = map(self.unchosen.number, range(len(self.starts) - 1))
        return tuple([self.named.get(option, str(number)) for option, number in enumerate(numbers)])


#: Options in a chunk.
OPTIONS_IN_CHUNK = 2000


def write_dlx(what: Labelled, choices: WriterChoices | None = None) -> Iterator[str]:  # noqa: ARG001
    """Yield the text of an exact cover in chunks of lines: the items, then a line for each option.

    The first line lists the primary items, then a ``|`` and the secondary items. ``low:high|`` precedes an item whose
    bounds are not 1 and 1. Spaces, ``|`` and ``:`` in names become ``_``. A piece with the name of a location gets the
    prefix ``piece-``. A comment on the line before an option gives its name. A word such as ``|5`` at its end is its
    cost.

    The programs lack two things, which the text expresses in other ways. "Any number" becomes the number of options
    with the item. An item that is never covered gets an option at the end that covers it once, and another primary item
    forces that option. If there is no primary item, the text adds one that need not be covered.
    """
    cover = what.cover
    written = written_items(what, r"[\s|:]")
    heads = [_head(*item) for item in written.primary]
    if cover.secondary:
        heads.extend(["|", *written.names[cover.primary :]])
    price = " |0" if cover.costs else ""
    forced = [f"{' '.join(option)}{price}\n" for option in written.forced]
    if cover.option_names:
        forced = [f"{NAME_PREFIX} {option[1]}\n{line}" for option, line in zip(written.forced, forced, strict=True)]
    return option_chunks(what, " ".join(heads) + "\n", written.names, "".join(forced), _colour_words(cover))


class WrittenItems(NamedTuple):
    """The items of a text: the names of all, the primary ones with their bounds, and the options that are added."""

    names: list[str]
    primary: list[tuple[str, int, int]]
    forced: list[tuple[str, str]]


def written_items(what: Labelled, strange: str) -> WrittenItems:
    """Return the items of an exact cover for a text; names have no match of the regular expression ``strange``.

    An item that is never covered, and a cover without primary items, need further primary items.
    """
    cover = what.cover
    names = list(label_words(what.items, strange))
    low, high = list(cover.low), _upper_bounds(cover)
    never = [item for item in range(cover.primary) if high[item] == 0]
    added = [f"no-{names[item]}" for item in never] if cover.primary else ["none"]
    added = list(label_words([*names, *added]))[len(names) :]
    for item in never:
        low[item] = high[item] = 1
    primary = list(zip(names, low, high, strict=False))
    primary.extend((name, 1, 1) if cover.primary else (name, 0, 1) for name in added)
    return WrittenItems(names, primary, [(names[item], word) for item, word in zip(never, added, strict=False)])


def _head(name: str, low: int, high: int) -> str:
    """Return an item with its bounds, as in the line of items."""
    if low == high:
        return name if low == 1 else f"{low}|{name}"
    return f"{low}:{high}|{name}"


def _upper_bounds(cover: ExactCover) -> list[int]:
    """Return the upper bound of each primary item; for an unbounded item, the number of its options."""
    high = list(cover.high)
    if ANY in high:
        times = [0] * (cover.primary + cover.secondary)
        for item in cover.items:
            times[item] += 1
        return [
            max(low, times[item], 1) if most == ANY else most
            for item, (low, most) in enumerate(zip(cover.low, high, strict=True))
        ]
    return high


def option_chunks(
    what: Labelled,
    first: str,
    names: Sequence[str],
    last: str,
    colours: Mapping[int, str],
    cost: str = "|",
    end: str = "",
) -> Iterator[str]:
    """Yield the first lines, the options, and the last lines.

    Args:
        what: The exact cover.
        first: The lines of items.
        names: The words of all items.
        last: The options that are added at the end.
        colours: What follows an item with each colour.
        cost: Precedes the cost of an option.
        end: Ends each option. Default: the end of the line, after a comment with the name of the option.

    """
    cover = what.cover
    yield first
    for begin in range(0, len(cover), OPTIONS_IN_CHUNK):
        until = min(begin + OPTIONS_IN_CHUNK, len(cover))
        starts = cover.starts[begin : until + 1]
        base = starts[0]
        entries = [names[item] for item in cover.items[base : starts[-1]]]
        if colours:
            for entry, colour in enumerate(cover.colours[base : starts[-1]]):
                if colour:
                    entries[entry] += colours[colour]
        lines = [" ".join(entries[one - base : two - base]) for one, two in pairwise(starts)]
        if cover.costs:
            lines = [f"{line} {cost}{price}" for line, price in zip(lines, cover.costs[begin:until], strict=True)]
        if end:
            lines = [line + end for line in lines]
        elif cover.option_names:
            remarks = (f"{NAME_PREFIX} {what.option(option)}".rstrip() for option in range(begin, until))
            lines = [line for both in zip(remarks, lines, strict=True) for line in both]
        yield "\n".join(lines) + "\n"
    if last:
        yield last


def _colour_words(cover: ExactCover) -> dict[int, str]:
    """Return the suffix of an item for each colour; empty without colours.

    The suffix is the name of the colour, if it has one. Colours above the limit get free numbers.
    """
    if cover.colour_names:
        return {colour: f":{word}" for colour, word in enumerate(label_words(cover.colour_names, r"[\s|:]"), 1)}
    used = set(cover.colours) - {0}
    great = sorted(colour for colour in used if colour > MAX_COLOUR)
    numbers = dict(zip(great, free_numbers(len(great), used), strict=True))
    return {colour: ":" + word_of(numbers.get(colour, colour)) for colour in used}


def is_dlx(source: Source) -> bool:
    r"""Whether a text names items in its first line, and options of these items follow, without repeating an item.

    >>> is_dlx(Source("", "| a remark\na 0:2|b | c\na c:1\n")), is_dlx(Source("", "2 1\n1\n2 0 1\n"))
    (True, False)
    """
    items, *options = first_words(source, "|") or [[]]
    begun = source.text.lstrip()
    # Lists of cells, `(0,0) (0,1)`, name cells again in each line, as options name items.
    telling = begun.startswith("|") or not (all(map(str.isdecimal, items)) or begun.startswith(("(", "[", "{")))
    names = {word.rpartition("|")[2] for word in items}
    named = [[word.partition(":")[0] for word in words if word[0] != "|"] for words in options]
    hits = (word in names for words in named for word in words)
    distinct = 1 < len(names) == len(items) and all(len(set(words)) == len(words) for words in named)
    # Rows of equal digits 0 and 1 under one name could be options of the first row.
    digits = len({words[0] for words in (items, *options) if words}) == 1 and set(str(items[:1])) <= set("[]'01")
    rows = digits or is_rows(source) or is_numeric(source)
    return telling and bool(options) and distinct and all(hits) and not rows


FORMAT = Format(
    "dlx",
    (".dlx",),
    "Knuth's DLX: items and options",
    stage="cover",
    read=read_dlx,
    write=write_dlx,
    recognise=(Sign(100, is_dlx),),
    aliases=("knuth", "xcc", "mcc", "exact-cover", "exactcover", "cover"),
    place=80,
    traits=("like a drawing", "costs"),
    largest=2**29,
)
