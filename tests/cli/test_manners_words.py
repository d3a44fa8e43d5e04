"""`--quiet` and `--verbose` of all commands, and suggestions for mistakes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from puzzlec.cli.commands import COMMANDS, made_command
from tests.commands import command

SMALL = "locations box 4x1\npiece D x2 { xx }\n"
#: Two placements are equal: a warning.
WARNED = "2 1\n2  2 0 1  2 1 0\n"


def test_every_command_has_both_options() -> None:
    for name in COMMANDS:
        words = {word for param in made_command(name).params for word in param.opts}
        assert {"-q", "--quiet", "-v", "--verbose"} <= words, name


@pytest.mark.parametrize(
    "line",
    ["count soma", "solve soma --all --to list", "check soma", "list formats dpf", "fmt w.puzzle"],
)
def test_quiet_prints_results_without_remarks(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "w.puzzle").write_text(SMALL)
    status, printed, _ = command(capsys, monkeypatch, *line.split())
    assert command(capsys, monkeypatch, *line.split(), "--quiet") == (status, printed, "")


def test_quiet_prints_errors_without_warnings_except_for_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "w.dpf").write_text(WARNED)
    assert "warning[" in command(capsys, monkeypatch, "count", "w.dpf")[2]
    assert command(capsys, monkeypatch, "count", "w.dpf", "-q")[2] == ""
    assert "error[PZ006]" in command(capsys, monkeypatch, "count", "sooma", "-q")[2]
    assert "warning" in command(capsys, monkeypatch, "check", "w.dpf", "--concise", "-q")[1]


def test_quiet_solutions_stay_in_their_folder_and_only_their_number_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "w.puzzle").write_text(SMALL)
    told = "1 distinct solution (search complete)\n"
    for line in ("solve w.puzzle --all --checkpoint job -q", "job resume job -q"):
        assert command(capsys, monkeypatch, *line.split()) == (0, "", told)
    assert command(capsys, monkeypatch, "count", "w.puzzle", "--checkpoint", "other", "-q") == (0, "1\n", "")


def test_verbose_adds_the_search_and_changes_no_result(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, printed, said = command(capsys, monkeypatch, "count", "soma", "--verbose")
    assert (status, printed) == (0, "240\n")
    assert "symmetries 48" in said
    assert command(capsys, monkeypatch, "count", "soma")[2].startswith("240 distinct"), "it applies to one command"


def test_verbose_logs_versions_caches_and_stages() -> None:
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-m", "puzzlec", "explain", "soma", "-v", "--json"], capture_output=True, text=True, timeout=60
    )
    assert done.stdout.count("\n") == 1
    for words in ("Python 3", "cache of parsed files", "read ", "placed in ", "688 placements", "the command took"):
        assert f"{words}" in done.stderr
    assert all(line.startswith('{"remark":') for line in done.stderr.splitlines())


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("slove soma", "help: did you mean `solve` or `serve`?"),
        ("validate", "`puzzlec check`"),
        ("solve soma --fromat text", "--from"),
        ("solve pentominos/6x10", "`pentominoes/6x10`"),
        ("solve sudoko", "sudoku`"),
        ("solve soma --to jsnl", "did you mean `jsonl`?"),
        ("count soma --symmetry rotation", "did you mean `rotations`?"),
        ("count soma --kernel fronteer", "did you mean `frontier`?"),
        ("list lattices hexx", "did you mean `hex`?"),
        ("list --lattice cubik", "did you mean `cubic`?"),
        ("list shapes pentominos", "did you mean `pentominoes`?"),
        ("new sudokoo", "did you mean `sudoku`?"),
        ("convert soma --to dlxx", "did you mean `dlx`?"),
        ("check soma --from dpff", "did you mean `dpf`?"),
        ("list formats dlxx", "did you mean `dlx`?"),
        ("explain PZ999", "`puzzlec explain` lists them all"),
        ("explain pz30", "codes with `PZ30` are PZ301, PZ302"),
        ("explain PZ3010", "did you mean `PZ301`?"),
        ("explain PZ399", "codes with `PZ3` are PZ301 to PZ3"),
        ("solve polyhexes/nothing", "`polyhexes` is a family of 20 puzzles in the catalogue = help: try `"),
        ("solve polyhex/nothing", "`polyhexes` is a family of"),
        ("solve soma/nothing", "or list all with `puzzlec list soma`"),
        ("solve soma/som", "did you mean `soma/soma`?"),
        ("disassemble soma --level 3", "`--level` is an option of `puzzlec generate`"),
        ("explain soma --level cover", "write `--stage cover` instead of `--level cover`"),
        ("solve soma --level 3", "`puzzlec solutions PUZZLE --where 'level >= 5'` finds assemblies by level"),
        ("count soma --raws", "no such option: --raws = help: did you mean `--raw`"),
        ("xyz", "no such command `xyz` = help: `puzzlec -h` lists the commands"),
        ("sovle soma", "no such command `sovle` = help: did you mean `solve`?"),
        ("gallery", "help: use `puzzlec list`"),
        ("examples", "help: use `puzzlec list`"),
        ("open soma", "help: use `puzzlec serve`"),
        ("share soma", "no such command `share` = help: use `puzzlec view` ="),
        ("sample soma", "no such command `sample` = help: use `puzzlec solutions --sample 3` ="),
        ("sweep soma", "no such command `sweep` = help: use `puzzlec count -p n=3..6` ="),
        ("certificate soma", "no such command `certificate` = help: use `puzzlec solve --certificate FILE` ="),
        ("take-apart soma", "no such command `take-apart` = help: use `puzzlec disassemble` ="),
        ("draw soma -o a.svg --best-level", "help: write `--comes-apart` instead of `--best-level`"),
        ("generate unique", "found `unique` = help: `puzzlec clues PUZZLE` finds clues that leave one solution"),
        ("worksheet soma", "help: use `puzzlec draw --worksheet`"),
        ("solve soma -all", "no such option: -all = help: did you mean `--all`?"),
        ("solve soma --count", "no such option: --count = help: use `puzzlec count` ="),
        ("solve soma --limit all", "expected an integer, found `all` = help: use `--all` without `--limit`"),
        ("draw soma --svg", "no such option: --svg = help: `-o FILE.svg` writes this format ="),
        ("animate soma", "no such command `animate` = help: use `puzzlec draw` ="),
        ("print soma", "no such command `print` = help: use `puzzlec draw` or `puzzlec model` ="),
        ("disassemble soma -o a.webp", "in .xmpuzzle, found `a.webp` = help: `puzzlec draw` writes a.webp ="),
        ("disassemble soma -o a.puzzle", "-o: expected a name that ends in .xmpuzzle, found `a.puzzle` ="),
        ("help slove", "no such command `slove` = help: did you mean `solve`"),
        ("completion zhs", "did you mean `zsh`?"),
        ("draw soma -o a.svg --show bord", "did you mean `board`?"),
        ("solve soma -o a.html", "`solve` writes no .html = help: use `puzzlec view`"),
        (
            "solve soma --output=a",
            "expected a name that ends in .svg, .png, .pdf, .jsonl or .txt, found `a` = help: give `--to svg`",
        ),
        ("resume job --threads 4", "help: use `puzzlec job resume job --threads 4`"),
        ("lift soma a.txt", "help: use `puzzlec check --to text soma a.txt`"),
        ("unique soma", "help: use `puzzlec clues soma`"),
        ("show soma", "help: use `puzzlec explain soma`"),
        ("verify soma", "help: use `puzzlec check --catalogue soma`"),
        ("lattice hex", "help: use `puzzlec list lattices hex`"),
        ("check soma --solutions a", "no such option: --solutions = help: use `puzzlec check PUZZLE ANSWER`"),
        ("count soma -o a", "no such option: -o = help: `> FILE` writes the output into a file ="),
        ("solve soma --least", "no such option: --least = help: write `--min-cost` instead of `--least` ="),
        ("solve soma --greatest", "no such option: --greatest = help: write `--max-cost` instead of `--greatest` ="),
        ("sets soma --apart", "no such option: --apart = help: write `--comes-apart` instead of `--apart` ="),
        ("solve soma --max 5", "no such option: --max = help: write `--limit 5` instead of `--max 5` ="),
        ("check", "missing puzzle = help: give a file or the name of a puzzle"),
        ("serve --port 99999", "invalid value for --port: 99999"),
        ("draw soma.svg", "missing puzzle = help: write `soma -o soma.svg` instead of `soma.svg` ="),
    ],
)
def test_a_misspelt_word_gets_a_suggestion(
    line: str, hint: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, printed, said = command(capsys, monkeypatch, *line.split())
    assert (status in (1, 2), printed) == (True, "")
    assert hint in " ".join(said.split())


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("count soma --threads x", "expected an integer, found `x`"),
        ("count soma --threads 1.5", "expected an integer, found `1.5`"),
        ("count soma --time-limit soon", "expected a number of seconds, such as 20, found `soon`"),
        ("model soma -o a.stl --cell 20mm", "expected a number of millimetres, such as 20, found `20mm`"),
        ("model soma -o maker", "expected a name that ends in .stl, .3mf, .glb, .svg or .dxf, found `maker`"),
        ("model soma -o -", "found `-`\n  = help: give `--to stl`"),
        ("model soma", "missing output file\n  = help: add `-o soma.stl`\n"),
        ("count soma --symmetry rot", "did you mean `rotations`?"),
        ("list --tag", "`puzzlec list puzzles -h` shows how to call it"),
        ("count queens/8 -p n=2.5", "expected a name, `=` and an integer, found `n=2.5`\n  = help: write `-p n=2`"),
        ("count queens/8 -p n=3:6", "expected a name, `=` and values, found `n=3:6`\n  = help: write `-p n=3..6`"),
        ("solve queens/8 -p n=4-6", "expected a name, `=` and values, found `n=4-6`\n  = help: write `-p n=4..6`"),
        ("explain queens/8 -p n=4-6", "expected a name, `=` and values, found `n=4-6`\n  = help: write `-p n=4..6`"),
        ("count queens/8 -p 6", "expected a name, `=` and an integer, found `6`\n  = help: write `-p n=6`"),
        ("count queens/8 -p n=٤", "found `n=٤`\n  = help: write `-p n=4`"),
        ("count queens/8 -p n=1_0", "found `n=1_0`\n  = help: write `-p n=10`"),
        ("count queens/8 -p n 6", "unexpected argument `6`\n  = help: write `-p n=6` instead of `-p n 6`"),
        ("count queens/8 n=6", "unexpected argument `n=6`\n  = help: `-p n=6` sets a parameter"),
        (
            "solve soma queens/8",
            "unexpected argument `queens/8`\n  = help: type `puzzlec solve queens/8` for the other",
        ),
        ("solve soma bedlam", "help: type `puzzlec solve polycubes/bedlam-cube` for the other puzzle"),
        ("draw soma cube.png", "unexpected argument `cube.png`\n  = help: `-o cube.png` writes a file"),
        ("solve soma cube.txt", "unexpected argument `cube.txt`\n  = help: `-o cube.txt` writes a file"),
        ("count queens/8 -p n=-99999999999999999999", "the value of `n` is too large: the limit is 9 digits"),
    ],
)
def test_a_wrong_value_gets_a_plain_message(
    line: str, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, printed, told = command(capsys, monkeypatch, *line.split())
    assert (status, printed) == (2, "")
    assert said in told
    assert "Input should" not in told


@pytest.mark.parametrize(
    ("line", "help", "typed"),
    [
        ("count queens/8 -p m=6", "write `n=6` instead of `m=6`", "count queens/8 -p n=6"),
        ("count soma -p m=6", "leave out the parameter `m`", "count soma"),
        ("explain Z301", "did you mean `puzzlec explain PZ301`?", "explain PZ301"),
        ("shapes pentominoes F", "use `puzzlec list shapes pentominoes F`", "list shapes pentominoes F"),
        ("list shapes pentominoes f", "did you mean `F`?", "list shapes pentominoes F"),
        ("list shapes soma Q", "`puzzlec list shapes soma` draws all pieces", "list shapes soma"),
        ("generate sudoku", "`puzzlec new sudoku` prints one to start from", "new sudoku"),
    ],
)
def test_a_suggestion_for_a_command_works(
    line: str, help: str, typed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, printed, told = command(capsys, monkeypatch, *line.split())
    assert status in (1, 2)
    assert printed == ""
    assert f"= help: {help}" in told
    assert command(capsys, monkeypatch, *typed.split())[0] == 0


def test_an_empty_list_suggests_another_search(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, _, told = command(capsys, monkeypatch, "list", "wikipedia", "bedlam")
    assert status == 1
    assert "`puzzlec list --search 'wikipedia bedlam'`" in told
    assert command(capsys, monkeypatch, "list", "--search", "wikipedia bedlam")[0] == 0
    assert "--search" not in command(capsys, monkeypatch, "list", "nowhere at", "all")[2]
    told = command(capsys, monkeypatch, "list", "--search", "nowhere at all")[2]
    assert "--search" not in told


def test_a_missing_engine_is_reported_like_other_extras(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ortools", None)
    status, _, told = command(capsys, monkeypatch, "solve", "soma", "--engine", "cpsat")
    assert status == 1
    assert "error[PZ505]: the engine `cpsat` needs the package `ortools`" in told
    assert "pip install 'puzzlec[cpsat]'" in told
