"""The exit statuses of docs/cli.md: the commands on the page end with them."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from puzzlec import __version__
from puzzlec.cli.command import HEADINGS, TOGETHER_HEADING, parts_of, sections
from puzzlec.cli.commands import COMMANDS, GROUPS, PROGRAM, SUMMARIES, TOP, made_command
from puzzlec.cli.terminal import MEANINGS, ExitStatus
from tests.commands import command

ROOT = Path(__file__).parents[2]

PUZZLES = {
    "two.puzzle": "locations box 4x1\npiece D x2 { xx }\n",
    "none.puzzle": "locations box 3x3\npiece O x2 { xx/xx }\npiece M { x }\n",
    "bad.puzzle": "locations bax 4x1\n",
    "some.puzzle": "locations box 3x3\npiece O x1..2 { xx/xx }\npiece M x1 { x }\n",
    "never.puzzle": "locations box 5x1\npiece D x2 { xx }\n",
    "untidy.puzzle": "locations   box 4x1\npiece D x2 {xx}\n",
    "no.txt": "s UNSATISFIABLE\n",
    "unknown.txt": "s UNKNOWN\n",
    "wrong.txt": "s SATISFIABLE\nv 1 2 3 0\n",
    "wrong.jsonl": '{"locations": ["D", "D", "D", null]}\n',
}


def test_the_page_and_the_program_describe_each_status_in_the_same_words() -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8").split("## Exit status")[1]
    first = page.split("\n\n")[1]
    assert dict(re.findall(r"(?m)^\| (\d+) \| (.*) \|$", first)) == {
        str(int(status)): meaning for status, meaning in MEANINGS.items()
    }


def test_each_command_of_the_page_ends_with_its_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd.puzzle").write_text(PUZZLES["never.puzzle"])
    (tmp_path / "no-fit.puzzle").write_text(PUZZLES["none.puzzle"])
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8").split("<!-- statuses -->")[1].split("\n\n")[0]
    rows = re.findall(r"(?m)^\| (`.*`) \| (\d+) \|$", page)
    assert {int(status) for _, status in rows} == {0, 1, 2, 3, 4}
    for lines, status in rows:
        for line in re.findall(r"`puzzlec ([^`]+)`", lines):
            assert command(capsys, monkeypatch, *line.split())[0] == int(status), line


@pytest.mark.parametrize(
    ("status", "line"),
    [
        (0, "solve two.puzzle"),
        (4, "solve soma --limit 2"),
        (0, "count two.puzzle"),
        (0, "check two.puzzle"),
        (0, "fmt --check two.puzzle"),
        (0, "count soma --help"),
        (1, "solve bad.puzzle"),
        (1, "check bad.puzzle"),
        (3, "check never.puzzle"),
        (3, "check never.puzzle --json"),
        (1, "check never.puzzle bad.puzzle"),
        (3, "count never.puzzle"),
        (3, "solve never.puzzle --all"),
        (3, "estimate never.puzzle"),
        (3, "explain never.puzzle"),
        (3, "sets some.puzzle"),
        (3, "clues never.puzzle"),
        (3, "solutions never.puzzle"),
        (3, "solutions none.puzzle"),
        (3, "disassemble never.puzzle"),
        (1, "explain bad.puzzle"),
        (1, "explain nothing-like-it"),
        (1, "convert two.puzzle two.puzzle"),
        (1, "fmt --check untidy.puzzle"),
        (1, "fmt --diff untidy.puzzle"),
        (1, "check two.puzzle wrong.jsonl"),
        (1, "check --to text two.puzzle wrong.txt"),
        (1, "job status nowhere"),
        (2, "frobnicate"),
        (2, "solve"),
        (2, "solve two.puzzle --kernel abacus"),
        (2, "count two.puzzle --limit 0"),
        (2, "check two.puzzle --quiet --verbose"),
        (3, "solve none.puzzle"),
        (3, "count none.puzzle"),
        (3, "check --to text two.puzzle no.txt"),
        (4, "solve soma --all --nodes 10"),
        (4, "solve soma --all --time-limit 0"),
        (4, "count soma --limit 1"),
        (4, "count soma --nodes 10"),
        (4, "check --to text two.puzzle unknown.txt"),
    ],
)
def test_a_command_ends_with_its_status(
    status: int, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in PUZZLES.items():
        (tmp_path / name).write_text(text)
    found, _, said = command(capsys, monkeypatch, *line.split())
    assert found == status
    assert "Traceback" not in said


def test_searches_with_a_checkpoint_end_with_the_same_statuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in PUZZLES.items():
        (tmp_path / name).write_text(text)
    for line, status in (
        ("count two.puzzle --shard 1/2 --checkpoint one", 0),
        ("job merge one", 4),
        ("solve none.puzzle --checkpoint none", 3),
        ("job resume none", 3),
    ):
        assert command(capsys, monkeypatch, *line.split())[0] == status, line


@pytest.mark.parametrize(
    ("raised", "status", "said"),
    [
        (KeyboardInterrupt(), ExitStatus.INTERRUPTED, "puzzlec: interrupted\n"),
        (RuntimeError("a hole"), ExitStatus.INTERNAL, "error: internal error: RuntimeError: a hole\n"),
    ],
)
def test_unexpected_errors_have_separate_statuses(
    raised: BaseException, status: ExitStatus, said: str,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    def fail(*_: object) -> None:
        raise raised

    monkeypatch.setattr("puzzlec.cli.arguments.Named.encoding", fail)
    found, printed, told = command(capsys, monkeypatch, "count", "soma")
    assert (found, printed) == (status, "")
    assert told.startswith(said)
    assert "Traceback" not in told


@pytest.mark.skipif(os.name == "nt", reason="Windows has another shell")
def test_a_command_works_if_its_caller_has_closed_standard_error() -> None:
    line = f"exec {shlex.quote(sys.executable)} -m puzzlec --version 2>&-"
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"puzzlec {__version__}\n", "")


def test_a_bug_shows_a_traceback_on_request(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlec.cli.arguments.Named.encoding", lambda *_: 1 // 0)
    monkeypatch.setenv("PUZZLEC_DEBUG", "1")
    status, _, said = command(capsys, monkeypatch, "count", "soma")
    assert (status, "Traceback" in said) == (70, True)


def test_every_command_shows_its_help_with_an_example_that_can_be_called(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in COMMANDS:
        found = made_command(name)
        examples = parts_of(found)[1]
        assert len(examples) == 2, f"{name} has no two examples"
        for example in examples:
            program, *words = shlex.split(example.partition(" >")[0])
            called, rest = words[: len(name.split())], words[len(name.split()) :]
            if name == "list puzzles" and called != name.split():
                called, rest = name.split(), words[1:]  # it needs no word
            assert (program, called) == ("puzzlec", name.split())
            above = PROGRAM.make_context(program, [called[0]])  # it names the options that ask for help
            with above, found.make_context(called[-1], rest, parent=above) as context:  # a usage error raises
                assert context.params
        status, shown, _ = command(capsys, monkeypatch, "help", *name.split())
        assert (status, f"puzzlec {name}" in shown) == (0, True)
        assert command(capsys, monkeypatch, *name.split(), "--help") == (0, shown, "")
    shown = command(capsys, monkeypatch, "help", "solve")[1]
    assert command(capsys, monkeypatch, "-q", "help", "solve") == (0, shown, "")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_short_help_fits_a_small_window(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, shown, _ = command(capsys, monkeypatch, *name.split(), "-h")
    lines = shown.splitlines()
    assert (status, lines[-1]) == (0, f"More: puzzlec {name} --help")
    assert len(lines) <= 25
    assert SUMMARIES[name] == lines[2]
    assert len(lines[2]) < 60


def test_a_command_without_its_argument_prints_its_short_help(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, shown, _ = command(capsys, monkeypatch, "solve", "-h")
    assert command(capsys, monkeypatch, "solve") == (2, "", shown)
    _, shown, _ = command(capsys, monkeypatch, "-h")
    assert command(capsys, monkeypatch) == (2, "", shown)
    assert all(f" {name}" in shown for name in TOP)


def test_the_whole_help_has_headings_and_no_types(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in COMMANDS:
        shown = command(capsys, monkeypatch, *name.split(), "--help")[1]
        assert not re.search(r"<str>|<int>|<float>|x>=|\{PUZZLE|x<=", shown), name
        assert set(re.findall(r"(?m)^(\w[\w ]*):$", shown)) <= {"Examples", TOGETHER_HEADING, *HEADINGS}, name
    shown = command(capsys, monkeypatch, "--help")[1]
    assert re.findall(r"(?m)^(\w[\w ]*):$", shown) == ["Examples", *GROUPS, "Options"]


def test_there_are_at_most_24_commands() -> None:
    assert len(TOP) <= 24


def test_the_number_of_options_stays_small() -> None:
    commands = [PROGRAM, *map(made_command, COMMANDS)]
    rows = [sections([param for param in found.params if param.param_type_name == "option"]) for found in commands]
    assert sum(len(group) for found in rows for group in found.values()) <= 230


def test_the_help_has_colours_on_a_terminal_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b" not in command(capsys, monkeypatch, "count", "-h")[1]
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1mExamples\x1b[0m:" in command(capsys, monkeypatch, "count", "-h")[1]
    assert "\x1b" not in command(capsys, monkeypatch, "--no-color", "count", "-h")[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in command(capsys, monkeypatch, "count", "-h")[1]


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for word in ("-V", "--version"):
        assert command(capsys, monkeypatch, word) == (0, f"puzzlec {__version__}\n", "")
