"""The command ``explain`` as a user calls it."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

import puzzlec
from puzzlec.diagnostics import CODES
from puzzlec.explaining.codes import error_page, rendered
from puzzlec.pipeline import EMITTED_STAGES
from tests.cli.test_commands import IMPOSSIBLE, SMALL, UNSOLVABLE
from tests.commands import ENVIRONMENT, command, run

ROOT = Path(__file__).parents[2]
STUCK = 'puzzle "Stuck"\nlocations box 4x1\npiece D x2 { xx }\nfix D at cells (0,0) (2,0)\n'
WARNED = 'puzzle "Warned"\nlocations box 4x1\npiece D x2 { xx }\nforbid D at cells (0,0) (2,0)\n'


def test_a_puzzle_is_explained_stage_by_stage_on_standard_output() -> None:
    done = run("explain", "soma")
    assert (done.returncode, done.stderr) == (0, "")
    heads = [line for line in done.stdout.splitlines() if line and not line.startswith(" ")]
    assert heads[heads.index('puzzle "Soma cube"') :] == [
        'puzzle "Soma cube"',
        "pieces",
        "exact cover",
        "symmetries of its locations and pieces: 48",
        "forced",
        "grade",
        "search",
        "in the catalogue",
    ]


def test_standard_input_and_every_format_are_explained() -> None:
    assert 'puzzle "Two"' in run("explain", "-", stdin=SMALL).stdout
    pieces = ROOT / "tests" / "golden" / "pentominoes.offsets"
    done = run("explain", str(pieces), "--board", "10x6")
    assert (done.returncode, done.stderr) == (0, "")
    assert "60, all to be covered" in done.stdout


def test_reasons_for_no_solution_come_first_and_later_stages_are_left_out() -> None:
    done = run("explain", "-", stdin=IMPOSSIBLE, together=True)
    assert done.returncode == 3
    assert done.stdout.startswith("error[PZ401]")
    heads = [line for line in done.stdout.splitlines() if re.match("(puzzle|pieces|exact cover|symm|forced)", line)]
    assert heads[1:] == ["pieces"]


def test_a_puzzle_that_cannot_be_placed_is_explained_as_far_as_it_goes() -> None:
    done = run("explain", "-", stdin=STUCK)
    assert done.returncode == 1
    assert done.stderr.count("error[PZ316]") == 1
    assert "one copy of `D` lies exactly on (0,0) (2,0)" in done.stdout
    assert "The placements could not be listed" in done.stdout
    assert "exact cover" not in done.stdout


def test_an_unreadable_text_shows_only_its_errors() -> None:
    done = run("explain", "-", stdin="locations bax 3x3\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert "error[PZ" in done.stderr


def test_a_warning_is_shown_and_is_not_a_failure() -> None:
    for more in ([], ["--stage", "fitting"], ["--stage", "cover"]):
        done = run("explain", "-", *more, stdin=WARNED)
        assert done.returncode == 0
        assert done.stderr.count("warning[PZ317]") == 1
        assert done.stdout


@pytest.mark.parametrize("name", ["PZ301", "pz301", "Pz301"])
def test_a_code_shows_its_page_as_plain_text(name: str) -> None:
    done = run("explain", name)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "PZ301: duplicate piece"
    assert "Example" in lines
    assert "  $ puzzlec check example.puzzle" in lines
    assert "```" not in done.stdout
    assert "\033" not in done.stdout
    assert max(map(len, lines)) <= 100


def test_the_number_of_a_code_is_enough() -> None:
    assert run("explain", "401").stdout.startswith("PZ401: ")
    assert "unknown file or puzzle `499`" in run("explain", "499").stderr


def test_headings_of_an_error_page_are_bold_if_the_output_has_colours() -> None:
    done = run("explain", "PZ301", environment={**ENVIRONMENT, "FORCE_COLOR": "1"})
    assert "\033[1mExample\033[0m\n\n  locations" in done.stdout


def test_every_rendered_page_keeps_its_code_and_loses_its_markdown() -> None:
    for code in CODES:
        page = error_page(code)
        shown = rendered(page, 72)
        for block in re.findall(r"^```\w*\n(.*?)^```$", page, re.DOTALL | re.MULTILINE):
            assert textwrap.indent(block, "  ") in f"{shown}\n", code
        assert not re.search(r"```|^#|\]\(", shown, re.MULTILINE), code


def test_every_page_can_be_shown_by_its_code_without_its_comments() -> None:
    for page in (ROOT / "docs" / "errors").glob("PZ*.md"):
        lines = page.read_text(encoding="utf-8").splitlines(keepends=True)
        assert error_page(page.stem.lower()) == "".join(line for line in lines if not line.startswith("<!--"))


@pytest.mark.parametrize("stage", EMITTED_STAGES)
def test_a_stage_is_printed_completely_and_as_in_the_library(stage: str, tmp_path: Path) -> None:
    file = tmp_path / "small.puzzle"
    file.write_text(SMALL)
    done = run("explain", str(file), "--stage", stage)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == puzzlec.emit(str(file), stage)  # type: ignore[arg-type]
    assert run("explain", "-", "--stage", stage, stdin=SMALL).stdout == done.stdout


def test_the_stages_of_a_small_puzzle() -> None:
    def stage(name: str) -> list[str]:
        return run("explain", "-", "--stage", name, stdin=SMALL).stdout.splitlines()

    assert stage("puzzle") == ['puzzle "Two"', "lattice square", "", "locations box 4x1", "", "piece D x2 { xx }"]
    assert stage("fitting") == [
        'fitting "Two"', "locations 0,0 1,0 2,0 3,0", "piece D x2", "  0,0 1,0", "  1,0 2,0", "  2,0 3,0",
    ]  # fmt: skip
    assert stage("cover") == ["2|D 0,0 1,0 2,0 3,0", "D 0,0 1,0", "D 1,0 2,0", "D 2,0 3,0"]
    assert stage("ast")[0] == "start"
    assert any("piece" in line for line in stage("ast"))


def test_the_last_stage_is_the_first_solution_or_says_that_there_is_none() -> None:
    assert puzzlec.emit(puzzlec.parse(SMALL), "solution") == run("solve", "-", stdin=SMALL).stdout
    assert puzzlec.emit(puzzlec.parse(UNSOLVABLE), "solution") == "no solution\n"
    assert puzzlec.emit("cover/items", "solution") == "P: B D\nQ: A\nS: C\n"


def test_the_tree_of_a_text_that_is_not_in_the_language_cannot_be_shown() -> None:
    done = run("explain", "dpf/sticks", "--stage", "ast")
    assert (done.returncode, done.stdout) == (1, "")
    assert "error[PZ502]: a text of the format `dpf` has no syntax tree" in done.stderr


def test_a_list_of_placements_has_a_puzzle_also() -> None:
    assert "piece 0 covers {3} {0 2}" in run("explain", "dpf/sticks", "--stage", "puzzle").stdout


@pytest.mark.parametrize(
    "arguments",
    [["explain", "--stage", "cover"], ["explain", "soma", "--stage", "poem"], ["explain", "PZ301", "--stage", "cover"]],
)
def test_wrong_usage_has_a_separate_status(arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


def test_the_library_refuses_an_unknown_stage() -> None:
    with pytest.raises(ValueError, match="poem"):
        puzzlec.emit("soma", "poem")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="only a text"):
        puzzlec.emit(puzzlec.parse(SMALL), "ast")


COVER = "A B 2:3|C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nC X:0\nB X:1\nC Y:1\n"


def test_exact_covers_are_explained_shown_and_checked_in_items_and_options() -> None:
    done = run("explain", "-", "--from", "dlx", stdin=COVER)
    assert (done.returncode, done.stderr) == (0, "")
    assert "  colours    0 and 1 of `X` and `Y`" in done.stdout
    done = run("explain", "-", "--from", "dlx", stdin=COVER)
    assert (done.returncode, done.stderr) == (0, "")
    assert "  1: A C X:1 Y:1\n" in done.stdout
    done = run("check", "-", "--from", "dlx", stdin=COVER)
    assert (done.returncode, done.stderr) == (0, "-: no errors\n")


@pytest.mark.parametrize("command", ["explain", "check", "count"])
def test_reasons_of_an_exact_cover_mention_items(command: str) -> None:
    done = run(command, "-", "--from", "dlx", stdin="a b | c\na c:x\n")
    assert done.returncode == 3
    assert "error[PZ406]: no option covers item `b`" in done.stderr


def test_check_names_the_file_of_an_exact_cover(tmp_path: Path) -> None:
    (tmp_path / "cover.dlx").write_text("a b\n", encoding="utf-8")
    done = run("check", str(tmp_path / "cover.dlx"), "--concise")
    assert done.returncode == 3
    assert "cover.dlx: error[PZ406]: there are no options" in done.stdout


def test_without_a_puzzle_every_code_is_listed() -> None:
    done = run("explain")
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(CODES)
    assert "PZ304  error    unknown shape library" in done.stdout


def test_an_unknown_code_gets_no_similar_codes() -> None:
    done = run("explain", "PZ999")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        "error[PZ006]: unknown code `PZ999`",
        "  = help: `puzzlec explain` lists them all",
        "",
    ]


@pytest.mark.parametrize("words", [("list", "burr"), ("explain", "soma")])
def test_headings_are_bold_if_the_output_has_colours(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, plain, _ = command(capsys, monkeypatch, *words)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    _, coloured, _ = command(capsys, monkeypatch, *words)
    assert "\x1b[1m" in coloured
    assert "\x1b" not in plain
    if words[0] != "explain":  # coloured pieces are drawn in other characters
        assert re.sub(r"\x1b\[\d+m", "", coloured) == plain
