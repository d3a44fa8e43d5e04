"""``puzzlec fmt`` as a user calls it: the files that it writes, its output, and that it never loses a text."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from puzzlec import resources
from puzzlec.cli import fmt
from puzzlec.diagnostics import PuzzleError
from tests.commands import ENVIRONMENT, command, run

UGLY = 'puzzle   "Ä"  \r\nlocations box 4x1#four\npiece D fixed x2 {xx}'
NICE = 'puzzle "Ä"\nlocations box 4x1  #four\npiece D x2 fixed { xx }\n'
FAULTY = "locations box\npieces\n"


@pytest.fixture
def ugly(tmp_path: Path) -> Path:
    path = tmp_path / "ugly.puzzle"
    path.write_bytes(UGLY.encode())
    return path


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_file_is_formatted_in_place_and_keeps_its_mode(ugly: Path) -> None:
    ugly.chmod(0o640)
    done = run("fmt", str(ugly))
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.splitlines() == [f"reformatted {ugly}", "1 file reformatted"]
    assert content(ugly.parent) == {"ugly.puzzle": NICE.encode()}
    assert ugly.stat().st_mode & 0o777 == 0o640


def test_a_canonical_file_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "nice.puzzle"
    path.write_text(NICE, encoding="utf-8")
    os.utime(path, (1, 1))
    inode = path.stat().st_ino
    done = run("fmt", str(path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "1 file unchanged\n")
    assert (path.stat().st_mtime, path.stat().st_ino) == (1, inode)


@pytest.mark.parametrize("other", ["\ufeff" + NICE, NICE.replace("\n", "\r\n"), NICE.rstrip("\n")])
def test_byte_order_mark_line_ends_and_the_last_newline_count(other: str, tmp_path: Path) -> None:
    path = tmp_path / "other.puzzle"
    path.write_bytes(other.encode())
    assert run("fmt", "--check", str(path)).returncode == 1
    assert run("fmt", str(path)).returncode == 0
    assert path.read_bytes() == NICE.encode()


def test_a_link_still_leads_to_its_file(ugly: Path) -> None:
    link = ugly.with_name("link.puzzle")
    link.symlink_to(ugly)
    assert run("fmt", str(link), str(ugly)).stderr.splitlines()[1] == "1 file reformatted"
    assert link.is_symlink()
    assert ugly.read_bytes() == NICE.encode()


def test_check_names_files_that_would_change_and_writes_nothing(ugly: Path) -> None:
    nice = ugly.with_name("nice.puzzle")
    nice.write_text(NICE, encoding="utf-8")
    before = content(ugly.parent)
    done = run("fmt", "--check", str(ugly), str(nice))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        f"would reformat {ugly}",
        "1 file would be reformatted, 1 file unchanged",
    ]
    assert run("fmt", "--check", str(nice)).returncode == 0
    assert content(ugly.parent) == before


def test_diff_prints_a_patch_with_the_changes_of_fmt(ugly: Path) -> None:
    before = content(ugly.parent)
    done = subprocess.run(
        [sys.executable, "-m", "puzzlec", "fmt", "--diff", "ugly.puzzle"],
        cwd=ugly.parent, capture_output=True, env=ENVIRONMENT | {"PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip
    assert done.returncode == 1
    assert content(ugly.parent) == before
    lines = done.stdout.decode().split("\n")
    assert lines[:2] == ["--- ugly.puzzle", "+++ ugly.puzzle"]
    assert '-puzzle   "Ä"  \r' in lines
    assert (
        lines[-4:] == ["\\ No newline at end of file", '+puzzle "Ä"', *lines[-2:]]
        or "+piece D x2 fixed { xx }" in lines
    )
    new = "".join(line[1:] + "\n" for line in lines if line[:1] in ("+", " ") and not line.startswith("+++"))
    assert new == NICE


def test_a_dash_is_a_filter() -> None:
    done = run("fmt", "-", stdin=UGLY)
    assert (done.returncode, done.stdout, done.stderr) == (0, NICE, "")
    assert run("fmt", "-", stdin=NICE).stdout == NICE
    done = run("fmt", "-", "--check", stdin=UGLY)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "would reformat <stdin>\n")
    done = run("fmt", "-", "--diff", stdin=NICE)
    assert (done.returncode, done.stdout) == (0, "")


def test_a_folder_means_all_puzzles_below_it(ugly: Path) -> None:
    below = ugly.parent / "a" / "b"
    below.mkdir(parents=True)
    (below / "c.puzzle").write_text(UGLY)
    (below / "notes.txt").write_text(UGLY)
    (below / "d.puzzle").mkdir()
    done = run("fmt", str(ugly.parent), str(ugly))
    assert (done.returncode, done.stderr.splitlines()[-1]) == (0, "2 files reformatted")
    assert (below / "c.puzzle").read_bytes() == NICE.encode()
    assert "puzzle   " in (below / "notes.txt").read_text()
    assert run("fmt", str(below / "d.puzzle")).stderr == "no files to format\n"


def test_a_file_with_errors_stays_as_it_is_and_the_others_are_formatted(ugly: Path) -> None:
    faulty = ugly.with_name("faulty.puzzle")
    faulty.write_text(FAULTY)
    done = run("fmt", str(faulty), str(ugly))
    assert done.returncode == 1
    assert done.stderr.count("error[PZ101]") == 2  # all in one run
    assert done.stderr.splitlines()[-1] == "1 file reformatted, 1 file with errors"
    assert faulty.read_text() == FAULTY
    assert ugly.read_bytes() == NICE.encode()


@pytest.mark.parametrize(
    ("name", "text", "code", "hint"),
    [
        ("some.dpf", "1 1 1 1 0", "PZ502", "convert"),
        ("numbers", "hello, world", "PZ004", ".puzzle"),
        ("binary.puzzle", "\udcff", "PZ002", "UTF-8"),
        ("empty.puzzle", " \n", "PZ003", "empty"),
        ("missing.puzzle", None, "PZ001", "no such file"),
    ],
)
def test_a_text_in_another_format_is_refused(name: str, text: str | None, code: str, hint: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if text is not None:
        path.write_bytes(text.encode(errors="surrogateescape"))
    before = content(tmp_path)
    done = run("fmt", str(path))
    assert (done.returncode, done.stdout) == (1, "")
    assert code in done.stderr
    assert hint in done.stderr
    assert "Traceback" not in done.stderr
    assert content(tmp_path) == before


def test_errors_on_standard_input_prevent_output() -> None:
    done = run("fmt", "-", stdin="hello, world\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert "<stdin>:1:1" in done.stderr


def test_without_a_file_it_is_wrong_usage() -> None:
    assert run("fmt").returncode == 2


def test_a_file_that_changed_meanwhile_is_kept(ugly: Path) -> None:
    with pytest.raises(PuzzleError, match="PZ005"):
        fmt.replace(ugly, b"what was read", NICE.encode())
    assert content(ugly.parent) == {"ugly.puzzle": UGLY.encode()}


def test_a_write_that_fails_leaves_the_old_text_and_nothing_else(ugly: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PuzzleError, match="no space left"):
        fmt.replace(ugly, UGLY.encode(), NICE.encode())
    assert content(ugly.parent) == {"ugly.puzzle": UGLY.encode()}


@pytest.mark.long
def test_every_puzzle_of_the_catalogue_is_canonical() -> None:
    done = run("fmt", "--check", str(resources.folder("puzzles")))
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_the_error_for_a_text_of_another_kind_is_that_of_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text, code in (
        ("a.puzzle", "<?xml version='1.0'?>\n<puzzle version='2'><shapes/></puzzle>\n", "PZ107"),
        ("c.puzzle", "<other/>\n", "PZ004"),
    ):
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        said = {word: command(capsys, monkeypatch, word, str(file))[2] for word in ("check", "fmt")}
        first = {word: text.split("\n")[0] for word, text in said.items()}
        assert f"error[{code}]" in first["check"], said
        assert first["fmt"] == first["check"]
