"""Commands that run in the process of the tests, because a new process would cost a start.

Tests of signals, pipes, imports and the start itself start a process with :data:`ENVIRONMENT`.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import signal
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

#: The last command of a line, if it is a command of puzzlec in plain words; the commands before it, and a file for its
#: output.
_LAST = re.compile(r"(?s)(?:(.*?)\s*(\||;|&&) )?(puzzlec [^|&;<>()$`*?~#\n]+?)(?: > ([\w.-]+))?")

#: Commands that need a shell. They change the shell for the rest of a line, start processes that import the program,
#: or show the kernel, which depends on the kernels that are loaded.
_NEEDS_SHELL = re.compile(r"<<|\b(?:cd|export|set|trap) |--(?:processes|cluster|verbose|stats)\b|\b(?:serve|lsp)\b")


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

    With ``together``, standard output also has the text of standard error, in the order of writing.
    """
    output = _Pipe()
    errors = output if together else _Pipe()
    given = io.TextIOWrapper(io.BytesIO(stdin.encode(errors="surrogateescape")), encoding="utf-8")
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


def shell(
    line: str, folder: Path, environment: Mapping[str, str], together: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run a command line as a shell does; commands of puzzlec run within this process if the result is the same."""
    match = _LAST.fullmatch(line)
    if match is None or _NEEDS_SHELL.search(line):
        return _in_a_shell(line, folder, environment, together)
    before, joint, last, target = match.groups()
    try:
        words = shlex.split(last)[1:]
        shlex.split(before or "")
    except ValueError:  # a quote is open, so the operator between the commands is part of a word
        return _in_a_shell(line, folder, environment, together)
    first = shell(before, folder, environment, together and joint != "|") if before else None
    if first and joint == "&&" and first.returncode:
        return first
    given = first.stdout if first and joint == "|" else ""
    done = run(*words, stdin=given, cwd=folder, environment=environment, together=together and not target)
    output, errors = done.stdout, done.stderr
    if target:
        (folder / target).write_text(output, encoding="utf-8", newline="")
        output, errors = (errors, "") if together else ("", errors)
    if first:
        output = ("" if joint == "|" else first.stdout) + output
    return subprocess.CompletedProcess(line, done.returncode, output, (first.stderr if first else "") + errors)


def _in_a_shell(
    line: str, folder: Path, environment: Mapping[str, str], together: bool
) -> subprocess.CompletedProcess[str]:
    process = subprocess.Popen(
        ["bash", "-c", line], cwd=folder, env=dict(environment), start_new_session=True, errors="surrogateescape",
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT if together else subprocess.PIPE,
    )  # fmt: skip
    try:
        output, errors = process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # with all processes that the command has started
        raise
    return subprocess.CompletedProcess(line, process.returncode, output, errors or "")


class _Pipe(io.TextIOWrapper):
    """A stream of a command, stored as bytes."""

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
