"""The record of a format: all that the rest of puzzlec knows of it.

The module of a format ends with its record, called `FORMAT`. Lists of formats, help, completion, aliases and the
recognition of a text are made from these records, see :mod:`puzzlec.formats.registry`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from puzzlec.diagnostics import Source

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
