"""``puzzlec new``: a commented file to start a puzzle with."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from puzzlec.cli.arguments import Output
from puzzlec.cli.candidates import any_files, words
from puzzlec.cli.options import Argument
from puzzlec.cli.output import tell_written, write_file
from puzzlec.cli.terminal import MODE, out_json, out_result, say
from puzzlec.formats.catalogue import files_beside, kinds, starting_file

_NAME_HELP = "choose another name, or remove the file before"


def _kinds() -> dict[str, str]:
    return {kind.name: kind.summary for kind in kinds()}


def new(
    kind: Annotated[str | None, Argument("Kind of puzzle.", "KIND", offered=words(_kinds))] = None,
    target: Annotated[str | None, Argument("File to write. [default: -]", "OUT", offered=any_files)] = None,
    output: Output = None,
) -> None:
    """Print a complete small puzzle to start from.

    Comments in the file say what to change. Without KIND, lists the kinds.

    Examples:
        puzzlec new packing2d
        puzzlec new packing2d mine.puzzle

    """
    if kind is None:
        _list()
        return
    target = target or output or "-"
    text = starting_file(kind)
    if target == "-" and MODE.json:
        out_json({"kind": kind, "text": text, "beside": files_beside(kind)})
        return
    write_file(target, lambda: text, help=_NAME_HELP)
    if target == "-":
        return
    if MODE.json:
        tell_written(target, "puzzle")
    for name, beside in files_beside(kind).items():
        other = Path(target).parent / name
        if other.exists():
            say(f"{other} already exists and is unchanged; {target} uses it")
        else:
            write_file(str(other), partial(str, beside), help=_NAME_HELP)
            if MODE.json:
                tell_written(str(other), "lattice")
            say(f"wrote {other}, which {target} needs")


def _list() -> None:
    puzzle_kinds = kinds()
    width = max(len(kind.name) for kind in puzzle_kinds)
    for kind in puzzle_kinds:
        out_result({"name": kind.name, "summary": kind.summary}, f"{kind.name:<{width}}  {kind.summary}")
