"""Every code has a page: its example prints exactly the output on the page, and its fixed example prints no diagnostic.

`PUZZLEC_REGENERATE=1 pytest tests/test_error_pages.py` writes titles and output of the examples again.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from puzzlec.diagnostics import CODES
from puzzlec.diagnostics.codes import NO_SOLUTION_CODES
from puzzlec.explaining.codes import error_page
from tests.commands import ENVIRONMENT, shell

PAGES = Path(__file__).parents[1] / "docs" / "errors"
STAGES = {
    "0": "Files and their names",
    "1": "The form of a `.puzzle` text",
    "2": "The form of other formats",
    "3": "What a puzzle says",
    "4": "Puzzles that cannot have a solution",
    "5": "Puzzles that a format cannot express",
    "6": "Stored and external solutions, and long searches",
    "7": "Taking assemblies apart",
}


class Example(NamedTuple):
    """An example of a page: its format and text, the typed command, and its output in the terminal.

    A comment ``<!-- before: COMMANDS -->`` has commands that prepare the example, such as a damaged file. After
    ``<!-- first line -->`` only the first line of the output is shown.
    """

    language: str
    text: str
    command: str
    shown: str
    before: str = ""
    is_cut: bool = False


def examples(code: str) -> tuple[Example, Example]:
    """Return the failing and the fixed example of a page. Parts that the second leaves out are those of the first."""
    page = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    fails, fixed = page.split("## Example\n")[1].split("## Fix\n")
    found: list[Example] = []
    for part in (fails, fixed):
        text = re.search(r"```(?!console)(\w+)\n(.*?)```", part, re.DOTALL)
        typed = re.search(r"```console\n\$ (.*?)(?:\n(?=error|warning|note|```)(.*?))?```", part, re.DOTALL)
        prepared = re.search(r"(?m)^<!-- before: (.*) -->\n(?:<!--.*-->\n)*```console", part)
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
                prepared.group(1) if prepared else "",
                "<!-- first line -->\n```console" in part,
            )
        )
    return found[0], found[1]


def shown(example: Example, folder: Path) -> tuple[int, str]:
    """Return the exit status of an example's command, and what it prints to standard error."""
    if example.language:
        (folder / f"example.{example.language}").write_text(example.text, encoding="utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = f"{example.before}; {example.command}" if example.before else example.command
    done = shell(command, folder, {**ENVIRONMENT, "PATH": path})
    return done.returncode, done.stderr.partition("\n")[0] if example.is_cut else done.stderr


def test_readers_see_only_what_they_would_type() -> None:
    """Whatever prepares an example is in a comment."""
    pattern = re.compile(r"(?m)^\$ (?:true;|.*(?:python -c|PYTHONPATH|sitecustomize|stand-in|2>&1)).*")
    seen = {code: pattern.findall((PAGES / f"{code}.md").read_text("utf-8")) for code in CODES}
    assert {code: found for code, found in seen.items() if found} == {}
    assert "<!--" not in error_page("PZ640")


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert {path.stem for path in PAGES.glob("PZ*.md")} == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_the_page_has_the_title_of_the_code(code: str) -> None:
    page = PAGES / f"{code}.md"
    text = page.read_text(encoding="utf-8")
    title = f"# {code}: {CODES[code].title}"
    if os.environ.get("PUZZLEC_REGENERATE"):
        text = title + text[text.index("\n") :]
        page.write_text(text, encoding="utf-8")
    assert text.splitlines()[0] == title


@pytest.mark.parametrize("code", CODES)
def test_the_failing_example_fails_as_shown(code: str, tmp_path: Path) -> None:
    example, _ = examples(code)
    if code in ON_A_CLUSTER:
        pytest.importorskip("distributed")
    status, printed = shown(example, tmp_path)
    if os.environ.get("PUZZLEC_REGENERATE"):
        example = replace_output(code, example, printed.rstrip("\n"))
    assert printed.rstrip("\n") == example.shown, "PUZZLEC_REGENERATE=1 writes it again"
    assert set(re.findall(r"^(?:error|warning|note)\[(PZ\d+)\]", printed, re.MULTILINE)) == {code}
    of_an_error = 3 if code in NO_SOLUTION_CODES else 1
    assert status == (4 if code in AT_A_LIMIT else of_an_error if CODES[code].severity.value == "error" else 0)


def replace_output(code: str, example: Example, printed: str) -> Example:
    """Write the output of the failing example into its page."""
    page = PAGES / f"{code}.md"
    before, fails, fixed = re.split(r"(?m)(?=^## (?:Example|Fix)$)", page.read_text(encoding="utf-8"))
    page.write_text(before + with_output(fails, example.shown, printed) + fixed, encoding="utf-8")
    return example._replace(shown=printed)


def with_output(text: str, old: str, new: str) -> str:
    """Return an example with a new output. If the old one is empty, the new one goes to the end of the session."""
    if old:
        return text.replace(old, new, 1)
    return re.sub(r"(```console\n.*?)```", lambda session: f"{session[1]}{new}\n```", text, count=1, flags=re.DOTALL)


def test_an_output_is_written_once() -> None:
    text = "Text.\n```console\n$ puzzlec check a\n```\nMore.\n"
    filled = text.replace("check a\n", "check a\nerror[PZ001]: b\n")
    assert with_output(text, "", "error[PZ001]: b") == filled
    assert with_output(filled, "error[PZ001]: b", "error[PZ001]: c") == filled.replace(": b", ": c")


@pytest.mark.parametrize("code", CODES)
def test_the_fixed_example_raises_no_complaint(code: str, tmp_path: Path) -> None:
    _, example = examples(code)
    status, printed = shown(example, tmp_path)
    assert status == 0, printed
    assert "[PZ" not in printed


#: A search that a limit ends has the status of the limit.
AT_A_LIMIT = {"PZ383", "PZ635"}

#: Pages whose failing examples need Dask.
ON_A_CLUSTER = {"PZ624", "PZ625", "PZ647"}


def index() -> str:
    """Return the expected text of docs/errors/README.md."""
    lines = [
        "# Errors and warnings",
        "",
        "Every error and warning has a code that is never used for anything else. Its page shows an example with the",
        "problem, and the same example without it.",
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
        "PUZZLEC_REGENERATE=1 pytest tests/test_error_pages.py writes it again"
    )


def followed(example: Example) -> str | None:
    """Return the text of an example after its only suggestion, "write `X`" or "write `X` instead of `Y`"."""
    helps = re.findall(r"(?m)^ *= help: (.*)$", example.shown)
    place = re.search(r"(?m)^ *--> example\.\w+:(\d+):(\d+)$", example.shown)
    found = re.fullmatch(r"write `([^`]+)`(?: instead of `([^`]+)`)?", helps[0]) if len(helps) == 1 else None
    marks = re.findall(r"(?m)^ *\| *(\^+)", example.shown)
    if not found or not place or len(marks) != 1:
        return None
    lines = example.text.split("\n")
    line, column = int(place[1]) - 1, int(place[2]) - 1
    whole, end = lines[line], column + len(marks[0])
    if example.language == "puzzle" and found[1].split()[0] == whole.split()[0]:
        lines[line] = found[1]
    elif found[2]:
        lines[line] = whole[:column] + whole[column:].replace(found[2], found[1], 1)
    else:
        lines[line] = whole[:column] + found[1] + whole[end:]
    return "\n".join(lines)


#: Suggestions that replace more than the marked words. tests/language/test_mistakes.py follows those.
LONGER = {"PZ102", "PZ103", "PZ351"}

FOLLOWED = [code for code in CODES if code not in LONGER and followed(examples(code)[0]) is not None]


@pytest.mark.parametrize("code", FOLLOWED)
def test_the_suggestion_on_a_page_works_when_it_is_typed(code: str, tmp_path: Path) -> None:
    example, _ = examples(code)
    status, printed = shown(example._replace(text=followed(example) or ""), tmp_path)
    assert (status, "[PZ" in printed) == (0, False), printed
