"""Symmetries in ``puzzlec explain``: each of a small group, the kinds of a large one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from puzzlec.geometry import Lattice
from puzzlec.geometry.wording import Words, formula, told_apart, words
from puzzlec.lower import Encoding, Symmetry
from puzzlec.show.explain.findings import Findings
from puzzlec.show.terminal.layout import entry, listed

#: Maximum number of symmetries that are listed one by one.
MOST_SYMMETRIES = 8


def symmetry_lines(findings: Findings, width: int) -> Iterator[str]:
    """Yield the section on symmetries: each of a small group, the kinds of a large one."""
    encoding, group = findings.encoding, findings.group
    if not findings.listed:
        yield f"symmetries of its locations and pieces: {findings.order} at least, not listed"
        return
    puzzle = encoding.fitting.puzzle
    lattice = puzzle.lattice if puzzle else None
    if lattice is None or not group.turns:
        yield "symmetries"
        how = "`--symmetry automorphisms` of count and solve finds those of the exact cover"
        yield from entry("not looked for:", how, width)
        return
    known = "of its locations and pieces"
    yield f"symmetries {known}: {len(group)}{', the identity alone' * (len(group) == 1)}"
    swaps = [_in_words(encoding, swap) for swap in _swaps(encoding, group)]
    if puzzle is not None and puzzle.wraps:
        yield from _around(group, lattice, swaps, width)
    elif 1 < len(group) <= MOST_SYMMETRIES:
        plain = all(lattice.cell(point) == point for point in _units(lattice))
        named = list(map(str, told_apart(group.turns, lattice)))
        formulas = [formula(turn) if plain else "" for turn in group.turns]
        wide, long = max(map(len, named)), max(map(len, formulas))
        for name, moved, swap in zip(named, formulas, swaps, strict=True):
            yield from entry(f"{name:<{wide}}  {moved:<{long}}", swap, width, wide + long + 6)
    elif len(group) > 1:
        kinds: dict[tuple[str, str, str], list[Words]] = {}
        for turn, swap in zip(group.turns, swaps, strict=True):
            described = words(turn, lattice)
            kinds.setdefault((described.kind, described.diagonal, swap), []).append(described)
        for (kind, _, swap), several in kinds.items():
            text = kind.format(_axes(several)) + (f"; {swap}" if swap else "")
            yield from entry(f"{len(several):>3}", text, width, 7)


def symmetry_kinds(findings: Findings) -> list[dict[str, Any]]:
    """Return the symmetries as data: their names, the number of each, and the names of the pieces that they exchange.

    On a wrap-around board, symmetries with the same name differ by translations. The list is empty if they are not
    looked for, or are too many.
    """
    encoding, group = findings.encoding, findings.group
    puzzle = encoding.fitting.puzzle
    lattice = puzzle.lattice if puzzle else None
    if lattice is None or not findings.listed or not group.turns:
        return []
    number: dict[tuple[str, tuple[tuple[int, ...], ...]], int] = {}
    wraps = puzzle is not None and bool(puzzle.wraps)
    named = map(partial(words, lattice=lattice), group.turns) if wraps else told_apart(group.turns, lattice)
    for name, cycles in zip(map(str, named), _swaps(encoding, group), strict=True):
        number[name, cycles] = number.get((name, cycles), 0) + 1
    piece = encoding.fitting.piece_name
    return [
        {"name": name, "number": many, "pieces": [list(map(piece, cycle)) for cycle in cycles]}
        for (name, cycles), many in number.items()
    ]


def _around(group: Symmetry, lattice: Lattice, swaps: list[str], width: int) -> Iterator[str]:
    """Yield the symmetries of a wrap-around board: the number of each rotation or reflection, with all translations."""
    kinds: dict[tuple[str, str], int] = {}
    for turn, swap in zip(group.turns, swaps, strict=True):
        name = str(words(turn, lattice))
        kinds[name, swap] = kinds.get((name, swap), 0) + 1
    for (name, swap), number in kinds.items():
        text = "in place, or shifted around" if name == "identity" else f"{name}, in place or shifted"
        if len(group) > 1:
            yield from entry(f"{number:>3}", text + (f"; {swap}" if swap else ""), width, 7)


def _axes(several: list[Words]) -> str:
    """Return the axes of isometries of one kind: all of up to three, else an example."""
    axes = sorted({words.axis for words in several if words.axis}, key=lambda axis: (axis.count("-"), axis))
    return f"one of {len(axes)} diagonals such as {axes[0]}" if axes[3:] else listed(axes, "or")


def _units(lattice: Lattice) -> list[tuple[int, ...]]:
    """Return the points whose coordinates are the unit vectors and zero."""
    size = len(lattice.translations[0])
    return [tuple(int(axis == number) for axis in range(size)) for number in range(-1, size)]


def _swaps(encoding: Encoding, group: Symmetry) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield for each symmetry the cycles of two or more pieces that it exchanges, pairs first.

    A piece without placements is fixed.
    """
    first: dict[int, int] = {}
    for option, piece in enumerate(encoding.piece):
        if piece >= 0:
            first.setdefault(piece, option)
    for options in group.options:
        image = {piece: encoding.piece[options[option]] for piece, option in first.items()}
        pairs, cycles = [], []
        while image:
            start, at = image.popitem()
            cycle = [start]
            while at != start:
                cycle.append(at)
                at = image.pop(at)
            if len(cycle) == 2:
                pairs.append(tuple(sorted(cycle)))
            elif len(cycle) > 2:
                cycles.append(tuple(cycle))
        yield (*sorted(pairs), *reversed(cycles))


def _in_words(encoding: Encoding, cycles: tuple[tuple[int, ...], ...]) -> str:
    """Return which pieces swap, and which move in longer cycles."""
    name = encoding.fitting.piece_name
    texts = [listed(list(map(name, cycle))) for cycle in cycles if len(cycle) == 2]
    told = [f"{', '.join(texts)} swap"] if texts else []
    return ", ".join(told + [" -> ".join(map(name, [*cycle, cycle[0]])) for cycle in cycles if len(cycle) > 2])
