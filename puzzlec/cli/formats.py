"""``puzzlec formats``: what can be read and written."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from puzzlec.cli.terminal import out
from puzzlec.readers import FORMATS
from puzzlec.writers import WRITERS


def formats(
    as_json: Annotated[
        bool, typer.Option("--json", help="A line of JSON for each format, for other programs.")
    ] = False,
) -> None:
    """List the formats: name, read or written, the level that they speak of, endings of files.

    Example: puzzlec formats
    """
    rows = []
    for name in dict.fromkeys([*FORMATS, *WRITERS]):
        reader, writer = FORMATS.get(name), WRITERS.get(name)
        told = reader or writer
        assert told is not None
        level = told.level if reader is None or writer is None else writer.level
        endings = [*(reader.endings if reader else ()), *(writer.endings if writer else ())]
        rows.append((name, reader is not None, writer is not None, level, list(dict.fromkeys(endings)), told.summary))
    if as_json:
        keys = ("name", "read", "written", "level", "endings", "summary")
        for row in rows:
            out(json.dumps(dict(zip(keys, row, strict=True))))
        return
    wide = max(len(row[0]) for row in rows)
    ends = max(len(" ".join(row[4])) for row in rows)
    out(f"{'name':<{wide}}  read  written  level    {'endings':<{ends}}  what it is")
    for name, read, written, level, found, summary in rows:
        said = f"{'yes' if read else '-':<4}  {'yes' if written else '-':<7}  {level:<7}"
        out(f"{name:<{wide}}  {said}  {' '.join(found):<{ends}}  {summary}")
