"""Things to hold: pieces as meshes for printers (STL, 3MF) and viewers (GLB), and as outlines for a beam (laser)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from puzzlec.render.model.choices import LAYOUTS, Plate, Sizes
from puzzlec.render.subject import Subject

if TYPE_CHECKING:
    from puzzlec.render.model.plate import Item

__all__ = ["LAYOUTS", "MESHES", "Plate", "Sizes", "files", "mesh_writer"]

#: The formats of meshes, and what each is good for.
MESHES = {"stl": "triangles in mm, for every printer", "3mf": "with names and colours", "glb": "for viewers and pages"}


def files(
    subject: Subject,
    format: str = "stl",
    sizes: Sizes | None = None,
    layout: str = "plate",
    plate: Plate | None = None,
    separate: bool = False,
    remarks: list[str] | None = None,
) -> dict[str, bytes]:
    """Return the pieces of a puzzle as meshes: one file under the name "", or one for each plate or piece.

    Raises PuzzleError (PZ504, PZ505, PZ506) for what cannot be made, ValueError for an unknown format or layout.
    """
    from puzzlec.render.model.layout import in_solution, pieces, plates

    write, sizes, remarks = mesh_writer(format), sizes or Sizes(), remarks if remarks is not None else []
    if layout not in LAYOUTS:
        raise ValueError(f"there is no layout {layout!r}")
    if separate:
        found = {}
        for copies in pieces(subject, sizes, remarks):
            name = copies[0].thing.name
            found[name] = write([copies[0]], f"{subject.title}, {name}")
            if len(copies) > 1:
                remarks.append(f"`{name}` is needed {len(copies)} times")
    elif layout == "solution":
        found = {"": write(in_solution(subject, sizes, remarks), subject.title)}
    else:
        laid = plates(subject, sizes, plate, remarks)
        names = [str(number) for number in range(1, len(laid) + 1)] if len(laid) > 1 else [""]
        found = {name: write(items, subject.title) for name, items in zip(names, laid, strict=True)}
        if plate is not None and len(laid) > 1:
            remarks.append(f"the pieces need {len(laid)} plates of {plate.width:g} x {plate.depth:g} mm")
    if format == "stl" and _has_coloured_parts(subject):
        remarks.append("STL has no colours: those of cells and of sides are in 3MF and GLB")
    return found


def _has_coloured_parts(subject: Subject) -> bool:
    return subject.puzzle is not None and any(any(piece.colours) or piece.sides for piece in subject.puzzle.pieces)


def mesh_writer(format: str) -> Callable[[Sequence[Item], str], bytes]:
    """Return what writes things in one of the :data:`MESHES`; raise ValueError for another format."""
    if format == "stl":
        from puzzlec.render.model.stl import stl

        return stl
    if format == "3mf":
        from puzzlec.render.model.three_mf import three_mf

        return three_mf
    if format == "glb":
        from puzzlec.render.model.glb import glb

        return glb
    raise ValueError(f"there is no mesh format {format!r}: {', '.join(MESHES)} are known")
