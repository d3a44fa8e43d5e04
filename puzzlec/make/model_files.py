"""The files of a model: its pieces as meshes, in one file, or one for each plate or piece."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from puzzlec.make.choices import LAYOUTS, Plate, Sizes
from puzzlec.make.table import MESHES, of_kind, output
from puzzlec.solving.subject import Subject

if TYPE_CHECKING:
    from puzzlec.make.packing import PlacedThing


class File(NamedTuple):
    """A file of a model: its mark among several files ("" for the only one), its bytes, and its content.

    ``said`` is the content in words, and ``items`` are its things in their positions.
    """

    name: str
    data: bytes
    said: str
    items: Sequence[PlacedThing]


def files(
    subject: Subject,
    format: str = "stl",
    sizes: Sizes | None = None,
    layout: str = "plate",
    plate: Plate | None = None,
    separate: bool = False,
    remarks: list[str] | None = None,
    tray: bool = False,
) -> list[File]:
    """Return the pieces of a puzzle as meshes: one file, or one for each plate or piece; ``tray`` adds a tray.

    ``remarks`` get notes about the pieces, and a summary at the end. Raises PuzzleError (PZ504, PZ505, PZ506) for
    pieces that cannot be made, ValueError for an unknown format or layout.
    """
    from puzzlec.make.layout import in_solution, plates, told, told_of_plates

    mesh_output, sizes, remarks = output(MESHES, format), sizes or Sizes(), remarks if remarks is not None else []
    write = mesh_output.write
    if layout not in LAYOUTS:
        raise ValueError(f"unknown layout {layout!r}")
    if not mesh_output.coloured and _has_coloured_parts(subject):
        others = " and ".join([output.format.upper() for output in of_kind(MESHES).values() if output.coloured])
        remarks.append(f"{format.upper()} cannot store colours; {others} can")
    if separate:
        return _separate(subject, write, sizes, remarks, tray)
    if layout == "solution":
        laid = [in_solution(subject, sizes, remarks, tray)]
    else:
        laid = plates(subject, sizes, plate, remarks, tray)
    several = len(laid) > 1
    output_files = []
    for number, items in enumerate(laid, 1):
        name = ("tray" if items[0].thing.is_tray else str(number)) if several else ""
        output_files.append(File(name, write(items, subject.title), told(items), items))
    remarks.append(output_files[0].said if plate is None or layout == "solution" else told_of_plates(laid, plate))
    return output_files


def _separate(
    subject: Subject,
    write: Callable[[Sequence[PlacedThing], str], bytes],
    sizes: Sizes,
    remarks: list[str],
    tray: bool,
) -> list[File]:
    """Return a file for each different piece, and one for the tray."""
    from puzzlec.make.layout import material, measured, pieces, things, trays_alone

    alone = trays_alone(subject, sizes, remarks) if tray else []  # may be refused: tried before anything is made
    made = pieces(subject, sizes, remarks)
    piece_files = [
        File(item.thing.name, write([item], f"{subject.title}, {item.thing.name}"), measured([item]), [item])
        for item in [*(copies[0] for copies in made), *alone]
    ]
    remarks += [f"`{copies[0].thing.name}` is needed {len(copies)} times" for copies in made if len(copies) > 1]
    everything = [*(item for copies in made for item in copies), *alone]
    remarks.append(f"{things(everything)}, {material(everything)} in all")
    return piece_files


def _has_coloured_parts(subject: Subject) -> bool:
    return subject.puzzle is not None and any(any(piece.colours) or piece.sides for piece in subject.puzzle.pieces)
