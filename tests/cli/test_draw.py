"""`puzzlec draw`: files, SVG on standard output, and the messages of errors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from puzzlec.cli import picturing
from puzzlec.cli.terminal import out
from tests.commands import command

SMALL = "locations box 3x2\npiece I { xxx }\npiece L { xx/x. }\n"
SOLVED = 'puzzle "Two"\nlocations box 3x2\npiece I x2 { xxx }\n'


class Draw:
    """The command, and the output of its last call."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.fixtures = capsys, monkeypatch
        self.printed = "", ""

    def __call__(self, *words: str) -> int:
        status, *printed = command(*self.fixtures, "draw", *words)
        self.printed = printed[0], printed[1]
        return int(status)


@pytest.fixture
def drawn(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Draw:
    return Draw(capsys, monkeypatch)


@pytest.fixture
def puzzle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "two.puzzle"
    path.write_text(SOLVED)
    return path


def test_a_search_that_was_too_short_suggests_a_longer_one(
    puzzle: Path, drawn: Draw, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picturing, "MAX_WRITING_SECONDS", 9.0)
    monkeypatch.setattr(picturing, "WRITING_SHARE", 1.0)  # no time for the search
    assert drawn("two.puzzle", "-o", "two.svg", "--limit", "9", "--time-limit", "9") == 0
    assert drawn.printed == ("", "none found in 0 s, there may be more; `--time-limit 60` searches longer\n")


def test_a_picture_goes_into_a_file(puzzle: Path, drawn: Draw) -> None:
    assert drawn("two.puzzle", "-o", "two.svg") == 0
    root = ElementTree.parse(puzzle.with_name("two.svg")).getroot()
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "Two"
    assert drawn.printed == ("", "")


def test_a_dash_writes_svg_to_standard_output(puzzle: Path, drawn: Draw) -> None:
    assert drawn(str(puzzle), "-o", "-", "--limit", "0") == 0
    assert ElementTree.fromstring(drawn.printed[0]).get("role") == "img"


def test_the_extension_selects_the_format_and_to_overrides_it(puzzle: Path, drawn: Draw) -> None:
    pytest.importorskip("resvg_py")
    assert drawn("two.puzzle", "-o", "two.png") == 0
    assert drawn("two.puzzle", "-o", "picture", "--to", "png") == 0
    assert puzzle.with_name("two.png").read_bytes() == puzzle.with_name("picture").read_bytes()
    assert puzzle.with_name("picture").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "words",
    [
        ["-o", "two.jpg"],
        ["-o", "two.svg", "--show", "holes"],
        ["-o", "two.svg", "--labels", "numbers"],
        ["-o", "two.svg", "--view", "above"],
        ["-o", "two.svg", "--background", "red"],
        ["-o", "two.svg", "--cell", "0"],
        ["-o", "two.svg", "--columns", "0"],
        [],
    ],
)
def test_options_that_make_no_sense_are_wrong_usage(puzzle: Path, drawn: Draw, words: list[str]) -> None:
    assert drawn(str(puzzle), *words) == 2
    assert "error: " in drawn.printed[1]
    assert not puzzle.with_name("two.svg").exists()


def test_an_existing_file_is_kept_unless_forced(puzzle: Path, drawn: Draw) -> None:
    target = puzzle.with_name("two.svg")
    target.write_text("mine")
    assert drawn("two.puzzle", "-o", "two.svg") == 1
    assert "PZ005" in drawn.printed[1]
    assert target.read_text() == "mine"
    assert drawn("two.puzzle", "-o", "two.svg", "--force") == 0
    assert target.read_text().startswith("<svg")


def test_a_solution_that_was_found_elsewhere_is_drawn(puzzle: Path, drawn: Draw) -> None:
    puzzle.with_name("found.txt").write_text("I: 0,0 1,0 2,0\nI: 0,1 1,1 2,1\n")
    assert drawn("two.puzzle", "--solutions", "found.txt", "-o", "-") == 0
    assert drawn.printed[0].count("<title>I</title>") == 2


def test_no_file_is_left_if_there_is_nothing_to_draw(puzzle: Path, drawn: Draw) -> None:
    puzzle.write_text("locations box 3x1\npiece L { xx/x. }\n")
    assert drawn("two.puzzle", "--show", "solution", "-o", "two.svg") == 1
    assert "error[" in drawn.printed[1]
    assert not puzzle.with_name("two.svg").exists()


def test_a_board_that_has_no_solution_is_drawn_with_its_pieces(puzzle: Path, drawn: Draw) -> None:
    puzzle.write_text(SMALL)
    assert drawn("two.puzzle", "-o", "two.svg") == 0
    assert "no solution" in drawn.printed[1]
    assert "<title>L</title>" in puzzle.with_name("two.svg").read_text()


def test_a_picture_that_would_fill_the_memory_is_refused(puzzle: Path, drawn: Draw) -> None:
    assert drawn("two.puzzle", "-o", "two.png", "--scale", "100", "--cell", "1000") == 1
    assert "PZ504" in drawn.printed[1]
    assert not puzzle.with_name("two.png").exists()


