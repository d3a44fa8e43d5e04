"""Every command in unusual surroundings: without a home, and with a cache that cannot be written."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from puzzlec import resources
from puzzlec.cli.commands import COMMANDS
from puzzlec.engine.kernels import bitcode, jit
from tests.commands import ENVIRONMENT
from tests.commands import run as command

#: A call of each command that needs no other program.
CALLS = {
    "solve": "solve soma/castle --all --to list",
    "count": "count two.puzzle --kernel bits",
    "estimate": "estimate two.puzzle",
    "sets": "sets range.puzzle",
    "unique": "unique two.puzzle",
    "solutions": "solutions two.puzzle --frequency",
    "disassemble": "disassemble two.puzzle --all",
    "new": "new",
    "generate": "generate dominosa --seed 1",
    "check": "check two.puzzle hex",
    "fmt": "fmt two.puzzle --diff",
    "explain": "explain two.puzzle",
    "show": "show soma",
    "draw": "draw two.puzzle -o -",
    "view": "view two.puzzle -o -",
    "play": "play two.puzzle -o -",
    "model": "model soma/castle --to stl -o -",
    "convert": "convert two.puzzle --to dlx",
    "lift": "lift two.puzzle answer.txt",
    "formats": "formats dlx",
    "list": "list soma",
    "shapes": "shapes pentominoes",
    "lattice": "lattice hex",
    "verify": "verify soma/castle",
    "resume": "resume job",
    "status": "status job",
    "merge": "merge shard",
    "completion": "completion bash",
}
#: These commands run until they are ended.
ENDLESS = {"serve", "lsp"}
#: Commands that read each kind of file in the cache: grammars, documents and machine code.
SOME = ["count", "list"]

FILES = {
    "two.puzzle": "locations box 4x2\npiece D x4 { xx }\n",
    "range.puzzle": "locations box 4x2\npiece D x0..4 { xx }\npiece I x0..2 { xxxx }\n",
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
    assert CALLS.keys() | ENDLESS == COMMANDS.keys()


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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the commands run in copies of a process")
@pytest.mark.parametrize(
    ("how", "environment", "names"),
    [
        ("homeless", {}, list(CALLS)),
        ("", {"HOME": "/proc"}, list(CALLS)),  # no user can make a folder there
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
