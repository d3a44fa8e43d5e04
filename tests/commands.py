"""Commands run in the process of the tests, since a process of its own costs a start for each.

Tests of signals, pipes, imports and the start itself begin a process, with :data:`ENVIRONMENT`.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from unittest import mock

import pytest

from puzzlec.cli.app import main

#: The environment of a command: variables of the machine that runs the tests change no output.
ENVIRONMENT = {
    key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "PUZZLEC_DEBUG", "COLUMNS", "LINES")
}


def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str, str]:
    """The status of a command, and what it prints: on standard output, and on standard error."""
    monkeypatch.setattr("sys.argv", ["puzzlec", *words])
    return (_status(), *capsys.readouterr())


def run(
    *words: str,
    stdin: str = "",
    cwd: Path | None = None,
    environment: Mapping[str, str] = ENVIRONMENT,
    together: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run a command as a shell does: with its own standard input, folder and environment, and streams into pipes.

    With ``together``, standard output has what goes to standard error, too, in the order in which it is written.
    """
    output = _Pipe()
    errors = output if together else _Pipe()
    given = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
    with (
        mock.patch.object(sys, "argv", ["puzzlec", *words]),
        mock.patch.object(sys, "stdin", given),
        mock.patch.object(sys, "stdout", output),
        mock.patch.object(sys, "stderr", errors),
        mock.patch.dict(os.environ, environment, clear=True),
        contextlib.chdir(cwd or Path.cwd()),
    ):
        status = _status()
    return subprocess.CompletedProcess(words, status, output.text(), "" if together else errors.text())


class _Pipe(io.TextIOWrapper):
    """What a command writes to, kept as bytes."""

    def __init__(self) -> None:
        self.kept = io.BytesIO()
        super().__init__(self.kept, encoding="utf-8", write_through=True)

    def text(self) -> str:
        self.flush()
        return self.kept.getvalue().decode()


def _status() -> int:
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0
