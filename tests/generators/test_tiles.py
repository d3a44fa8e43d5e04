"""Tiles with matching sides, counted by plain backtracking that shares no code with puzzlec."""

from __future__ import annotations

import re

import pytest

import puzzlec

Tile = tuple[int, ...]


def layings(tiles: list[Tile], width: int, height: int) -> int:
    """The ways to lay tiles row by row, rotated at will, with 0 on the border alone; equal tiles count once."""
    own = {tuple(tile[turn:] + tile[:turn]) for tile in tiles for turn in range(4)}
    least = {tile: min(tile[turn:] + tile[:turn] for turn in range(4)) for tile in own}
    left = {kind: [least[tile] for tile in tiles].count(kind) for kind in set(least.values())}
    board: dict[tuple[int, int], Tile] = {}

    def count(at: int) -> int:
        if at == width * height:
            return 1
        y, x = divmod(at, width)
        top = board[x, y - 1][2] if y else 0
        before = board[x - 1, y][1] if x else 0
        found = 0
        for tile in own:
            border = (tile[1] == 0) == (x == width - 1) and (tile[2] == 0) == (y == height - 1)
            if tile[0] == top and tile[3] == before and border and left[least[tile]]:
                left[least[tile]] -= 1
                board[x, y] = tile
                found += count(at + 1)
                left[least[tile]] += 1
        return found

    return count(0)


def test_the_plain_count_agrees_with_four_corners() -> None:
    assert layings([(0, 0, 1, 1)] * 4, 2, 2) == 1
    assert layings([(0, 0, 1, 2)] * 4, 2, 2) == 0
    assert layings([(0, 0, 1, 2), (0, 0, 2, 1), (0, 0, 1, 1), (0, 0, 1, 1)], 2, 2) == 4


@pytest.mark.parametrize(
    ("seed", "size", "colours"), [(0, "3x3", 3), (1, "4x4", 4), (2, "2x5", 2), (3, "4x3", 3), (4, "3x3", 2)]
)
def test_tiles_have_one_solution_up_to_rotations_of_the_board(seed: int, size: str, colours: int) -> None:
    text = puzzlec.generate("tiles", seed=seed, size=size, colours=colours).text
    tiles: list[Tile] = []
    for copies, sides in re.findall(r"(?m)^piece t\d+(?: x(\d+))? sides (.*)$", text):
        tiles += [tuple(map(int, sides.split()))] * int(copies or 1)
    width, height = map(int, size.split("x"))
    assert len(tiles) == width * height
    assert {side for tile in tiles for side in tile} <= set(range(colours + 1))
    assert layings(tiles, width, height) == (4 if width == height else 2)
