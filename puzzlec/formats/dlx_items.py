"""The line of items of a DLX text: names, a ``|`` before the secondary ones, bounds before the names of others."""

from __future__ import annotations

import re

from puzzlec.diagnostics import Report, Source
from puzzlec.diagnostics.lines import words
from puzzlec.ir import ANY


class Items:
    """The line of items: their names, and how often each primary one is to be covered; faults go into the report."""

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
        #: Where a blank stands between bounds and their bar, as in `2 | a`: that names an item `2`.
        self.apart = next(re.finditer(r"(?:^|(?<=\s))(?:[0-9]+:)?[0-9]+\s+\|\s*([^\s|]+)", line, re.ASCII), None)
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
