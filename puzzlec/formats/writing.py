"""The table of formats that can be written, and the level that each needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import NamedTuple, TypeAlias, cast

from puzzlec.diagnostics import PuzzleError
from puzzlec.diagnostics.error import fail
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.names import CALLED, meant, plain_ending
from puzzlec.formats.reading import FORMATS
from puzzlec.formats.write_options import Choices
from puzzlec.ir import Fitting, Puzzle
from puzzlec.lower import Encoding, encode, place
from puzzlec.lower.labels import Labelled

#: What can be written: a level of the IR, the lowest one with or without what its options mean.
Written: TypeAlias = Puzzle | Fitting | Encoding | ExactCover


class Writer(NamedTuple):
    """A format that can be written: its endings, what it is, the level it speaks of, and its ``module.function``.

    The function takes a Puzzle, a Fitting or a Labelled cover, as the ``level`` says ("any": whichever there is), and
    gives the text (bytes where it is ``binary``) in chunks.
    """

    name: str
    endings: tuple[str, ...]
    summary: str
    level: str
    function: str
    binary: bool = False

    def chunks(self, what: Written, choices: Choices) -> Iterator[str] | Iterator[bytes]:
        """Return the text in chunks; raise PuzzleError, before the first one is given, for what cannot be said."""
        module, function = self.function.rsplit(".", 1)
        found = getattr(import_module(f"puzzlec.formats.{module}"), function)
        write = cast(Callable[[object, Choices], Iterator[str] | Iterator[bytes]], found)
        return write(_at(what, self.level, self.name), choices)


WRITERS: dict[str, Writer] = {
    each.name: each
    for each in (
        Writer("puzzle", (".puzzle",), "the puzzle language", "puzzle", "puzzle.writing.write_puzzle_text"),
        Writer("dpf", (".dpf",), "Discrete Piece Fitting", "fitting", "dpf_writing.write_dpf_text"),
        Writer("compact", (".compact",), "compact geometric format", "puzzle", "compact_writing.write_compact_text"),
        Writer("board", (".board",), "a board of x and . for pentominoes", "puzzle", "board_writing.write_board"),
        Writer("piezas", (".xml",), "PIEZAS XML: pieces only", "puzzle", "piezas_writing.write_piezas"),
        Writer("offsets", (".offsets",), "offset shape arrays: pieces only", "puzzle", "offsets_writing.write_offsets"),
        Writer("polyform", (".polyform",), "Polyform Puzzler's pieces", "puzzle", "polyform.writing.write_polyform"),
        Writer("cells", (".cells",), "lists of cells: pieces only", "puzzle", "cells.writing.write_cells"),
        Writer("xmpuzzle", (".xmpuzzle",), "BurrTools XMPuzzle", "puzzle", "burrtools.writing.write_xmpuzzle"),
        Writer("dlx", (".dlx",), "Knuth's DLX: items and options", "cover", "dlx_writing.write_dlx"),
        Writer("rows", (".rows",), "rows of 0 and 1 with names", "cover", "rows_writing.write_rows"),
        Writer("numeric", (".numeric",), "rows of columns with names", "cover", "numeric_writing.write_numeric"),
        Writer(
            "polycube", (".polycube",), "Knuth's polyominoes and polycubes", "puzzle", "polycube_writing.write_polycube"
        ),
        Writer("lp", (".lp",), "integer program, CPLEX LP", "cover", "solvers.lp.write_lp"),
        Writer("mps", (".mps",), "integer program, free MPS", "cover", "solvers.mps.write_mps"),
        Writer("mzn", (".mzn",), "MiniZinc", "cover", "solvers.mzn.write_mzn"),
        Writer("smt2", (".smt2",), "SMT-LIB", "cover", "solvers.smt2.write_smt2"),
        Writer("graph", (".graph",), "graph of conflicts, adjacency text", "fitting", "graphs.graph.write_graph"),
        Writer("col", (".col",), "graph of conflicts, DIMACS", "fitting", "graphs.dimacs_graph.write_dimacs_graph"),
        Writer("graphml", (".graphml",), "graph of conflicts, GraphML", "fitting", "graphs.graphml.write_graphml"),
        Writer("json", (".json",), "JSON, by a documented schema", "any", "json.writing.write_json"),
        Writer("npz", (".npz",), "a sparse matrix of scipy, with names", "any", "npz_writing.write_npz", binary=True),
        Writer("cnf", (".cnf",), "DIMACS CNF, for SAT solvers", "cover", "solvers.cnf.write_cnf"),
        Writer("opb", (".opb",), "pseudo-Boolean constraints", "cover", "solvers.opb.write_opb"),
    )
}


_NAMES = "formats are " + ", ".join(WRITERS)


#: Formats of puzzles that can say rules on regions.
_RULED = ("puzzle",)


def _at(what: Written, level: str, format: str) -> Puzzle | Fitting | Labelled:
    """Return a puzzle at a level: lowered, or raised where that is exact; PuzzleError where it cannot be."""
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
    if format not in _RULED and isinstance(what, Fitting | Puzzle) and what.region_rules:
        raise fail(
            "PZ501",
            f"{format} cannot say rules on regions",
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
            f"the format `{format}` describes pieces on a lattice, this puzzle has none",
            puzzle.span if puzzle is not None else None,
            note="a list of placements does not say what shape the pieces have",
            help="convert to `dpf` or `puzzle`",
            file=what.title,
        )
    from puzzlec.formats.puzzle.writing import raised

    assert isinstance(what, Fitting)
    return raised(what)


def labelled(what: Written) -> Labelled:
    """Return the exact cover of a puzzle with its labels."""
    if isinstance(what, ExactCover):
        return Labelled(what, what.title)
    if isinstance(what, Puzzle):
        what = place(what)
    return Labelled.of(encode(what) if isinstance(what, Fitting) else what)


def writer_named(word: str) -> Writer:
    """Return a writer by the name of its format, whose case does not matter.

    Raises PuzzleError for a format that is read only (PZ009) or not known (PZ004).
    """
    name = word.lower()
    if name in WRITERS:
        return WRITERS[name]
    if (read := CALLED.get(name, name)) in FORMATS and read not in WRITERS:
        raise _read_only(read)
    raise fail(
        "PZ004",
        f"the format `{word}` cannot be written",
        note=_NAMES,
        help=meant(word, {each.name: each.endings for each in WRITERS.values()}),
    )


def writer_for(target: str) -> Writer:
    """Return the writer of the format that the ending of a file's name tells; raise PuzzleError where none is told."""
    ending = plain_ending(target)
    for each in WRITERS.values():
        if ending in each.endings:
            return each
    for other in FORMATS.values():
        if ending in other.endings:
            raise _read_only(other.name)
    raise fail(
        "PZ004",
        f"cannot tell the format to write from `{target}`",
        note=_NAMES,
        help="say it with `--to`; `puzzlec formats` lists what there is",
    )


def _read_only(name: str) -> PuzzleError:
    return fail(
        "PZ009",
        f"a text of the format `{name}` is read, not written",
        help="choose another one; `puzzlec formats` lists what there is",
    )


def write_chunks(what: Written, to: str, choices: Choices | None = None) -> Iterator[str] | Iterator[bytes]:
    """Return a puzzle as a text of a format, in chunks (of bytes, if the format is no text).

    The same puzzle gives the same text. Raises PuzzleError for an unknown format, and for what the
    format cannot say, before the first chunk is given.
    """
    return writer_named(to).chunks(what, choices or Choices())


def write(what: Written, to: str, choices: Choices | None = None) -> str:
    """Return a puzzle as a text of a format, whole; see :func:`write_chunks`.

    Raises ValueError for a format that is no text.
    """
    if writer_named(to).binary:
        raise ValueError(f"the format {to!r} is no text: see write_chunks")
    return "".join(cast("Iterator[str]", write_chunks(what, to, choices)))
