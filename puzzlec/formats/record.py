"""The record of a format: all that the rest of puzzlec knows of it.

The module of a format ends with its record, called `FORMAT`. Lists of formats, help, completion, aliases and the
recognition of a text are made from these records, see :mod:`puzzlec.formats.registry`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from puzzlec.diagnostics import Source
from puzzlec.diagnostics.lines import lines

if TYPE_CHECKING:
    from puzzlec.diagnostics import Source


#: How "at most one of these" is said in clauses; auto takes the one with fewer of them.
AT_MOST_ONE = ("auto", "pairwise", "sequential")


class Choices(NamedTuple):
    """Choices that some writers know: ``at_most_one`` of :data:`AT_MOST_ONE`, for clauses."""

    at_most_one: str = "auto"


#: A text holds pieces only, and a board may have to be given. Flat pieces may lie in a board of three sizes. A text
#: takes values for parameters. It may hold several puzzles. Numbers alone may be in this format: where nothing else
#: is known, reading is tried. A drawing may look like this format. What is written are bytes.
Trait: TypeAlias = Literal["pieces only", "solid", "parameters", "problems", "numbers", "like a drawing", "binary"]

#: Signs of this rank and above are weak: a text may have those of several formats, and of one with a strong sign.
WEAK = 1000


class Sign(NamedTuple):
    """What shows that a text is in a format: a pattern that it begins with, or a predicate.

    Signs of a lower ``rank`` are tried first; the first one that a text has decides. A pattern is known without the
    module of the format, so texts in other formats need not import it. ``binary``: the pattern is one of bytes.
    """

    rank: int
    tells: str | Callable[[Source], bool]
    binary: bool = False

    def is_in(self, source: Source) -> bool:
        """Whether a text has this sign."""
        if callable(self.tells):
            return self.tells(source)
        text = source.content[:1000].decode("latin-1") if self.binary else source.text
        return re.compile(self.tells, re.MULTILINE).match(text) is not None


class Format(NamedTuple):
    """A format that can be read, written, or both.

    ``endings`` are those of its files, the first one is that of the files written. ``level`` is what a text speaks of:
    "puzzle", "fitting", "cover", or "any". ``read`` takes a source, a report and what is given apart. ``write`` takes
    a Puzzle, a Fitting or a Labelled cover, as the level says, and the choices; it gives chunks. ``recognise`` are its
    signs. ``aliases`` are what it is called elsewhere: by the name of a program, a method, a person. Formats are
    listed by their ``place``. Texts of more characters than ``largest`` are refused. ``answers`` are the kinds of
    answers to a problem in this format, the first one where nothing else shows the kind. ``board`` gives the board
    that pieces fill, where the user gives none.
    """

    name: str
    endings: tuple[str, ...]
    summary: str
    level: str = "puzzle"
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
        """Whether a text holds pieces only, so that a board may have to be given."""
        return "pieces only" in self.traits

    @property
    def has_parameters(self) -> bool:
        """Whether a text takes values for parameters."""
        return "parameters" in self.traits

    @property
    def has_problems(self) -> bool:
        """Whether a text may hold several puzzles."""
        return "problems" in self.traits

    @property
    def binary(self) -> bool:
        """Whether what is written are bytes, not a text."""
        return "binary" in self.traits


#: A chunk has about so many characters.
_CHUNK = 1 << 16


def gathered(pieces: Iterable[str]) -> Iterator[str]:
    """Give the same text in larger pieces.

    >>> list(gathered(["1 ", "2 ", "0"]))
    ['1 2 0']
    """
    kept: list[str] = []
    length = 0
    for piece in pieces:
        kept.append(piece)
        length += len(piece)
        if length >= _CHUNK:
            yield "".join(kept)
            kept, length = [], 0
    if kept:
        yield "".join(kept)


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


#: So many lines are looked at.
FIRST = 5


def first_words(source: Source, *remarks: str) -> list[list[str]]:
    """Return the words of the first lines that are no remarks."""
    found = (line.split() for _, line in lines(source.text))
    return list(islice((words for words in found if words and not words[0].startswith(remarks)), FIRST))


def is_list_or_matrix(source: Source) -> bool:
    r"""Whether each line of a text may be two digits of a matrix, or a list of two columns.

    >>> is_list_or_matrix(Source("", "0,1\n1,0\n")), is_list_or_matrix(Source("", "0,1\n0,0\n"))
    (True, False)
    """
    first = first_words(source, "#", "//")
    return bool(first) and all(words[0] in ("0,1", "1,0") for words in first)
