"""Checks of values from JSON: each error names the expected value and the path to the value.

After an error a harmless value replaces the wrong one, so one run reports all errors of a text. Their positions are
looked up once, at the end.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import accumulate, chain
from typing import Any, NamedTuple

from puzzlec.diagnostics import Report, Source, suggestion
from puzzlec.diagnostics.error import MAX_DIAGNOSTICS_KEPT
from puzzlec.diagnostics.suggest import compared_keys
from puzzlec.engine.problem import MAX_TOTAL_COST
from puzzlec.formats.json.places import Path, places
from puzzlec.ir import ANY, Condition, Cost, Payer, RegionRule
from puzzlec.ir.location import At


class JsonFault(NamedTuple):
    """An error: its code and message, the path to the value, and whether it is about the key."""

    code: str
    message: str
    path: Path
    of_key: bool = False
    note: str | tuple[str, ...] = ()
    help: str | tuple[str, ...] = ()


#: Keys of version 0.1, and those of today.
RENAMED_KEYS = {"border": "frame", "edges": "sides"}


class Checks:
    """The checks of one text, with the errors that they found."""

    def __init__(self) -> None:
        self.faults: list[JsonFault] = []
        # Warnings.
        self.doubts: list[JsonFault] = []

    def add(
        self,
        code: str,
        message: str,
        path: Path,
        of_key: bool = False,
        note: str | tuple[str, ...] = (),
        help: str | tuple[str, ...] = (),
    ) -> None:
        """Note an error. The last of very many are left out."""
        if len(self.faults) < MAX_DIAGNOSTICS_KEPT:
            self.faults.append(JsonFault(code, message, path, of_key, note, help))

    def doubt(self, code: str, message: str, path: Path, note: str | tuple[str, ...] = ()) -> None:
        """Note a warning. The last of very many are left out."""
        if len(self.doubts) < MAX_DIAGNOSTICS_KEPT:
            self.doubts.append(JsonFault(code, message, path, note=note))

    def tell(self, source: Source, report: Report) -> None:
        """Add all errors and warnings to the report, with their positions; raise PuzzleError if there are errors."""
        faults = [*self.doubts, *self.faults]
        spans = places(source, [(fault.path, fault.of_key) for fault in faults]) if faults else {}
        for fault in faults:
            place = spans[fault.path, fault.of_key]
            report.add(fault.code, fault.message, place, note=fault.note, help=fault.help)
        report.stop_on_errors()

    def wrong(self, value: Any, path: Path, expected: str, help: str | tuple[str, ...] = ()) -> None:
        """Note a value of the wrong kind."""
        at = f" in `{way(path)}`" if path else ""
        self.add("PZ275", f"expected {expected}{at}, found {kind(value)}", path, help=help)

    def keys(
        self, value: Any, path: Path, what: str, needed: Sequence[str], optional: Sequence[str] = ()
    ) -> dict[str, Any]:
        """Return the known keys of an object; note unknown and missing keys."""
        if not isinstance(value, dict):
            self.wrong(value, path, f"{what} (an object in braces)")
            return {}
        names = (*needed, *optional)
        keys = compared_keys(value, needed, optional)
        for name, help in keys.unknown.items():
            note = f"its keys are {', '.join(names)}"
            if name in RENAMED_KEYS and RENAMED_KEYS[name] in names:
                help = (f"write `{RENAMED_KEYS[name]}`",)
            self.add("PZ273", f"unknown key `{name[:40]}` in {what}", (*path, name), True, note=note, help=help)
        if keys.missing:
            named = " and ".join(f"`{key}`" for key in keys.missing)
            self.add("PZ274", f"missing key{'s' * (len(keys.missing) > 1)} {named} in {what}", path)
        return {name: member for name, member in value.items() if name in names}

    def text(self, value: Any, path: Path, what: str = "a text", empty: bool = True, lines: bool = False) -> str:
        """Return a text: on one line and without control characters, unless it may have ``lines``."""
        if not isinstance(value, str):
            self.wrong(value, path, what)
            return ""
        if not value and not empty:
            self.wrong(value, path, f"{what} of one character or more")
        elif not lines and not value.isprintable() and any(entry < " " or "\x7f" <= entry < "\xa0" for entry in value):
            self.wrong(value, path, f"{what} without control characters")
        return str(value)

    def whole(self, value: Any, path: Path, least: int, most: int, what: str = "an integer") -> int:
        """Return an integer within bounds."""
        if type(value) is int and least <= value <= most:
            return value
        self.wrong(value, path, f"{what} from {least} to {most}" if most < ANY else f"{what} of {least} or more")
        return least

    def truth(self, value: Any, path: Path) -> bool:
        """Return true or false."""
        if not isinstance(value, bool):
            self.wrong(value, path, "`true` or `false`")
        return value is True

    def choice(self, value: Any, path: Path, words: Collection[str], what: str) -> str | None:
        """Return one of the allowed words."""
        if isinstance(value, str) and value in words:
            return value
        help = suggestion(value, words) if isinstance(value, str) else ()
        self.wrong(value, path, f"{what} ({', '.join(words)})", help)
        return None

    def bounds(self, members: dict[str, Any], path: Path) -> tuple[int, int]:
        """Return the numbers ``low`` and ``high`` of an object. The default of each is 1, and ``any`` means no bound.

        If only one is given and contradicts the other's 1, that is also an error.
        """
        low = self.whole(members.get("low", 1), (*path, "low"), 0, ANY)
        said = members.get("high", 1)
        high = ANY if said == "any" else 1
        if said != "any":
            if type(said) is int and 0 <= said <= ANY:
                high = said
            else:
                self.wrong(said, (*path, "high"), 'an integer of 0 or more, or `"any"`')
                return low, ANY
        if low > high:
            at = (*path, "high") if "high" in members else (*path, "low")
            self.add("PZ276", f"`low` {low} is above `high` {high}", at)
            return low, low
        return low, high

    def between(self, value: Any, path: Path) -> tuple[int, int] | None:
        """Return a pair of numbers, the lesser first; None for null."""
        if value is None:
            return None
        if not isinstance(value, list) or len(value) != 2:
            self.wrong(value, path, "a pair of numbers such as `[0, 3]`")
            return None
        low, high = (self.whole(entry, (*path, at), 0, ANY) for at, entry in enumerate(value))
        if low > high:
            self.add("PZ276", f"the bounds {low} and {high} run backwards", path)
        return low, max(low, high)

    def several(self, value: Any, path: Path, what: str, read: Callable[[Any, Path], Any]) -> list[Any]:
        """Return a list of values, each read by ``read``."""
        if not isinstance(value, list):
            self.wrong(value, path, f"a list of {what}")
            return []
        return [read(entry, (*path, at)) for at, entry in enumerate(value)]

    def region_rule(
        self, value: Any, path: Path, at: Callable[[Any, Path], At], meeting: bool = False
    ) -> RegionRule[At]:
        """Return a rule on a region. ``at`` reads its locations. It may be about how pieces ``meet``."""
        meets: tuple[str, ...] = ("pieces", "pairs") if meeting else ()
        members = self.keys(
            value, path, "a rule on a region", ("kind", "region"), ("low", "high", "name", "piece", *meets)
        )
        kinds = [kind.value for kind in Condition if meeting or kind is Condition.COUNT or kind.needs_colours]
        word = self.choice(members.get("kind", "sum"), (*path, "kind"), kinds, "a condition")
        kind = Condition(word or "sum")
        region = self.several(members.get("region", []), (*path, "region"), "locations", at)
        self.different(region, (*path, "region"), "PZ205", lambda location: f"duplicate location {location}")
        if members.get("region") == []:
            self.add("PZ363", "missing locations in the region of this rule", (*path, "region"))
        for key in ("low", "high"):
            if not kind.is_bounded and key in members:
                self.add("PZ276", f"unexpected key `{key}`: only a sum and a count have it", (*path, key), True)
        if kind is not Condition.COUNT and "piece" in members:
            self.add("PZ276", "unexpected key `piece`: only a count has it", (*path, "piece"), True)
        piece = self.text(members.get("piece", ""), (*path, "piece"))
        bounds = {"low": members.get("low", 0), "high": members.get("high", "any")}
        low, high = self.bounds(bounds, path)
        name = self.text(members.get("name", ""), (*path, "name"))
        pieces = tuple(self.texts(members.get("pieces", []), (*path, "pieces"), "names of pieces"))
        pairs = tuple(self.pairs(members.get("pairs", []), (*path, "pairs"), "locations", at))
        return RegionRule(kind, tuple(region), low, high, name, piece=piece, pieces=pieces, pairs=pairs)

    def costs(
        self, value: Any, path: Path, at: Callable[[Any, Path], At], of_fitting: bool = False
    ) -> tuple[Cost[At], ...]:
        """Return costs. ``at`` reads their locations. In a fitting, those of crossroads and faults are at one place."""

        def one(value: Any, path: Path) -> Cost[At]:
            members = self.keys(value, path, "a cost", ("cost",), ("of", "name", "where", "region"))
            word = self.choice(members.get("of", "piece"), (*path, "of"), [payer.value for payer in Payer], "what pays")
            payer = Payer(word or "piece")
            of_place = of_fitting and payer.is_meeting
            if of_place and "where" not in members:
                self.add(
                    "PZ276", f"cost of {payer.value} has no place", path, help='write `"where": "at"` and a region'
                )
            regions = ("at",) if of_place else payer.relations
            where = self.choice(members["where"], (*path, "where"), regions, "a region") if "where" in members else ""
            region = self.several(members.get("region", []), (*path, "region"), "locations", at)
            self.different(region, (*path, "region"), "PZ205", lambda location: f"duplicate location {location}")
            name = self.text(members.get("name", ""), (*path, "name"))
            return Cost(self.amount(members.get("cost", 0), (*path, "cost")), payer, name, where or "", tuple(region))

        return tuple(self.several(value, path, "costs", one))

    def amount(self, value: Any, path: Path) -> int:
        """Return a cost: an integer of 64 bits."""
        if type(value) is not int:
            self.wrong(value, path, "a cost (an integer)")
            return 0
        if abs(value) > MAX_TOTAL_COST:
            self.add("PZ717", "costs do not fit into 64 bits", path)
            return 0
        return value

    def texts(self, value: Any, path: Path, what: str, lines: bool = False) -> list[str]:
        """Return a list of texts."""
        return self.several(value, path, what, lambda text, at: self.text(text, at, lines=lines))

    def pairs(self, value: Any, path: Path, what: str, read: Callable[[Any, Path], Any]) -> list[tuple[Any, Any]]:
        """Return a list of pairs of things."""

        def pair(couple: Any, at: Path) -> tuple[Any, Any] | None:
            if not isinstance(couple, list) or len(couple) != 2:
                self.wrong(couple, at, f"a pair of {what}")
                return None
            return read(couple[0], (*at, 0)), read(couple[1], (*at, 1))

        return [
            found_pair for found_pair in self.several(value, path, f"pairs of {what}", pair) if found_pair is not None
        ]

    def different(self, values: Sequence[Any], path: Path, code: str, said: Callable[[Any], str]) -> None:
        """Note each duplicate value of a list."""
        if len(set(values)) == len(values):
            return
        seen: set[Any] = set()
        for at, value in enumerate(values):
            if value in seen and value != "":  # an empty name is another error
                self.add(code, said(value), (*path, at))
            seen.add(value)

    def numbers(self, value: Any, path: Path, below: int, what: str, code: str) -> array[int]:
        """Return a list of different numbers from 0 to below - 1; ``code`` is for those that are out of range."""
        if not isinstance(value, list):
            self.wrong(value, path, f"a list of numbers of {what}s")
            return array("i")
        entries = array("i")
        seen: set[int] = set()
        for at, entry in enumerate(value):
            if type(entry) is not int:
                self.wrong(entry, (*path, at), f"the number of {_a(what)}")
            elif not 0 <= entry < below:
                self.add(code, f"{what} {entry} is out of range", (*path, at), note=_range(below, what))
            elif entry in seen:
                self.add("PZ205", f"duplicate {what} {entry} in one list", (*path, at))
            else:
                seen.add(entry)
                entries.append(entry)
        return entries

    def rows(self, value: Any, path: Path, below: int, what: str, code: str) -> tuple[array[int], array[int]]:
        """Return lists of different numbers as arrays: the start of each list, and the numbers.

        A million lists take a second or two, because single lists are examined only after an error.
        """
        if not isinstance(value, list):
            self.wrong(value, path, f"a list of lists of numbers of {what}s")
            return array("i", [0]), array("i")
        if all_rows_of_numbers(value):
            try:
                flat = array("i", chain.from_iterable(value))
            except OverflowError:
                flat = array("i", [-1])
            within = not flat or (min(flat) >= 0 and max(flat) < below)
            if within and all(len(set(row)) == len(row) for row in value):
                return array("i", accumulate(map(len, value), initial=0)), flat
        lists = [self.numbers(row, (*path, at), below, what, code) for at, row in enumerate(value)]
        return array("i", accumulate(map(len, lists), initial=0)), array("i", chain.from_iterable(lists))


def all_rows_of_numbers(rows: Sequence[Any]) -> bool:
    """Whether these are lists of integers; true and false are not integers."""
    return set(map(type, rows)) <= {list} and set(map(type, chain.from_iterable(rows))) <= {int}


def way(path: Iterable[str | int]) -> str:
    """Return a path to a value as text.

    >>> way(("pieces", 3, "low"))
    'pieces[3].low'
    """
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")


def kind(value: Any) -> str:
    """Return the kind of a value in words; a short value is included.

    >>> kind([1, 2]), kind("x"), kind(None)
    ('a list of 2', 'the text `"x"`', '`null`')
    """
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    text = json.dumps(value, ensure_ascii=False)
    text = text if len(text) <= 40 else text[:37] + "..."
    return f"the text `{text}`" if isinstance(value, str) else f"`{text}`"


def _a(what: str) -> str:
    return f"{'an' if what[0] in 'aeiou' else 'a'} {what}"


def _range(below: int, what: str) -> str:
    return f"there are {below} {what}s, 0 to {below - 1}" if below else f"there are no {what}s"