def test_a_missing_file_name_gets_an_example(puzzle: Path, drawn: Draw) -> None:
    assert drawn(str(puzzle)) == 2
    assert "`-o two.svg`" in drawn.printed[1]
    assert drawn(str(puzzle), "-o", "two") == 2
    assert ".svg, .png, .pdf, .webp or .gif" in drawn.printed[1]


def test_a_name_that_is_too_long_for_the_system_is_not_an_internal_error(puzzle: Path, drawn: Draw) -> None:
    assert drawn(str(puzzle), "-o", "x" * 300 + ".svg") == 1
    assert "PZ005" in drawn.printed[1]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_a_full_disk_gets_a_message(puzzle: Path) -> None:
    with Path("/dev/full").open("w") as full:
        words = [sys.executable, "-m", "puzzlec", "draw", str(puzzle), "-o", "-", "--limit", "0"]
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (1, "error: cannot write: no space left on device\n")


def test_names_cannot_move_the_cursor_of_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    out("a\x1b[2Jb\x07\x9b1m\tc\n\x1b[31md\x1b[0m")
    assert capsys.readouterr().out == "a?[2Jb??1m\tc\n\x1b[31md\x1b[0m\n"


def test_titles_paper_and_rotation_are_in_the_picture(puzzle: Path, drawn: Draw) -> None:
    assert drawn("two.puzzle", "-o", "-", "--title", "Monday", "--paper", "A5", "--rotate") == 0
    assert 'width="148mm" height="210mm"' in drawn.printed[0]
    assert "<title>Monday</title>" in drawn.printed[0]
    assert drawn("two.puzzle", "-o", "-", "--limit", "2", "--title", "") == 0
    assert drawn("two.puzzle", "-o", "-", "--paper", "a9") == 2
    assert "letter" in drawn.printed[1]


def test_a_pdf_is_written(puzzle: Path, drawn: Draw) -> None:
    pytest.importorskip("typst")
    assert drawn("two.puzzle", "-o", "two.pdf", "--paper", "a5") == 0
    assert puzzle.with_name("two.pdf").read_bytes().startswith(b"%PDF-")


def test_a_worksheet_is_written_with_its_scale(puzzle: Path, drawn: Draw) -> None:
    pytest.importorskip("typst")
    assert drawn("two.puzzle", "--worksheet", "-o", "two.pdf") == 0
    assert drawn.printed[1] == "the board and the pieces have the same scale: the size of a cell is 15.0 mm\n"
    assert puzzle.with_name("two.pdf").read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize("words", [["-o", "two.svg"], ["-o", "two.pdf", "--show", "board"], []])
def test_a_worksheet_is_a_pdf_with_all_parts(puzzle: Path, drawn: Draw, words: list[str]) -> None:
    assert drawn("two.puzzle", "--worksheet", *words) == 2
    assert "it needs -o FILE.pdf" in drawn.printed[1] or "not available with --worksheet" in drawn.printed[1]


def test_options_for_solids_get_a_remark_for_flat_puzzles(puzzle: Path, drawn: Draw) -> None:
    assert drawn("two.puzzle", "-o", "two.svg", "--explode", "1") == 0
    assert drawn.printed[1] == "`explode` has no effect: it is for solids, and this puzzle is flat\n"


def test_ctrl_c_during_drawing_is_reported_and_leaves_no_file(
    puzzle: Path, drawn: Draw, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("puzzlec.make.outputs.draw", interrupted)
    assert drawn("two.puzzle", "-o", "two.svg") == 130
    assert drawn.printed == ("", "puzzlec: interrupted\n")
    assert not puzzle.with_name("two.svg").exists()


@pytest.mark.parametrize("ending", ["svg", "pdf"])
def test_an_impossible_puzzle_is_drawn_with_a_remark_and_no_error(puzzle: Path, drawn: Draw, ending: str) -> None:
    words = ["--worksheet"] * (ending == "pdf")
    if words:
        pytest.importorskip("typst")
    puzzle.write_text("locations box 3x2\npiece I { xxxx }\npiece D { xx }\n")
    assert drawn("two.puzzle", *words, "-o", f"two.{ending}") == 0
    assert "error" not in drawn.printed[1]
    assert drawn.printed[1].splitlines()[0] == "no solution: piece `I` fits nowhere"
    assert puzzle.with_name(f"two.{ending}").stat().st_size > 500


def test_a_certificate_is_refused_before_a_file_to_write_is_asked_for(puzzle: Path, drawn: Draw) -> None:
    puzzle.with_name("two.cert").write_text('{"certificate": 1}\n')
    assert drawn("two.cert") == 1
    assert "error[PZ640]" in drawn.printed[1]
    assert drawn("two.puzzle") == 2
    helps = ["add `-o two.svg`", "`puzzlec solve two.puzzle` draws in the terminal"]
    assert "\n  = help: ".join(["error: missing output file", *helps]) in drawn.printed[1]
