"""``puzzlec list lattices``: a lattice of puzzlec or a custom one, and its verification."""

from __future__ import annotations

import sys
from typing import Annotated

from puzzlec.cli.candidates import Words, lattices, paths, words
from puzzlec.cli.options import Argument, Option
from puzzlec.cli.terminal import MODE, out, out_json, width_of_prose, width_of_table
from puzzlec.geometry import find_lattice, lattice_names
from puzzlec.language.lattice_file import lattice_yaml, open_lattice
from puzzlec.show.terminal.lists import lattice_text, lattices_text, proofs_text


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
        from puzzlec.show.data import lattice_data

        for lattice in [open_lattice(name)] if name is not None else map(find_lattice, lattice_names()):
            out_json(lattice_data(lattice))
        return
    if name is None:
        out(lattices_text(map(find_lattice, lattice_names()), width_of_table()))
        return
    found = open_lattice(name)
    out(lattice_text(found, width_of_prose()))
    out("\n" + proofs_text(found))
