"""Random puzzles with ranges of copies: each set of pieces is compared with a count of exactly these pieces."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import pytest

import puzzlec
from puzzlec import PuzzleError
from puzzlec.solving.piece_sets import PieceSets

#: Drawings in the plane, many of them chiral, so that reflections take pieces to others.
FLAT = ("#", "##", "###", "##/#.", "##/##", "###/#..", "###/..#", "##./.##", ".##/##.", "###/.#.", "####")
#: Drawings in space: the two screws, the corner, and flat ones.
SOLID = ("#", "##", "###", "##/#.", "##/##", "## #./#. ..", "## .#/#. ..", "## #./.# ..", "###/#..")

#: Random puzzles of one test, and the number of tests.
AT_ONCE, TESTS = 25, 8


@dataclass
class Made:
    """A random puzzle as statements; ``about`` has statements with the piece that they name."""

    board: list[str]
    pieces: dict[str, str]
    copies: dict[str, tuple[int, int]]
    about: list[tuple[str, str]] = field(default_factory=list)

    def text(self, copies: dict[str, int] | None = None) -> str:
        """Return the puzzle, or that with exactly so many copies of each piece."""
        lines = list(self.board)
        for name, (low, high) in self.copies.items():
            if copies is None:
                lines.append(self.pieces[name].replace("COPIES", f"x{low}..{high}"))
            elif name in copies:
                lines.append(self.pieces[name].replace("COPIES", f"x{copies[name]}"))
        lines += [line for name, line in self.about if copies is None or name in copies]
        return "\n".join(lines) + "\n"


def made(chance: Random) -> Made:
    """Return a random puzzle, with sums or colours or neither."""
    solid = chance.random() < 0.3
    sizes = chance.choice(((2, 2, 2), (3, 2, 1), (3, 2, 2)) if solid else ((3, 2), (4, 2), (3, 3), (5, 1), (4, 3)))
    box = "x".join(map(str, sizes))
    numbers = not solid and sizes != (4, 3) and chance.random() < 0.5
    board = ["lattice cubic"] if solid else []
    board += ["colours 1 2 3"] if numbers else ["colours r b"]
    board.append(f"locations box {box}")
    if chance.random() < 0.25:
        board.append("optional locations cells (" + ",".join(["0"] * len(sizes)) + ")")
        board.append("empty 0..1")
    found = Made(board, {}, {})
    drawings = chance.sample(SOLID if solid else FLAT, chance.randint(3, 5))
    for number, drawing in enumerate([*drawings, *chance.sample(drawings, chance.randint(0, 2))]):
        name = f"p{number}"
        cells = drawing
        colours = "123" if numbers else chance.choice(("x", "x", "x", "xr", "rb", "r"))
        cells = "".join(chance.choice(colours) if cell == "#" else cell for cell in cells)
        freedom = chance.choice(("", "", "one-sided", "fixed"))
        found.pieces[name] = f"piece {name} {freedom} COPIES {{ {cells} }}"
        low = chance.choice((0, 0, 0, 0, 1))
        found.copies[name] = low, max(1, low) + chance.choice((0, 0, 1, 2))
    for _ in range(chance.choice((0, 0, 1, 2))):
        found.about.append(statement(chance, chance.choice(list(found.pieces)), sizes, found))
    if numbers:
        found.board += [ruled(chance, sizes) for _ in range(chance.choice((1, 1, 2)))]
    if not solid and chance.random() < 0.1:
        found.board.append("wall cells (-1,0)")
    if chance.random() < 0.1:
        found.board.append(f"cost per {part(chance, sizes)} = 2")
    return found


def part(chance: Random, sizes: tuple[int, ...]) -> str:
    """Return a box at a random place of the board."""
    inner = [chance.randint(1, size) for size in sizes]
    at = [chance.randint(0, size - own) for size, own in zip(sizes, inner, strict=True)]
    return f"box {'x'.join(map(str, inner))} at ({','.join(map(str, at))})"


def ruled(chance: Random, sizes: tuple[int, ...]) -> str:
    """Return a rule about a part of the board, or about all of it."""
    region = chance.choice((part(chance, sizes), "box " + "x".join(map(str, sizes))))
    bound = chance.randint(3, 16)
    return f"rule {region} " + chance.choice(
        (f"sum < {bound}", f"sum > {bound - 3}", f"sum = {bound}", "all equal", "all different", f"sum < {bound}")
    )


def statement(chance: Random, name: str, sizes: tuple[int, ...], puzzle: Made) -> tuple[str, str]:
    """Return a statement about a piece, with the name of the piece."""
    cell = ",".join([str(chance.randrange(size)) for size in sizes])
    if "{ " + puzzle.pieces[name].split("{ ")[1].strip(" }") in ("{ x", "{ r", "{ 1", "{ 2", "{ 3"):
        word = chance.choice(("fix", "forbid"))
        return name, f"{word} {name} at cells ({cell})"
    return name, chance.choice(
        (
            f"place {name} inside {part(chance, sizes)}",
            f"place {name} off cells ({cell})",
            f"cost {name} = {chance.choice((0, 1, 3))}",
            f"cost {name} per cells ({cell}) = 1",
            f"immovable {name}",
            f"together {name}",
        )
    )


@pytest.mark.parametrize("first", range(0, AT_ONCE * TESTS, AT_ONCE))
@pytest.mark.long
def test_each_set_has_the_numbers_that_a_count_of_its_pieces_gives(first: int) -> None:
    compared = 0
    for seed in range(first, first + AT_ONCE):
        chance = Random(seed)
        while True:  # until a puzzle has some sets, but not too many
            puzzle = made(chance)
            which = chance.choice(("all", "all", "all", "rotations"))
            try:
                sets = PieceSets(
                    puzzlec.parse(puzzle.text()),
                    symmetry=which,  # type: ignore[arg-type]
                    way=chance.choice(("list", "diagram")),
                ).find()
            except PuzzleError:
                continue
            if 0 < len(sets) <= 30:
                break
        for piece_set in chance.sample(sets, min(10, len(sets))):
            alone = puzzlec.parse(puzzle.text(piece_set.pieces))
            told = f"seed {seed}, {piece_set}, {which}:\n{puzzle.text()}"
            assert piece_set.raw == puzzlec.count(alone, symmetry="none"), told
            assert piece_set.distinct == puzzlec.count(alone, symmetry=which), told  # type: ignore[arg-type]
            compared += 1
    assert compared >= AT_ONCE
