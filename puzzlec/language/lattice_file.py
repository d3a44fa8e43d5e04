"""Lattices of one's own: a YAML file, checked and proved, as a Lattice.

``lattice "folder/my.yaml"`` in a puzzle names a file beside the puzzle; docs/lattices.md says what stands in it.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from pathlib import Path, PurePath

from puzzlec import resources
from puzzlec.diagnostics import Report, Source, Span, suggestion
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.files import source_of
from puzzlec.geometry import Lattice, find_lattice, lattice_names
from puzzlec.geometry.lattice import from_document
from puzzlec.geometry.lattice_words import lattice_meant

#: A file of more bytes is refused before it is read.
LARGEST = 2**20


def is_lattice_file(name: str) -> bool:
    """Whether a lattice is named by its file.

    >>> is_lattice_file("folder/my.yaml"), is_lattice_file("hex")
    (True, False)
    """
    return name.lower().endswith((".yaml", ".yml"))


def lattice_beside(name: str, puzzle: Source, span: Span) -> Lattice:
    """Return the lattice in a file that a puzzle names, ``span`` says where; it keeps the name that it has there.

    The file is looked for from the folder of the puzzle, from the working directory where the puzzle is no file.
    Raises PuzzleError with all faults.
    """
    folder = PurePath(puzzle.name).parent
    path = str(folder / name)
    return _lattice(name, source_of(_content(path, span), path))


def other_lattice(name: str, known: Collection[str]) -> tuple[str, ...]:
    """Return the help that names the lattice of ours that somebody may mean, nothing where there is none.

    >>> other_lattice("honeycomb", ["hex"]), other_lattice("sqare", ["square"])
    (('did you mean `hex`?',), ('did you mean `square`?',))
    """
    meant = lattice_meant(name)
    return suggestion(name, known) if meant is None else (f"did you mean `{meant}`?",)


def open_lattice(name: str) -> Lattice:
    """Return a lattice that puzzlec ships, by its name, or that of a file; either way it is proved to be one.

    Raises PuzzleError where there is none, and with all faults of a file.
    """
    if is_lattice_file(name):
        return _lattice(name, source_of(_content(name), name))
    _must_be_known(name)
    from puzzlec.geometry.proving import faults

    lattice = find_lattice(name)
    report = Report()
    for fault in faults(lattice):
        report.add("PZ346", fault.why, file=name)
    report.stop_on_errors()
    return lattice


def lattice_yaml(name: str) -> str:
    """Return the text of the file that describes a lattice: one that puzzlec ships, by its name, or one's own.

    Raises PuzzleError where there is none. Nothing is proved: a file with a fault is given as it is, too.
    """
    if is_lattice_file(name):
        return source_of(_content(name), name).text
    _must_be_known(name)
    return (resources.folder("lattices") / f"{name}.yaml").read_text(encoding="utf-8")


def _must_be_known(name: str) -> None:
    """Raise PuzzleError where puzzlec ships no lattice of this name."""
    if name not in lattice_names():
        raise fail(
            "PZ302",
            f"the lattice `{name}` is not known",
            note=f"lattices are {', '.join(lattice_names())}; one of your own is a file that ends in .yaml",
            help=other_lattice(name, lattice_names()),
        )


def _content(path: str, span: Span | None = None) -> bytes:
    """Return the bytes of a file; raise PuzzleError where they cannot be read, or are too many."""
    try:
        if Path(path).exists() and not Path(path).is_file():
            raise fail("PZ001", f"cannot read `{path}`: this is no file", span, file=path)
        with Path(path).open("rb") as stream:
            content = stream.read(LARGEST + 1)
    except OSError as error:
        reason = (error.strerror or "error").lower()
        help = "the name is that of a file beside the puzzle" if span and isinstance(error, FileNotFoundError) else ()
        raise fail("PZ001", f"cannot read `{path}`: {reason}", span, help=help, file=path) from None
    except ValueError:
        raise fail("PZ001", "cannot read a file whose name holds a null character", span) from None
    if len(content) > LARGEST:
        raise fail("PZ007", f"`{path}` is larger than {LARGEST // 2**20} MB", span, file=path)
    return content


@lru_cache(maxsize=16)
def _lattice(name: str, source: Source) -> Lattice:
    """Return the lattice that a text describes; raise PuzzleError with all faults."""
    from puzzlec.geometry.proving import faults
    from puzzlec.language.lattice_schema import lattice_document
    from puzzlec.language.yaml_tree import yaml_tree

    report = Report()
    tree = yaml_tree(source, report)
    document = lattice_document(tree, report)
    report.stop_on_errors()
    assert document is not None
    lattice = from_document(name, document)
    for fault in faults(lattice):
        report.add("PZ346", fault.why, tree.at(fault.where).head, help=fault.help or ())
    report.stop_on_errors()
    return lattice
