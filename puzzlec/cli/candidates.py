"""The words that a shell offers for a parameter: puzzles, files, names of a table; for ``autocompletion`` of Typer.

Each function takes the typed text, and returns words with their meanings. More can follow a word that ends in `/`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress

Words = list[tuple[str, str]]

#: Names of files that cannot be offered: a shell reads lines, and a command takes a leading hyphen for an option.
_UNSPEAKABLE = re.compile(r"[\0-\x1f\x7f]|\A-")


def words(table: Iterable[str] | Callable[[], Iterable[str]]) -> Callable[[str], Words]:
    """Return a function that offers the words of a table, which may be made when it is needed.

    The meaning of a word is its value, or the ``summary`` of its value.
    """

    def offered(incomplete: str) -> Words:  # noqa: ARG001 - Typer leaves out words with another beginning
        entries = table() if callable(table) else table
        meanings = entries if isinstance(entries, Mapping) else dict.fromkeys(entries, "")
        return [(word, getattr(about, "summary", about)) for word, about in meanings.items()]

    return offered


def puzzles(incomplete: str) -> Words:
    """Return names of the catalogue."""
    from puzzlec.formats import catalogue

    return list(catalogue.completions(incomplete).items())


def files(incomplete: str) -> Words:
    """Return the existing files of puzzles, and folders."""
    from puzzlec.formats.registry import FORMATS

    endings = [ending for known_format in FORMATS.values() for ending in known_format.endings]
    return paths(*endings, *(f"{ending}.gz" for ending in endings))(incomplete)


def paths(*endings: str) -> Callable[[str], Words]:
    """Return a function that offers folders, and the files with some extensions."""

    def offered(incomplete: str) -> Words:
        place, last = os.path.split(incomplete)
        candidates = []
        with suppress(OSError), os.scandir(os.path.expanduser(place) or ".") as there:  # noqa: PTH111
            for entry in sorted(there, key=lambda entry: entry.name):
                name = os.path.join(place, entry.name)  # noqa: PTH118 - Path would lose `./`
                if (entry.name.startswith(".") and not last.startswith(".")) or _UNSPEAKABLE.search(name):
                    continue
                if entry.is_dir():
                    candidates.append((f"{name}/", ""))
                elif entry.name.endswith(endings):
                    candidates.append((name, ""))
        return candidates

    return offered


#: Folders, and all files with them.
folders, any_files = paths(), paths("")


def puzzles_and_files(incomplete: str) -> Words:
    """Return files of puzzles, and names of the catalogue."""
    return [*files(incomplete), *puzzles(incomplete)]


def tags() -> dict[str, str]:
    """Return the tags of the catalogue, with their numbers of puzzles."""
    from puzzlec.formats import catalogue

    return {tag: f"puzzles: {number}" for tag, number in catalogue.tags(catalogue.entries()).items()}


def lattices() -> dict[str, str]:
    """Return the lattices with their summaries."""
    from puzzlec.geometry import find_lattice, lattice_names

    return {name: find_lattice(name).summary for name in lattice_names()}
