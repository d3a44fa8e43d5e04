"""Writing a puzzle in a format, at the stage that the format needs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TypeAlias

from puzzlec.diagnostics import Diagnostic, PuzzleError, Severity, Span
from puzzlec.diagnostics.error import fail
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.record import Format, WriterChoices, plain_ending
from puzzlec.formats.registry import ALIASES, FORMATS, WRITERS, meant
from puzzlec.ir import Fitting, Puzzle
from puzzlec.language.lattice_file import is_lattice_file
from puzzlec.lower import Encoding, encode, place
from puzzlec.lower.labels import Labelled

#: A puzzle to write, at one of the stages of the compiler. An exact cover may come with the meaning of its options.
Written: TypeAlias = Puzzle | Fitting | Encoding | ExactCover


#: The greatest integer up to which a double stores every integer.
MAX_EXACT_INTEGER = 2**53

_NAMES = "formats are " + ", ".join(WRITERS)


def _at(what: Written, stage: str, format: str) -> Puzzle | Fitting | Labelled:
    """Return a puzzle at a stage: lowered, or raised if that is exact; raise PuzzleError if it is not."""
    if stage == "cover" or (stage == "any" and isinstance(what, Encoding | ExactCover)):
        return labelled(what)
    if stage == "any":
        assert isinstance(what, Puzzle | Fitting)
        return what
    if isinstance(what, Encoding) and not what.faithful:
        what = what.cover
    if isinstance(what, ExactCover):
        from puzzlec.lower.raising import raised_cover

        what = raised_cover(what)
    if isinstance(what, Encoding):
        what = what.fitting
    meetings = what.rules.meetings if isinstance(what, Puzzle) else ()
    rules = (*(what.rules.regions if isinstance(what, Puzzle) else what.region_rules), *meetings)
    if rules and format != "puzzle" and "rules on regions" not in WRITERS[format].traits:
        raise fail(
            "PZ501",
            f"{format} does not support rules {'about how pieces meet' if meetings else 'on regions'}",
            rules[0].span,
            note=f"this puzzle has `{meetings[0].words}`"
            if meetings
            else "this puzzle has rules on the values of a region, or on the number of pieces there",
            help="convert to `puzzle` or `json`, or to a format of an exact cover such as `dlx`",
            file=what.title,
        )
    if stage == "fitting":
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
    """Return the warning for costs, colours and statements about taking a puzzle apart that a format leaves out."""
    format = writer_named(to)
    warning = _costs_left_out(what, format)
    if warning is not None:
        return warning
    puzzle = what if isinstance(what, Puzzle) else what.puzzle if isinstance(what, Fitting) else None
    if puzzle is None or format.stage != "puzzle" or format.name == "puzzle":
        return None
    has = {"wall": puzzle.movement.walls, "immovable": puzzle.movement.immovable, "together": puzzle.movement.together,
           "turns": puzzle.movement.turns_allowed, "paint": any(piece.paint for piece in puzzle.pieces)}  # fmt: skip
    if format.name == "xmpuzzle":
        from puzzlec.formats.burrtools.writing import moving_otherwise

        if (moving := moving_otherwise(puzzle)) is not None:
            return moving
        has = {"paint": has["paint"]}
    lost = [statement for statement, those in has.items() if those]
    if not lost:
        return None
    note = "pictures have other colours" if lost == ["paint"] else "they change how the puzzle comes apart"
    help = "convert to `json` or `puzzle`"
    words = " and ".join(_ROLES[statement] for statement in lost)
    message = f"left out: {words}, which the format `{format.name}` cannot store"
    return fail("PZ707", message, _place(puzzle, lost), note=note, help=help, file=puzzle.title).diagnostics[0]


def _costs_left_out(what: Written, format: Format) -> Diagnostic | None:
    """Return the warning for a format without costs, or for costs that other programs read differently."""
    if not (what.cover if isinstance(what, Encoding) else what).costs:
        return None
    raised = isinstance(what, ExactCover) or (isinstance(what, Encoding) and what.raised)
    message, note = f"left out: costs, which the format `{format.name}` cannot store", "the solutions stay the same"
    help: str | tuple[()] = "convert to `json` or `dlx`" if raised else "convert to `json` or `puzzle`"
    if "costs" in format.traits and not (raised and format.stage == "puzzle"):
        numbers = labelled(what).cover.costs if format.name in ("dlx", "lp", "mps") else ()
        least, most = min(numbers, default=0), sum(map(abs, numbers))
        if format.name == "dlx" and least < 0:
            message, note, help = f"negative cost {least}", "puzzlec reads negative costs, Knuth's DLX5 does not", ()
        elif format.name != "dlx" and most > MAX_EXACT_INTEGER:
            message, note = f"large costs: their sum is {most}", f"most solvers round numbers above {MAX_EXACT_INTEGER}"
            help = "convert to `opb` or `wcnf`"
        else:
            return None
    costs = what.costs if isinstance(what, Puzzle | Fitting) else ()
    return fail(
        "PZ718",
        message,
        next((cost.span for cost in costs if cost.span), None),
        note=note,
        help=help,
        file=None if isinstance(what, Encoding) else what.title,
    ).diagnostics[0]


#: Statements for taking a puzzle apart, in words.
_ROLES = {"wall": "walls", "immovable": "immovable pieces", "together": "groups of pieces", "turns": "turns",
          "paint": "colours of pieces in pictures"}  # fmt: skip


def _place(puzzle: Puzzle, statements: Iterable[str]) -> Span | None:
    """Return the first of these statements in the text of a puzzle; in other formats, the position of the puzzle."""
    if puzzle.span is None:
        return None
    source = puzzle.span.source
    match = re.search(rf"(?m)^[ \t]*((?:{'|'.join(statements)})\b[^#\n]*?)[ \t]*(?:#|$)", source.text)
    return source.span(*match.span(1)) if match else puzzle.span


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
        help=meant(word, {writer.name: writer.endings[:1] for writer in WRITERS.values()}),
    )


def writer_for(target: str) -> Format:
    """Return the writer for the extension of a file; raise PuzzleError for an unknown one."""
    ending = plain_ending(target)
    for writer in WRITERS.values():
        if ending == writer.endings[0]:
            return writer
    for other in FORMATS.values():
        if ending in other.endings:
            raise _read_only(other.name)
    raise fail(
        "PZ004",
        f"unknown format for the file `{target}`",
        note=_NAMES,
        help="add `--to` with a format of `puzzlec list formats`",
    )


def _read_only(name: str) -> PuzzleError:
    return fail(
        "PZ009",
        f"cannot write the format `{name}`: puzzlec only reads it",
        help="choose another format of `puzzlec list formats`",
    )


def write_chunks(what: Written, to: str, choices: WriterChoices | None = None) -> Iterator[str]:
    """Yield the text of a puzzle in a format, in chunks.

    The same puzzle gives the same text. Raises PuzzleError before the first chunk for an unknown format and for
    everything that the format does not support.
    """
    format = writer_named(to)
    assert format.write is not None
    chunks: Iterator[str] = format.write(_at(what, format.stage, format.name), choices or WriterChoices())
    return chunks


def write(what: Written, to: str, choices: WriterChoices | None = None) -> str:
    """Return the text of a puzzle in a format; see :func:`write_chunks`."""
    return "".join(write_chunks(what, to, choices))


def with_lattice_from(what: Written, name: str, target: str) -> Written:
    """Return a puzzle of the file ``name`` with its own lattice, if it has one, named as from the file ``target``."""
    if not isinstance(what, Puzzle) or what.lattice is None or not is_lattice_file(what.lattice.name):
        return what
    path = (Path(name).parent if Path(name).is_file() else Path()) / what.lattice.name
    if Path(what.lattice.name).is_absolute() or not path.is_file():
        return what
    try:
        path_text = Path(os.path.relpath(path, Path(target).parent)).as_posix()
    except ValueError:  # there is no path from one drive to another
        path_text = path.resolve().as_posix()
    current = PurePath(what.lattice.name).as_posix()
    return what if path_text == current else replace(what, lattice=replace(what.lattice, name=path_text))


def refusals(what: Written) -> Iterator[tuple[str, list[Diagnostic]]]:
    """Yield each written format with the reasons why it cannot store a puzzle, none if it can.

    Only the first part of a file is made: all refusals come before it.
    """
    lowered: dict[str, Written | PuzzleError] = {"any": what, "puzzle": what}
    for writer in WRITERS.values():
        if writer.stage not in lowered:
            lowered[writer.stage] = _lowered(what, writer.stage)
        at_stage = lowered[writer.stage]
        try:
            if isinstance(at_stage, PuzzleError):
                raise at_stage
            next(iter(write_chunks(at_stage, writer.name)), None)
        except PuzzleError as error:
            yield writer.name, [diagnostic for diagnostic in error.diagnostics if diagnostic.severity is Severity.ERROR]
        else:
            yield writer.name, []


def _lowered(what: Written, stage: str) -> Written | PuzzleError:
    """Return a puzzle lowered to a stage, once for all formats of that stage, or the error."""
    try:
        fitting = place(what) if isinstance(what, Puzzle) else what
        return encode(fitting) if stage == "cover" and isinstance(fitting, Fitting) else fitting
    except PuzzleError as error:
        return error
