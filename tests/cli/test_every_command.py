"""Every command in unusual surroundings: without a home, without a cache that can be written, and without time."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from puzzlec import resources
from puzzlec.cli.commands import COMMANDS, made_command
from puzzlec.engine.kernels import bitcode, jit
from tests.commands import ENVIRONMENT
from tests.commands import run as command

#: A call of each command that needs no other program.
CALLS = {
    "solve": "solve soma/castle --all --to list",
    "count": "count two.puzzle --kernel bits",
    "estimate": "estimate two.puzzle",
    "sets": "sets range.puzzle",
    "clues": "clues two.puzzle",
    "solutions": "solutions two.puzzle --frequency",
    "disassemble": "disassemble two.puzzle --all",
    "new": "new",
    "generate": "generate dominosa --seed 1",
    "check": "check two.puzzle hex",
    "fmt": "fmt two.puzzle --diff",
    "explain": "explain two.puzzle",
    "draw": "draw two.puzzle -o -",
    "view": "view two.puzzle -o -",
    "play": "play two.puzzle -o -",
    "model": "model soma/castle --to stl -o -",
    "convert": "convert two.puzzle --to dlx",
    "check of an answer": "check --to text two.puzzle answer.txt",
    "list formats": "list formats dlx",
    "list puzzles": "list soma",
    "list shapes": "list shapes pentominoes",
    "list lattices": "list lattices hex",
    "check of the catalogue": "check --catalogue soma/castle",
    "job resume": "job resume job",
    "job status": "job status job",
    "job merge": "job merge shard",
    "completion": "completion bash",
}
#: These commands run until they are ended.
ENDLESS = {"serve", "lsp"}
#: Commands that read each kind of file in the cache: grammars, documents and machine code.
SOME = ["count", "list puzzles"]

FILES = {
    "two.puzzle": "locations box 4x2\npiece D x4 { xx }\n",
    "range.puzzle": "locations box 4x2\npiece D x0..4 { xx }\npiece I x0..2 { xxxx }\n",
    "priced.puzzle": "locations box 4x2\npiece D x4 { xx }\ncost D = 3\n",
    "answer.txt": "s SATISFIABLE\nv 1 3 4 6 0\n",
}

#: Calls commands one by one. Each gets a process, so no command has what another one read.
CALLER = """
import json, os, sys, tempfile
def refuse(number): raise KeyError(number)
if sys.argv[1] == "homeless":  # as for a number of a user that the system does not list
    import pwd
    pwd.getpwuid = refuse
from puzzlec.cli.app import main
answers = {}
for name, words in json.load(sys.stdin).items():
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        child = os.fork()
        if not child:
            os.dup2(output.fileno(), 1)
            os.dup2(errors.fileno(), 2)
            sys.argv = ["puzzlec", *words]
            try:
                main()
            except SystemExit as end:
                sys.stdout.flush()
                os._exit(int(end.code or 0))
            os._exit(99)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        output.seek(0)
        errors.seek(0)
        answers[name] = status, output.read().decode(errors="replace"), errors.read().decode()
print(json.dumps(answers))
"""

#: Times, rates and dates in an output.
_TIMES = re.compile(r"\d+\.\d+|[\d,]+ nodes a second")

Answers = dict[str, tuple[int, str, str]]


def test_each_command_has_a_call() -> None:
    assert {name for name in CALLS if " of " not in name} | ENDLESS == COMMANDS.keys()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("commands")
    for name, text in FILES.items():
        (place / name).write_text(text)
    command("count", "two.puzzle", "--checkpoint", "job", cwd=place)
    command("count", "two.puzzle", "--checkpoint", "shard", "--shard", "1/1", cwd=place)
    return place


def called(folder: Path, names: Iterable[str], how: str = "", **environment: str) -> Answers:
    """Return the answer of each call: its status, and what it prints, without numbers such as times."""
    usual = {name: value for name, value in ENVIRONMENT.items() if not re.search("HOME|CACHE", name)}
    done = subprocess.run(
        [sys.executable, "-c", CALLER, how], input=json.dumps({name: shlex.split(CALLS[name]) for name in names}),
        capture_output=True, text=True, timeout=300, cwd=folder, env={**usual, **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answers: Answers = json.loads(done.stdout)
    return {name: (status, _TIMES.sub("", output), errors) for name, (status, output, errors) in answers.items()}


@pytest.fixture(scope="module")
def usual(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Answers:
    answers = called(folder, CALLS, PUZZLEC_CACHE=str(tmp_path_factory.mktemp("cache")))
    assert [answer for answer in answers.values() if answer[0]] == []
    return answers


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the commands run in copies of a process")
@pytest.mark.parametrize(
    ("how", "environment", "names"),
    [
        ("homeless", {}, list(CALLS)),
        ("", {"HOME": "/proc"}, SOME),  # no user can make a folder there
        ("", {"XDG_CACHE_HOME": "/proc"}, SOME),
        ("", {"HOME": "two.puzzle"}, SOME),  # a file
        ("", {"PUZZLEC_CACHE": "two.puzzle"}, SOME),
    ],
)
def test_every_command_works_without_a_cache(
    how: str, environment: dict[str, str], names: list[str], folder: Path, usual: Answers
) -> None:
    before = set(folder.iterdir())
    for name, (status, output, errors) in called(folder, names, how, **environment).items():
        assert (name, status, output) == (name, *usual[name][:2]), errors
    assert set(folder.iterdir()) == before


@pytest.mark.parametrize("home", [None, "/tmp/home"])
@pytest.mark.parametrize("variables", [{}, {"XDG_CACHE_HOME": "/tmp/xdg"}, {"PUZZLEC_CACHE": "/tmp/named"}])
def test_the_engine_and_puzzlec_agree_about_the_cache(
    home: str | None, variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PUZZLEC_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    _set_home(home, monkeypatch)
    expected = resources._cache_place()
    assert (expected is None) == (home is None and not variables)
    if expected is None:
        with pytest.raises(RuntimeError):
            bitcode._cache_place()
    else:
        assert bitcode._cache_place() == expected


def _set_home(home: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the home of the user; None: there is none."""
    expanded = os.path.expanduser
    monkeypatch.setattr(os.path, "expanduser", lambda path: expanded(path) if home is None else home + str(path)[1:])
    if home is None:
        monkeypatch.setattr(os.path, "expanduser", lambda path: path)


