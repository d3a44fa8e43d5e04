"""The names of files of puzzles: their endings, and what is left without these."""

from __future__ import annotations

from pathlib import PurePath


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
