"""The whole way on one screen: a text is read, placed, encoded and searched, and a solution is lifted and shown.

``emit`` goes this way and stops at a stage. `puzzlec explain --stage` prints the result.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from puzzlec.compiler import PuzzleOrName, compile, convert, load, source_named
from puzzlec.diagnostics import Report
from puzzlec.diagnostics.error import fail
from puzzlec.engine import Limits, Search
from puzzlec.formats.reading import guess_format
from puzzlec.formats.stages import write_cover, write_fitting
from puzzlec.ir import Puzzle
from puzzlec.language.puzzle_text import syntax_tree
from puzzlec.lower import Encoding
from puzzlec.show.terminal.text import draw_solution
from puzzlec.solving.checker import check as check_solution

#: A stage that `emit` shows, in the order of the way.
EmittedStage: TypeAlias = Literal["ast", "puzzle", "fitting", "cover", "solution"]
EMITTED_STAGES: tuple[EmittedStage, ...] = get_args(EmittedStage)


def emit(
    what: PuzzleOrName,
    stage: EmittedStage,
    *,
    report: Report | None = None,
    format: str | None = None,
    board: str | Path | None = None,
    parameters: Mapping[str, int] | None = None,
    problem: str | None = None,
) -> str:
    r"""Return a puzzle at a stage as a complete text, the same for the same input.

    ``ast`` is the syntax tree of a ``.puzzle`` file, and needs the name of the file. ``puzzle`` is the puzzle in the
    puzzle language, ``fitting`` every placement by name, ``cover`` the exact cover in the notation of Knuth's programs.
    ``solution`` is a drawing of the first solution. ``format``, ``board``, ``parameters`` and ``problem`` are as in
    :func:`load`.

    Raises:
        PuzzleError: If the puzzle cannot be read or does not reach the stage.
        ValueError: If the stage is unknown.

    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> print(puzzlec.emit(puzzle, "cover").splitlines()[0])
    3|D 0,0 1,0 0,1 1,1 0,2 1,2

    """
    if stage not in EMITTED_STAGES:
        names = ", ".join(EMITTED_STAGES)
        raise ValueError(f"unknown stage {stage!r}: expected one of {names}; `convert` writes other formats")
    if stage == "ast":
        return _syntax(what, format)

    # Read: a text becomes a puzzle, or a later stage if its format describes one.
    if isinstance(what, (str, Path)):
        what = load(what, format=format, board=board, report=report, parameters=parameters, problem=problem)
    if stage == "puzzle":
        return convert(what, "puzzle")

    # Place: each piece goes to all positions on the board.
    if isinstance(what, Puzzle):
        what = compile(what, stage="fitting", report=report)
    if stage == "fitting":
        return write_fitting(
            what.fitting if isinstance(what, Encoding) else compile(what, stage="fitting", report=report)
        )

    # Encode: locations and pieces become items, placements become options.
    encoding = compile(what, report=report)
    if stage == "cover":
        return write_cover(encoding)

    # Search, lift and show: the first cover becomes placements again, which separate code checks.
    options = next(iter(Search(encoding.cover, limits=Limits(solutions=1))), None)
    if options is None:
        return "no solution\n"
    solution = encoding.lift(options)
    check_solution(solution)
    return draw_solution(solution) + "\n"


def _syntax(what: PuzzleOrName, format: str | None) -> str:
    """Return the syntax tree of a text in the puzzle language."""
    if not isinstance(what, (str, Path)):
        raise ValueError("only a text has a syntax tree")
    source = source_named(what, Report())
    name = format or guess_format(source)
    if name != "puzzle":
        raise fail(
            "PZ502",
            f"a text of the format `{name}` has no syntax tree",
            note="only texts in the puzzle language have a syntax tree",
            help="look at a later stage: `--stage puzzle`, `fitting`, `cover` or `solution`",
            file=source.name,
        )
    return syntax_tree(source).pretty()
