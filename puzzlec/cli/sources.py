"""Where the words come from that can stand for each parameter: data, for completion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module

from puzzlec.cli import candidates as names
from puzzlec.cli.candidates import Words

#: For a parameter, by its name (behind that of a command, where it matters), a function of ``candidates``, or the
#: module and the name of the words that it may be.
SOURCES = {
    "puzzle": "puzzles_and_files",
    "check.puzzles": "puzzles_and_files",
    "verify.puzzles": "puzzles",
    "solutions.puzzle": "puzzles_and_files",
    "explain.puzzle": "puzzles_and_codes",
    "formats.puzzle": "puzzles_and_formats",
    "names": "files",
    "folder": "folders",
    "folders": "folders",
    "checkpoint": "folders",
    "into": "folders",
    "target": "any_files",
    "output": "any_files",
    "saved": "any_files",
    "solutions": "any_files",
    "solution": "any_files",
    "keep": "any_files",
    "certificate": "any_files",
    "answer": "any_files",
    "lattice.name": "lattices_and_files",
    "list.lattice": "lattices",
    "shapes.name": "libraries",
    "kind": "kinds",
    "words": "tags",
    "search": "tags",
    "tag": "tags",
    "family": "families",
    "source": "puzzlec.formats.reading:FORMATS",
    "convert.to": "puzzlec.formats.writing:WRITERS",
    "lift.kind": "puzzlec.formats.solvers.answers:KINDS",
    "symmetry": "puzzlec.lower.symmetries:SYMMETRIES",
    "kernel": "puzzlec.engine.search.counting:METHODS",
    "solve.kernel": "puzzlec.engine.search.selection:KERNELS",
    "engine": "puzzlec.solving.solutions:ENGINES",
    "cluster": "puzzlec.cli.sources:CLUSTERS",
    "progress": "puzzlec.cli.progress:KINDS",
    "format": "puzzlec.cli.formatting:FORMATS",
    "check.format": "puzzlec.cli.check:FORMATS",
    "estimate.format": "puzzlec.cli.estimate:FORMATS",
    "status.format": "puzzlec.cli.status:FORMATS",
    "notation": "puzzlec.formats.solutions.claims:NOTATIONS",
    "what": "puzzlec.show.svg.choices:SHOWN",
    "labels": "puzzlec.show.svg.choices:LABELS",
    "view": "puzzlec.show.svg.choices:VIEWS",
    "paper": "puzzlec.show.svg.paper:SIZES",
    "draw.to": "puzzlec.cli.draw:FORMATS",
    "layout": "puzzlec.make.choices:LAYOUTS",
    "model.to": "puzzlec.cli.cutting:FORMATS",
    "engrave": "puzzlec.cli.cutting:ENGRAVED",
    "emit": "puzzlec.pipeline:STAGES",
    "compile.to": "puzzlec.cli.compile:LEVELS",
    "level": "puzzlec.cli.convert:LEVELS",
    "at_most_one": "puzzlec.formats.write_options:AT_MOST_ONE",
    "freedom": "freedoms",
    "help.command": "commands",
    "man.command": "commands",
    "shell": "puzzlec.cli.completion:SHELLS",
}

#: Clusters that have a name; others have an address.
CLUSTERS = ("local",)


def candidates(command: str, parameter: str, typed: str) -> Words:
    """Return the words that can stand for a parameter of a command where ``typed`` stands already."""
    source = SOURCES.get(f"{command}.{parameter}", SOURCES.get(parameter, ""))
    if ":" not in source:
        found: Words = getattr(names, source)(typed) if source else {}
        return found
    module, _, name = source.partition(":")
    words: Iterable[str] = getattr(import_module(module), name)
    if not isinstance(words, Mapping):
        return dict.fromkeys(words, "")
    return {
        word: about if isinstance(about, str) else str(getattr(about, "summary", "")) for word, about in words.items()
    }
