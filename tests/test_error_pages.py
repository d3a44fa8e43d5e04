"""Every code has a page, its failing example fails in just the way shown, and its mended example does not."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from puzzlec.diagnostics import CODES
from tests.commands import ENVIRONMENT, shell

PAGES = Path(__file__).parents[1] / "docs" / "errors"
STAGES = {
    "0": "Files and their names",
    "1": "The form of a `.puzzle` text",
    "2": "The form of other formats",
    "3": "What a puzzle says",
    "4": "Puzzles that cannot have a solution",
    "5": "What a format cannot say",
    "6": "Solutions that are kept, or found elsewhere, and long searches",
    "7": "Taking assemblies apart",
}


class Example(NamedTuple):
    """An example of a page: its format and text, what is typed, and what the terminal then shows."""

    language: str
    text: str
    command: str
    shown: str


def examples(code: str) -> tuple[Example, Example]:
    """Return the failing and the mended example of a page; what the second leaves out is as in the first."""
    page = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    fails, mended = page.split("## Fails\n")[1].split("## Mended\n")
    found: list[Example] = []
    for part in (fails, mended):
        text = re.search(r"```(?!console)(\w+)\n(.*?)```", part, re.DOTALL)
        typed = re.search(r"```console\n\$ (.*?)(?:\n(?=error|warning|```)(.*?))?```", part, re.DOTALL)
        first = found[0] if found else None
        language = text.group(1) if text else first.language if first else ""
        found.append(
            Example(
                language,
                text.group(2) if text else first.text if first else "",
                typed.group(1).rstrip("\n")
                if typed
                else first.command
                if first
                else f"puzzlec check example.{language}",
                (typed.group(2) or "").rstrip("\n") if typed else "",
            )
        )
    return found[0], found[1]


def shown(example: Example, folder: Path) -> tuple[int, str]:
    """Return the exit status of an example's command, and what it prints to standard error."""
    if example.language:
        (folder / f"example.{example.language}").write_text(example.text, encoding="utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = shell(example.command, folder, {**ENVIRONMENT, "PATH": path})
    return done.returncode, done.stderr


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert {path.stem for path in PAGES.glob("PZ*.md")} == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_the_page_has_the_title_of_the_code(code: str) -> None:
    assert (PAGES / f"{code}.md").read_text(encoding="utf-8").splitlines()[0] == f"# {code}: {CODES[code].title}"


@pytest.mark.parametrize("code", CODES)
def test_the_failing_example_fails_as_shown(code: str, tmp_path: Path) -> None:
    example, _ = examples(code)
    if code in ON_A_CLUSTER:
        pytest.importorskip("distributed")
    status, printed = shown(example, tmp_path)
    assert printed.rstrip("\n") == example.shown
    assert set(re.findall(r"^(?:error|warning)\[(PZ\d+)\]", printed, re.MULTILINE)) == {code}
    assert status == (1 if CODES[code].severity.value == "error" else 0)


@pytest.mark.parametrize("code", CODES)
def test_the_mended_example_raises_no_complaint(code: str, tmp_path: Path) -> None:
    _, example = examples(code)
    status, printed = shown(example, tmp_path)
    assert status == 0, printed
    assert "[PZ" not in printed


#: Pages whose failing examples need Dask.
ON_A_CLUSTER = {"PZ624", "PZ625"}


def index() -> str:
    """Return what docs/errors/README.md should say."""
    lines = [
        "# Errors and warnings",
        "",
        "Every diagnostic has a code, which is never used for anything else. Its page has an example that fails, and",
        "the same example mended.",
        "",
    ]
    for digit, title in STAGES.items():
        lines += [f"## {title}", ""]
        lines += [
            f"- [{code}]({code}.md){' (warning)' * (entry.severity.value == 'warning')}: {entry.title}"
            for code, entry in CODES.items()
            if code[2] == digit
        ]
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def test_the_index_lists_every_code() -> None:
    path = PAGES / "README.md"
    if os.environ.get("PUZZLEC_REGENERATE"):
        path.write_text(index(), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == index(), (
        "PUZZLEC_REGENERATE=1 pytest tests/test_error_pages.py writes it anew"
    )
