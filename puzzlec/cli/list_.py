"""``puzzlec list``: the catalogue, or those of its puzzles that some words belong to."""

from __future__ import annotations

from typing import Annotated

import typer

from puzzlec.cli.terminal import out
from puzzlec.diagnostics.diagnostic import fail
from puzzlec.geometry import lattice_names
from puzzlec.readers import catalogue
from puzzlec.readers.lattice_file import is_lattice_file, other_lattice


def list_puzzles(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORD...]", help="Only puzzles that have all of these in name, title or tags."),
    ] = None,
    lattice: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only puzzles on this lattice, such as hex or none.")
    ] = None,
) -> None:
    """List the puzzles of the catalogue.

    Each has its name, the numbers of its distinct and of its raw solutions, and its title.

    Example: puzzlec list torus --lattice hex
    """
    known = (*lattice_names(), "none")
    if lattice is not None and lattice not in known and not is_lattice_file(lattice):
        raise fail(
            "PZ302",
            f"the lattice `{lattice}` is not known",
            note=f"lattices are {', '.join(known)}",
            help=other_lattice(lattice, known),
        )
    entries = [each for each in catalogue.entries() if catalogue.has_words(each, words or ())]
    if lattice is not None:
        entries = [each for each in entries if catalogue.lattice_name(each) == lattice]
    if not entries:
        asked = [f"`{word}`" for word in words or ()] + [f"the lattice `{lattice}`"] * (lattice is not None)
        raise fail(
            "PZ006", f"no puzzle of the catalogue has {' and '.join(asked)}", help="`puzzlec list` lists them all"
        )
    width = max(len(entry.name) for entry in entries)
    out(f"{'name':<{width}}  {'distinct':>9}  {'raw':>9}  title")
    for entry in entries:
        numbers = ("-" if number is None else str(number) for number in (entry.distinct, entry.raw))
        out(f"{entry.name:<{width}}  " + "  ".join(f"{number:>9}" for number in numbers) + f"  {entry.title}")