def test_numba_makes_no_folder_named_like_the_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    _set_home(None, monkeypatch)
    assert jit._has_cache()  # beside the package
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert not jit._has_cache()
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/tmp/numba")
    assert jit._has_cache()


#: Calls of the commands with a limit of time, without the words for it.
LIMITED = {
    **{name: CALLS[name] for name in ("solve", "count", "estimate", "sets", "clues", "solutions", "disassemble")},
    **{name: CALLS[name] for name in ("draw", "view", "play", "model", "convert")},
    "count with a checkpoint": "count two.puzzle --checkpoint fresh",
    "count by cost": "count two.puzzle --cost all",
    "count of those that come apart": "count two.puzzle --comes-apart",
    "the best": "solve priced.puzzle --min-cost",
    "a certificate": "count two.puzzle --certificate two.cert",
    "a worksheet": "draw two.puzzle --worksheet -o sheet.pdf",
}

#: Functions of the stages, which every command calls, or all but some.
STAGES: dict[str, tuple[str, set[str]]] = {
    "reading the puzzle": ("puzzlec.language.puzzle_text.read_puzzle", set()),
    "listing placements": ("puzzlec.lower.placing.Board", {"model"}),
    "looking for symmetries": (
        "puzzlec.lower.symmetries.movements",
        {"model", "convert", "solutions", "count by cost"},
    ),
    "searching": (
        "puzzlec.engine.search.race.Race.advance",
        {"model", "convert", "estimate", "solutions", "count with a checkpoint", "count by cost", "the best"},
    ),
}


def test_each_command_with_a_limit_of_time_is_tried() -> None:
    having = {name for name in COMMANDS if any("--time-limit" in param.opts for param in made_command(name).params)}
    # A generator has no puzzle to read, `resume` saves its slices, and the others have a limit for each search. `check`
    # has it only for the counts of `expect`.
    assert having - {"generate", "job resume", "serve", "check"} == {call.split()[0] for call in LIMITED.values()}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer interrupts a stage")
@pytest.mark.parametrize("name", LIMITED)
@pytest.mark.parametrize("stage", STAGES)
def test_a_limit_of_time_ends_every_command_in_every_stage(
    stage: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    function, without = STAGES[stage]
    if name in without:
        return
    for file, text in FILES.items():
        (tmp_path / file).write_text(text.replace("locations", f"# {stage} {name}\nlocations"))
    begun = []

    def endless(*_: object, **__: object) -> None:
        begun.append(stage)
        assert callable(signal.getsignal(signal.SIGALRM)), "no timer interrupts this stage"
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.01)  # the limit is over
        time.sleep(100)

    monkeypatch.setattr(function, endless)
    words = shlex.split(LIMITED[name].replace("soma/castle", "two.puzzle"))
    done = command(*words, "--time-limit", "1000", cwd=tmp_path)
    assert begun, "the command never reaches this stage"
    assert done.returncode == 4, done.stderr
    assert re.search(r"stopped (at the limit|after)", done.stderr), done.stderr
    assert not [path.name for path in tmp_path.iterdir() if path.suffix in (".cert", ".pdf")]
    before = re.search(r"before .* \((.*)\)$", done.stderr)
    assert before is None or before[1] == stage or stage == "searching"


#: The options whose help differs between commands: by what they take there, by their default, or by what they do. This
#: list may only get shorter.
OPTIONS_OF_SEVERAL_HELPS = {
    "--all", "--best", "--cell", "--certificate", "--checkpoint", "--comes-apart", "--count", "--kernel", "--limit",
    "--memory", "--output", "--param", "--quiet", "--seed", "--shard", "--solutions", "--stage", "--steps", "--tag",
    "--threads", "--time-limit", "--to",
}  # fmt: skip


def test_an_option_has_one_help_in_all_commands_or_is_listed() -> None:
    helps: dict[str, set[str]] = {}
    for name in COMMANDS:
        for param in made_command(name).params:
            for option in param.opts:
                if option.startswith("--"):
                    helps.setdefault(option, set()).add(param.help or "")
    assert len(helps) > 100
    several = {option: words for option, words in helps.items() if len(words) > 1}
    assert several.keys() == OPTIONS_OF_SEVERAL_HELPS, several
