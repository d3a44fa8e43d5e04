"""The third level: an exact cover problem as integer arrays, in the terms of TAOCP 7.2.2.1.

The problem is XCC (secondary items may carry colours) or MCC (primary items with bounds); plain exact
cover is the case without either.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ExactCover:
    """Items 0 .. ``primary`` - 1 are primary, the rest secondary; options are rows of items.

    ``low``, ``high``: bounds of each primary item (array of int32, length ``primary``).
    ``starts``: array of int32, one longer than the number of options; option ``o`` has the entries
    ``starts[o] .. starts[o + 1] - 1`` of ``items`` (int32, the item) and ``colours`` (int32: 0 for no
    colour, else a colour >= 1 that all options on that secondary item must share).
    ``item_names`` and ``option_names`` may be empty; they are remarks and not compared.
    """

    primary: int
    low: array[int]
    high: array[int]
    secondary: int
    starts: array[int]
    items: array[int]
    colours: array[int]
    item_names: tuple[str, ...] = field(default=(), compare=False, repr=False)
    option_names: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        self._verify_arrays()

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[Sequence[int | tuple[int, int]]],
        primary: int,
        secondary: int = 0,
        bounds: Sequence[tuple[int, int]] | None = None,
        item_names: Sequence[str] = (),
        option_names: Sequence[str] = (),
    ) -> ExactCover:
        """Return the problem with these options; an entry is an item, or a pair (secondary item, colour).

        >>> cover = ExactCover.from_rows([[0], [0, 1], [1, 3], [2], [2, 3]], primary=4)
        >>> len(cover), cover.row(1)
        (5, (0, 1))
        """
        bounds = [(1, 1)] * primary if bounds is None else bounds
        starts, items, colours = array("i", [0]), array("i"), array("i")
        for row in rows:
            for entry in row:
                item, colour = entry if isinstance(entry, tuple) else (entry, 0)
                items.append(item)
                colours.append(colour)
            starts.append(len(items))
        cover = cls(
            primary,
            array("i", [low for low, _ in bounds]),
            array("i", [high for _, high in bounds]),
            secondary,
            starts,
            items,
            colours,
            tuple(item_names),
            tuple(option_names),
        )
        cover.verify()
        return cover

    def _verify_arrays(self) -> None:
        """Check what can be checked of the arrays as a whole, which is cheap."""
        total = self.primary + self.secondary
        if not len(self.low) == len(self.high) == self.primary:
            raise ValueError("not every primary item has its bounds")
        if any(not 0 <= low <= high for low, high in zip(self.low, self.high, strict=True)):
            raise ValueError("the bounds of an item run backwards")
        if self.starts[0] != 0 or self.starts[-1] != len(self.items) or len(self.colours) != len(self.items):
            raise ValueError("the arrays of the options do not fit together")
        if self.items and not (min(self.items) >= 0 and max(self.items) < total):
            raise ValueError("an item is out of range")
        if self.colours and min(self.colours) < 0:
            raise ValueError("a colour is negative")

    def verify(self) -> None:
        """Check all that every ExactCover must satisfy, option by option; raise ValueError for what does not."""
        self._verify_arrays()
        for option in range(len(self)):
            row = self.row(option)
            if len(set(row)) != len(row):
                raise ValueError(f"option {self.option_name(option)} has an item twice")
            if not any(item < self.primary for item in row):
                raise ValueError(f"option {self.option_name(option)} has no primary item")
        if any(colour and item < self.primary for item, colour in zip(self.items, self.colours, strict=True)):
            raise ValueError("a primary item has a colour")

    def __len__(self) -> int:
        return len(self.starts) - 1

    def row(self, option: int) -> tuple[int, ...]:
        """Return the items of an option."""
        return tuple(self.items[self.starts[option] : self.starts[option + 1]])

    def entries(self, option: int) -> list[tuple[int, int]]:
        """Return the items of an option with their colours."""
        first, last = self.starts[option], self.starts[option + 1]
        return list(zip(self.items[first:last], self.colours[first:last], strict=True))

    def item_name(self, item: int) -> str:
        """Return the name of an item, its number where it has none."""
        return self.item_names[item] if self.item_names else str(item)

    def option_name(self, option: int) -> str:
        """Return the name of an option, its number where it has none."""
        return self.option_names[option] if self.option_names else str(option)

    def subset(self, options: Sequence[int]) -> ExactCover:
        """Return the problem with only these options; its option ``k`` is ``options[k]`` here."""
        starts, items, colours = array("i", [0]), array("i"), array("i")
        for option in options:
            first, last = self.starts[option], self.starts[option + 1]
            items.extend(self.items[first:last])
            colours.extend(self.colours[first:last])
            starts.append(len(items))
        names = tuple(self.option_names[option] for option in options) if self.option_names else ()
        return ExactCover(
            self.primary, self.low, self.high, self.secondary, starts, items, colours, self.item_names, names
        )

    def __str__(self) -> str:
        return (
            f"exact cover with {self.primary} primary and {self.secondary} secondary items, "
            f"{len(self)} options, {len(self.items)} entries"
        )
