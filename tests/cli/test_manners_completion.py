"""Completion: the words that a shell gets when you press Tab, and real shells that use them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from puzzlec.cli import completion
from puzzlec.cli.commands import COMMANDS, SUMMARIES, made_command
from puzzlec.cli.completion import SHELLS, words_for
from puzzlec.formats import catalogue
from tests.commands import command

#: Parameters without a list of words.
FREE = {
    "shard", "given", "board", "problem", "where",
    "background", "clearance", "cost", "title", "plate", "host", "size", "together", "immovable", "target", "pieces",
}  # fmt: skip


def script(shell: str) -> str:
    return Path(completion.__file__).with_name("shells").joinpath(SHELLS[shell]).read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my box.puzzle").write_text("locations box 1x1\npiece A { x }\n")
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "own.yaml").write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "typed", "found"),
    [
        ([], "cou", ["count"]),
        ([], "--vers", ["--version"]),
        (["solve"], "pentominoes/3x20-", ["pentominoes/3x20-no-crossroads"]),
        (["solve"], "mutil", ["mutilated-board"]),
        (["solve"], "solid", ["solid-pentominoes/"]),
        (["solve"], "my", ["my box.puzzle"]),
        (["solve"], "notes", []),
        (["solve", "soma"], "--ki", []),
        (["solve", "soma"], "--show", ["--show-symmetry"]),
        (["solve", "soma", "--limit", "3", "--to"], "j", ["jsonl"]),
        (["check"], "--co", ["--count", "--concise"]),
        (["check", "soma", "--solutions-from"], "j", ["jsonl"]),
        (["count", "soma", "--symmetry"], "auto", ["automorphisms"]),
        (["count", "soma", "--kernel"], "f", ["frontier"]),
        (["solve", "soma", "--kernel"], "f", []),
        (["explain"], "PZ30", ["PZ301", "PZ302", "PZ303", "PZ304", "PZ305", "PZ306", "PZ307", "PZ308", "PZ309"]),
        (["list", "lattices"], "hexx", []),
        (["list", "lattices"], "he", ["hex"]),
        (["list", "lattices"], "sub/", ["sub/own.yaml"]),
        (["list", "--lattice"], "no", ["none"]),
        (["list", "shapes"], "pentomino", ["pentominoes"]),
        (["list", "shapes", "polyominoes", "5"], "o", ["one-sided"]),
        (["new"], "sud", ["sudoku"]),
        (["job"], "re", ["resume"]),
        (["job", "resume"], "", ["sub/"]),
        (["convert", "soma", "out", "--to"], "dl", ["dlx"]),
        (["convert", "soma"], "no", ["notes.txt"]),
        (["convert", "soma", "out"], "no", []),
        (["check", "soma", "other"], "pentominoes/3x20-", ["pentominoes/3x20-no-crossroads"]),
        (["solve", "--"], "--", []),
        (["help"], "sol", ["solve", "solutions"]),
        (["completion"], "z", ["zsh"]),
        (["no-command"], "", []),
    ],
)
def test_completion_offers_the_words_that_fit(words: list[str], typed: str, found: list[str], folder: Path) -> None:
    assert list(words_for(words, typed)) == found


def test_a_prefix_is_completed_as_far_as_families_and_names_agree(folder: Path) -> None:
    found = list(words_for(["solve"], "pen"))  # the example of docs/cli.md
    assert all(word.startswith("pent") for word in found)
    assert {"pentominoes/", "pentatwigs-ring"} < set(found)


def test_every_word_offered_for_a_puzzle_names_a_puzzle(folder: Path) -> None:
    for typed in ("", "s", "pentominoes/"):
        for word in words_for(["solve"], typed):
            if not word.endswith(("/", ".puzzle")):
                assert catalogue.find(word) is not None, word


def test_every_parameter_that_takes_a_word_has_a_list_of_words_or_a_reason() -> None:
    free = set()
    for name in COMMANDS:
        for parameter in made_command(name).params:
            if getattr(parameter, "is_flag", False) or parameter.metavar in (
                "N",
                "SECONDS",
                "MM",
                "PX",
                "SIZE",
                "PORT",
            ):
                continue
            if parameter._custom_shell_complete is None and not parameter.type_descriptor.is_choice:
                assert parameter.name in FREE, f"{name}: {parameter.name}"
                free.add(parameter.name)
    assert free == FREE, "words for a parameter that can have none"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_list_of_words_can_be_made(name: str, folder: Path) -> None:
    for parameter in made_command(name).params:
        words = [*name.split(), *parameter.opts[: parameter.param_type_name == "option"]]
        assert isinstance(words_for(words, ""), dict)


def test_the_summary_of_a_command_is_the_first_sentence_of_its_help() -> None:
    assert {name: (made_command(name).help or "").split("\n")[0] for name in COMMANDS} == SUMMARIES


def test_a_shell_gets_the_words_in_lines(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("run$(touch ran).puzzle", "zwei\nzwei.puzzle", "-q.puzzle"):
        (folder / name).touch()
    for shell, words, answer in (
        ("bash", ["solve", "soma", "--to", "=", "js"], "jsonl\t\n"),
        ("fish", ["solve", "soma", "--to=js"], "--to=jsonl\t\n"),
        ("bash", ["solve", "my"], "my box.puzzle\t\n"),
        ("zsh", ["solve", "my"], "my box.puzzle\t\n"),
        ("bash", ["solve", r"my\ b"], "my box.puzzle\t\n"),
        ("bash", ["solve", r"my\ "], "my box.puzzle\t\n"),
        ("powershell", ["solve", "my"], "my box.puzzle\t\n"),
        ("bash", ["solve", '"my b'], "my box.puzzle\t\n"),
        ("bash", ["solve", '"run'], "run$(touch ran).puzzle\t\n"),
        ("bash", ["solve", "'run"], "run$(touch ran).puzzle\t\n"),
        ("bash", ["solve", "run"], "run$(touch ran).puzzle\t\n"),
        ("fish", ["solve", r"my\ b"], "my box.puzzle\t\n"),
        ("zsh", ["solve", "'my b"], "my box.puzzle\t\n"),
        ("zsh", ["solve", "zwei"], ""),
        ("zsh", ["cou"], "count\tCount the solutions of a puzzle.\n"),
    ):
        monkeypatch.setenv("_PUZZLEC_COMPLETION", " ".join([shell, *words]))
        assert command(capsys, monkeypatch) == (0, answer, "")


def test_a_tab_imports_no_heavy_module(folder: Path) -> None:
    code = "import sys; from puzzlec.cli.app import main; main(); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, env={**os.environ, "_PUZZLEC_COMPLETION": "zsh solve so"}, timeout=60,
    )  # fmt: skip
    assert "soma\tSoma cube" in done.stdout
    assert not set(done.stderr.split()) & {"numba", "numpy", "pydantic", "rich", "sqlite3", "puzzlec.jobs"}


#: Code with which each shell prints its completions to standard output. The shell sources it.
TRIES = {
    "bash": (
        "source ./script; complete -p puzzlec; COMP_WORDS=(puzzlec solve pentominoes/6); COMP_CWORD=2; "
        "_puzzlec_completion puzzlec; echo ${COMPREPLY[0]}"
    ),
    "fish": "source ./script; complete -C 'puzzlec solve pentominoes/6'",
    "zsh": "autoload -Uz compinit; compinit -D; source ./script; echo $_comps[puzzlec]; which -w _puzzlec",
}


@pytest.mark.parametrize(("shell", "shown"), [("bash", "6x10"), ("fish", "6x10"), ("zsh", "_puzzlec: function")])
def test_a_shell_takes_its_script(shell: str, shown: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    (tmp_path / "script").write_text(script(shell))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "HOME": str(tmp_path)}
    done = subprocess.run(
        [shell, "-c", TRIES[shell]], cwd=tmp_path, capture_output=True, text=True, timeout=60, env=environment
    )
    assert shown in done.stdout, done.stderr


def test_a_script_is_printed_for_a_shell(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for shell in SHELLS:
        assert command(capsys, monkeypatch, "completion", shell) == (0, script(shell), "")
        assert f"`puzzlec completion {shell} >" in script(shell), "the script says where it belongs"
    assert command(capsys, monkeypatch, "completion", "zhs")[0] == 2
