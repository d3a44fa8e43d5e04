"""Writing a puzzle in a format, at the level that the format needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias, cast

from puzzlec.diagnostics import Diagnostic, PuzzleError
from puzzlec.diagnostics.error import fail
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.record import Choices, Format, plain_ending
from puzzlec.formats.registry import ALIASES, FORMATS, WRITERS, meant
from puzzlec.ir import Fitting, Puzzle
from puzzlec.lower import Encoding, encode, place
from puzzlec.lower.labels import Labelled

#: A puzzle to write: a level of the IR, the lowest with or without the meaning of its options.
Written: TypeAlias = Puzzle | Fitting | Encoding | ExactCover


_NAMES = "formats are " + ", ".join(WRITERS)


def _at(what: Written, level: str, format: str) -> Puzzle | Fitting | Labelled:
    """Return a puzzle at a level: lowered, or raised if that is exact; raise PuzzleError if it is not."""
    if level == "cover" or (level == "any" and isinstance(what, Encoding | ExactCover)):
        return labelled(what)
    if level == "any":
        assert isinstance(what, Puzzle | Fitting)
        return what
    if isinstance(what, Encoding) and not what.faithful:
        what = what.cover
    if isinstance(what, ExactCover):
        from puzzlec.lower.raising import raised_cover

        what = raised_cover(what)
    if isinstance(what, Encoding):
        what = what.fitting
    if format != "puzzle" and isinstance(what, Fitting | Puzzle) and what.region_rules:
        raise fail(
            "PZ501",
            f"{format} does not support rules on regions",
            what.region_rules[0].span,
            note="this puzzle has sums, or colours that must be equal or different",
            help="convert to `puzzle` or `json`, or to a format of an exact cover such as `dlx`",
            file=what.title,
        )
    if level == "fitting":
        return what if isinstance(what, Fitting) else place(what)
    puzzle = what if isinstance(what, Puzzle) else what.puzzle
    if puzzle is not None and (puzzle.lattice is not None or format == "puzzle"):
        return puzzle
    if format != "puzzle":
        raise fail(
            "PZ502",
            f"the format `{format}` needs pieces on a lattice, and this puzzle has no lattice",
            puzzle.span if puzzle is not None else None,
            note="a list of placements does not define the shapes of pieces",
            help="convert to `dpf` or `puzzle`",
            file=what.title,
        )
    from puzzlec.formats.puzzle.writing import raised

    assert isinstance(what, Fitting)
    return raised(what)


def left_out(what: Written, to: str) -> Diagnostic | None:
    """Return the warning for a format of pieces that cannot hold what stays or moves when a puzzle is taken apart."""
    format = writer_named(to)
    puzzle = what if isinstance(what, Puzzle) else what.puzzle if isinstance(what, Fitting) else None
    if puzzle is None or format.level != "puzzle" or format.name == "puzzle":
        return None
    has = {"walls": puzzle.walls, "immovable pieces": puzzle.immovable, "groups of pieces": puzzle.together}
    kept = {"xmpuzzle": ("groups of pieces",)}.get(format.name, ())
    lost = [words for words, those in has.items() if those and words not in kept]
    if not lost:
        return None
    note = "they change how the puzzle comes apart"
    help = "convert to `json` or `puzzle`"
    message = f"left out: {' and '.join(lost)}, which the format `{format.name}` cannot hold"
    return fail("PZ707", message, puzzle.span, note=note, help=help, file=puzzle.title).diagnostics[0]


def labelled(what: Written) -> Labelled:
    """Return the exact cover of a puzzle with its labels."""
    if isinstance(what, ExactCover):
        return Labelled(what, what.title)
    if isinstance(what, Puzzle):
        what = place(what)
    return Labelled.of(encode(what) if isinstance(what, Fitting) else what)


def writer_named(word: str) -> Format:
    """Return the writer of a format by name, ignoring case.

    Raises PuzzleError for a format that is only read (PZ009) or unknown (PZ004).
    """
    name = word.lower()
    if name in WRITERS:
        return WRITERS[name]
    if (read := ALIASES.get(name, name)) in FORMATS and read not in WRITERS:
        raise _read_only(read)
    raise fail(
        "PZ004",
        f"unknown format `{word}`",
        note=_NAMES,
        help=meant(word, {each.name: each.endings[:1] for each in WRITERS.values()}),
    )


def writer_for(target: str) -> Format:
    """Return the writer for the extension of a file; raise PuzzleError for an unknown one."""
    ending = plain_ending(target)
    for each in WRITERS.values():
        if ending == each.endings[0]:
            return each
    for other in FORMATS.values():
        if ending in other.endings:
            raise _read_only(other.name)
    raise fail(
        "PZ004",
        f"unknown format for the file `{target}`",
        note=_NAMES,
        help="add `--to` with a format of `puzzlec formats`",
    )


def _read_only(name: str) -> PuzzleError:
    return fail(
        "PZ009",
        f"cannot write the format `{name}`: puzzlec only reads it",
        help="choose another format of `puzzlec formats`",
    )


def write_chunks(what: Written, to: str, choices: Choices | None = None) -> Iterator[str] | Iterator[bytes]:
    """Yield the text of a puzzle in a format, in chunks (of bytes for a binary format).

    The same puzzle gives the same text. Raises PuzzleError before the first chunk for an unknown format and for
    everything that the format does not support.
    """
    format = writer_named(to)
    assert format.write is not None
    made = format.write(_at(what, format.level, format.name), choices or Choices())
    return cast("Iterator[str] | Iterator[bytes]", made)


def write(what: Written, to: str, choices: Choices | None = None) -> str:
    """Return the text of a puzzle in a format; see :func:`write_chunks`.

    Raises ValueError for a binary format.
    """
    if writer_named(to).binary:
        raise ValueError(f"the format {to!r} is binary: use write_chunks")
    return "".join(cast("Iterator[str]", write_chunks(what, to, choices)))
