"""The quality gates, so that one command runs them all: lint, format, strict types, import contracts."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GATES = {
    "lint": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "types": ["mypy"],
    "imports": ["lint-imports"],
}


@pytest.mark.parametrize("gate", GATES)
def test_every_quality_gate_passes(gate: str) -> None:
    if gate == "types":  # types of missing packages are unknown
        pytest.importorskip("distributed", reason="the extra `full` is not installed")
        pytest.importorskip("playwright", reason="the extra `full` is not installed")
    command = GATES[gate]
    beside = Path(sys.executable).with_name(command[0])
    program = str(beside) if beside.exists() else shutil.which(command[0])
    assert program, f"{command[0]} is not installed: pip install -e '.[dev]'"
    done = subprocess.run([program, *command[1:]], cwd=ROOT, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stdout + done.stderr
