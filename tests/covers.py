"""Random exact covers for hypothesis: with bounds, colours, secondary items, and items that no option has."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from puzzlec.engine.problem import ExactCover
from puzzlec.ir import ANY

if TYPE_CHECKING:
    from puzzlec.engine.kernels.lists import ListsKernel


def lists_alone(cover: ExactCover) -> ListsKernel:
    """The kernel `lists` without help: otherwise it gives subtrees to `bits`, and small problems as a whole."""
    from puzzlec.engine.kernels import lists

    kernel = lists.ListsKernel(cover.arrays)
    kernel.state[lists.FEW] = -1
    return kernel


@st.composite
def covers(draw: st.DrawFn, shades: tuple[int, ...] = (1, 2, 10, 92, 93, 5000), most: int = 3) -> ExactCover:
    """A random exact cover of a few items and options; ``shades`` are the possible colours."""
    primary, secondary = draw(st.integers(1, 4)), draw(st.integers(0, 3))
    rows: list[list[int | tuple[int, int]]] = []
    for _ in range(draw(st.integers(0, 7))):
        own = draw(st.lists(st.integers(0, primary - 1), min_size=1, max_size=3, unique=True))
        row: list[int | tuple[int, int]] = [*own]
        others = draw(st.sets(st.integers(primary, primary + secondary - 1))) if secondary else set()
        row.extend((item, draw(st.sampled_from((0, *shades)))) for item in others)
        rows.append(draw(st.permutations(row)))
    bounds = []
    for _ in range(primary):
        low = draw(st.sampled_from((1, 1, 0, 2)))
        bounds.append((low, draw(st.sampled_from((max(low, 1), most, ANY))) if low != 1 or draw(st.booleans()) else 1))
    return ExactCover.from_rows(rows, primary, secondary, bounds)


def brute_covers(cover: ExactCover) -> set[tuple[int, ...]]:
    """Return all covers, by trying every set of options."""
    found = set()
    for size in range(len(cover) + 1):
        for chosen in combinations(range(len(cover)), size):
            times = [0] * cover.primary
            shown: dict[int, list[int]] = {}
            for option in chosen:
                for item, colour in cover.entries(option):
                    if item < cover.primary:
                        times[item] += 1
                    else:
                        shown.setdefault(item, []).append(colour)
            within = all(low <= number <= high for number, low, high in zip(times, cover.low, cover.high, strict=True))
            agree = all(len(colors) == 1 or (len(set(colors)) == 1 and colors[0]) for colors in shown.values())
            if within and agree:
                found.add(chosen)
    return found
