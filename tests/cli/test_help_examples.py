"""Every example of every help runs in a new folder, as a reader types it."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

import pytest

from puzzlec.cli.command import parts_of
from puzzlec.cli.commands import COMMANDS, FAMILIES, PROGRAM, made_command
from tests.commands import ENVIRONMENT, shell

#: The file or folder that an example names, and the line of a shell that makes it.
MAKERS = {
    "mine.puzzle": "puzzlec new packing2d mine.puzzle",
    "tray.puzzle": r"printf 'locations box 4x2\npiece D x0..4 { xx }\npiece I x0..2 { xxxx }\n' > tray.puzzle",
    "answer.txt": "puzzlec solve soma --to list > answer.txt",
    "puzzles": "mkdir puzzles && puzzlec new packing3d puzzles/mine.puzzle",
    "bedlam": "puzzlec count soma --checkpoint bedlam",
    "shard-1": "puzzlec count soma --checkpoint shard-1 --shard 1/2",
    "shard-2": "puzzlec count soma --checkpoint shard-2 --shard 2/2",
}

SLOW = {"puzzlec solutions pentominoes/6x10 --where 'X on border' --sample 2"}
"""Examples that take more than a few seconds."""

STATUSES = {"puzzlec solve soma --limit 3": 4, "puzzlec lsp": 1, "puzzlec lsp --verbose": 1}
"""Statuses other than 0: a search that stops at its limit, and a server whose input ends before `shutdown`."""

NEW = "new packing2d"
"""The example that makes its file itself."""

ENDLESS = {"puzzlec serve", "puzzlec serve puzzles --port 8080"}
"""Examples that run until Ctrl-C."""


def examples() -> list[str]:
    """Return the examples of all commands, each once."""
    commands = [PROGRAM, *map(made_command, (*COMMANDS, *FAMILIES))]
    return sorted({example for command in commands for example in parts_of(command)[1]})


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of a user whose home is a folder, in which puzzlec is found."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**ENVIRONMENT, "PATH": path, "HOME": str(folder), "BROWSER": "true"}


def prepare(example: str, folder: Path) -> None:
    """Make the files and folders that an example names."""
    for name, maker in MAKERS.items():
        if name in example.split():
            done = shell(maker, folder, environment(folder))
            assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "example",
    [pytest.param(line, marks=[pytest.mark.slow] * (line in SLOW)) for line in examples() if line not in ENDLESS],
)
def test_an_example_of_the_help_does_what_it_says(
    example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    if f" {NEW}" not in example:
        prepare(example, tmp_path)
    done = shell(example, tmp_path, environment(tmp_path))
    assert (done.returncode, "Traceback" in done.stderr) == (STATUSES.get(example, 0), False), done.stderr
    for name in re.findall(rf"(?:-o|--into|>|{NEW}) ([\w.]+)", example):
        stem, dot, extension = name.partition(".")
        assert list(tmp_path.glob(f"{stem}*{dot}{extension}")), f"{name} is missing"
    for name in re.findall(r"(?m)^/.*\.html$", done.stdout):
        assert "<html" in Path(name).read_text("utf-8")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for another process")
@pytest.mark.parametrize("example", sorted(ENDLESS))
@pytest.mark.long
def test_an_example_that_runs_until_ctrl_c_serves_a_page_and_ends_well(example: str, tmp_path: Path) -> None:
    prepare(example, tmp_path)
    command = [sys.executable, "-m", *shlex.split(example.replace(" 8080", " 0"))]  # another may use this port
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=environment(tmp_path)
    ) as process:
        assert process.stdout
        address = process.stdout.readline().strip()
        with urllib.request.urlopen(address, timeout=60) as page:
            assert b"<html" in page.read()
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
    assert (process.returncode, "Traceback" in said) == (0, False), said
