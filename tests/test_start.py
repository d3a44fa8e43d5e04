"""Commands import only what they use, so that the start is quick. No test here measures time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import lark
import pytest

from puzzlec import resources
from puzzlec.language.parsing import parser

ROOT = Path(__file__).parents[1]

PROBE = """
import sys
sys.argv = ["puzzlec"] + {arguments!r}
from puzzlec.cli.app import main
try:
    main()
except SystemExit as end:
    status = end.code or 0
print(f"status {{int(status)}}", *sorted(sys.modules), file=sys.stderr)
"""

#: Modules that no command needs if it only reads, solves or shows a small puzzle.
HEAVY = {"numba", "numpy", "pydantic", "rich", "xml", "pygments"}


def modules(cache: Path, *arguments: str) -> set[str]:
    """Return the imported modules after a command; it must succeed."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE.format(arguments=list(arguments))],
        capture_output=True, text=True, timeout=120, cwd=ROOT, env={**os.environ, "PUZZLEC_CACHE": str(cache)},
    )  # fmt: skip
    status, *names = done.stderr.splitlines()[-1].split()[1:]
    assert status == "0", done.stderr
    return set(names)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    modules(folder, "check", "soma")
    return folder


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "soma"],
        ["solve", "soma", "--time-limit", "9.5"],
        ["count", "soma"],
        ["check", "soma"],
        ["explain", "soma"],
        ["convert", "soma", "--to", "dpf"],
        ["list"],
        ["list", "lattices"],
        ["list", "lattices", "hex"],
        ["check", "puzzles/lattices/nine-cubes.puzzle"],
        ["--help"],
        ["--version"],
    ],
)
def test_no_command_on_a_small_puzzle_imports_a_heavy_module(cache: Path, arguments: list[str]) -> None:
    assert not modules(cache, *arguments) & HEAVY


@pytest.mark.long
def test_solving_imports_no_writer_no_editor_and_no_other_command(cache: Path) -> None:
    loaded = modules(cache, "solve", "soma")
    assert "puzzlec.language.puzzle_text" in loaded
    for name in (
        "yaml", "fractions", "puzzlec.formats.writing",
        "puzzlec.language.highlight", "puzzlec.explaining.explanation",
        "puzzlec.engine.reduction.forcing",
        "puzzlec.formats.dpf", "puzzlec.formats.piezas", "puzzlec.formats.offsets", "puzzlec.formats.compact",
        "puzzlec.cli.check", "puzzlec.cli.convert", "puzzlec.cli.fmt", "puzzlec.cli.show",
    ):  # fmt: skip
        assert name not in loaded


@pytest.mark.parametrize("arguments", [["solve", "soma"], ["count", "soma"]])
@pytest.mark.long
def test_a_search_without_a_checkpoint_imports_no_jobs_and_no_database(cache: Path, arguments: list[str]) -> None:
    loaded = modules(cache, *arguments)
    assert not loaded & {"sqlite3", "distributed", "puzzlec.jobs", "puzzlec.cli.jobs"}


def test_a_first_solution_does_not_import_the_search_for_reasons(cache: Path) -> None:
    assert not modules(cache, "solve", "soma") & {"puzzlec.lower.parity", "puzzlec.lower.linear_invariants"}


@pytest.mark.long
def test_the_workbench_checks_a_puzzle_where_numpy_is_missing(cache: Path) -> None:
    code = """
import sys
sys.modules |= {"numpy": None, "numba": None}
from puzzlec import resources
from puzzlec.services.web.local import checked
for name in ("soma/soma.puzzle", "new/burr.puzzle"):
    text = (resources.folder("puzzles") / name).read_text(encoding="utf-8")
    answer = checked({"text": text, "name": ""})
    assert answer.get("stage"), answer
"""
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PUZZLEC_CACHE": str(cache)})


@pytest.mark.long
def test_the_workbench_exports_pictures_and_pages_where_numpy_is_missing(cache: Path) -> None:
    code = """
import json, sys
sys.modules |= {"numpy": None, "numba": None}
from puzzlec import resources
from puzzlec.services.web.local import ask
text = (resources.folder("puzzles") / "soma/soma.puzzle").read_text(encoding="utf-8")
for name in ("svg", "html", "worksheet-html", "game-html"):
    messages = []
    ask("export", json.dumps({"text": text, "to": name, "solutions": []}), messages.append)
    assert '"why":"complete"' in messages[-1], (name, messages[-1][:500])
"""
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PUZZLEC_CACHE": str(cache)})


def test_the_version_needs_no_parser_and_no_puzzle(cache: Path) -> None:
    loaded = modules(cache, "--version")
    assert not loaded & {"lark", "yaml", "puzzlec.compiler"}
    packages = {".".join(name.split(".")[:2]) for name in loaded if name.startswith("puzzlec.")}
    assert packages == {f"puzzlec.{name}" for name in ("cli", "diagnostics", "show", "shown", "version")}


def test_importing_the_package_imports_none_of_its_stages() -> None:
    code = "import sys, puzzlec; print(*(name for name in sys.modules if name.startswith('puzzlec')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    packages = {".".join(name.split(".")[:2]) for name in done.stdout.split()}
    assert packages == {"puzzlec", "puzzlec.shown", "puzzlec.version"}


