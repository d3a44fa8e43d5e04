"""What programs for exact cover print: the options of a cover, by their items, their names or their numbers.

Knuth's DLX1, DLX2, DLX3 and their kin (https://www-cs-faculty.stanford.edu/~knuth/programs.html) print the number of a
solution and a colon, and then each option on a line: its items in a cyclic order, colours behind a colon, and how many
choices there were: ` A X:1 Y (1 of 4)`. Others print the same without numbers and remarks, options joined by `|` on
one line, or the numbers of the options.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from puzzlec.diagnostics import Report, Span, suggestion
from puzzlec.readers.answers.lines import Lines
from puzzlec.readers.answers.model import Ending, Event, Known, Model, Said, numbers_known, words_of
from puzzlec.readers.shades import number_of

_CHOICES = re.compile(r"\s+\((?:[0-9]+ of [0-9]+|\?)\)\s*$")
_HEAD = re.compile(r"\s*[0-9]+:\s*(?:\(total cost \$-?[0-9]+\)\s*)?$")
_TOTAL = re.compile(r"\s*Altogether ([0-9]+) solutions?\b")
_REMARK = re.compile(r"\s*\([0-9]+ options, .*\)\s*$|\s*The optimum cost is |\s*#")

#: A name is compared with others only where there are fewer of them.
SUGGESTED = 5000


class _Cover:
    """The options of one cover, as they are told one after the other."""

    def __init__(self, known: Known, span: Span) -> None:
        self.known, self.span, self.report = known, span, Report()
        self.options: dict[int, None] = {}

    def add(self, option: int, at: Span) -> None:
        if option in self.options:
            self.report.add(
                "PZ615", f"option {option + 1} is told twice", at, note=f"it is `{self.known.label(option)}`"
            )
        self.options[option] = None

    def by_items(self, words: list[Span]) -> None:
        """Add the option with these items; of several that are alike, the first that is not there yet."""
        items: dict[int, frozenset[int]] = {}
        whole = words[0].source.span(words[0].start, words[-1].end)
        faults = self.report.errors
        for word in words:
            item, colours = self._item(word)
            if item is None:
                continue
            if item in items:
                self.report.add("PZ615", f"item `{word.text[:40]}` is told twice in one option", word)
            items[item] = colours
        if self.report.errors > faults:
            return
        cover = self.known.cover
        found = [
            option
            for option in self.known.options_with.get(frozenset(items), ())
            if all(colour in items[item] for item, colour in cover.entries(option))
        ]
        if found:
            self.add(next((option for option in found if option not in self.options), found[0]), whole)
        elif not self._is_forced(words, items):
            self.report.add("PZ618", "no option has just these items", whole, note=self._near(items))

    def _item(self, word: Span) -> tuple[int | None, frozenset[int]]:
        """Return the item that a word means, and the colours that it can have there (0: none)."""
        item = self.known.item_of.get(word.text)
        if item is not None:
            return item, frozenset((0,))
        name, colon, colour = word.text.rpartition(":")
        item = self.known.item_of.get(name)
        if colon and colour and item is not None:
            numbers = {number_of(colour)}
            if colour in self.known.cover.colour_names:
                numbers.add(self.known.cover.colour_names.index(colour) + 1)
            return item, frozenset(number for number in numbers if number is not None)
        if not word.text.startswith("no-"):
            help = suggestion(word.text, self.known.item_of) if len(self.known.item_of) < SUGGESTED else ()
            self.report.add("PZ613", f"there is no item `{word.text[:40]}`", word, help=help)
        return None, frozenset()

    def _is_forced(self, words: list[Span], items: dict[int, frozenset[int]]) -> bool:
        """Whether this is the option that keeps an item free which must never be covered: our DLX files have such."""
        high = self.known.cover.high
        return len(words) == 2 and len(items) == 1 and next(iter(items)) < len(high) and not high[next(iter(items))]

    def _near(self, items: dict[int, frozenset[int]]) -> str | tuple[()]:
        """Return a note that tells what there is instead, if anything."""
        others = self.known.options_with.get(frozenset(items))
        if others:
            return f"with other colours there is option {others[0] + 1}: `{self.known.label(others[0])}`"
        return ()

    def model(self) -> Model:
        if self.report.diagnostics:
            return Model(self.span, faults=tuple(self.report.diagnostics))
        return Model(self.span, tuple(sorted(self.options)))


def read_dlx_answer(lines: Lines, known: Known) -> Iterator[Event]:
    """Give the covers that one of Knuth's programs printed; without numbers, an empty line parts two of them."""
    cover: _Cover | None = None
    headed = False
    for line in lines:
        text = line.text
        total = _TOTAL.match(text)
        head = _HEAD.match(text) and text.strip() not in known.item_of
        if head or total or (not text.strip() and not headed):
            if cover is not None:
                yield cover.model()
            cover = None
            if head:
                cover, headed = _Cover(known, line), True
            elif total:
                yield Said(Ending.COMPLETE, line)
        elif text.strip() and not _REMARK.match(text):
            cover = cover or _Cover(known, line)
            choices = _CHOICES.search(text)
            words = words_of(line.source.span(line.start, line.start + choices.start()) if choices else line)
            if len(words) == 2 and words[0].text == "null" and choices:
                continue  # DLX3: an item is covered no more
            if choices and not words:
                cover.report.add("PZ612", "there is no item on this line", line)
                continue
            cover.by_items(words)
    if cover is not None:
        yield cover.model()


def read_bars(lines: Lines, known: Known) -> Iterator[Event]:
    """Give the covers of an answer with one on each line: options joined by ``|``, each by its items or its name."""
    called: dict[str, int] = {}
    for line in lines:
        text = line.text
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        if not called:
            for number in range(known.options):
                called.setdefault(" ".join(known.label(number).split()), number)
        cover = _Cover(known, line)
        at = line.start
        parts = text.strip().strip("|").split("|")
        at += len(text) - len(text.lstrip()) + (len(text.strip()) - len(text.strip().lstrip("|")))
        for part in parts:
            span = line.source.span(at, at + len(part))
            at += len(part) + 1
            words = words_of(span) if part else []
            option = called.get(" ".join(part.split()))
            if not words:
                cover.report.add("PZ612", "there is nothing between two bars", line.source.span(span.start))
            elif option is not None:
                cover.add(option, span)
            else:
                cover.by_items(words)
        yield cover.model()


def _read_numbers(lines: Lines, known: Known, first: int) -> Iterator[Event]:
    """Give the covers of an answer with one on each line: the numbers of its options."""
    for line in lines:
        if not line.text.strip() or line.text.lstrip().startswith("#"):
            continue
        cover = _Cover(known, line)
        for match in re.finditer(r"[^\s,\[\]()]+", line.text):
            at = line.source.span(line.start + match.start(), line.start + match.end())
            if not re.fullmatch(r"[0-9]{1,12}", match[0]):
                cover.report.add("PZ612", f"`{match[0][:40]}` is no number of an option", at)
            elif not first <= int(match[0]) < known.options + first:
                last = known.options - 1 + first
                note = (
                    numbers_known(known) if first else f"options are numbered {first} to {last} in this kind of answer"
                )
                cover.report.add("PZ613", f"there is no {'variable' if first else 'option'} {match[0]}", at, note=note)
            else:
                cover.add(int(match[0]) - first, at)
        yield cover.model()


#: Numbers of options from 0, and numbers of variables from 1.
read_options = partial(_read_numbers, first=0)
read_variables = partial(_read_numbers, first=1)
