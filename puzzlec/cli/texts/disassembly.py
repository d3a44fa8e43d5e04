"""How assemblies come apart, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from puzzlec.diagnostics import counted
from puzzlec.geometry.lattice import written
from puzzlec.motion.levels import text as level_text
from puzzlec.motion.obstacles import why_not
from puzzlec.motion.rotation import turn_words
from puzzlec.motion.search import Bounds
from puzzlec.motion.taken import ComparedLevel, Taken
from puzzlec.motion.turning import Turning


class Assemblies:
    """Writes assemblies one after the other; lines below an assembly that an earlier one has are not repeated.

    With ``steps``, the moves are also written, or what blocks each piece.
    """

    def __init__(self, steps: bool, bounds: Bounds) -> None:
        self.steps, self.bounds = steps, bounds
        self._written: dict[tuple[str, ...], int] = {}

    def lines(self, assembly: Taken) -> Iterator[str]:
        """Yield the lines of the next assembly."""
        result, below = assembly.disassembly, tuple[str, ...]()
        if self.steps:
            below = tuple(_steps(assembly) if result.apart or result.stopped else _hold(assembly, True, self.bounds))
        same = f", as assembly {self._written[below]}" if below in self._written else ""
        if below and not same:
            self._written[below] = assembly.number
        if result.apart:
            perhaps = f"; stopped at the limit ({result.stopped}): perhaps not the least sum" if result.stopped else ""
            turns = f", {counted(result.turns, 'turn')}" if result.turning is not None else ""
            moves = counted(result.moves, "move")
            yield f"assembly {assembly.number}: level {result.text}, {moves}{turns}{same}{perhaps}"
        elif result.stopped:
            searched = counted(result.searched, "move")
            yield f"assembly {assembly.number}: stopped at the limit ({result.stopped}) after {searched}"
        else:
            yield f"assembly {assembly.number}: does not come apart{same}"
            below = below or tuple(_hold(assembly, False, self.bounds))
        if not same:
            yield from (f"  {line}" for line in below)


def _steps(assembly: Taken) -> Iterator[str]:
    """Yield the moves of an assembly, one a line."""
    for number, step in enumerate(assembly.disassembly.steps, 1):
        pieces = ", ".join(assembly.labels[piece] for piece in step.pieces)
        if step.turn is not None:
            yield f"{number}. {pieces}: {turn_words(assembly.disassembly.lattice, step.turn)}"
            continue
        end = "away" if step.separates else f"by {step.distance}"
        yield f"{number}. {pieces}: {written(step.direction)} {end}"


def _hold(assembly: Taken, steps: bool, bounds: Bounds) -> Iterator[str]:
    """Yield which pieces hold an assembly together, and what blocks each of them."""
    hold, labels = why_not(assembly.disassembly, bounds), assembly.labels
    if hold is None:
        return
    whether = "" if hold.smallest else "; fewer of these may do so as well"
    yield f"{', '.join(labels[piece] for piece in hold.pieces)} hold together{whether}"
    ways: dict[tuple[int, int | Fraction, tuple[int, ...]], list[str]] = {}
    for block in hold.blocks if steps else ():
        ways.setdefault((block.piece, block.steps, block.met), []).append(written(block.direction))
    for (piece, free, met), directions in ways.items():
        after = f" after {counted(free, 'step')}" if free else ""
        yield f"{labels[piece]} meets {', '.join(labels[body] for body in met)}{after}: {' '.join(directions)}"
    if steps and (turning := assembly.disassembly.turning) is not None:
        yield from _turns(assembly, hold.pieces, turning)


def _turns(assembly: Taken, pieces: Sequence[int], turning: Turning) -> Iterator[str]:
    """Yield what blocks the turns of pieces that hold together."""
    from puzzlec.motion.turn_obstacles import turn_blocks  # it needs numpy

    for block in turn_blocks(assembly.disassembly, pieces, turning):
        names = ", ".join(assembly.labels[body] for body in block.met) or "nothing"
        after = f" after {counted(block.degrees, 'degree')}" if block.met and block.degrees else ""
        words = turn_words(assembly.disassembly.lattice, block.turn)
        yield f"{assembly.labels[block.piece]} meets {names}{after}: {words}"


def compared_line(compared: ComparedLevel) -> str:
    """Return the stored level of an assembly in words, and that of the search if it differs."""
    level, disassembly, more = level_text(compared.level), compared.taken, ""
    if not disassembly.apart:
        stopped = f"the search stopped at the limit ({disassembly.stopped})"
        more = f"; {stopped if disassembly.stopped else 'the search finds that it does not come apart'}"
    elif not compared.agrees:
        more = f"; the search finds level {disassembly.text}, {counted(disassembly.moves, 'move')}"
    return f"assembly {compared.number}: level {level}, {counted(compared.moves, 'move')}{more}"


def counted_assemblies(number: int) -> str:
    """Return a number of assemblies in words."""
    return "1 assembly" if number == 1 else f"{number} assemblies"


def come_apart(apart: int, number: int) -> str:
    """Return in words how many assemblies come apart."""
    if number == 1:
        return "the only assembly comes apart" if apart else "the only assembly does not come apart"
    whole = f"of {number} assemblies"
    if not apart:
        return f"none {whole} comes apart"
    return (
        f"all {number} assemblies come apart"
        if apart == number
        else f"{apart} {whole} {'comes' if apart == 1 else 'come'} apart"
    )
