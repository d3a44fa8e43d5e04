"""Every block of the documentation is run: puzzles compile, Python runs, terminals show what is printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from _pytest.mark import ParameterSet

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.readers import read

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
FORMATS = {
    "puzzle": None,
    "dpf": None,
    "compact": None,
    "board": None,
    "xml": "5x1",
    "offsets": "5x1",
    "polyform": None,
    "soma": None,
    "cells": "3x3x3",
    "dlx": None,
    "rows": None,
    "numeric": None,
    "polycube": None,
    "xmpuzzle": None,
    "json": None,
}
SECONDS = re.compile(r"in \d+\.\d\d s(?:, some of it to compile the kernels, once on this machine)?")


class Block(NamedTuple):
    """A fenced block of a page, with what the HTML comments on the lines before it say.

    ``<!-- count: 65, raw: 520 -->`` and ``<!-- count: 14200 with n=12 -->`` say how many solutions it has,
    ``<!-- fails: PZ401 PZ303 -->`` that it has these faults, ``<!-- file: a.puzzle -->`` that a reader saves it under
    this name, and ``<!-- add to: a.puzzle -->`` that it is added to that file.
    """

    language: str
    text: str
    line: int
    notes: tuple[str, ...]

    def said(self, what: str) -> list[str]:
        """Return what the comments say behind a word and a colon."""
        return [note.split(": ", 1)[1] for note in self.notes if note.startswith(f"{what}: ")]


def blocks(page: Path) -> Iterator[Block]:
    """Give the fenced blocks of a page."""
    text = page.read_text(encoding="utf-8")
    for match in re.finditer(r"((?:^<!--[^\n]*-->\n)*)^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        notes = [note for comment in re.findall(r"<!-- (.*?) -->", match.group(1)) for note in comment.split(", ")]
        yield Block(match.group(2), match.group(3), text.count("\n", 0, match.start(2)) + 1, tuple(notes))


def cases(*languages: str) -> list[ParameterSet]:
    return [
        pytest.param(page, block, id=f"{page.name}:{block.line}")
        for page in PAGES
        for block in blocks(page)
        if block.language in languages and not block.said("add to")
    ]


@pytest.mark.parametrize(("page", "block"), cases(*FORMATS))
def test_a_puzzle_in_the_docs_compiles_without_a_complaint(
    page: Path, block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(with_lattices(page, tmp_path))
    report = Report()
    try:
        what = read(Source(f"block.{block.language}", block.text), None, report, FORMATS[block.language])
        if block.language == "puzzle":
            puzzlec.check(what, report)
        else:
            puzzlec.compile(what, "cover", report)
        shown = list(map(str, report.diagnostics))
    except PuzzleError as error:
        shown = list(map(str, error.diagnostics))
    expected = [code for codes in block.said("fails") for code in codes.split()]
    assert sorted(re.findall(r"\[(PZ\d+)\]", " ".join(shown))) == sorted(expected), shown


def with_lattices(page: Path, folder: Path) -> Path:
    """Return a folder, into which the lattices of a page are written that a reader saves, too."""
    for block in blocks(page):
        if block.language == "yaml":
            for name in block.said("file"):
                (folder / name).write_text(block.text, encoding="utf-8")
    return folder


def counted() -> list[ParameterSet]:
    """Return all numbers of solutions that the docs state: page, block, whether raw ones, number, parameters."""
    found = []
    for page in PAGES:
        for block in blocks(page):
            for what in ("count", "raw"):
                for note in block.said(what):
                    number, *given = re.split(r" with |=", note)
                    name = f"{page.name}:{block.line}:{note.replace(' ', '-')}"
                    parameters = dict(zip(given[::2], map(int, given[1::2]), strict=True))
                    found.append(pytest.param(page, block, what == "raw", int(number), parameters, id=name))
    return found


@pytest.mark.parametrize(("page", "block", "raw", "number", "parameters"), counted())
def test_a_puzzle_in_the_docs_has_as_many_solutions_as_they_say(
    page: Path,
    block: Block,
    raw: bool,
    number: int,
    parameters: dict[str, int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(with_lattices(page, tmp_path))
    puzzle = puzzlec.parse(block.text, block.language, parameters=parameters)
    assert puzzlec.count(puzzle, raw) == number
    # What the test is told in a comment, the reader is told, too.
    visible = re.sub(r"(?s)<!--.*?-->|```.*?```", "", page.read_text(encoding="utf-8"))
    assert re.search(rf"\b{number}\b", visible)


@pytest.mark.parametrize(("page", "block"), cases("python"))
def test_python_in_the_docs_runs(page: Path, block: Block) -> None:
    exec(compile(block.text, str(page), "exec"), {"__name__": "docs"})


@pytest.mark.parametrize("page", [page for page in PAGES if "```console" in page.read_text(encoding="utf-8")], ids=str)
def test_terminal_sessions_in_the_docs_show_what_a_terminal_shows(page: Path, tmp_path: Path) -> None:
    with_lattices(page, tmp_path)
    for block in blocks(page):
        if block.language == "puzzle" or block.said("file"):
            added = block.said("add to")
            (name,) = added or block.said("file") or [named_before(block, page)]
            with (tmp_path / name).open("a" if added else "w", encoding="utf-8") as file:
                file.write(block.text)
        if block.language == "console":
            for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE):
                shown = SECONDS.sub("in 0.00 s", _terminal(command, tmp_path))
                pattern = re.escape(SECONDS.sub("in 0.00 s", expected))
                pattern = re.sub(r"(?m)^\\\.\\\.\\\.\\?\n", r"(?:.*\\n)*", pattern)
                assert re.fullmatch(pattern, shown), f"{page.name}:{block.line}: $ {command}\n{shown}"


def named_before(block: Block, page: Path) -> str:
    """Return the file name that a page mentions last before a block: "save this as ..."."""
    before = page.read_text(encoding="utf-8").split(block.text)[0]
    names: list[str] = ["unnamed.puzzle", *re.findall(r"`([\w-]+\.puzzle)`", before)]
    return names[-1]


def _terminal(command: str, folder: Path) -> str:
    """Return what a command prints, standard output and error together, as a terminal of 80 columns would show it."""
    beside = Path(sys.executable).parent
    environment = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "PUZZLEC_DEBUG")}
    environment |= {"PATH": f"{beside}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "80", "PYTHONUNBUFFERED": "1"}
    done = subprocess.run(
        command, shell=True, cwd=folder, env=environment, timeout=120,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    return str(done.stdout)


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
    texts = [block.text for block in blocks(ROOT / "docs" / "formats.md") if block.language == "dpf"]
    assert [puzzlec.count(puzzlec.parse(text, "dpf")) for text in texts] == [3]


def test_the_readme_command_for_the_tests_is_what_ci_runs() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(r"<!-- test command -->\n```sh\n.*pytest.*\n```", readme)
    assert "<!-- test command -->" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
