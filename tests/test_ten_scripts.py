"""The scripts of the documentation are right for a strict type checker. `test_docs.py` runs them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "ten-scripts.md").read_text(encoding="utf-8"), re.DOTALL)


def test_there_are_ten_scripts_of_at_most_six_lines() -> None:
    assert len(SCRIPTS) == 10
    for script in SCRIPTS:
        assert len([line for line in script.splitlines() if line.strip()]) <= 6, script


def test_a_strict_type_checker_accepts_each_script(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    for number, script in enumerate(SCRIPTS):
        (tmp_path / f"script_{number}.py").write_text(script)
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", "", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout


def examples() -> dict[str, str]:
    """Return the scripts of all pages that use puzzlec, by a name for each."""
    found = {}
    for page in sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]):
        blocks = re.findall(r"((?:<!--[^>]*-->\n)?)```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
        for number, (mark, script) in enumerate(blocks):
            if "not run" not in mark and re.search(r"\bpuzzlec\b", script):
                found[f"{re.sub(r'[^a-z0-9]', '_', page.stem.lower())}_{number}"] = script
    return found


def test_a_type_checker_accepts_each_example_of_the_documentation(tmp_path: Path) -> None:
    """The functions that an example defines may have no types; each use of puzzlec is checked."""
    pytest.importorskip("mypy")
    scripts = examples()
    assert len(scripts) > 60
    for name, script in scripts.items():
        (tmp_path / f"{name}.py").write_text(script)
    lenient = ["--allow-untyped-defs", "--allow-untyped-calls", "--disable-error-code=var-annotated"]
    command = [sys.executable, "-m", "mypy", "--strict", *lenient, "--config-file", "", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout
