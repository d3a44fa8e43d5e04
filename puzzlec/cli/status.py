"""``puzzlec job status``: the progress of a search, from its checkpoint alone."""

from __future__ import annotations

from pathlib import Path

from puzzlec.cli.arguments import Folder
from puzzlec.cli.terminal import MODE, out, out_json


def status(
    folder: Folder,
) -> None:
    """Show the progress of a search with a checkpoint.

    Only reads the folder, so another process may work on it.

    Examples:
        puzzlec job status bedlam
        puzzlec job status bedlam --json

    """
    from puzzlec.jobs.disassemblies import is_of_disassemblies, read_disassembly_status
    from puzzlec.jobs.status import read_status

    read = read_disassembly_status if is_of_disassemblies(Path(folder)) else read_status
    now = read(Path(folder))
    if MODE.json:
        out_json(now.as_data())
        return
    for name, value in now.rows():
        out(f"{name:<12}{value}")
