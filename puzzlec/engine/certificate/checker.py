"""The checker of certificates: does a file prove what it claims about an exact cover? Run ``python checker.py FILE``.

It needs Python alone, and shares nothing with the program that wrote the file. docs/certificates.md has the format and
says why each step proves what it proves. An option covers items. A cover is a set of options that covers each item
``low`` to ``high`` times; an item without bounds at most once, or more often if those options give it one same colour.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from typing import Any

#: No file may fill the memory: so many bytes a line, options, subproblems that wait, bits of all of these (1 GB).
LONGEST, MOST_OPTIONS, MOST_WAITING, MOST_BITS = 1 << 26, 1 << 18, 1_000_000, 1 << 33


class RefusedError(Exception):
    """A certificate does not prove what it claims; the text says why."""


def demand(holds: bool, reason: str) -> None:
    """Raise RefusedError unless something holds."""
    if not holds:
        raise RefusedError(reason)


def numbers(values: Any, least: int, most: int) -> list[int]:
    """Return a list of whole numbers within bounds; raise ValueError for anything else."""
    if not isinstance(values, list) or any(type(each) is not int or not least <= each <= most for each in values):
        raise ValueError(f"a list of numbers between {least} and {most} was expected")
    return values


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON, which has no key twice: who reads the first one must not read another claim."""
    demand(len(dict(pairs)) == len(pairs), "a key stands twice in an object")
    return dict(pairs)