def test_the_engine_is_reached_from_the_package_when_it_is_used() -> None:
    code = (
        "import sys, puzzlec; before = 'puzzlec.engine' in sys.modules; puzzlec.engine.ExactCover; "
        "print(before, 'puzzlec.engine' in sys.modules, 'numpy' in sys.modules, 'numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == ["False", "True", "False", "False"]


@pytest.mark.long
def test_every_public_name_can_be_imported_in_any_order_and_is_that_of_its_module() -> None:
    code = """
import puzzlec.show.svg.figure as figure, puzzlec
from puzzlec import *
from importlib import import_module
homes = [import_module(f"puzzlec.{home}") for home in (*puzzlec._HOMES, "compiler")]
assert set(" ".join(puzzlec._HOMES.values()).split()) <= set(puzzlec.__all__), "no home of a name that there is not"
assert {name for name in dir(puzzlec) if not name.startswith("__")} == {"engine", *puzzlec.__all__}, "no helpers"
for name in puzzlec.__all__:
    assert name in dir(puzzlec), name
    assert getattr(puzzlec, name) is globals()[name], name
    own = name in ("render", "formats")
    assert own or any(getattr(home, name, None) is getattr(puzzlec, name) for home in homes), name
try:
    parse("piece")
except PuzzleError as error:
    assert render(error.diagnostics[0]) == puzzlec.diagnostics.render(error.diagnostics[0]) and figure.Figure
try:
    puzzlec.nothing
except AttributeError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("module 'puzzlec' has no attribute 'nothing'\n", "")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["solve", "soma", "--limit", "x"], "--limit"),
        (["solve", "soma", "--limit", "0"], "--limit"),
        (["solve", "soma", "--limit", "-3"], "--limit"),
        (["solve", "soma", "--time-limit", "soon"], "--time-limit"),
        (["solve", "soma", "--time-limit", "-1"], "--time-limit"),
        (["solve"], "PUZZLE"),
        (["slove", "soma"], "`solve`"),
    ],
)
def test_errors_on_the_command_line_are_still_refused(arguments: list[str], complaint: str) -> None:
    done = subprocess.run([sys.executable, "-m", "puzzlec", *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert complaint in done.stderr


def document(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a lattice's document with this cache, and the cached document."""
    monkeypatch.setenv("PUZZLEC_CACHE", str(folder))
    return resources.yaml_document(resources.folder("lattices") / "cubic.yaml")


def test_a_document_is_stored_and_is_the_same_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "cache"
    fresh = document(folder, monkeypatch)
    assert [path.name for path in folder.iterdir()] == ["cubic.json.cache"]
    monkeypatch.setitem(sys.modules, "yaml", None)  # it cannot be imported
    assert document(folder, monkeypatch) == fresh


def damaged(content: bytes) -> list[bytes]:
    """Return a file of the cache without its end, with another byte, and as another version might write it."""
    other = bytearray(content)
    other[len(other) // 2] ^= 1
    return [b"", content[:32], content[:-1], content + b" ", bytes(other), b"{}", bytes(32) + content[32:]]


def test_a_damaged_or_old_document_in_the_cache_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "cache"
    fresh, file = document(folder, monkeypatch), folder / "cubic.json.cache"
    right = file.read_bytes()
    for content in damaged(right):
        file.write_bytes(content)
        assert document(folder, monkeypatch) == fresh
        assert file.read_bytes() == right


def test_a_damaged_or_old_grammar_in_the_cache_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUZZLEC_CACHE", str(tmp_path / "cache"))
    made, file = parser.__wrapped__, tmp_path / "cache" / "offsets.parser.cache"
    tree = made("offsets").parse("A = { { 0, 0, 0, 1 } }")
    for content in damaged(file.read_bytes()):
        file.write_bytes(content)
        assert made("offsets").parse("A = { { 0, 0, 0, 1 } }") == tree
        assert file.read_bytes() not in (content, b"")
        assert made("offsets").parse("A = { { 0, 0, 0, 1 } }") == tree  # from the cache
        assert [path.name for path in file.parent.iterdir()] == [file.name]
    resources.keep(file.name, b"another grammar", b"its tables")
    assert made("offsets").parse("A = { { 0, 0, 0, 1 } }") == tree


@pytest.mark.long
def test_a_grammar_from_the_cache_reads_as_a_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUZZLEC_CACHE", str(tmp_path / "cache"))
    fresh = parser.__wrapped__("puzzle")
    monkeypatch.setattr(lark.Lark, "__init__", None)  # a second parser can only come from the cache
    kept = parser.__wrapped__("puzzle")
    for path in sorted((ROOT / "puzzles").rglob("*.puzzle"))[::20]:
        text = path.read_text("utf-8") + "\n"
        assert kept.parse(text, start="start") == fresh.parse(text, start="start")
    assert kept.parse("2 * n + 1", start="expression") == fresh.parse("2 * n + 1", start="expression")
    wrong = []
    for each in (fresh, kept):
        with pytest.raises(lark.UnexpectedToken) as error:
            each.parse("puzzle puzzle\n", start="start")
        machine: Any = error.value.interactive_parser
        wrong.append((error.value.token, machine.accepts()))
    assert wrong[0] == wrong[1]


@pytest.mark.long
def test_processes_that_begin_at_once_share_a_grammar(tmp_path: Path) -> None:
    script = "from puzzlec.language.parsing import parser; print(parser('puzzle').parse('lattice cubic\\n', 'start'))"
    environment = {**os.environ, "PUZZLEC_CACHE": str(tmp_path / "cache")}
    begun = [
        subprocess.Popen([sys.executable, "-c", script], env=environment, text=True, stdout=subprocess.PIPE)
        for _ in range(4)
    ]
    assert len({process.communicate(timeout=60)[0] for process in begun}) == 1
    assert not any(process.returncode for process in begun)
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["puzzle.parser.cache"]


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="there are no modes of files here")
def test_a_folder_that_other_users_may_write_to_is_not_a_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    assert document(shared, monkeypatch)["dimension"] == 3
    assert not list(shared.iterdir())
    assert resources.cache_folder() is None
