"""An exact cover in JSON: items with their bounds, options with their colours."""

from __future__ import annotations

from array import array
from itertools import accumulate, chain
from operator import mul
from typing import Any

from puzzlec.diagnostics import counted
from puzzlec.engine.problem import MAX_TOTAL_COST, ExactCover
from puzzlec.formats.json.checks import Checks, all_rows_of_numbers
from puzzlec.formats.json.fitting import MAX_UNNAMED_ENTRIES
from puzzlec.formats.unchosen import NOTE, ignoring
from puzzlec.ir import ANY

REQUIRED_KEYS = ("items", "options")
OPTIONAL_KEYS = ("title", "secondary", "colours", "costs")


def cover_of(members: dict[str, Any], checks: Checks) -> ExactCover | None:
    """Return the exact cover of an object, or None after an error.

    An option is a list of item numbers, or an object with ``items`` and, if it has any, ``name`` and ``colours``. A
    list of colours is as long as the list of items; 0 means no colour. ``colours`` has the names of the colours, from
    colour 1 on.
    """
    return _CoverReader(checks).cover(members)


class _CoverReader:
    def __init__(self, checks: Checks) -> None:
        self.checks = checks
        #: The options without a primary item, which are left out.
        self.unchosen: dict[int, None] = {}

    def cover(self, members: dict[str, Any]) -> ExactCover | None:
        checks = self.checks
        title = checks.text(members.get("title", ""), ("title",))
        names, low, high = self.items(members.get("items"))
        primary = len(names)
        names.extend(self.secondary(members.get("secondary", [])))
        options = members.get("options")
        if not isinstance(options, list):
            checks.wrong(options, ("options",), "a list of options")
            return None
        rows, colours, option_names = self.options(options, len(names), primary)
        colour_names = checks.texts(
            members.get("colours", []), ("colours",), "names of colours, from colour 1", lines=True
        )
        if colour_names and max(colours, default=0) > len(colour_names):
            said = f"the colour {max(colours)} has no name: there are {counted(len(colour_names), 'name')}"
            checks.add("PZ276", said, ("colours",), note="the first name is that of colour 1")
        costs = self.costs(members.get("costs", []), len(options))
        if checks.faults:
            return None
        if self.unchosen:
            rows, colours, option_names, costs = self.kept(rows, colours, option_names, costs)
        return ExactCover(
            primary=primary,
            low=low,
            high=high,
            secondary=len(names) - primary,
            starts=array("i", accumulate(map(len, rows), initial=0)),
            items=array("i", chain.from_iterable(rows)),
            colours=colours,
            item_names=tuple(names) if any(names) else (),
            option_names=option_names,
            colour_names=tuple(colour_names),
            title=title,
            costs=costs,
        )

    def kept(
        self, rows: list[list[int]], colours: array[int], names: tuple[str, ...], costs: array[int]
    ) -> tuple[list[list[int]], array[int], tuple[str, ...], array[int]]:
        """Return the options that have a primary item, and warn about the others."""
        first = next(iter(self.unchosen))
        self.checks.doubt("PZ285", ignoring(len(self.unchosen)), ("options", first), note=NOTE)
        starts = list(accumulate(map(len, rows), initial=0))
        left = [option for option in range(len(rows)) if option not in self.unchosen]
        return (
            [rows[option] for option in left],
            array("i", chain.from_iterable(colours[starts[option] : starts[option + 1]] for option in left)),
            tuple([(names and names[option]) or str(option) for option in left]),
            array("q", [costs[option] for option in left] if costs else []),
        )

    def costs(self, value: Any, options: int) -> array[int]:
        """Return the costs of the options; empty if they have none."""
        entries = self.checks.several(value, ("costs",), "costs, one for each option", self.checks.amount)
        if entries and len(entries) != options:
            said = f"expected {counted(options, 'cost')}, one for each option, found {len(entries)}"
            self.checks.add("PZ276", said, ("costs",))
        elif sum(map(abs, entries)) > MAX_TOTAL_COST:
            self.checks.add("PZ717", "costs do not fit into 64 bits", ("costs",))
        return array("q", entries)

    def items(self, value: Any) -> tuple[list[str], array[int], array[int]]:
        """Return names and bounds of the primary items; a number means that many items without names."""
        low, high = array("i"), array("i")
        if type(value) is int:
            number = self.checks.whole(value, ("items",), 0, MAX_UNNAMED_ENTRIES, "a list of items or their number")
            return [""] * number, array("i", [1]) * number, array("i", [1]) * number
        names = []
        if not isinstance(value, list):
            self.checks.wrong(value, ("items",), "a list of items or their number")
            return [], low, high
        for at, entry in enumerate(value):
            path = ("items", at)
            if isinstance(entry, dict):
                members = self.checks.keys(entry, path, "an item", (), ("name", "low", "high"))
                names.append(self.name(members.get("name", ""), (*path, "name")))
                bounds = self.checks.bounds(members, path)
            else:
                names.append(self.name(entry, path))
                bounds = 1, 1
            low.append(bounds[0])
            high.append(bounds[1])
        return names, low, high

    def secondary(self, value: Any) -> list[str]:
        """Return the names of the secondary items."""
        if type(value) is int:
            return [""] * self.checks.whole(
                value, ("secondary",), 0, MAX_UNNAMED_ENTRIES, "a list of names or their number"
            )
        return self.checks.several(value, ("secondary",), "names of items or their number", self.name)

    def name(self, value: Any, path: tuple[str | int, ...]) -> str:
        return self.checks.text(value, path, "the name of an item", lines=True)

    def options(
        self, options: list[Any], items: int, primary: int
    ) -> tuple[list[list[int]], array[int], tuple[str, ...]]:
        """Return items, colours and names of all options."""
        kinds = set(map(type, options))
        objects = dict in kinds
        rows: list[Any] = (
            [option.get("items") if type(option) is dict else option for option in options] if objects else options
        )
        colours = array("i")
        names: tuple[str, ...] = ()
        plain = all_rows_of_numbers(rows) and self.are_rows(rows, items, primary)
        if objects or not plain:
            named, painted = self.objects(options, plain, items, primary)
            names = tuple(named) if any(named) else ()
            colours = painted
        elif plain:
            colours = array("i", bytes(4 * sum(map(len, rows))))
        return rows, colours, names

    def are_rows(self, rows: list[list[int]], items: int, primary: int) -> bool:
        """Whether all lists are items of options: in range, without duplicates, and with a primary item."""
        least = min(map(min, filter(None, rows)), default=0)
        greatest = max(map(max, filter(None, rows)), default=-1)
        return (
            least >= 0
            and greatest < items
            and all(rows)
            and max(map(min, rows), default=-1) < primary
            and all(len(set(row)) == len(row) for row in rows)
        )

    def objects(self, options: list[Any], plain: bool, items: int, primary: int) -> tuple[list[str], array[int]]:
        """Return names and colours of options one by one, with the errors of each."""
        checks = self.checks
        names: list[str] = []
        colours = array("i")
        for at, option in enumerate(options):
            path: tuple[str | int, ...] = ("options", at)
            row = option
            name, said = "", None
            if type(option) is dict:
                if not option.keys() <= {"name", "items", "colours"} or "items" not in option:
                    checks.keys(option, path, "an option", ("items",), ("name", "colours"))
                    continue
                row, name, said = option["items"], option.get("name", ""), option.get("colours")
                if type(name) is not str:
                    name = checks.text(name, (*path, "name"), "the name of an option", lines=True)
                path = (*path, "items")
            if not plain:
                if not isinstance(row, list):
                    checks.wrong(row, path, "an option (a list of item numbers, or an object)")
                    continue
                self.row(row, at, path, items, primary)
            names.append(name)
            if said is None:
                colours.frombytes(bytes(4 * len(row)))
            else:
                colours.extend(self.colours(said, ("options", at, "colours"), row, primary))
        return names, colours

    def row(self, row: list[Any], option: int, path: tuple[str | int, ...], items: int, primary: int) -> None:
        """Note the errors in the items of one option, and an option without a primary item."""
        before = len(self.checks.faults)
        numbers = self.checks.numbers(row, path, items, "item", "PZ276")
        if len(self.checks.faults) == before and min(numbers, default=primary) >= primary:
            self.unchosen[option] = None

    def colours(self, said: Any, path: tuple[str | int, ...], row: list[int], primary: int) -> list[int]:
        """Return the colours of the items of one option."""
        checks = self.checks
        if not isinstance(said, list):
            checks.wrong(said, path, "a list of colours (integers)")
            return []
        if len(said) != len(row):
            checks.add(
                "PZ276",
                f"expected {len(row)} colours, one for each item, found {len(said)}",
                path,
                note="0 means no colour",
            )
            return []
        if set(map(type, said)) == {int} and min(said) >= 0 and max(said) <= ANY:
            numbers = said
        else:
            numbers = [
                checks.whole(number, (*path, at), 0, ANY, "a colour (0: none)") for at, number in enumerate(said)
            ]
        if set(map(type, row)) != {int} or not any(map(mul, numbers, map(primary.__gt__, row))):
            return numbers
        for at, (item, colour) in enumerate(zip(row, numbers, strict=True)):
            if colour and item < primary:
                note = "only secondary items have colours"
                checks.add("PZ276", f"primary item {item} has a colour", (*path, at), note=note)
        return numbers
