"""``puzzlec list lattices`` and ``puzzlec list shapes``: lattices and their verification, pieces of libraries."""

from __future__ import annotations

import re
import sys
from shlex import quote
from typing import Annotated

from puzzlec.cli.arguments import Ascii
from puzzlec.cli.candidates import Words, lattices, paths, words
from puzzlec.cli.options import Argument, Option
from puzzlec.cli.terminal import MODE, out, out_json, style, width_of_prose, width_of_table
from puzzlec.cli.texts.lists import (
    family_text,
    lattice_text,
    lattices_text,
    libraries_text,
    proofs_text,
    shapes_text,
)
from puzzlec.diagnostics import suggestion
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.files import is_file
from puzzlec.formats.catalogue import find
from puzzlec.geometry import Freedom, ShapeSet, find_lattice, lattice_names
from puzzlec.geometry.families import ShapesError, family_names, find_family, find_shapes
from puzzlec.language.lattice_file import lattice_yaml, open_lattice


def _lattices_and_files(incomplete: str) -> Words:
    return [*words(lattices)(incomplete), *paths(".yaml")(incomplete)]


def lattice(
    name: Annotated[
        str | None,
        Argument("Name of a lattice, or file of a custom lattice.", "NAME|FILE.yaml", offered=_lattices_and_files),
    ] = None,
    yaml: Annotated[bool, Option("Print the file of the lattice.")] = False,
) -> None:
    """List lattices, or describe and verify one.

    Without NAME, lists the lattices of puzzlec.

    Examples:
        puzzlec list lattices hex
        puzzlec list lattices hex --yaml

    """
    if yaml and name is not None:
        sys.stdout.write(lattice_yaml(name))
        return
    if MODE.json:
        from puzzlec.explaining.data import lattice_data

        for lattice in [open_lattice(name)] if name is not None else map(find_lattice, lattice_names()):
            out_json(lattice_data(lattice))
        return
    if name is None:
        out(lattices_text(map(find_lattice, lattice_names()), width_of_table()))
        return
    lattice = open_lattice(name)
    out(lattice_text(lattice, width_of_prose()))
    out("\n" + proofs_text(lattice, width_of_prose()))


#: Most names of pieces in a note.
MAX_PIECES_LISTED = 12


def _libraries() -> dict[str, str]:
    from puzzlec.explaining.data import libraries_data

    return {library["name"]: library.get("summary", "") for library in libraries_data()}


def shapes(
    name: Annotated[
        str | None, Argument("Library such as pentominoes, or family.", "NAME", offered=words(_libraries))
    ] = None,
    size: Annotated[str | None, Argument("Size of the pieces of a family, or one piece.", "SIZE|PIECE")] = None,
    freedom: Annotated[
        Freedom | None,
        Argument(
            "free, one-sided or fixed pieces of a family.",
            "KIND",
            words=[kind.value for kind in Freedom],
            parse=Freedom,
        ),
    ] = None,
    ascii: Ascii = False,
) -> None:
    """Draw the pieces of a library or family.

    Without NAME, lists libraries and families. A family without SIZE is listed by the numbers of its pieces.

    Examples:
        puzzlec list shapes pentominoes F
        puzzlec list shapes polyominoes 6 one-sided

    """
    look = style(ascii)
    width = look.width
    if MODE.json:
        _print_data(name, size, freedom)
    elif name is None:
        out(libraries_text(width))
    elif size is None and name in family_names():
        out(family_text(find_family(name), width))
    else:
        out(shapes_text(_found(name, size, freedom), width, look.ascii))


def _print_data(name: str | None, size: str | None, freedom: Freedom | None) -> None:
    from puzzlec.explaining.data import family_data, libraries_data, shapes_data

    if name is None:
        rows = libraries_data()
    elif size is None and name in family_names():
        rows = family_data(find_family(name))
    else:
        rows = shapes_data(_found(name, size, freedom))
    for row in rows:
        out_json(row)


def _found(name: str, size: str | None, freedom: Freedom | None) -> ShapeSet:
    """Return the requested shapes, or the one that is named instead of a size; raise PuzzleError if there are none."""
    number = int(size) if size is not None and re.fullmatch("-?[0-9]{1,9}", size) else None
    try:
        shapes = find_shapes(name, number, freedom)
    except ShapesError as error:
        if error.code == "PZ304" and not error.help and (is_file(name) or find(name) is not None):
            note, help = f"`{name}` is a puzzle", f"`puzzlec explain {quote(name)}` draws its pieces"
            raise fail(error.code, error.message, note=(note, error.note), help=help) from None
        raise fail(error.code, error.message, note=error.note or (), help=error.help or ()) from None
    if size is None or number is not None:
        return shapes
    if size not in shapes.shapes and size not in shapes.others:
        few = list(shapes.shapes)[:MAX_PIECES_LISTED]
        message = f"unknown piece `{size}` in library `{shapes.name}`"
        helps = suggestion(size, few) or (f"`puzzlec list shapes {quote(name)}` draws all pieces",)
        raise fail("PZ305", message, note=f"the first pieces are {', '.join(few)}", help=helps)
    return shapes._replace(shapes={size: shapes.shape(size)}, others={})
