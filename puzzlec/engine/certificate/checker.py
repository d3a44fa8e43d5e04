"""The checker of certificates: whether a file proves its claims about an exact cover. Run ``python checker.py FILE``.

It needs only Python, and shares no code with the program that wrote the file. docs/certificates.md has the format and
the reason why each step is a proof. An option covers items. A cover is a set of options that covers each item ``low``
to ``high`` times. An item without bounds may be covered once, or more often by options that give it the same colour.
Options may have costs. Then a certificate can prove that no cover costs less than a cover in it.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from typing import Any

#: A file must not fill the memory. Limits: bytes of a line, options, waiting subproblems, bits of all of these (1 GB).
MAX_LINE_BYTES, MAX_OPTIONS, MAX_WAITING_SUBPROBLEMS, MAX_SET_BITS = 1 << 26, 1 << 18, 1_000_000, 1 << 33


class RefusedCertificateError(Exception):
    """A certificate does not prove its claims. The text says why."""


def demand(holds: bool, reason: str) -> None:
    """Raise RefusedCertificateError unless a condition holds."""
    if not holds:
        raise RefusedCertificateError(reason)


def numbers(values: Any, least: int, most: int) -> list[int]:
    """Return a list of integers within bounds. Raise ValueError for anything else."""
    if not isinstance(values, list) or any(type(number) is not int or not least <= number <= most for number in values):
        raise ValueError(f"expected a list of integers between {least} and {most}")
    return values


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON. Refuse a key that occurs twice: readers may differ in which value they take."""
    demand(len(dict(pairs)) == len(pairs), "duplicate key in an object")
    return dict(pairs)


class CertificateProblem:
    """An exact cover: ``[low, high]`` or null for each item, and options as items with colours (0: none)."""

    def __init__(self, items: list[Any], options: list[Any], costs: list[int] | None = None) -> None:
        self.costs = None if costs is None else numbers(costs, -1 << 63, 1 << 63)
        demand(self.costs is None or len(self.costs) == len(options), "expected a cost for each option")
        bounds = [[0, len(options)] if pair is None else numbers(pair, 0, 1 << 31) for pair in items]
        demand(all(low <= high for low, high in bounds), "the lower bound is above the upper bound")
        self.bounds = [(low, high, pair is None) for (low, high), pair in zip(bounds, items, strict=True)]
        self.options = [dict(zip(numbers(row, 0, 1 << 31)[::2], row[1::2], strict=True)) for row in options]
        self.painted = {entry: 0 for entries in self.options for entry in entries.items()}
        bits = (len(items) + len(self.painted)) * len(options)
        demand(len(options) <= MAX_OPTIONS and bits <= MAX_SET_BITS, "too many options, or items for them")
        # A set of options is an integer with one bit per option. In ``times`` each item has a field of ``width`` bits.
        self.all, self.width, self.options_of = 0, len(options).bit_length(), [0] * len(items)
        for number, entries in enumerate(self.options):
            demand(0 < 2 * len(entries) == len(options[number]), "an option has an item twice, or none")
            for item, colour in entries.items():
                self.options_of[item] |= 1 << number
                self.painted[item, colour] |= 1 << number
            self.all |= all(self.bounds[item][1] for item in entries) << number

    def needs(self, item: int, times: int) -> int:
        """Return how many options an item still needs (0 or less: it is satisfied)."""
        return self.bounds[item][0] - (times >> item * self.width & (1 << self.width) - 1)

    def is_cover(self, times: int) -> bool:
        """Return whether no item needs more options."""
        return all(self.needs(item, times) <= 0 for item in range(len(self.bounds)))

    def choose(self, option: int, fits: int, times: int) -> tuple[int, int]:
        """Return which options still fit after a choice, and how often each item is then covered."""
        demand(fits >> option & 1 == 1, "the chosen option conflicts with an earlier one")
        fits &= ~(1 << option)
        for item, colour in self.options[option].items():
            low, high, coloured = self.bounds[item]
            if coloured or (low, high) == (0, 1):  # needs no count: the fitting options show whether it can be covered
                fits &= ~self.options_of[item] | (self.painted[item, colour] if coloured and colour else 0)
            else:
                times += 1 << item * self.width
                fits &= -1 if low - self.needs(item, times) < high else ~self.options_of[item]
        return fits, times


class Certificate:
    """A certificate: the facts ``proved`` up to its ``line``, and the ``covers`` that it lists."""

    def __init__(self) -> None:
        self.line, self.digest = 0, hashlib.sha256()
        self.proved: dict[str, int] = {}
        self.covers: set[tuple[int, ...]] = set()
        self.limit: int | None = None  # with prices, the table may omit covers that cost more than this

    def check(self, path: str | int) -> None:
        """Check a file (0: standard input). Raise RefusedCertificateError for a wrong proof or claim."""
        steps: dict[str, Any] = {"weights": self.weigh, "table": self.count, "covers": self.compare, "best": self.price}
        with open(path, "rb") as raw, gzip.open(raw) if raw.peek(1)[:1] == b"\x1f" else raw as self.file:  # noqa: PTH123
            self.head = self.read()
            demand(self.head["certificate"] == 1, "unknown version (expected 1)")
            self.problem = CertificateProblem(**self.head["cover"])
            while "claims" not in (part := self.read()):
                steps[next(iter(part))](**part)
            same = json.dumps(part["claims"], sort_keys=True) == json.dumps(self.proved, sort_keys=True) != "{}"
            demand(same, f"it claims {part['claims']}, but proves {self.proved}")
            demand(not self.file.read(1), "data after its end")

    def read(self) -> Any:
        """Return the value on the next line. The last line must have the digest of all lines before it."""
        self.line += 1
        text = self.file.readline(MAX_LINE_BYTES)
        demand(text.endswith(b"\n"), "unexpected end of file, or a line is too long")
        value = json.loads(text, object_pairs_hook=unique)
        demand("claims" not in value or value["sha256"] == self.digest.hexdigest(), "wrong digest")
        self.digest.update(text)
        return value

    def price(self, best: list[int], sign: int, units: int, prices: list[int], exchanges: list[Any]) -> None:
        """Take the ``best`` cover, and prices that bound costs from below. Sign -1: the cover of highest cost.

        Costs are multiplied by ``units``. The net cost of an option is its cost minus the prices of its items. It must
        not be negative. If every option of two items also has a third item, a cover has one option of each of the two,
        and both give the third item the same colour. So an exchange may add a number for this colour to the cost of one
        option, and subtract it from the cost of the other.
        """
        bounds, options_of, costs = self.problem.bounds, self.problem.options_of, self.problem.costs
        if costs is None:
            raise RefusedCertificateError("a best cost needs the costs of the options")
        cost = numbers([sign], -1, 1)[0] * sum(costs[option] for option in self.taken(best))
        demand(sign != 0 and len(prices) == len(bounds) and numbers([units], 1, 1 << 30) != [], "no sign or price")
        self.best, self.limit = {"least" if sign > 0 else "greatest": sign * cost}, (cost - 1) * units
        self.adjusted = [sign * units * price for price in costs]
        for one, other, third, *pairs in (numbers(row, -1 << 80, 1 << 80) for row in exchanges):
            numbers([one, other, third], 0, len(bounds) - 1)
            same = bounds[one] == bounds[other] == (1, 1, False) and bounds[third][2]
            demand(same and not options_of[one] & options_of[other], "items that cannot exchange prices")
            of_colour = dict(zip(pairs[::2], pairs[1::2], strict=True))
            for option, entries in enumerate(self.problem.options):
                if one in entries or other in entries:
                    demand(third in entries, "an option lacks the colour of an exchange")
                    # An option without a colour excludes all options of the other item, so no cover has it.
                    exchange = of_colour.get(entries[third], 0) * (1 if one in entries else -1)
                    self.adjusted[option] += exchange if entries[third] else 1 << 100
        numbers(prices, -1 << 80, 1 << 80)
        # The items of an option that need options share its net cost. So the least shares of all items may be added.
        shares: list[dict[int, int]] = [{} for _ in bounds]
        for option, entries in enumerate(self.problem.options):
            net = self.adjusted[option] - sum(prices[item] for item in entries)
            demand(net >= 0, "the prices of an option exceed its cost")
            needed = [item for item in entries if bounds[item][0]]
            for item in needed:
                share = net // len(needed)
                shares[item][share] = shares[item].get(share, 0) | 1 << option
        self.priced = [*zip(prices, [sorted(by_share.items()) for by_share in shares], strict=True)]

    def least(self, fits: int, times: int) -> int:
        """Return a lower bound of the adjusted costs of all options that complete a subproblem."""
        problem, total = self.problem, 0
        for item, (price, shares) in enumerate(self.priced):
            low, high, _ = problem.bounds[item]
            if needed := max(0, problem.needs(item, times)):
                total += needed * next((share for share, options in shares if options & fits), 0)
            if price < 0 and fits & problem.options_of[item]:
                needed = problem.needs(item, times) + high - low
            total += price * needed
        return total

    def count(self, table: int, root: int) -> None:
        """Count all covers by a table of subproblems. A subproblem consists of the fitting options and ``times``.

        Row ``k`` names an item and its branches: first each fitting option of the item, ascending, and each excludes
        the options before it. The last branch is for no option, if the item needs none. Every cover takes exactly one
        branch. The target of a branch is 0 for one cover, a later row, or -1 - i if item ``i`` has too few options for
        a cover. With prices, -1 - (number of items) means that all covers of the branch cost too much. Then the table
        proves that no cover costs less than the best one.
        """
        problem, most = self.problem, len(self.problem.bounds)
        total, fits, times, ways, options_of, children = 0, problem.all, 0, 1, 0, [root]
        room = min(MAX_WAITING_SUBPROBLEMS, MAX_SET_BITS // (1 + len(problem.options) + most * problem.width))
        paid, lowest = 0, -most - (self.limit is not None)
        waiting: dict[int, list[int]] = {}  # fitting options, times, paths to it, lowest cost
        for number in range(numbers([table], 0, 1 << 40)[0] + 1):
            if number:
                item, *children = numbers(self.read(), lowest, max(most, table))
                demand(number in waiting and item in range(most), "unreachable row or unknown item")
                (fits, times, ways, paid), options_of = waiting.pop(number), problem.options_of[item]
                branches = (fits & options_of).bit_count() + (problem.needs(item, times) <= 0)
                demand(len(children) == branches, f"expected {branches} branches")
            for child in numbers(children, lowest, table):
                first = fits & options_of & -(fits & options_of)
                left, then = problem.choose(first.bit_length() - 1, fits, times) if first else (fits, times)
                cost = paid + self.adjusted[first.bit_length() - 1] if first and self.limit is not None else paid
                fits &= ~first
                if child > 0:  # the fitting options and the numbers of covered items determine the subproblem
                    there = waiting.setdefault(child, [left, then, 0, cost])
                    demand(there[:2] == [left, then] and child > number, "a branch leads elsewhere, or back")
                    there[2:] = there[2] + ways, min(there[3], cost)
                    demand(len(waiting) <= room, "too many subproblems wait for their rows")
                elif child == 0:
                    demand(not left and problem.is_cover(then), "a claimed cover is not a cover")
                    demand(self.limit is None or cost > self.limit, "there is a better cover")
                    total += ways
                elif child < -most and self.limit is not None:
                    demand(cost + self.least(left, then) > self.limit, "a branch may have a better cover")
                elif (left & problem.options_of[-1 - child]).bit_count() >= problem.needs(-1 - child, then):
                    raise RefusedCertificateError("an item that is claimed to have too few options has enough")
        self.proved |= {"raw": total} if self.limit is None else self.best

    def weigh(self, weights: list[int], modulus: int) -> None:
        """Check that no set of options can have the total weight of the items, modulo a number (0: exact weights)."""
        together, _ = 0, numbers([modulus], 0, 1 << 62)  # the weight of the items (the least one if exact)
        for weight, (low, high, _) in zip(numbers(weights, -1 << 62, 1 << 62), self.problem.bounds, strict=True):
            demand(low == high or not modulus or weight % modulus == 0, "an item with variable bounds needs weight 0")
            together += weight * (high if weight < 0 else low)
        for entries in self.problem.options:
            weight = sum(weights[item] for item in entries)
            demand(not weight % modulus if modulus else weight <= 0, f"an option weighs {weight}")
        demand(together % modulus != 0 if modulus else together > 0, "the options can weigh what the items weigh")
        self.proved["raw"] = 0

    def compare(self, covers: int, symmetries: list[Any] | None = None) -> None:
        """Check this many different covers, one per line. If these are all covers, count them up to symmetries."""
        for _ in range(*numbers([covers], 0, 1 << 40)):
            self.taken(self.read())
        self.proved["listed"] = len(self.covers)
        if symmetries is not None:
            demand(self.proved.get("raw") == len(self.covers), "not all covers are listed")
            moves, left, orbits = [self.verified(*symmetry) for symmetry in symmetries], set(self.covers), 0
            while left:
                reached, orbits = [left.pop()], orbits + 1
                for cover in reached:  # the list grows during the loop
                    images = {tuple(sorted([move[option] for option in cover])) for move in moves} & left
                    reached += images
                    left -= images
            self.proved["distinct"] = orbits

    def taken(self, options: list[int]) -> tuple[int, ...]:
        """Take a new cover, and return it."""
        problem, fits, times = self.problem, self.problem.all, 0
        cover = tuple(sorted(numbers(options, 0, len(problem.options) - 1)))
        for option in cover:
            fits, times = problem.choose(option, fits, times)
        demand(problem.is_cover(times) and cover not in self.covers, "not a cover, or a repeated one")
        self.covers.add(cover)
        return cover

    def verified(self, items: list[int], options: list[int]) -> list[int]:
        """Return the images of the options. Refuse a symmetry that changes options, bounds or equal colours."""
        bounds, rows = self.problem.bounds, self.problem.options
        for moved, kind in ((items, bounds), (options, rows)):
            demand(sorted(moved) == [*range(len(kind))], "a symmetry is not a permutation")
        demand([bounds[item] for item in items] == bounds, "a symmetry changes the bounds of an item")
        becomes: dict[tuple[int, int], int] = {}
        for entries, there in zip(rows, map(rows.__getitem__, options), strict=True):
            seen = {items[i]: becomes.setdefault((i, colour), there.get(items[i], -1)) for i, colour in entries.items()}
            demand(seen == there, "a symmetry changes an option, or separates equal colours")
        # The options are permuted, so no two pairs of item and colour have the same image.
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
