"""The command ``new`` as a user calls it, and the files that it writes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import puzzlec
from puzzlec import resources
from puzzlec.diagnostics import Report
from puzzlec.formats.catalogue import Entry, entries, files_beside, kinds, starting_file
from puzzlec.language.elaborate.statements import KEYWORDS
from tests.commands import run
from tests.test_architecture import test_commands_without_a_kernel_start_without_numba_and_numpy as starts_light

ENTRIES = {entry.name.removeprefix("new/"): entry for entry in entries() if entry.name.startswith("new/")}
NAMES = [kind.name for kind in kinds()]

#: An example in a comment: a statement after three spaces, then at least two spaces and its effect.
EXAMPLE = re.compile(rf"^#   ((?:{'|'.join(KEYWORDS)})\b.*(?:\n#    .*|\n#   \).*)*)", re.MULTILINE)


def examples() -> list[object]:
    found: list[object] = []
    for kind in NAMES:
        for match in EXAMPLE.finditer(starting_file(kind)):
            text = re.sub(r"^#   ", "", match.group(1), flags=re.MULTILINE)
            statement = text if "\n" in text else re.split("  +", text)[0]
            found.append(pytest.param(kind, statement, id=f"{kind}: {statement[:40]}"))
    return found


def test_the_kinds_are_listed_with_a_line_each() -> None:
    done = run("new")
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(ENTRIES)
    assert {"packing2d", "packing3d", "dominoes", "tiles", "latin", "queens", "sudoku", "cutting", "copies"} <= set(
        ENTRIES
    )
    for line in done.stdout.splitlines():
        assert len(line.split(None, 1)[1]) > 20
        assert len(line) <= 100


@pytest.mark.parametrize(("kind", "entry"), ENTRIES.items(), ids=ENTRIES)
def test_the_printed_puzzle_is_valid_and_has_the_count_of_the_catalogue(
    kind: str, entry: Entry, tmp_path: Path
) -> None:
    printed = run("new", kind)
    assert (printed.returncode, printed.stderr) == (0, "")
    text = entry.path.read_text(encoding="utf-8")
    assert printed.stdout == "".join(line for line in text.splitlines(True) if not line.startswith("expect "))
    assert len(printed.stdout) < len(text)  # a puzzle that you change has another number
    assert run("new", kind, "mine.puzzle", cwd=tmp_path).returncode == 0
    assert (tmp_path / "mine.puzzle").read_text(encoding="utf-8") == printed.stdout
    checked = run("check", "mine.puzzle", cwd=tmp_path)
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "mine.puzzle: no errors\n")
    counted = run("count", "mine.puzzle", cwd=tmp_path)
    assert counted.stdout == f"{entry.raw if entry.distinct is None else entry.distinct}\n"


@pytest.mark.parametrize("kind", NAMES)
def test_a_starting_file_is_short_and_its_lines_are_not_long(kind: str) -> None:
    lines = starting_file(kind).splitlines()
    assert 15 <= len(lines) <= 42
    assert max(map(len, lines)) <= 120
    assert lines[0].startswith("# ")


@pytest.mark.parametrize(("kind", "statement"), examples())
def test_a_statement_in_a_comment_can_be_used(
    kind: str, statement: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It replaces a statement with the same subject, if there is one.
    words = statement.split()
    said = words[0] if words[0] in ("locations", "empty", "wrap") else "nothing"
    if words[0] == "piece":
        said = " ".join(words[:2])
    text = re.sub(rf"^{re.escape(said)}\b.*\n(?:[ }})].*\n)*", "", starting_file(kind), flags=re.MULTILINE)
    for name, beside in files_beside(kind).items():
        (tmp_path / name).write_text(beside, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    report = Report()
    puzzlec.compile(puzzlec.parse(f"{text}\n{statement}\n"), stage="fitting", report=report)
    assert not report.diagnostics


def test_every_starting_file_proposes_something() -> None:
    proposing = {kind for kind in NAMES if EXAMPLE.search(starting_file(kind))}
    assert proposing == set(NAMES)


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("sudok", "did you mean `sudoku`?"),
        ("3d", "did you mean `packing3d`?"),
        ("PACKING2D", "did you mean `packing2d`?"),
        ("pentominos", "did you mean `packing2d`?"),
        ("xyzzy", "list the kinds with `puzzlec new`"),
    ],
)
def test_an_unknown_kind_is_an_error_with_a_hint(word: str, hint: str, tmp_path: Path) -> None:
    done = run("new", word, str(tmp_path / "mine.puzzle"))
    assert (done.returncode, done.stdout) == (1, "")
    assert f"unknown kind of puzzle `{word}`" in done.stderr
    assert hint in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_file_is_written_and_no_existing_file_is_overwritten(tmp_path: Path) -> None:
    target = tmp_path / "mine.puzzle"
    done = run("new", "latin", str(target))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert target.read_text(encoding="utf-8") == starting_file("latin")
    target.write_text("mine")
    done = run("new", "queens", str(target))
    assert (done.returncode, done.stdout) == (1, "")
    assert "already exists" in done.stderr
    assert "--force" not in done.stderr
    assert target.read_text() == "mine"


def test_a_place_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    assert "is a folder" in run("new", "latin", str(tmp_path)).stderr
    done = run("new", "latin", str(tmp_path / "missing" / "mine.puzzle"))
    assert done.returncode == 1
    assert "cannot write" in done.stderr


def test_every_file_of_the_folder_is_a_kind() -> None:
    folder = resources.folder("puzzles") / "new"
    assert {path.stem for path in folder.glob("*.puzzle")} == set(NAMES)
    beside = {name for kind in NAMES for name in files_beside(kind)}
    assert {path.name for path in folder.iterdir() if path.suffix != ".puzzle"} == beside == {"wall.yaml"}


def test_the_lattice_of_a_starting_file_is_written_beside_it_and_overwrites_none(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    done = run("new", "lattice", "deep/mine.puzzle", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert "wrote deep/wall.yaml, which deep/mine.puzzle needs" in done.stderr
    wall = tmp_path / "deep" / "wall.yaml"
    assert wall.read_text(encoding="utf-8") == files_beside("lattice")["wall.yaml"]
    assert run("check", "deep/mine.puzzle", cwd=tmp_path).returncode == 0
    wall.write_text("summary: mine\n")
    done = run("new", "lattice", "deep/other.puzzle", cwd=tmp_path)
    assert done.returncode == 0
    assert "wall.yaml already exists and is unchanged" in done.stderr
    assert wall.read_text() == "summary: mine\n"


@pytest.mark.parametrize("arguments", [["new"], ["new", "sudoku"]])
def test_it_starts_without_numba_and_numpy(arguments: list[str]) -> None:
    starts_light(arguments)


def test_the_burr_comes_apart_with_the_level_in_its_title() -> None:
    done = run("disassemble", "new/burr")
    assert (done.returncode, done.stdout) == (0, "assembly 2: level 6.4, 13 moves\n")
    assert ENTRIES["burr"].level == "6.4"
    assert ENTRIES["burr"].title.endswith("level 6.4")