class Certificate:
    """A certificate: what was ``proved`` so far up to which ``line``, and the ``covers`` that it lists."""

    def __init__(self) -> None:
        self.line, self.digest = 0, hashlib.sha256()
        self.proved: dict[str, int] = {}
        self.covers: set[tuple[int, ...]] = set()

    def check(self, path: str | int) -> None:
        """Check a file (0: standard input); raise RefusedError for a wrong proof or claim, or what Python raises."""
        sections: dict[str, Any] = {"weights": self.weigh, "table": self.count, "covers": self.compare}
        with open(path, "rb") as raw, gzip.open(raw) if raw.peek(1)[:1] == b"\x1f" else raw as self.file:  # noqa: PTH123
            self.head = self.read()
            demand(self.head["certificate"] == 1, "it is of another version than 1")
            self.take_cover(**self.head["cover"])
            while "claims" not in (part := self.read()):
                sections[next(iter(part))](**part)
            same = json.dumps(part["claims"], sort_keys=True) == json.dumps(self.proved, sort_keys=True) != "{}"
            demand(same, f"it claims {part['claims']}, and proves {self.proved}")
            demand(not self.file.read(1), "there is something behind its end")

    def read(self) -> Any:
        """Return the value on the next line; the last line has to tell the digest of all lines before it."""
        self.line += 1
        text = self.file.readline(LONGEST)
        demand(text.endswith(b"\n"), "it ends early, or a line is too long")
        value = json.loads(text, object_pairs_hook=unique)
        demand("claims" not in value or value["sha256"] == self.digest.hexdigest(), "the digest is another one")
        self.digest.update(text)
        return value

    def take_cover(self, items: list[Any], options: list[Any]) -> None:
        """Take an exact cover: ``[low, high]`` or null of each item; each option's items, before their colours or 0."""
        known = [[0, len(options)] if pair is None else numbers(pair, 0, 1 << 31) for pair in items]
        demand(all(low <= high for low, high in known), "bounds run backwards")
        self.bounds = [(low, high, pair is None) for (low, high), pair in zip(known, items, strict=True)]
        self.options = [dict(zip(numbers(row, 0, 1 << 31)[::2], row[1::2], strict=True)) for row in options]
        self.painted = {entry: 0 for entries in self.options for entry in entries.items()}
        bits = (len(items) + len(self.painted)) * len(options)
        demand(len(options) <= MOST_OPTIONS and bits <= MOST_BITS, "there are too many options, or items for them")
        # A set of options is a number, a bit for each. In ``times`` each item has a field of ``width`` bits.
        self.all, self.width, self.having = 0, len(options).bit_length(), [0] * len(items)
        for number, entries in enumerate(self.options):
            demand(0 < 2 * len(entries) == len(options[number]), "an option has an item twice, or none")
            for item, colour in entries.items():
                self.having[item] |= 1 << number
                self.painted[item, colour] |= 1 << number
            self.all |= all(self.bounds[item][1] for item in entries) << number

    def needs(self, item: int, times: int) -> int:
        """Return how many options an item still needs: 0 or less where it may do with those that it has."""
        return self.bounds[item][0] - (times >> item * self.width & (1 << self.width) - 1)

    def is_cover(self, times: int) -> bool:
        """Whether no item needs any more options."""
        return all(self.needs(item, times) <= 0 for item in range(len(self.bounds)))

    def choose(self, option: int, fits: int, times: int) -> tuple[int, int]:
        """Return which options still fit after one was chosen, and how often each item is covered then."""
        demand(fits >> option & 1 == 1, "an option is chosen that does not go with those before it")
        fits &= ~(1 << option)
        for item, colour in self.options[option].items():
            low, high, coloured = self.bounds[item]
            if coloured or (low, high) == (0, 1):  # need not be counted: what may still cover it is what fits
                fits &= ~self.having[item] | (self.painted[item, colour] if coloured and colour else 0)
            else:
                times += 1 << item * self.width
                fits &= -1 if low - self.needs(item, times) < high else ~self.having[item]
        return fits, times

    def count(self, table: int, root: int) -> None:
        """Count all covers by a table of subproblems: which options fit, and how often each item is covered so far.

        Row ``k`` names an item, and what subproblem ``k`` becomes by each option of the item that fits, in ascending
        order, without those before it; then by none of them, where the item needs none: each cover goes one of these
        ways. It becomes one cover (0), none for want of options of item ``i`` (-1 - i), or what has a later row.
        """
        total, most, fits, times, ways, having, children = 0, len(self.bounds), self.all, 0, 1, 0, [root]
        room = min(MOST_WAITING, MOST_BITS // (1 + len(self.options) + most * self.width))
        waiting: dict[int, list[int]] = {}  # subproblem: what fits, times, and in how many ways one comes to it
        for number in range(numbers([table], 0, 1 << 40)[0] + 1):
            if number:
                item, *children = numbers(self.read(), -most, max(most, table))
                demand(number in waiting and item in range(most), "nothing leads here, or this is no item")
                (fits, times, ways), having = waiting.pop(number), self.having[item]
                branches = (fits & having).bit_count() + (self.needs(item, times) <= 0)
                demand(len(children) == branches, f"there are {branches} branches here")
            for child in numbers(children, -most, table):
                first = fits & having & -(fits & having)
                left, then = self.choose(first.bit_length() - 1, fits, times) if first else (fits, times)
                fits &= ~first
                if child > 0:  # what fits and what is covered say what goes on, whatever was chosen before
                    there = waiting.setdefault(child, [left, then, 0])
                    demand(there[:2] == [left, then] and child > number, "a branch leads elsewhere, or back")
                    there[2] += ways
                    demand(len(waiting) <= room, "too many subproblems wait for their rows")
                elif child == 0:
                    demand(not left and self.is_cover(then), "what is said to be a cover is none")
                    total += ways
                elif (left & self.having[-1 - child]).bit_count() >= self.needs(-1 - child, then):
                    raise RefusedError("an item is said to have too few options, and has enough")
        self.proved["raw"] = total

    def weigh(self, weights: list[int], modulus: int) -> None:
        """Check that a cover's options cannot weigh what its items do: modulo some number, or in plain ones (0)."""
        together, _ = 0, numbers([modulus], 0, 1 << 62)  # what the items weigh; at least, in plain numbers
        for weight, (low, high, _) in zip(numbers(weights, -1 << 62, 1 << 62), self.bounds, strict=True):
            demand(low == high or not modulus or weight % modulus == 0, "nobody knows how often an item is covered")
            together += weight * (high if weight < 0 else low)
        for entries in self.options:
            weight = sum(weights[item] for item in entries)
            demand(not weight % modulus if modulus else weight <= 0, f"an option weighs {weight}")
        demand(together % modulus != 0 if modulus else together > 0, "the options can weigh what the items weigh")
        self.proved["raw"] = 0

    def compare(self, covers: int, symmetries: list[Any] | None = None) -> None:
        """Check so many covers, one a line, none twice; if they are all, count them up to symmetries."""
        for _ in range(*numbers([covers], 0, 1 << 40)):
            cover, fits, times = tuple(sorted(numbers(self.read(), 0, len(self.options) - 1))), self.all, 0
            for option in cover:
                fits, times = self.choose(option, fits, times)
            demand(self.is_cover(times) and cover not in self.covers, "no cover, or a repeated one")
            self.covers.add(cover)
        self.proved["listed"] = len(self.covers)
        if symmetries is not None:
            demand(self.proved.get("raw") == len(self.covers), "not all covers are listed")
            moves, left, orbits = [self.verified(*each) for each in symmetries], set(self.covers), 0
            while left:
                reached, orbits = [left.pop()], orbits + 1
                for found in reached:  # which grows meanwhile
                    images = {tuple(sorted([move[option] for option in found])) for move in moves} & left
                    reached += images
                    left -= images
            self.proved["distinct"] = orbits

    def verified(self, items: list[int], options: list[int]) -> list[int]:
        """Return what a symmetry makes of the options, if it keeps options, bounds, and which colours are equal."""
        for moved, kind in ((items, self.bounds), (options, self.options)):
            demand(sorted(moved) == [*range(len(kind))], "a symmetry is no permutation")
        demand([self.bounds[item] for item in items] == self.bounds, "a symmetry changes the bounds of an item")
        becomes: dict[tuple[int, int], int] = {}
        for entries, there in zip(self.options, map(self.options.__getitem__, options), strict=True):
            seen = {items[i]: becomes.setdefault((i, colour), there.get(items[i], -1)) for i, colour in entries.items()}
            demand(seen == there, "a symmetry makes something else of an option, or takes equal colours apart")
        # Each pair of item and colour has an image, and is one, as options are permuted: none are merged.
        demand(all((colour > 0) == (new > 0) for (_, colour), new in becomes.items()), "a symmetry loses a colour")
        return options


if __name__ == "__main__":
    name = sys.argv[1] if len(sys.argv) == 2 else sys.exit("usage: python checker.py FILE, or - for standard input")
    try:
        (certificate := Certificate()).check(0 if name == "-" else name)
        print("proved:", certificate.proved)  # noqa: T201
    except Exception as fault:
        what = f"cannot read {name}" if isinstance(fault, OSError) else f"refused in line {certificate.line}"
        sys.exit(f"{what}: {getattr(fault, 'strerror', None) or fault}")
