"""``puzzlec list``: the catalogue, or the puzzles that match some words."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from typing import Annotated

from puzzlec.cli.candidates import lattices
from puzzlec.cli.candidates import tags as known_tags
from puzzlec.cli.candidates import words as words_of
from puzzlec.cli.command import OUTPUT
from puzzlec.cli.options import Argument, Option
from puzzlec.cli.terminal import CYAN, out, out_json, style, styled
from puzzlec.formats import catalogue
from puzzlec.formats.catalogue import Entry
from puzzlec.formats.catalogue_search import wanted
from puzzlec.show.terminal.catalogue import entry_data, table_lines


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
    as_json: Annotated[bool, Option("Print results, remarks and errors as JSON.", name="--json", panel=OUTPUT)] = False,
) -> None:
    """List the puzzles of the catalogue.

    Each line has the name, the numbers of distinct and raw solutions, and the title. Puzzles to take apart also have
    the number of assemblies that come apart, and the best level. `puzzlec explain NAME` prints the rest.

    On a terminal, the lines fit its width. Output to a file or a pipe has all columns in full.

    Examples:
        puzzlec list torus --lattice hex
        puzzlec list --tag easy

    """
    entries = wanted(words or [], (search or "").split(), tag or [], lattice)
    if tags:
        numbers = catalogue.tags(entries)
        for name, number in numbers.items():
            if as_json:
                out_json({"tag": name, "puzzles": number})
            else:
                out(f"{number:>4}  {name}")
    elif as_json:
        for entry in entries:
            out_json(entry_data(entry))
    else:
        _print_table(entries)


def _print_table(entries: Sequence[Entry]) -> None:
    """Print a line for each puzzle. On a terminal the lines fit its width; other output has all figures in full."""
    columns = {"distinct": 9, "raw": 9}
    if any(entry.apart is not None for entry in entries):
        columns |= {"apart": 5, "level": max(5, *(len(entry.level or "") for entry in entries))}
    if sys.stdout.isatty():
        for line in table_lines(entries, [*columns], style(), styled, partial(styled, code=CYAN)):
            out(line)
        return
    width = max(len(entry.name) for entry in entries)
    heads = "  ".join(f"{name:>{wide}}" for name, wide in columns.items())
    out(styled(f"{'name':<{width}}  {heads}  title"))
    for entry in entries:
        stated = ((getattr(entry, name), wide) for name, wide in columns.items())
        numbers = "  ".join(f"{'-' if value is None else value:>{wide}}" for value, wide in stated)
        out(f"{styled(f'{entry.name:<{width}}', CYAN)}  {numbers}  {entry.title}")
