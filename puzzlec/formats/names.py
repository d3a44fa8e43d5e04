"""Words for formats: what people call them elsewhere, and those that are written only, so that a reader can say so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePath

from puzzlec.diagnostics import suggestion

#: Formats that are written only, with the endings of their files.
WRITTEN_ONLY: dict[str, tuple[str, ...]] = {
    "cnf": (".cnf",),
    "opb": (".opb",),
    "lp": (".lp",),
    "mps": (".mps",),
    "mzn": (".mzn",),
    "smt2": (".smt2",),
    "graph": (".graph",),
    "col": (".col",),
    "graphml": (".graphml",),
}

#: What formats are called elsewhere: by the name of a program that reads them, of a method, of a person.
CALLED: dict[str, str] = {
    other: name
    for name, others in {
        "cnf": "sat dimacs clauses maxsat",
        "opb": "pb wbo pseudo-boolean",
        "lp": "ilp mip cplex gurobi highs scip cbc",
        "mps": "glpk",
        "mzn": "minizinc flatzinc fzn",
        "smt2": "smt smtlib smt-lib smtlib2 z3 cvc5",
        "xmpuzzle": "burrtools xmp",
        "polyform": "puzzler polyforms polyform-puzzler",
        "polycube": "knuth-polycube",
        "burr": "burrs sticks",
        "universe": "polyominosolver",
        "tiles": "eternity2 eternityii eternity-ii edge-matching edges",
        "cells": "polycubes coordinates python list lists",
        "dlx": "knuth xcc mcc exact-cover exactcover cover",
        "rows": "matrix",
        "numeric": "sparse columns",
        "npz": "numpy scipy",
        "piezas": "xml",
        "offsets": "shapes arrays",
        "soma": "somasite bundgaard",
        "drawn": "drawing drawings poly",
        "iqpuzzler": "iq iq-puzzler tucil",
        "kanoodle": "lonpos placed",
        "dpf": "discrete-piece-fitting faase",
        "col": "dimacs-graph coloring",
        "graphml": "networkx gephi",
        "graph": "adjacency",
        "board": "pentominoes",
        "puzzle": "puzzlec text txt",
    }.items()
    for other in others.split()
}


def plain_ending(name: str) -> str:
    """Return the ending of the name of a file, in small letters, without the one of packing.

    >>> plain_ending("soma.CNF"), plain_ending("a/soma.dlx.gz"), plain_ending("soma")
    ('.cnf', '.dlx', '')
    """
    path = PurePath(name)
    return (PurePath(path.stem) if path.suffix.lower() == ".gz" else path).suffix.lower()


def plain_stem(name: str) -> str:
    """Return the name of a file without folders and endings, as a title of one line; empty for a stream (``<stdin>``).

    >>> plain_stem("a/soma.dlx.gz"), plain_stem("queens.8.dlx"), plain_stem("<stdin>")
    ('soma', 'queens.8', '')
    """
    path = PurePath(name)
    stem = "" if name.startswith("<") else (PurePath(path.stem) if path.suffix.lower() == ".gz" else path).stem
    return "".join(sign if sign.isprintable() else " " for sign in stem)  # a name may hold any bytes, a text may not


def meant(word: str, known: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """Return the help that names the format which a word may have meant, or nothing.

    ``known`` are formats with the endings of their files: a word may be the name of such a file.

    >>> meant("MiniZinc", {"mzn": (".mzn",)}), meant("a.mzn", {"mzn": (".mzn",)}), meant("mnz", {"mzn": ()})
    (('did you mean `mzn`?',), ('this looks like the name of a file: its format is `mzn`',), ('did you mean `mzn`?',))
    """
    called = CALLED.get(word.lower())
    if called in known:
        return (f"did you mean `{called}`?",)
    ending = plain_ending(word)
    named = [name for name, endings in known.items() if ending in endings]
    if named:
        return (f"this looks like the name of a file: its format is `{named[0]}`",)
    return suggestion(word, known)
