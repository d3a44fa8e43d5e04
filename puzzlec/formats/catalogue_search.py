"""The puzzles of the catalogue with some words, tags or a lattice."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlec.diagnostics import suggestion
from puzzlec.diagnostics.error import fail
from puzzlec.formats import catalogue
from puzzlec.formats.catalogue import Entry
from puzzlec.geometry import lattice_names
from puzzlec.language.lattice_file import is_lattice_file, other_lattice


def wanted(words: Sequence[str], search: Sequence[str], tags: Sequence[str], lattice: str | None) -> list[Entry]:
    """Return the requested puzzles; raise PuzzleError if there are none."""
    known = (*lattice_names(), "none")
    if lattice is not None and lattice not in known and not is_lattice_file(lattice):
        raise fail(
            "PZ302",
            f"unknown lattice `{lattice}`",
            note=f"lattices are {', '.join(known)}",
            help=other_lattice(lattice, known),
        )
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
