"""Every block of the documentation is run: puzzles compile, Python runs, terminals show what is printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import puzzlec
from puzzlec.diagnostics import Report, Source
from puzzlec.readers import read

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
FORMATS = {"puzzle": None, "dpf": None, "compact": None, "board": None, "xml": "5x1", "offsets": "5x1"}
SECONDS = re.compile(r"in \d+\.\d\d s")


def blocks(page: Path) -> Iterator[tuple[str, str, int]]:
    """The fenced blocks of a page: language, text, line."""
    text = page.read_text(encoding="utf-8")
    for match in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield match.group(1), match.group(2), text.count("\n", 0, match.start()) + 1


def cases(*languages: str) -> list[object]:
    return [
        pytest.param(page, language, text, id=f"{page.name}:{line}")
        for page in PAGES
        for language, text, line in blocks(page)
        if language in languages
    ]


@pytest.mark.parametrize(("page", "language", "text"), cases(*FORMATS))
def test_a_puzzle_in_the_docs_compiles_without_a_complaint(page: Path, language: str, text: str) -> None:
    report = Report()
    what = read(Source(f"block.{language}", text), None, report, FORMATS[language])
    puzzlec.compile(what, "cover", report)
    assert not report.diagnostics, list(map(str, report.diagnostics))


@pytest.mark.parametrize(("page", "language", "text"), cases("python"))
def test_python_in_the_docs_runs(page: Path, language: str, text: str) -> None:
    exec(compile(text, str(page), "exec"), {"__name__": "docs"})


@pytest.mark.parametrize("page", [page for page in PAGES if "```console" in page.read_text(encoding="utf-8")], ids=str)
def test_terminal_sessions_in_the_docs_show_what_a_terminal_shows(page: Path, tmp_path: Path) -> None:
    for language, text, line in blocks(page):
        if language == "puzzle":  # "save this as ..."
            before = page.read_text(encoding="utf-8").split(text)[0]
            named = re.findall(r"`([\w-]+\.puzzle)`", before)
            if named:
                (tmp_path / named[-1]).write_text(text)
        if language == "console":
            for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
                shown = SECONDS.sub("in 0.00 s", _terminal(command, tmp_path))
                pattern = re.escape(SECONDS.sub("in 0.00 s", expected))
                pattern = re.sub(r"(?m)^\\\.\\\.\\\.\\?\n", r"(?:.*\\n)*", pattern)
                assert re.fullmatch(pattern, shown), f"{page.name}:{line}: $ {command}\n{shown}"


def _terminal(command: str, folder: Path) -> str:
    """Return what a command prints, standard output and error together, as a terminal of 80 columns would show it."""
    beside = Path(sys.executable).parent
    environment = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "PUZZLEC_DEBUG")}
    environment |= {"PATH": f"{beside}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "80", "PYTHONUNBUFFERED": "1"}
    done = subprocess.run(
        command, shell=True, cwd=folder, env=environment, timeout=120,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    return done.stdout


def test_links_in_the_docs_lead_somewhere() -> None:
    for page in [*PAGES, *(ROOT / "docs").rglob("*.md"), ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page}: {target}"


def test_the_language_page_names_every_library_and_lattice() -> None:
    from puzzlec.geometry import lattice_names, library_names

    page = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in page for name in (*library_names(), *lattice_names()))


def test_a_count_of_the_docs_is_right() -> None:
    # docs/formats.md says that its sticks have 3 solutions
    texts = [text for language, text, _ in blocks(ROOT / "docs" / "formats.md") if language == "dpf"]
    assert [puzzlec.count(puzzlec.parse(text, "dpf")) for text in texts] == [3]


def test_the_readme_command_for_the_tests_is_what_ci_runs() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(r"<!-- test command -->\n```sh\n.*pytest.*\n```", readme)
    assert "<!-- test command -->" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
