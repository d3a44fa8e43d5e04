"""Rules of the architecture that no linter checks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PROBE = """
import sys
sys.argv = ["puzzlec"] + {arguments!r}
from puzzlec.cli.app import main
try:
    main()
except SystemExit as end:
    status = end.code or 0
heavy = sorted(set(sys.modules) & {{"numba", "numpy"}})
print(f"status {{int(status)}} heavy {{heavy}}", file=sys.stderr)
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "soma"],
        ["convert", "soma", "--to", "dpf"],
        ["--help"],
        ["list"],
        ["list", "shapes", "polyominoes", "6"],
        ["explain", "soma"],
        ["solve", "soma"],
        ["explain", "soma", "--stage", "cover"],
        ["explain", "PZ301"],
    ],
)
def test_commands_without_a_kernel_start_without_numba_and_numpy(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE.format(arguments=arguments)], capture_output=True, text=True, timeout=60, cwd=ROOT
    )
    assert done.stderr.splitlines()[-1] == "status 0 heavy []", done.stderr


def test_the_public_names_are_sorted_and_exist() -> None:
    import puzzlec

    assert sorted(puzzlec.__all__) == puzzlec.__all__
    assert all(hasattr(puzzlec, name) for name in puzzlec.__all__)


def test_the_pipeline_fits_on_few_screens_and_cli_modules_contain_no_logic() -> None:
    for path in (ROOT / "puzzlec" / "cli").glob("*.py"):
        text = path.read_text()
        assert "lark" not in text
        assert "numpy" not in text


def test_nothing_that_is_committed_names_a_path_of_the_machine() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is no git checkout")
    here = str(ROOT)
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.is_file() and path.suffix in {".py", ".md", ".toml", ".yaml", ".lark", ".puzzle", ""}:
            assert here not in path.read_text(encoding="utf-8"), name


@pytest.mark.long
def test_the_same_input_gives_the_same_bytes_whatever_the_hash_seed() -> None:
    outputs = set()
    for seed in ("0", "1", "12345"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        outputs.add(
            subprocess.run(
                [sys.executable, "-m", "puzzlec", "solve", "soma", "--all", "--to", "jsonl"],
                capture_output=True, env=environment, check=True, timeout=60,
            ).stdout
        )  # fmt: skip
    assert len(outputs) == 1
