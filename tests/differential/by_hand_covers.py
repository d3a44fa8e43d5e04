"""All covers of a small exact cover, by choosing or skipping one option after the other."""

from __future__ import annotations

from puzzlec.engine.problem import ExactCover
from tests.differential.by_hand import MOST_SOLUTIONS, MOST_STEPS, TooLargeError


def covers(cover: ExactCover) -> set[tuple[int, ...]]:
    """Return every cover, its options in ascending order; raise :class:`TooLargeError` if there are too many."""
    rows = [list(cover.entries(option)) for option in range(len(cover))]
    left = [0] * cover.primary  # the number of later options with each item
    for row in rows:
        for item, _ in row:
            if item < cover.primary:
                left[item] += 1
    taken = [0] * cover.primary
    worn: dict[int, list[int]] = {}
    chosen: list[int] = []
    found: set[tuple[int, ...]] = set()
    steps = 0

    def rest(option: int) -> None:
        nonlocal steps
        steps += 1
        if steps > MOST_STEPS or len(found) > MOST_SOLUTIONS:
            raise TooLargeError
        if any(n + rest < low for n, rest, low in zip(taken, left, cover.low, strict=True)):
            return
        if option == len(rows):
            found.add(tuple(chosen))
            return
        mine = [item for item, _ in rows[option] if item < cover.primary]
        others = [entry for entry in rows[option] if entry[0] >= cover.primary]
        for item in mine:
            left[item] -= 1
        rest(option + 1)
        if all(taken[item] < cover.high[item] for item in mine) and all(
            not worn.get(item) or (colour != 0 and worn[item][0] == colour) for item, colour in others
        ):
            for item in mine:
                taken[item] += 1
            for item, colour in others:
                worn.setdefault(item, []).append(colour)
            chosen.append(option)
            rest(option + 1)
            chosen.pop()
            for item, _ in others:
                worn[item].pop()
            for item in mine:
                taken[item] -= 1
        for item in mine:
            left[item] += 1

    rest(0)
    return found
