"""Custom lattices: a YAML file, checked and verified, as a Lattice.

``lattice "folder/my.yaml"`` in a puzzle names a file, relative to the puzzle; docs/lattices.md describes its form.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from pathlib import Path, PurePath

from puzzlec import resources
from puzzlec.diagnostics import Report, Source, Span, suggestion
from puzzlec.diagnostics.error import fail, unless_errors
from puzzlec.diagnostics.files import source_of
from puzzlec.geometry import Lattice, find_lattice, lattice_names
from puzzlec.geometry.lattice import from_document
from puzzlec.geometry.lattice_words import lattice_meant

#: Size in bytes: larger files are refused before they are read.
MAX_FILE_BYTES = 2**20


def is_lattice_file(name: str) -> bool:
    """Return whether a lattice name is the name of a file.

    >>> is_lattice_file("folder/my.yaml"), is_lattice_file("hex")
    (True, False)
    """
    return name.lower().endswith((".yaml", ".yml"))


def lattice_beside(name: str, puzzle: Source, span: Span) -> Lattice:
    """Return the lattice in a file that a puzzle names at ``span``; it keeps this name.

    The file is looked up relative to the folder of the puzzle, or to the working directory if the puzzle is not a
    file. Raises PuzzleError with all errors.
    """
    folder = PurePath(puzzle.name).parent
    path = str(folder / name)
    return _lattice(name, source_of(content_beside(path, span), path))


def other_lattice(name: str, names: Collection[str]) -> tuple[str, ...]:
    """Return the suggestion of a known lattice that may be meant, or nothing.

    >>> other_lattice("honeycomb", ["hex"]), other_lattice("sqare", ["square"])
    (('did you mean `hex`?',), ('did you mean `square`?',))
    """
    lattice = lattice_meant(name)
    return suggestion(name, names) if lattice is None else (f"did you mean `{lattice}`?",)


def open_lattice(name: str) -> Lattice:
    """Return a lattice that puzzlec ships, by its name, or the lattice in a file. Either is verified.

    Raises PuzzleError if there is none, or with all errors of a file.
    """
    if is_lattice_file(name):
        return _lattice(name, source_of(content_beside(name), name))
    _must_be_known(name)
    from puzzlec.geometry.proving import faults

    lattice = find_lattice(name)
    report = Report()
    for fault in faults(lattice):
        report.add("PZ346", fault.why, file=name)
    report.stop_on_errors()
    return lattice


def lattice_yaml(name: str) -> str:
    """Return the text of the file that describes a lattice that puzzlec ships, by its name, or a custom one.

    Raises PuzzleError if there is none. Nothing is verified: a file with errors is returned unchanged.
    """
    if is_lattice_file(name):
        return source_of(content_beside(name), name).text
    _must_be_known(name)
    return (resources.folder("lattices") / f"{name}.yaml").read_text(encoding="utf-8")


def _must_be_known(name: str) -> None:
    """Raise PuzzleError if puzzlec ships no lattice of this name."""
    if name not in lattice_names():
        raise fail(
            "PZ302",
            f"unknown lattice `{name}`",
            note=f"lattices are {', '.join(lattice_names())}; a custom lattice is a .yaml file",
            help=other_lattice(name, lattice_names()),
        )


def content_beside(path: str, span: Span | None = None) -> bytes:
    """Return the bytes of a file; raise PuzzleError if they are unreadable or too many."""
    try:
        if Path(path).exists() and not Path(path).is_file():
            raise fail("PZ001", f"cannot read `{path}`: it is not a file", span, file=path)
        with Path(path).open("rb") as stream:
            content = stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        reason = (error.strerror or "error").lower()
        help = (
            "write the path from the folder of the puzzle to the file"
            if span and isinstance(error, FileNotFoundError)
            else ()
        )
        raise fail("PZ001", f"cannot read `{path}`: {reason}", span, help=help, file=path) from None
    except ValueError:
        raise fail("PZ001", "cannot read a file whose name contains a null character", span) from None
    if len(content) > MAX_FILE_BYTES:
        raise fail("PZ007", f"`{path}` is too large (limit {MAX_FILE_BYTES // 2**20} MB)", span, file=path)
    return content


@lru_cache(maxsize=16)
def _lattice(name: str, source: Source) -> Lattice:
    """Return the lattice that a text describes; raise PuzzleError with all errors."""
    from puzzlec.geometry.proving import faults
    from puzzlec.language.lattice_schema import lattice_document
    from puzzlec.language.yaml_tree import yaml_tree

    report = Report()
    tree = yaml_tree(source, report)
    lattice = from_document(name, unless_errors(report, lattice_document(tree, report)))
    for fault in faults(lattice):
        report.add("PZ346", fault.why, tree.at(fault.where).head, help=fault.help or ())
    report.stop_on_errors()
    return lattice
