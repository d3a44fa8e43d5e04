"""The record of a format, and the small functions that the modules of formats share.

The module of a format ends with its record, named `FORMAT`. Lists of formats, help, completion, aliases and recognition
are made from these records; see :mod:`puzzlec.formats.registry`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import PurePath
from typing import Any, Literal, NamedTuple, TypeAlias

from puzzlec.diagnostics import Report, Source, Span, suggestion
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.source import lines

#: Encodings of "at most one of these" in clauses; auto chooses the one with fewer clauses.
AT_MOST_ONE = ("auto", "pairwise", "sequential")


class Choices(NamedTuple):
    """Choices for writers: ``at_most_one`` of :data:`AT_MOST_ONE`, for clauses."""

    at_most_one: str = "auto"


#: "pieces only": the text has no board, so the user may have to give one. "solid": flat pieces may lie in a board of
#: three sizes. "parameters": the text takes values for parameters. "problems": it may contain several puzzles.
#: "numbers": a text of numbers may be in this format, so it is tried last. "like a drawing": a drawing may look like
#: this format. "binary": the format is bytes.
Trait: TypeAlias = Literal[
    "pieces only", "solid", "parameters", "problems", "numbers", "like a drawing", "binary", "costs"
]

#: Signs of this rank and above are weak: a text may have several of them, and one strong sign.
WEAK = 1000


class Sign(NamedTuple):
    """The sign of a format in a text: a pattern at its beginning, or a predicate.

    Signs of a lower ``rank`` are tried first, and the first match decides. A pattern needs no import of the module of
    the format. If ``binary`` is set, the pattern is for bytes.
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

    Attributes:
        endings: The extensions of its files; the first one is for writing.
        level: "puzzle", "fitting", "cover", or "any".
        read: Takes a source, a report and the ReadOptions.
        write: Takes a Puzzle, a Fitting or a Labelled cover, by level, and the Choices. It yields chunks.
        recognise: Its signs.
        aliases: Other names: of a program, a method, a person.
        place: The position of the format in lists.
        largest: Longest text that is read, in characters.
        answers: The kinds of answers to a problem in this format, the default first.
        board: Returns the board that the pieces fill if the user gives none.

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

    @property
    def binary(self) -> bool:
        """Whether the format is bytes, not text."""
        return "binary" in self.traits


class Unsupported(Report):
    """The report of a writer: what a format, named ``words``, does not support (PZ501).

    ``title`` and ``span`` belong to the whole that is written.
    """

    def __init__(self, words: str, title: str, span: Span | None = None) -> None:
        super().__init__()
        self.words, self.title, self.span = words, title, span

    def whole(self, what: str, *, note: str | Iterable[str] = (), help: str | Iterable[str] = ()) -> None:
        """Add a property of the whole."""
        self.part(what, self.span, note=note, help=help, file=self.title)

    def part(
        self,
        what: str,
        span: Span | None,
        *,
        note: str | Iterable[str] = (),
        help: str | Iterable[str] = (),
        file: str | None = None,
    ) -> None:
        """Add a property of a part, such as a piece."""
        self.add("PZ501", f"{self.words} does not support {what}", span, note=note, help=help, file=file)


def refuse_second(name: str, span: Span | None, first: Span | None, report: Report) -> None:
    """Report the second piece with a name; ``first`` is the position of the other one."""
    others = [(first, "first defined here")]
    report.add("PZ301", f"duplicate piece `{name}`", span, "second definition", others=others)


#: A chunk has about this many characters.
_CHUNK = 1 << 16


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
        if length >= _CHUNK:
            yield "".join(kept)
            kept, length = [], 0
    if kept:
        yield "".join(kept)


def plain_ending(name: str) -> str:
    """Return the extension of a file in lower case, without the one for compression.

    >>> plain_ending("soma.CNF"), plain_ending("a/soma.dlx.gz"), plain_ending("soma")
    ('.cnf', '.dlx', '')
    """
    path = PurePath(name)
    return (PurePath(path.stem) if path.suffix.lower() == ".gz" else path).suffix.lower()


