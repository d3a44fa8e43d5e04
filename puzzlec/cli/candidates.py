"""The names that a shell offers when somebody presses Tab: puzzles, files, lattices and so on.

Each function has what is typed already as its argument, and returns words with what they mean. A word that ends in
`/` goes on.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress

Words = Mapping[str, str]

#: In the name of a file: what a shell is told in lines cannot say it, or a command takes it for an option.
_UNSPEAKABLE = re.compile(r"[\0-\x1f\x7f]|\A-")


def puzzles(typed: str) -> Words:
    """Return names of the catalogue: families while no one is chosen, and puzzles by the last part of their name."""
    from puzzlec.formats import catalogue

    names = {each.name: each.title for each in catalogue.entries()}
    if "/" in typed:
        return names
    families = [name for name in catalogue.families() if name not in names]
    found = {f"{name}/": "" for name in families} | {name: title for name, title in names.items() if "/" not in name}
    if not typed:
        return found
    last = Counter(name.rsplit("/", 1)[-1] for name in names)
    for name, title in names.items():
        family, _, end = name.rpartition("/")
        if last[end] == 1 and (end == family or end not in families):
            found[end] = title
    return found


def files(typed: str, endings: Callable[[str], bool] | None = None) -> Words:
    """Return the files of puzzles beside what is typed, and folders; ``endings`` says which other files are meant."""
    from puzzlec.formats.reading import FORMATS

    known = tuple(ending for each in FORMATS.values() for ending in each.endings)
    return _paths(typed, endings or (lambda name: name.endswith((*known, *(f"{each}.gz" for each in known)))))


def any_files(typed: str) -> Words:
    """Return all files beside what is typed, and folders."""
    return _paths(typed, lambda _: True)


def folders(typed: str) -> Words:
    """Return the folders beside what is typed."""
    return _paths(typed, lambda _: False)


def _paths(typed: str, wanted: Callable[[str], bool]) -> Words:
    place, last = os.path.split(typed)
    found = {}
    with suppress(OSError), os.scandir(os.path.expanduser(place) or ".") as there:  # noqa: PTH111
        for each in sorted(there, key=lambda entry: entry.name):
            name = f"{place}{'' if place.endswith('/') or not place else '/'}{each.name}"
            if (each.name.startswith(".") and not last.startswith(".")) or _UNSPEAKABLE.search(name):
                continue
            if each.is_dir():
                found[f"{name}/"] = ""
            elif wanted(each.name):
                found[name] = ""
    return found


def puzzles_and_files(typed: str) -> Words:
    """Return names of the catalogue, and files of puzzles."""
    return {**files(typed), **puzzles(typed)}


def puzzles_and_codes(typed: str) -> Words:
    """Return the codes of diagnostics with their titles, too, once something of one is typed."""
    from puzzlec.diagnostics import CODES

    is_code = typed and "PZ".startswith(typed[:2].upper())
    return {**({code: about.title for code, about in CODES.items()} if is_code else {}), **puzzles_and_files(typed)}


def puzzles_and_formats(typed: str) -> Words:
    """Return the formats, too."""
    from puzzlec.formats.reading import FORMATS
    from puzzlec.formats.writing import WRITERS

    formats = {name: each.summary for table in (WRITERS, FORMATS) for name, each in table.items()}
    return {**formats, **puzzles_and_files(typed)}


def lattices(_typed: str) -> Words:
    """Return the lattices, and what puzzles without one are on."""
    return {**_lattices(), "none": "without geometry"}


def lattices_and_files(typed: str) -> Words:
    """Return the lattices, and files that may describe one."""
    return {**_lattices(), **files(typed, lambda name: name.endswith(".yaml"))}


def _lattices() -> Words:
    from puzzlec.geometry import find_lattice, lattice_names

    return {name: find_lattice(name).summary for name in lattice_names()}


def libraries(_typed: str) -> Words:
    """Return the libraries and families of shapes, and the sizes of families that have a name."""
    from puzzlec.cli.as_data import libraries_data

    return {each["name"]: each.get("summary", "") for each in libraries_data()}


def kinds(_typed: str) -> Words:
    """Return the kinds of puzzles that one can start with."""
    from puzzlec.formats.starting import kinds as known

    return {each.name: each.summary for each in known()}


def tags(_typed: str) -> Words:
    """Return the tags of the catalogue."""
    from puzzlec.formats import catalogue

    return {tag: f"{number} puzzle{'s' * (number > 1)}" for tag, number in catalogue.tags(catalogue.entries()).items()}


def families(_typed: str) -> Words:
    """Return the families of the catalogue."""
    from puzzlec.formats import catalogue

    return dict.fromkeys(catalogue.families(), "")


def freedoms(_typed: str) -> Words:
    """Return how free pieces may be."""
    from puzzlec.geometry import Freedom

    return {each.value: "" for each in Freedom}


def commands(_typed: str) -> Words:
    """Return the commands."""
    from puzzlec.cli.summaries import summaries

    return summaries()
