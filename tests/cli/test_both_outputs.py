"""Standard output and standard error in one pipe keep the order of printing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.commands import ENVIRONMENT


@pytest.mark.parametrize(
    ("line", "last"),
    [
        ("check --catalogue soma/castle soma/screw", "numbers of 2 puzzles in"),
        ("solve soma/castle --all --to list", "5 distinct solutions (search complete)"),
        ("count soma/castle", "5 distinct solutions in"),
    ],
)
def test_remarks_follow_the_results_that_they_are_about(line: str, last: str) -> None:
    environment = {key: value for key, value in ENVIRONMENT.items() if key != "PYTHONUNBUFFERED"}
    command = [sys.executable, "-m", "puzzlec", *line.split()]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, check=True)
    lines = done.stdout.decode().splitlines()
    assert len(lines) > 1
    assert last in lines[-1]
