"""Every block of the documentation is run: puzzles compile, Python runs, terminals show what is printed.

`PUZZLEC_REGENERATE=1 pytest tests/test_docs.py` writes the output of terminal sessions again. Read the difference.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.formats.reading import read
from tests.commands import shell
from tests.docs_blocks import DOCTEST, DONE, ERRORS, FORMATS, MADE, PAGES, PLAIN, ROOT, SHELLS, Block, blocks

SECONDS = re.compile(r"in \d+\.\d\d s(?:, including a one-time compilation)?| +\d+\.\d\d(?=  agrees)")


def cases(*languages: str) -> list[ParameterSet]:
    return [
        pytest.param(page, block, id=f"{page.name}:{block.line}", marks=[pytest.mark.slow] * ("slow" in block.notes))
        for page in PAGES
        for block in blocks(page)
        if block.language in languages and block.done != PLAIN and not block.said("add to")
    ]


@pytest.mark.parametrize(("page", "block"), cases(*FORMATS))
def test_a_puzzle_in_the_docs_compiles_without_a_diagnostic(
    page: Path, block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(with_files(page, tmp_path))
    report = Report()
    try:
        what = read(Source(f"block.{block.language}", block.text), None, report, FORMATS[block.language])
        if block.language == "puzzle":
            puzzlec.check(what, report=report)
        else:
            puzzlec.compile(what, report=report)
        shown = list(map(str, report.diagnostics))
    except PuzzleError as error:
        shown = list(map(str, error.diagnostics))
    expected = [code for codes in block.said("fails") for code in codes.split()]
    assert sorted(re.findall(r"\[(PZ\d+)\]", " ".join(shown))) == sorted(expected), shown


def with_files(page: Path, folder: Path) -> Path:
    """Return a folder with the lattices and puzzles of a page that a reader saves."""
    for block in blocks(page):
        if block.language in ("yaml", "puzzle"):
            for name in block.said("file"):
                (folder / name).write_text(block.text, encoding="utf-8")
    return folder


def counted() -> list[ParameterSet]:
    """Return all numbers of solutions that the docs state: page, block, whether they are raw, number, parameters."""
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
def test_a_puzzle_in_the_docs_has_the_stated_number_of_solutions(
    page: Path,
    block: Block,
    raw: bool,
    number: int,
    parameters: dict[str, int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(with_files(page, tmp_path))
    puzzle = puzzlec.parse(block.text, format=block.language, parameters=parameters)
    assert puzzlec.count(puzzle, symmetry="none" if raw else "all") == number
    # The number in the comment is also in the text that the reader sees.
    visible = re.sub(r"(?s)<!--.*?-->|```.*?```|(?<=\d),(?=\d{3}\b)", "", page.read_text(encoding="utf-8"))
    assert re.search(rf"\b{number}\b", visible)


@pytest.mark.parametrize(("page", "block"), cases("python"))
def test_python_in_the_docs_runs(page: Path, block: Block) -> None:
    for module in block.said("needs"):
        pytest.importorskip(module)
    # Lines are counted from the top of the page, so that a traceback shows the right ones.
    exec(compile("\n" * block.line + block.text, str(page), "exec"), {"__name__": "docs"})


def programs() -> Iterator[tuple[str, str]]:
    """Yield each Python example of the pages as a program, with a name. Examples of docstrings import their module."""
    for page in (*PAGES, *ERRORS):
        for block in blocks(page):
            text, name = block.text, "_".join(page.relative_to(ROOT).with_suffix("").parts).replace("-", "_")
            if block.language == "pycon":
                head = "\n".join(page.read_text(encoding="utf-8").splitlines()[: block.line])
                module = re.findall(r"(?m)^### `(puzzlec(?:\.engine)?)\.\w+`", head)[-1]
                sources = [example.source for example in doctest.DocTestParser().get_examples(text)]
                text = f"from {module} import *\n" + "".join(sources)
            elif block.language != "python" or block.done == PLAIN:
                continue
            yield f"{name}_{block.line}", text


def test_each_python_example_passes_a_strict_type_checker(tmp_path: Path) -> None:
    """Readers copy the examples of all pages, also those of docstrings, into typed programs."""
    pytest.importorskip("mypy")
    examples = dict(programs())
    assert len(examples) > 100
    for name, text in examples.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("page", "block"), cases(*SHELLS))
def test_shell_commands_in_the_docs_end_well(page: Path, block: Block, tmp_path: Path) -> None:
    for program in block.said("needs"):
        if not shutil.which(program, path=environment()["PATH"]):
            pytest.skip(f"{program} is not installed")
    for before in blocks(page):
        if before.line < block.line:
            save(page, before, tmp_path)
    left_out = tuple(block.said("leave out"))
    lines = [line for line in block.text.splitlines() if not left_out or not line.startswith(left_out)]
    assert len(block.text.splitlines()) - len(lines) >= len(left_out), "the text to leave out is missing"
    status, shown = run("set -e\n" + "\n".join(lines), tmp_path)
    assert status == 0, shown


def test_every_block_is_of_a_kind_that_is_tested() -> None:
    for page in (*PAGES, *ERRORS):
        found = list(blocks(page))
        fences = re.findall(r"(?m)^ *(?:```|~~~)", page.read_text(encoding="utf-8"))
        assert len(fences) == 2 * len(found), f"{page}: a block is indented, or has no language"
        assert {block.language for block in found} <= DONE.keys(), page
        assert all(len(reason) > 5 for block in found for reason in block.said("not run")), page
        assert all(len(block.said("not run")) < 2 for block in found), f"{page}: one reason is enough"
        made = any(block.done in (MADE, DOCTEST) for block in found)
        makers = page in ERRORS or page.name == "api.md" or page.parent.name in ("formats", "language")
        assert not made or makers, f"{page}: no test compares its blocks with what is made"
        commands = [block for block in found if block.language in SHELLS and block.done == PLAIN]
        assert all(block.said("not run") for block in commands), f"{page}: `<!-- run -->`, or `<!-- not run: why -->`"


@pytest.mark.parametrize("page", [page for page in PAGES if "```console" in page.read_text(encoding="utf-8")], ids=str)
def test_terminal_sessions_in_the_docs_show_the_real_output(page: Path, tmp_path: Path) -> None:
    with_files(page, tmp_path)
    for number, block in enumerate(list(blocks(page))):
        save(page, block, tmp_path)
        if block.language == "console" and block.done != PLAIN:
            for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE):
                printed = run(command, tmp_path)[1]
                assert "error[PZ001]" not in printed, f"{page.name}:{block.line}: no block saves the file of: {command}"
                shown = SECONDS.sub("in 0.00 s", printed)
                pattern = re.escape(SECONDS.sub("in 0.00 s", expected))
                pattern = re.sub(r"(?m)^\\\.\\\.\\\.\\?\n", r"(?:.*\\n)*", pattern)
                if os.environ.get("PUZZLEC_REGENERATE") and not re.fullmatch(pattern, shown):
                    replace_output(page, number, f"$ {command}\n", expected, printed)
                    continue
                place = f"{page.name}:{block.line}: PUZZLEC_REGENERATE=1 writes this again"
                assert re.fullmatch(pattern, shown), f"{place}\n$ {command}\n{shown}"


def replace_output(page: Path, number: int, command: str, expected: str, shown: str) -> None:
    """Write what a command prints into a block of a page, unless the page leaves out a part of it."""
    assert not re.search(r"(?m)^\.\.\.$", expected), f"{page.name}: edit the output of `{command}` by hand\n{shown}"
    text = page.read_text(encoding="utf-8")
    start = len("".join(text.splitlines(True)[: list(blocks(page))[number].line]))
    page.write_text(text[:start] + text[start:].replace(command + expected, command + shown, 1), encoding="utf-8")


def save(page: Path, block: Block, folder: Path) -> None:
    """Save a block where the reader of a page saves it, if it is a puzzle or the page names a file for it."""
    if block.language == "puzzle" or block.said("file"):
        added = block.said("add to")
        (name,) = added or block.said("file") or [named_before(block, page)]
        with (folder / name).open("a" if added else "w", encoding="utf-8") as file:
            file.write(block.text)


def named_before(block: Block, page: Path) -> str:
    """Return the file name that a page mentions last before a block: "save this as ..."."""
    before = page.read_text(encoding="utf-8").split(block.text)[0]
    names: list[str] = ["unnamed.puzzle", *re.findall(r"`([\w-]+\.puzzle)`", before)]
    return names[-1]


def environment() -> dict[str, str]:
    """Return the environment of a terminal of 80 columns, in which puzzlec and what is installed with it are found."""
    kept = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "PUZZLEC_DEBUG")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return kept | {"PATH": path, "COLUMNS": "80", "PYTHONUNBUFFERED": "1"}


def run(command: str, folder: Path) -> tuple[int, str]:
    """Return the exit status of a command and what it prints, standard output and error together."""
    done = shell(command, folder, environment(), together=True)
    return done.returncode, done.stdout + done.stderr


def test_links_in_the_docs_lead_somewhere() -> None:
    for page in [*PAGES, *(ROOT / "docs").rglob("*.md"), ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page}: {target}"


def test_the_page_of_puzzles_names_every_library_and_lattice() -> None:
    from puzzlec.geometry import lattice_names, library_names

    page = (ROOT / "docs" / "language" / "puzzles.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in page for name in (*library_names(), *lattice_names()))


def test_a_count_of_the_docs_is_right() -> None:
    # docs/formats/faase.md says that its sticks have 3 solutions
    texts = [block.text for block in blocks(ROOT / "docs" / "formats" / "faase.md") if block.language == "dpf"]
    assert [puzzlec.count(puzzlec.parse(text, format="dpf")) for text in texts] == [3]


def test_the_readme_command_for_the_tests_is_what_ci_runs() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(r"<!-- test command -->\n```sh\n.*pytest.*\n```", readme)
    assert "<!-- test command -->" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "decisions").glob("0*.md")), ids=lambda path: path.stem)
def test_a_decision_has_a_number_a_topic_and_a_date_and_is_in_the_index(path: Path) -> None:
    title, blank, date, after, *rest = path.read_text(encoding="utf-8").splitlines()
    number, _, name = title.removeprefix("# ").partition(" ")
    assert number == path.name[:3]
    assert re.fullmatch(r"[A-Z`][^:]*: \S.*", name), "write the topic, a colon and the decision"
    assert not blank
    assert re.fullmatch(r"Date: \d{4}-\d\d-\d\d", date)
    assert not after
    headings = [line for line in rest if line.startswith("## ")]
    assert "**Status" not in rest[0]
    assert "## Context" not in headings
    index = (ROOT / "docs" / "decisions" / "README.md").read_text(encoding="utf-8")
    assert f"| [{number}]({path.name}) | {name} |" in index
