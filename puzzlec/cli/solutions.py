"""``puzzlec solutions``: questions about all solutions of a puzzle, or the solutions in a checkpoint."""

from __future__ import annotations

import os
from typing import Annotated, TypeAlias

import typer

from puzzlec.cli.arguments import (
    AsciiHidden,
    BoardShared,
    Force,
    FromShared,
    Json,
    MemoryHidden,
    Parameters,
    ProblemShared,
    SymmetryName,
    Time,
)  # fmt: skip
from puzzlec.cli.candidates import any_files, puzzles_and_files, words
from puzzlec.cli.command import OUTPUT
from puzzlec.cli.showing import FORMATS, chosen_format, wish_of

_Words: TypeAlias = list[str] | None

#: Why options do not apply to the folder of a checkpoint.
_IN_FOLDER = "the folder of the checkpoint contains the puzzle"
_NOT_OF_FOLDER = {
    **dict.fromkeys(("--param", "--from", "--board", "--problem"), _IN_FOLDER),
    **dict.fromkeys(("--time-limit", "--memory"), "a checkpoint already has its solutions, so it needs no limit"),
    "--solutions": "give the folder of a checkpoint, or a file of solutions",
    "--frequency": "it needs a puzzle, not the folder of a checkpoint",
}


def solutions(
    puzzle: Annotated[
        str,
        typer.Argument(
            metavar="PUZZLE",
            help="File, `-`, name in the catalogue, or folder of a checkpoint.",
            autocompletion=puzzles_and_files,
        ),
    ],
    where: Annotated[
        _Words, typer.Option("--where", metavar="CONDITION", help='Condition, such as "X in corner".')
    ] = None,
    saved: Annotated[
        str | None,
        typer.Option(
            "--solutions",
            metavar="FILE",
            help="Read the solutions from FILE, a diagram of `puzzlec convert`.",
            autocompletion=any_files,
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(metavar="N", min=1, help="Print the first N.")] = None,
    sample: Annotated[int | None, typer.Option(metavar="N", min=1, help="Print N at random.")] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the random choices.")] = 0,
    often: Annotated[
        bool, typer.Option("--frequency", help="Print how often each piece covers each location, in %.")
    ] = False,
    format: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help="Format: text, board, list, jsonl, locations, orientations; parquet with -o.",
            autocompletion=words(FORMATS),
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write to FILE: .jsonl or .parquet; .gz, .bz2, .xz, .zst.",
            autocompletion=any_files,
        ),
    ] = None,
    as_json: Json = False,
    symmetry: SymmetryName = None,
    raw: Annotated[bool, typer.Option("--raw", help="Checkpoints: same as --symmetry none.", hidden=True)] = False,
    force: Force = False,
    ascii: AsciiHidden = False,
    memory: MemoryHidden = None,
    time: Time = None,
    given: Parameters = None,
    source: FromShared = None,
    board: BoardShared = None,
    problem: ProblemShared = None,
) -> None:
    """Answer questions about all solutions of a puzzle.

    Without options, prints the number of solutions. For a puzzle, these are raw solutions; for a checkpoint, its
    stored solutions.

    Examples:
        puzzlec solutions pentominoes/6x10 --where 'X on 1,0' --sample 2
        puzzlec solutions soma --frequency

    """
    if as_json and output is None and (format is not None or often or limit or sample):
        format = chosen_format(format or "text", as_json)
    wish = wish_of(limit, sample, seed, often, format, output)._replace(force=force, ascii=ascii)
    if os.path.isdir(puzzle):  # noqa: PTH112  # pathlib raises an error for a name that is too long
        others = {
            "--solutions": saved,
            "--frequency": often,
            "--memory": memory,
            "--time-limit": time,
            "--param": given,
        }
        others |= {"--from": source, "--board": board, "--problem": problem}
        for name, value in others.items():
            if value:
                raise typer.BadParameter(_NOT_OF_FOLDER[name], param_hint=name)
        from puzzlec.cli.solutions_kept import answer_from_checkpoint

        answer_from_checkpoint(puzzle, wish, where or [], raw, symmetry)
        return
    if symmetry not in (None, "none"):
        fault = "distinct solutions need a checkpoint: `puzzlec solve --all --quiet --checkpoint DIR`"
        raise typer.BadParameter(f"{fault} makes one, then `puzzlec solutions DIR`", param_hint="--symmetry")
    from puzzlec.cli.solutions_all import answer_from_diagram

    answer_from_diagram(puzzle, wish, where or [], saved, memory, time, (source, board, given, problem))
