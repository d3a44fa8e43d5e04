"""``puzzlec list``: the catalogue, or the puzzles that match some words."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

from puzzlec.cli.candidates import lattices
from puzzlec.cli.candidates import tags as known_tags
from puzzlec.cli.candidates import words as words_of
from puzzlec.cli.options import Argument, Option
from puzzlec.cli.terminal import MODE, out, out_json, out_result, style, styled
from puzzlec.diagnostics import suggestion
from puzzlec.diagnostics.error import fail
from puzzlec.formats import catalogue
from puzzlec.formats.catalogue import Entry
from puzzlec.show.terminal.catalogue import entry_data, puzzles_lines


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
    wanted = _wanted(words or [], (search or "").split(), tag or [], lattice)
    if tags:
        numbers = catalogue.tags(wanted)
        for name, number in numbers.items():
            out_result({"tag": name, "puzzles": number}, f"{number:>4}  {name}")
    elif MODE.json:
        for entry in wanted:
            out_json(entry_data(entry))
    else:
        wide = style() if sys.stdout.isatty() else None
        out("\n".join(puzzles_lines(wanted, wide, styled)))


def _wanted(words: Sequence[str], search: Sequence[str], tags: Sequence[str], lattice: str | None) -> list[Entry]:
    """Return the requested puzzles; raise PuzzleError if there are none."""
    if lattice is not None:
        _refuse_unknown_lattice(lattice)
    refuse_unknown_tags(tags)
    entries = [
        entry
        for entry in catalogue.entries()
        if catalogue.has_words(entry, words) and catalogue.is_about(entry, search) and set(tags) <= set(entry.tags)
    ]
    if lattice is not None:
        entries = [entry for entry in entries if catalogue.lattice_name(entry) == lattice]
    if not entries:
        asked = [f"`{word}`" for word in (*words, *search)] + [f"the tag `{tag}`" for tag in tags]
        asked += [f"the lattice `{lattice}`"] * (lattice is not None)
        helps = ["`puzzlec list` lists them all"]
        if words and not search and any(catalogue.is_about(entry, words) for entry in catalogue.entries()):
            helps.insert(0, f"`puzzlec list --search '{' '.join(words)}'` also searches sources and notes")
        raise fail("PZ006", f"no puzzle of the catalogue has {' and '.join(asked)}", help=helps)
    return entries


def _refuse_unknown_lattice(name: str) -> None:
    from puzzlec.geometry import lattice_names
    from puzzlec.language.lattice_file import is_lattice_file, other_lattice

    names = (*lattice_names(), "none")
    if name not in names and not is_lattice_file(name):
        raise fail(
            "PZ302",
            f"unknown lattice `{name}`",
            note=f"lattices are {', '.join(names)}",
            help=other_lattice(name, names),
        )


def refuse_unknown_tags(tags: Sequence[str]) -> None:
    """Raise PuzzleError for a tag that no puzzle of the catalogue has."""
    every = catalogue.tags(catalogue.entries())
    for tag in tags:
        if tag not in every:
            raise fail(
                "PZ006",
                f"unknown tag `{tag}`",
                help=suggestion(tag, every) or "`puzzlec list --list-tags` lists them all",
            )
