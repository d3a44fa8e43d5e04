"""The table of fuzz targets: every reader, claims about solutions, and the lowering."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.formats.registry import FORMATS
from puzzlec.ir import Puzzle
from puzzlec.language.puzzle_text import read_puzzle
from puzzlec.lower import place
from tests.tools.fuzz import claims, files, levels, mutations, seeds
from tests.tools.fuzz.rules import Outcome, Said, refused, tried
from tests.tools.fuzz.token_mutations import TokenMutator

#: A custom lattice.
OWN = b"""\
summary: squares
dimension: 2
translations: [[1, 0], [0, 1]]
kinds:
  - name: square
    at: [0, 0]
    outline: [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]
    neighbours: [[0, -1], [1, 0], [0, 1], [-1, 0]]
rotations: [[[0, -1], [1, 0]]]
reflections: [[[-1, 0], [0, 1]]]
freedom: free
drawing: rows
"""

#: A small Pips board: its tests have boards as data, not as text.
PIPS = (
    b'{"dominoes":[[1,2],[3,3]],"regions":[{"indices":[[0,0],[0,1]],"type":"sum","target":5},'
    b'{"indices":[[1,0]],"type":"empty"},{"indices":[[1,1]],"type":"greater","target":2}]}'
)

#: Files of tests with texts of a format, or of answers.
_QUOTED = {
    "json": ("formats/test_broken_json.py", "formats/test_json.py"),
    "dlx": ("formats/test_broken_dlx.py", "formats/test_dlx.py"),
    "rows": ("formats/test_broken_rows.py", "formats/test_rows.py"),
    "numeric": ("formats/test_broken_rows.py", "formats/test_rows.py"),
    "xmpuzzle": ("formats/test_broken_xmpuzzle.py", "formats/test_xmpuzzle.py"),
    "piezas": ("formats/test_broken_pieces.py", "test_bad_input.py"),
    "offsets": ("formats/test_broken_pieces.py", "test_bad_input.py"),
    "burr": ("formats/test_burr.py",),
    "puzzlecad": ("formats/test_puzzlecad.py",),
    "tiles": ("formats/test_tiles.py",),
    "sudoku": ("formats/test_sudoku.py",),
    "miniexact": ("formats/test_miniexact.py",),
    "universe": ("formats/test_universe.py",),
    "drawn": ("formats/test_drawn.py",),
    "iqpuzzler": ("formats/test_drawn.py",),
    "kanoodle": ("formats/test_placed.py",),
    "board": ("formats/test_formats.py", "test_bad_input.py"),
    "compact": ("formats/test_formats.py", "test_bad_input.py"),
    "dpf": ("formats/test_formats.py", "test_bad_input.py"),
    "polycube": ("formats/test_knuth_polycubes.py", "formats/test_broken_pieces.py"),
    "cells": ("formats/test_cells.py", "formats/test_broken_pieces.py"),
    "polyform": ("formats/test_polyform.py", "formats/test_broken_pieces.py"),
    "soma": ("formats/test_soma_figure.py", "formats/test_broken_pieces.py"),
    "lattice": ("language/test_lattice_file.py",),
    "answer": ("formats/test_answers.py", "formats/test_answers_of_people.py", "formats/test_broken_answers.py"),
    "solutions": ("formats/test_answers.py", "formats/test_broken_answers.py"),
    "condition": ("solving/test_conditions.py",),
}


@dataclass(frozen=True)
class Target:
    """A target for inputs: ``attempt`` reads an input and raises any error.

    ``begin`` are the first inputs. With ``texts``, inputs are texts, so words are also changed. ``longest`` limits the
    length of inputs.
    """

    name: str
    attempt: Callable[[bytes], Said]
    begin: Callable[[], list[bytes]]
    longest: int = 256
    texts: bool = True

    def tried(self, content: bytes) -> Outcome:
        """Return the outcome of an input."""
        return tried(partial(self.attempt, content), len(content))

    @cached_property
    def seeds(self) -> list[bytes]:
        """The first inputs, each once; at least one."""
        return list(dict.fromkeys(seed[: self.longest] for seed in self.begin())) or [b"1"]

    def mutator(self, source: random.Random) -> Callable[[bytes, Sequence[bytes]], bytes]:
        """Return the function that makes an input from another one and from all kept inputs."""
        if self.name not in ("puzzle", "lowered-text"):
            return TokenMutator(source, self.seeds, self.longest).mutated
        texts = mutations.Mutator(source)
        kept = mutations.seeds()

        def mutated(content: bytes, _: Sequence[bytes]) -> bytes:
            if source.random() < 0.05:
                return texts.fresh().encode("utf-8", "replace")
            return texts.mutated(content.decode("utf-8", "replace"), kept).encode("utf-8", "replace")

        return mutated


def _of_format(name: str) -> Target:
    def begin() -> list[bytes]:
        if name == "puzzle":
            return [text.encode() for text in mutations.seeds()]
        quoted = seeds.quoted(_QUOTED.get(name, ()), 400)
        if name == "pips":
            return [PIPS]
        if name == "board":
            return [b"xxxxxxxxxx\n" * 6, b"xxxxxx\n" * 10, *quoted]
        if name == "sudoku":
            return [b"1...\n....\n..4.\n....\n", b"." * 80 + b"7", *quoted]
        return [*(seeds.written(name) if name != "soma" else ()), *quoted]

    longest = {"xmpuzzle": 600, "json": 400, "pips": 300, "piezas": 300, "puzzle": mutations.LONGEST}.get(name, 200)
    return Target(name, lambda content: files.try_file(content, name), begin, longest)


def _guessed() -> list[bytes]:
    every = [content for name in TARGETS if name in FORMATS for content in TARGETS[name].seeds[:12]]
    return [*every, *(zlib.compress(seed, wbits=31) for seed in every[::6])]


def _spoken(name: str, longest: int) -> Callable[[], list[bytes]]:
    """Return the seeds of a target whose first byte selects the puzzle and the kind, with several first bytes."""
    return lambda: [
        bytes([first]) + text
        for number, text in enumerate(seeds.quoted(_QUOTED[name], longest, most=400))
        for first in (0, 4 * number % 104)
    ]


def _lowered_text(content: bytes) -> Said:
    source = Source("f.puzzle", content.decode("utf-8", "replace"))
    report = Report()
    try:
        puzzle: Puzzle = read_puzzle(source, report)
        fitting = place(puzzle, report)
    except PuzzleError as error:
        return refused(error, source)
    if fitting.locations + sum(len(piece.placements) for piece in fitting.pieces) <= 120:
        levels.lowered(fitting, report)
    return True, report.diagnostics


def _random_bytes() -> list[bytes]:
    """Return bytes without meaning, the same each time: each is a list of choices."""
    source = random.Random(1)
    return [source.randbytes(length) for length in (8, 16, 24, 32, 48, 64, 96) for _ in range(12)]


TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        *(_of_format(name) for name in FORMATS),
        Target("any", lambda content: files.try_file(content, None), _guessed, 200),
        Target("lattice", claims.try_lattice, lambda: [OWN, *seeds.quoted(_QUOTED["lattice"], 500)], 500),
        Target("answer", claims.try_answer, _spoken("answer", 300), 300),
        Target("solutions", claims.try_solutions, lambda: claims.claimed() + _spoken("solutions", 120)(), 200),
        Target("condition", claims.try_condition, _spoken("condition", 100), 100),
        Target("puzzle-level", levels.try_puzzle, _random_bytes, 96, False),
        Target("fitting-level", levels.try_fitting, _random_bytes, 64, False),
        Target("cover-level", levels.try_cover, _random_bytes, 64, False),
        Target("lowered-text", _lowered_text, lambda: TARGETS["puzzle"].seeds, 200),
    )
}
