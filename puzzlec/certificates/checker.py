"""The checker of certificates: does a file prove what it claims about an exact cover? Run ``python checker.py FILE``.

It needs Python alone, and shares nothing with the program that wrote the file. docs/certificates.md has the format and
says why each step proves what it proves. An option covers items. A cover is a set of options that covers each item
``low`` to ``high`` times; an item without bounds any number of times, if all those options give it the same colour.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

#: No file may fill the memory: a line has so many bytes at most, so many options there are, so many subproblems wait.
LONGEST, MOST_OPTIONS, MOST_WAITING = 1 << 26, 1 << 18, 1_000_000


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


class Certificate:
    """A certificate: what was ``proved`` so far up to which ``line``, and the ``covers`` that it lists."""

    def __init__(self) -> None:
        self.line, self.digest = 0, hashlib.sha256()
        self.proved: dict[str, int] = {}
        self.covers: set[tuple[int, ...]] = set()

    def check(self, path: str) -> None:
        """Check a file; raise RefusedError for a wrong proof or claim, and what Python raises for other faults."""
        sections: dict[str, Any] = {"weights": self.weigh, "table": self.count, "covers": self.compare}
        with gzip.open(path) if path.endswith(".gz") else Path(path).open("rb") as self.file:
            self.head = self.read()
            demand(self.head["certificate"] == 1, "it is of another version than 1")
            self.take_cover(**self.head["cover"])
            while "claims" not in (part := self.read()):
                sections[next(iter(part))](*part.values())
            same = json.dumps(part["claims"], sort_keys=True) == json.dumps(self.proved, sort_keys=True) != "{}"
            demand(same, f"it claims {part['claims']}, and proves {self.proved}")
            demand(not self.file.read(1), "there is something behind its end")

    def read(self) -> Any:
        """Return the value on the next line; the last line has to tell the digest of all lines before it."""
        self.line += 1
        text = self.file.readline(LONGEST)
        demand(text.endswith(b"\n"), "it ends early, or a line is too long")
        value = json.loads(text)
        demand("claims" not in value or value["sha256"] == self.digest.hexdigest(), "the digest is another one")
        self.digest.update(text)
        return value

    def take_cover(self, items: list[Any], options: list[Any]) -> None:
        """Take the exact cover: ``[low, high]`` or null of each item; the items of each option, each before its colour.

        A colour of 0 is none: options agree on an item without bounds if they give it one colour that is not 0.
        """
        self.bounds: list[tuple[int, int, bool]] = []
        for pair in items:
            low, high = numbers([0, len(options)] if pair is None else pair, 0, 1 << 31)
            demand(low <= high and len(options) <= MOST_OPTIONS, "bounds run backwards, or there are too many options")
            self.bounds.append((low, high, pair is None))
        # A set of options is a number, a bit for each. In ``times`` each item has a field of ``width`` bits.
        self.all, self.width, self.having = 0, len(options).bit_length(), [0] * len(items)
        self.painted: dict[tuple[int, int], int] = {}
        self.options = [dict(zip(row[::2], row[1::2], strict=True)) for row in options if numbers(row, 0, 1 << 31)]
        for number, entries in enumerate(self.options):
            demand(2 * len(entries) == len(options[number]), "an option has an item twice, or none")
            for item, colour in entries.items():
                self.having[item] |= 1 << number
                self.painted[item, colour] = self.painted.get((item, colour), 0) | 1 << number
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
            if coloured:
                fits &= ~self.having[item] | (self.painted[item, colour] if colour else 0)
            elif (low, high) == (0, 1):  # need not be counted: once it is covered, nothing that has it fits
                fits &= ~self.having[item]
            else:
                times += 1 << item * self.width
                fits &= -1 if low - self.needs(item, times) < high else ~self.having[item]
        return fits, times

    def count(self, last: int, root: int) -> None:
        """Count all covers by a table of subproblems: which options fit, and how often each item is covered so far.

        Row ``k`` names an item, and what subproblem ``k`` becomes by choosing each option of the item that fits, in
        ascending order, without those named before; then by choosing none of them, where the item needs none. It
        becomes one cover (0), none since item ``i`` has too few options (-1 - i), or a subproblem with a later row.
        """
        total, most, ways, children, branches = 0, len(self.bounds), 1, [root], [(self.all, 0)]
        waiting: dict[int, list[int]] = {}  # subproblem: what fits, times, and in how many ways one comes to it
        for number in range(numbers([last], 0, 1 << 40)[0] + 1):
            if number:
                item, *children = numbers(self.read(), -most, max(most, last))
                demand(number in waiting and item in range(most), "nothing leads here, or this is no item")
                (fits, times, ways), branches = waiting.pop(number), []
                while here := fits & self.having[item]:
                    option = (here & -here).bit_length() - 1
                    branches.append(self.choose(option, fits, times))
                    fits &= ~(1 << option)
                branches += [(fits, times)] * (self.needs(item, times) <= 0)
            demand(len(branches) == len(numbers(children, -most, last)), f"there are {len(branches)} branches here")
            for child, (fits, times) in zip(children, branches, strict=True):
                if child > 0:
                    there = waiting.setdefault(child, [fits, times, 0])
                    demand(there[:2] == [fits, times] and child > number, "a branch leads elsewhere, or back")
                    there[2] += ways
                    demand(len(waiting) <= MOST_WAITING, "too many subproblems wait for their rows")
                elif child == 0:
                    demand(not fits and self.is_cover(times), "what is said to be a cover is none")
                    total += ways
                elif (fits & self.having[-1 - child]).bit_count() >= self.needs(-1 - child, times):
                    raise RefusedError("an item is said to have too few options, and has enough")
        self.proved["raw"] = total

    def weigh(self, weights: list[int], modulus: int) -> None:
        """Check weights of the items that leave no cover: modulo some number, or in plain numbers (modulus 0)."""
        together, _ = 0, numbers([modulus], 0, 1 << 62)  # what the items weigh; at least, in plain numbers
        for weight, (low, high, _) in zip(numbers(weights, -1 << 62, 1 << 62), self.bounds, strict=True):
            demand(low == high or not modulus or weight % modulus == 0, "nobody knows how often an item is covered")
            together += weight * (high if weight < 0 else low)
        for entries in self.options:
            weight = sum(weights[item] for item in entries)
            demand(not weight % modulus if modulus else weight <= 0, f"an option weighs {weight}")
        demand(together % modulus != 0 if modulus else together > 0, "the options can weigh what the items weigh")
        self.proved["raw"] = 0

    def compare(self, number: int, symmetries: list[Any] | None = None) -> None:
        """Check so many covers, one a line, none twice; if they are all, count them up to symmetries."""
        for _ in range(*numbers([number], 0, 1 << 40)):
            cover, fits, times = numbers(self.read(), 0, len(self.options) - 1), self.all, 0
            for option in cover:
                fits, times = self.choose(option, fits, times)
            demand(self.is_cover(times) and tuple(sorted(cover)) not in self.covers, "no cover, or a repeated one")
            self.covers.add(tuple(sorted(cover)))
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
        all_of = [[*range(len(kind))] for kind in (self.bounds, self.options)]
        demand([sorted(items), sorted(options)] == all_of, "a symmetry is no permutation")
        demand([self.bounds[item] for item in items] == self.bounds, "a symmetry changes the bounds of an item")
        becomes: dict[tuple[int, int], int] = {}
        for entries, there in zip(self.options, map(self.options.__getitem__, options), strict=True):
            seen = {items[i]: becomes.setdefault((i, colour), there.get(items[i], -1)) for i, colour in entries.items()}
            demand(seen == there, "a symmetry makes something else of an option, or takes equal colours apart")
        demand(all((colour > 0) == (new > 0) for (_, colour), new in becomes.items()), "a symmetry loses a colour")
        return options


if __name__ == "__main__":
    certificate = Certificate()
    try:
        certificate.check(sys.argv[1])
        print("proved:", certificate.proved)  # noqa: T201
    except Exception as fault:  # whatever goes wrong, nothing is proved
        sys.exit(f"refused in line {certificate.line}: {fault}")
