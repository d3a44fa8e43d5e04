"""Assemblies that were taken apart."""

from __future__ import annotations

from typing import NamedTuple

from puzzlec.ir import Solution
from puzzlec.motion.bodies import numbered
from puzzlec.motion.disassembly import WHOLE_STEP, Disassembly
from puzzlec.motion.rotation import plain_number
from puzzlec.shown import brief, mimebundle


class Taken(NamedTuple):
    """An assembly of a puzzle, by its number from 1 in the order of the search, and how it comes apart.

    >>> import puzzlec
    >>> taken = next(puzzlec.disassemble("soma/castle"))
    >>> taken.number, taken.disassembly.text, taken.labels
    (1, '1', ('V', 'L', 'T', 'Z', 'A', 'B', 'P'))
    """

    def __repr__(self) -> str:
        return brief(self)

    number: int
    solution: Solution
    disassembly: Disassembly

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        return mimebundle(self, include, exclude)

    @property
    def labels(self) -> tuple[str, ...]:
        """The name of each piece of the assembly; copies have numbers from 1 after a dot."""
        return numbered([body.name for body in self.disassembly.bodies])

    def check(self) -> None:
        """Carry out the moves in small steps, with code that is independent of the search.

        Raises:
            ValueError: If two pieces overlap on the way, or if the level does not match the moves.

        """
        from puzzlec.motion.replay import ReplayError, replay

        disassembly = self.disassembly
        if disassembly.apart:
            clearance = 0.0 if disassembly.turning is None else disassembly.turning.clearance
            replayed = replay(*disassembly.in_parts(), clearance)
            if (replayed.level, replayed.parts) != (disassembly.level, disassembly.parts):
                raise ReplayError(f"the moves give the level {replayed.level} and the parts {replayed.parts}")

    def as_dict(self) -> dict[str, object]:
        """Return the assembly as plain data; docs/json.md has the members."""
        disassembly, labels = self.disassembly, self.labels
        return {
            "assembly": self.number,
            "level": disassembly.text,
            "moves": disassembly.moves if disassembly.apart else None,
            **({"turns": disassembly.turns if disassembly.apart else None} if disassembly.turning is not None else {}),
            **({"step": plain_number(disassembly.step)} if disassembly.step != WHOLE_STEP else {}),
            "steps": [
                {
                    "pieces": [labels[number] for number in step.pieces],
                    "direction": list(step.direction),
                    "distance": plain_number(step.distance),
                    "separates": step.separates,
                    **({} if step.turn is None else {"turn": step.turn.as_dict()}),
                }
                for step in disassembly.steps
            ],
            "pieces": [
                {"piece": label, "cells": [list(cell) for cell in body.cells]}
                for label, body in zip(labels, disassembly.bodies, strict=True)
            ],
            **(
                {"together": [[labels[n] for n in part] for part in disassembly.parts if len(part) > 1]}
                if disassembly.apart
                else {}
            ),
            **({"held": [labels[number] for number in disassembly.held]} if disassembly.held else {}),
            **({"stopped": disassembly.stopped, "searched": disassembly.searched} if disassembly.stopped else {}),
        }


class ComparedLevel(NamedTuple):
    """A stored assembly: its level and moves in the file, and the result of the search."""

    number: int
    level: tuple[int, ...]
    moves: int
    taken: Disassembly

    @property
    def agrees(self) -> bool:
        """Whether the search finds the same level with as many moves."""
        return (self.taken.level, self.taken.moves) == (self.level, self.moves)

    @property
    def contradicts(self) -> bool:
        """Whether the search excludes the stored level. The parts after the first separation can be others."""
        return not self.taken.stopped and (self.taken.level or (0,))[0] != self.level[0]
