"""Commands run in the process of the tests, since a process of its own costs a start for each."""

from __future__ import annotations

import pytest

from puzzlec.cli.app import main


def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str, str]:
    """The status of a command, and what it prints: on standard output, and on standard error."""
    monkeypatch.setattr("sys.argv", ["puzzlec", *words])
    status = 0
    try:
        main()
    except SystemExit as end:
        status = int(end.code or 0)
    return (status, *capsys.readouterr())
