"""Dominosa grids, counted by plain backtracking that shares no code with puzzlec."""

from __future__ import annotations

import re

import pytest

import puzzlec


def tilings(rows: list[str]) -> int:
    """The tilings of a grid that have each domino at most once, by trying the first free cell."""
    cells = [(x, y) for y in range(len(rows)) for x in range(len(rows[0]))]

    def count(free: frozenset[tuple[int, int]], used: frozenset[str]) -> int:
        at = next((cell for cell in cells if cell in free), None)
        if at is None:
            return 1
        found = 0
        for other in ((at[0] + 1, at[1]), (at[0], at[1] + 1)):
            if other in free:
                domino = "".join(sorted(rows[at[1]][at[0]] + rows[other[1]][other[0]]))
                if domino not in used:
                    found += count(free - {at, other}, used | {domino})
        return found

    return count(frozenset(cells), frozenset())


def grid(text: str) -> list[str]:
    return re.findall(r"(?m)^  ([0-9]+)$", text)


def test_the_plain_count_sees_several_tilings() -> None:
    rows = ["0002", "0111", "2212"]
    text = (
        "colours 0 1 2\nlocations {\n"
        + "\n".join(rows)
        + "\n}\nfor a in 0..2, b in a..2 {\npiece d[a,b] { {a}{b} }\n}\n"
    )
    assert puzzlec.count(puzzlec.parse(text), symmetry="none") == tilings(rows) > 1


@pytest.mark.parametrize(("size", "seed"), [(1, 0), (2, 5), (3, 1), (4, 2), (6, 0)])
@pytest.mark.long
def test_a_grid_has_every_domino_and_one_tiling(size: int, seed: int) -> None:
    found = puzzlec.generate("dominosa", seed=seed, size=size)
    rows = grid(found.text)
    assert (len(rows), {len(row) for row in rows}) == (size + 1, {size + 2})
    assert sorted("".join(rows)) == sorted("".join(str(number) * (size + 2) for number in range(size + 1)))
    assert tilings(rows) == 1
