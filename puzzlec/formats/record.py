"""The record of a format: its name, its files, its signs, and the functions that read and write it.

The module of a format ends with its record, named `FORMAT`. Lists of formats, help, completion, aliases and recognition
are made from these records; see :mod:`puzzlec.formats.registry`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import PurePath
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from puzzlec.diagnostics import Source
from puzzlec.diagnostics.source import lines
from puzzlec.shown import brief

#: An encoding of "at most one of these" in clauses; auto chooses the one with fewer clauses.
AtMostOne: TypeAlias = Literal["auto", "pairwise", "sequential"]
AT_MOST_ONE: tuple[AtMostOne, ...] = get_args(AtMostOne)


class WriterChoices(NamedTuple):
    """Choices for writers: ``at_most_one`` of :data:`AT_MOST_ONE`, for clauses."""

    at_most_one: AtMostOne = "auto"


#: "pieces only": the text has no board, so the user may have to give one. "solid": flat pieces may lie in a board of
#: three sizes. "parameters": the text takes values for parameters. "problems": it may contain several puzzles.
#: "numbers": a text of numbers may be in this format, so it is tried last. "like a drawing": a drawing may look like
#: this format.
Trait: TypeAlias = Literal[
    "pieces only", "solid", "parameters", "problems", "numbers", "like a drawing", "costs", "rules on regions"
]

#: Signs of this rank and above are weak: a text may have several of them, and one strong sign.
WEAK_RANK = 1000


class Sign(NamedTuple):
    """The sign of a format in a text: a pattern at its beginning, or a predicate.

    Signs of a lower ``rank`` are tried first, and the first match decides. A pattern needs no import of the module of
    the format.
    """

    rank: int
    tells: str | Callable[[Source], bool]

    def is_in(self, source: Source) -> bool:
        """Whether a text has this sign."""
        if callable(self.tells):
            return self.tells(source)
        return re.compile(self.tells, re.MULTILINE).match(source.text) is not None


class Format(NamedTuple):
    """A format that can be read, written, or both.

    Attributes:
        endings: The extensions of its files; the first one is for writing.
        stage: "puzzle", "fitting", "cover", or "any".
        read: Takes a source, a report and the ReadOptions.
        write: Takes a Puzzle, a Fitting or a Labelled cover, by stage, and the WriterChoices. It yields chunks.
        recognise: Its signs.
        aliases: Other names: of a program, a method, a person.
        place: The position of the format in lists.
        largest: Longest text that is read, in characters.
        answers: The kinds of answers to a problem in this format, the default first.
        board: Returns the board if the user gives none: its size as text, its locations, or None.

    >>> import puzzlec
    >>> next(format.summary for format in puzzlec.formats() if format.name == "dlx")
    "Knuth's DLX: items and options"

    """

    def __repr__(self) -> str:
        return brief(self)

    name: str
    endings: tuple[str, ...]
    summary: str
    stage: str = "puzzle"
    read: Callable[..., Any] | None = None
    write: Callable[..., Any] | None = None
    recognise: tuple[Sign, ...] = ()
    aliases: tuple[str, ...] = ()
    place: int = 1000
    traits: tuple[Trait, ...] = ()
    largest: int = 64 * 2**20
    answers: tuple[str, ...] = ()
    board: Callable[..., Any] | None = None

    @property
    def pieces_only(self) -> bool:
        """Whether a text contains only pieces, so the user may have to give a board."""
        return "pieces only" in self.traits

    @property
    def has_parameters(self) -> bool:
        """Whether a text takes values for parameters."""
        return "parameters" in self.traits

    @property
    def has_problems(self) -> bool:
        """Whether a text may contain several puzzles."""
        return "problems" in self.traits


#: A chunk has about this many characters.
_CHUNK_CHARACTERS = 1 << 16


def gathered(pieces: Iterable[str]) -> Iterator[str]:
    """Yield the same text in larger chunks.

    >>> list(gathered(["1 ", "2 ", "0"]))
    ['1 2 0']
    """
    kept: list[str] = []
    length = 0
    for piece in pieces:
        kept.append(piece)
        length += len(piece)
        if length >= _CHUNK_CHARACTERS:
            yield "".join(kept)
            kept, length = [], 0
    if kept:
        yield "".join(kept)


def plain_ending(name: str) -> str:
    """Return the extension of a file in lower case, without the one for compression.

    >>> plain_ending("soma.CNF"), plain_ending("a/soma.dlx.gz"), plain_ending("soma")
    ('.cnf', '.dlx', '')
    """
    return _without_gz(name).suffix.lower()


def plain_stem(name: str) -> str:
    """Return the name of a file without folders and extensions as a one-line title; empty for a stream (``<stdin>``).

    >>> plain_stem("a/soma.dlx.gz"), plain_stem("queens.8.dlx"), plain_stem("<stdin>")
    ('soma', 'queens.8', '')
    """
    stem = "" if name.startswith("<") else _without_gz(name).stem
    return "".join(sign if sign.isprintable() else " " for sign in stem)  # a file name may have any bytes


def _without_gz(name: str) -> PurePath:
    path = PurePath(name)
    return PurePath(path.stem) if path.suffix.lower() == ".gz" else path


#: Lines that are examined.
LINES_EXAMINED = 5


def first_words(source: Source, *remarks: str) -> list[list[str]]:
    """Return the words of the first lines that are not comments."""
    rows = (line.split() for _, line in lines(source.text))
    return list(islice((words for words in rows if words and not words[0].startswith(remarks)), LINES_EXAMINED))
