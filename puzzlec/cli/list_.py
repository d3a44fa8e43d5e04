"""``puzzlec list``: the catalogue, or the puzzles that match some words."""

from __future__ import annotations

import sys
from typing import Annotated

from puzzlec.cli.candidates import lattices
from puzzlec.cli.candidates import tags as known_tags
from puzzlec.cli.candidates import words as words_of
from puzzlec.cli.options import Argument, Option
from puzzlec.cli.terminal import MODE, out, out_json, out_result, style, styled
from puzzlec.cli.texts.catalogue import entry_data, puzzles_lines
from puzzlec.formats import catalogue


def _lattices() -> dict[str, str]:
    return {**lattices(), "none": "without geometry"}


def list_puzzles(
    words: Annotated[
        list[str] | None, Argument("Words in name, title or tags.", "WORD", offered=words_of(known_tags))
    ] = None,
    search: Annotated[
        str | None, Option("Words; also search sources and notes.", "WORDS", offered=words_of(known_tags))
    ] = None,
    tag: Annotated[list[str] | None, Option("Tag, such as solid or easy.", "TAG", offered=words_of(known_tags))] = None,
    lattice: Annotated[str | None, Option("Lattice, such as hex or none.", "NAME", offered=words_of(_lattices))] = None,
    tags: Annotated[bool, Option("List the tags of these puzzles.", name="--list-tags")] = False,
) -> None:
    """List the puzzles of the catalogue.

    Each line has the name, the numbers of distinct and raw solutions, and the title. Puzzles to take apart also have
    the number of assemblies that come apart, and the best level. `puzzlec explain NAME` prints the rest.

    On a terminal, the lines fit its width. Output to a file or a pipe has all columns in full.

    Examples:
        puzzlec list torus --lattice hex
        puzzlec list --tag easy

    """
    puzzles = catalogue.select(words or (), (search or "").split(), tag or (), lattice)
    if tags:
        numbers = catalogue.tags(puzzles)
        for name, number in numbers.items():
            out_result({"tag": name, "puzzles": number}, f"{number:>4}  {name}")
    elif MODE.json:
        for entry in puzzles:
            out_json(entry_data(entry))
    else:
        wide = style() if sys.stdout.isatty() else None
        out("\n".join(puzzles_lines(puzzles, wide, styled)))
