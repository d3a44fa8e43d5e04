"""Checkpoints to be tried out: headers, portions and blocks of no real puzzle, and what is read of them."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from pathlib import Path

from puzzlec.diagnostics import PuzzleError
from puzzlec.engine.search.splitting import TREE
from puzzlec.jobs import blocks
from puzzlec.jobs.header import Header
from puzzlec.jobs.portion import Portion, State
from puzzlec.jobs.store import Block, Store, Totals


def key(*numbers: int) -> bytes:
    """The key of a portion from its name: ``key(17, 3)`` is that of 17.3."""
    return b"".join(number.to_bytes(4, "big") for number in numbers)


def header(planned: int, puzzle: str = '{"pieces": []}') -> Header:
    return Header(puzzle, "A puzzle", "0f" * 32, "solutions", "all", None, None, "a1" * 32, planned, TREE, "1.0")


def planned(number: int) -> list[Portion]:
    """Portions as they are planned: two paths each."""
    return [
        Portion(key(each), 0, (((0, each), (3, -1)), ((0, each), (3, 7))), size=1000.0 + each, spread=0.1)
        for each in range(number)
    ]


def covers(number: int, seed: int = 0, length: int = 9) -> list[tuple[int, ...]]:
    chance = random.Random(seed)
    return [tuple(sorted(chance.sample(range(3000), length))) for _ in range(number)]


def turn(portion: Portion, solutions: int, done: bool = False) -> tuple[Portion, bytes, list[Portion]]:
    """What a turn brings that met so many solutions."""
    now = replace(
        portion, position=((solutions, 9),), nodes=portion.nodes + 500, number=portion.number + solutions,
        raw=portion.raw + 4 * solutions, kept=portion.kept + solutions, seconds=portion.seconds + 0.25,
    )  # fmt: skip
    if done:
        now = replace(now, paths=(), position=(), state=State.DONE)
    return now, blocks.pack(covers(solutions, portion.nodes)) if solutions else b"", []


def split(portion: Portion, number: int) -> tuple[Portion, bytes, list[Portion]]:
    """A portion whose rest is made so many others."""
    parts = [Portion(portion.key + key(each), 0, portion.paths[:1], size=9.0, nodes=1) for each in range(number)]
    return replace(portion, paths=(), position=(), state=State.SPLIT), b"", parts


def fill(store: Store, number: int = 30) -> None:
    """Save turns of all kinds on ``number`` portions: large blocks and small ones, some portions done, some split."""
    for portion in list(store.portions()):
        place = portion.key[-1]
        first = turn(portion, (0, 3, 40, 400)[place % 4])
        store.save([first])
        if place % 5 == 0:
            again, block, parts = split(first[0], 3)
            store.save([(again, block, parts), turn(parts[1], 20, done=True), split(parts[2], 2)])
        elif place % 3 == 0:
            store.save([turn(first[0], 11, done=True)])
    store.note_run(12.5, "2 threads")


@dataclass
class Content:
    """All that a checkpoint holds."""

    header: Header
    totals: Totals
    portions: list[Portion]
    blocks: list[Block]
    runs: list[tuple[float, str]]


def content(store: Store) -> Content:
    return Content(store.header, store.totals(), list(store.portions()), list(store.blocks()), store.runs())


def read(folder: Path, write: bool = False) -> Content:
    with Store.open(folder, write) as store:
        return content(store)


def code(error: PuzzleError) -> str:
    return error.diagnostics[0].code
