"""A puzzle as things laid out: on plates, or as they lie in a solution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from puzzlec.diagnostics import counted
from puzzlec.make.bodies import assembled, colours_of, puzzle_of, refuse_slow, single
from puzzlec.make.choices import Plate, Sizes
from puzzlec.make.lying import laid
from puzzlec.make.mesh import Mesh, manifold_of
from puzzlec.make.plate import Item, extent, rows
from puzzlec.make.things import Thing, is_quick, thing
from puzzlec.make.tray import tray
from puzzlec.solving.subject import Subject


def plates(
    subject: Subject, sizes: Sizes, plate: Plate | None, remarks: list[str], with_tray: bool = False
) -> list[list[Item]]:
    """Return all pieces with their copies, lying in rows, plate by plate (one, where no ``plate`` is given).

    A tray comes last, on a plate of its own where one is given, else beside the pieces. What is to be said about them
    goes into ``remarks``. Raises PuzzleError for what cannot be made.
    """
    own = [tray_alone(subject, sizes)] if with_tray else []
    items = [item for each in pieces(subject, sizes, remarks) for item in each]
    return [*rows(items, plate), *(rows(own, plate) if own else [])] if plate else rows([*items, *own], plate)


def tray_alone(subject: Subject, sizes: Sizes) -> Item:
    """Return the tray of the board at the origin, standing on its floor."""
    sizes.verify()
    made = tray(puzzle_of(subject), sizes)
    return Item(made.moved(None, -made.mesh.bounds[0]), made.name, (0.0, 0.0, 0.0))


def pieces(subject: Subject, sizes: Sizes, remarks: list[str]) -> list[list[Item]]:
    """Return for each piece its copies, each lying at the origin."""
    sizes.verify()
    puzzle = puzzle_of(subject)
    assert puzzle.lattice is not None
    colours, found, wanted = colours_of(puzzle), [], single(subject)
    refuse_slow(puzzle.lattice, sum(len(body.cells) for body, _ in wanted), is_quick(puzzle.lattice, sizes))
    for body, copies in wanted:
        made = thing(body, puzzle.lattice, sizes, colours)
        _remark(made, remarks)
        lying = laid(made)
        names = [body.name] if copies == 1 else [f"{body.name} {number}" for number in range(1, copies + 1)]
        found.append([Item(lying, name, (0.0, 0.0, 0.0)) for name in names])
    return found


def in_solution(subject: Subject, sizes: Sizes, remarks: list[str], with_tray: bool = False) -> list[Item]:
    """Return the pieces of the first solution where they lie, on the table and with the least x and y at 0.

    With a tray they lie in it, and it comes last.
    """
    sizes.verify()
    puzzle, scene = puzzle_of(subject), assembled(subject)
    refuse_slow(scene.lattice, sum(len(body.cells) for body in scene.bodies), is_quick(scene.lattice, sizes))
    colours = colours_of(puzzle)
    things = [thing(body, scene.lattice, sizes, colours) for body in scene.bodies]
    for each in things:
        _remark(each, remarks)
    copies, seen, found = Counter(each.name for each in things), Counter[str](), []
    things += [tray(puzzle, sizes)] if with_tray else []
    least = _least([each.mesh for each in things])
    for each in things:
        seen[each.name] += 1
        name = f"{each.name} {seen[each.name]}" if copies[each.name] > 1 else each.name
        found.append(Item(each.moved(None, -least), name, (0.0, 0.0, 0.0)))
    return found


def _least(meshes: Sequence[Mesh]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    least: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = np.min([mesh.bounds[0] for mesh in meshes], axis=0)
    return least


def _remark(made: Thing, remarks: list[str]) -> None:
    """Say what is wrong with a piece: it falls apart, or touches itself so that its surface is not one."""
    parts = len(manifold_of(made.mesh.points, made.mesh.triangles).decompose())
    text = ""
    if parts > 1:
        text = f"`{made.name}` comes in {counted(parts, 'part')}: its cells do not all hold together"
    if made.mesh.seams:
        where = counted(made.mesh.seams, "edge")
        more = (
            f"{where} of its surface have more than two sides, which some programs take for a fault; a gap parts them"
        )
        text = f"{text}; {more}" if text else f"`{made.name}` touches itself: {more}"
    if text and text not in remarks:
        remarks.append(text)


def told(items: Sequence[Item], trays: int = 0) -> str:
    """Return in words how many things there are, how large they are together, and their volume."""
    return f"{things(len(items) - trays, trays)}, {measured(items)}"


def told_of_plates(plates: Sequence[Sequence[Item]], plate: Plate, trays: int = 0) -> str:
    """Return in words how many things are on how many plates, and their volume."""
    items = [item for each in plates for item in each]
    on = f"{counted(len(plates), 'plate')} of {plate.width:g} x {plate.depth:g} mm"
    return f"{things(len(items) - trays, trays)} on {on}, {material(items)}"


def things(pieces: int, trays: int) -> str:
    """Return how many pieces there are, and whether there is a tray.

    >>> things(7, 1), things(1, 0), things(0, 1)
    ('7 pieces and a tray', '1 piece', 'a tray')
    """
    return " and ".join([*([counted(pieces, "piece")] if pieces else []), *(["a tray"] if trays else [])])


def measured(items: Sequence[Item]) -> str:
    """Return the size of things together and their volume."""
    wide, deep, high = (f"{value:.1f}".removesuffix(".0") for value in extent(items))
    return f"{wide} x {deep} x {high} mm, {material(items)}"


def material(items: Sequence[Item]) -> str:
    """Return the volume of things together in cubic cm."""
    volume = sum(item.thing.mesh.volume for item in items) / 1000
    number = f"{volume:.0f}" if volume >= 100 else f"{volume:.1f}" if volume >= 0.1 else "less than 0.1"
    return f"{number} cm3 of material"