def plain_stem(name: str) -> str:
    """Return the name of a file without folders and extensions as a one-line title; empty for a stream (``<stdin>``).

    >>> plain_stem("a/soma.dlx.gz"), plain_stem("queens.8.dlx"), plain_stem("<stdin>")
    ('soma', 'queens.8', '')
    """
    path = PurePath(name)
    stem = "" if name.startswith("<") else (PurePath(path.stem) if path.suffix.lower() == ".gz" else path).stem
    return "".join(sign if sign.isprintable() else " " for sign in stem)  # a file name may have any bytes


#: Lines that are examined.
FIRST = 5


def first_words(source: Source, *remarks: str) -> list[list[str]]:
    """Return the words of the first lines that are not comments."""
    found = (line.split() for _, line in lines(source.text))
    return list(islice((words for words in found if words and not words[0].startswith(remarks)), FIRST))


def is_list_or_matrix(source: Source) -> bool:
    r"""Whether each line of a text can be two digits of a matrix, or a list of two columns.

    >>> is_list_or_matrix(Source("", "0,1\n1,0\n")), is_list_or_matrix(Source("", "0,1\n0,0\n"))
    (True, False)
    """
    first = first_words(source, "#", "//")
    return bool(first) and all(words[0] in ("0,1", "1,0") for words in first)


#: Names in a message.
MOST = 12


def chosen_problem(
    wanted: str | None,
    names: Sequence[str],
    spans: Sequence[Span],
    report: Report,
    what: str,
    remarks: Sequence[str] = (),
    also: Sequence[str] = (),
) -> int:
    """Return the index of the chosen puzzle: by number from 1, else by name; the first without a choice.

    Raises PuzzleError (PZ299) for an unknown puzzle. Without a choice a warning (PZ298) lists the puzzles.

    Args:
        wanted: A number or a name. Case does not matter, and the number at the end of a name is also a name.
        names: The names of all puzzles; empty for a puzzle without one.
        spans: The position of each puzzle in the text.
        report: Gets the warning.
        what: What the format calls its puzzles, in the plural.
        remarks: Text that tells the puzzles apart if their names do not.
        also: Second names.

    """
    some = _listed(names, remarks)
    if wanted is None:
        if len(names) > 1:
            report.add(
                "PZ298",
                f"reading the first of {len(names)} {what} in this text",
                spans[0],
                note=f"they are {some}",
                help="add `--problem` with a number or a name",
            )
        return 0
    found = _found(wanted.strip(), names, also)
    if found is None:
        raise fail(
            "PZ299",
            f"unknown problem `{wanted}`",
            note=f"the {what} of this text are {some}",
            help=suggestion(wanted, [name for name in names if name]),
            file=spans[0].source.name if spans else None,
        )
    return found


def _found(wanted: str, names: Sequence[str], also: Sequence[str]) -> int | None:
    """Return the index of the puzzle with a number or name; None if there is none."""
    decimal = wanted.isascii() and wanted.isdecimal()
    if decimal and wanted[0] != "0" and int(wanted[:9]) <= len(names):
        return int(wanted[:9]) - 1
    every = [*enumerate(names), *enumerate(also)]
    ways: list[Callable[[str], bool]] = [lambda name: name == wanted, lambda name: name.casefold() == wanted.casefold()]
    if decimal:
        ends = {name: re.search(r"[0-9]*$", name, re.ASCII) for _, name in every}
        digits = {name: end.group() for name, end in ends.items() if end}
        ways.append(lambda name: digits[name] == wanted)
        ways.append(lambda name: digits[name] != "" and digits[name].lstrip("0") == wanted.lstrip("0"))
    for suits in ways:
        for index, name in every:
            if name and suits(name):
                return index
    return int(wanted[:9]) - 1 if decimal and 1 <= int(wanted[:9]) <= len(names) else None


def _listed(names: Sequence[str], remarks: Sequence[str]) -> str:
    """Return the numbers and names of the puzzles, with remarks if names are missing or repeated."""
    told = remarks and ("" in names or len(set(names)) < len(names))
    shown = [f"{number} `{name}`" if name else str(number) for number, name in enumerate(names[:MOST], 1)]
    if told:
        shown = [f"{name} ({remark})" if remark else name for name, remark in zip(shown, remarks, strict=False)]
    return ", ".join(shown) + (f", ... {len(names)}" if len(names) > MOST else "")
