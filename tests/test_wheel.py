"""A wheel, built and installed in a fresh environment, finds its grammars, libraries, catalogue and error pages."""

from __future__ import annotations

import configparser
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    (found,) = folder.glob("*.whl")
    return found


@pytest.mark.long
def test_the_wheel_contains_grammars_catalogue_and_libraries(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for needed in ("data/grammars/puzzle.lark", "data/puzzles/catalogue.yaml", "data/puzzles/soma/soma.puzzle",
                   "data/puzzles/new/sudoku.puzzle", "data/errors/PZ301.md", "geometry/lattices/cubic.yaml",
                   "geometry/shapes/polycubes.yaml", "cli/shells/puzzlec.fish", "py.typed"):  # fmt: skip
        assert f"puzzlec/{needed}" in names
    assert not [name for name in names if name.startswith(("tests/", "docs/"))]


def test_the_wheel_registers_the_command_and_the_lexer(wheel: Path) -> None:
    # The file is read, not looked up: an older puzzlec that is installed in place would hide these entry points.
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/entry_points.txt")]
        points = configparser.ConfigParser()
        points.read_string(archive.read(name).decode())
    assert points["console_scripts"]["puzzlec"] == "puzzlec.__main__:main"
    assert points["pygments.lexers"]["puzzlec"] == "puzzlec.language.highlight.highlighter:PuzzleLexer"


@pytest.mark.long
def test_an_installed_wheel_solves_a_puzzle_of_its_catalogue(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "fresh", with_pip=True)
    folder = tmp_path / "fresh" / ("Scripts" if os.name == "nt" else "bin")
    python = folder / "python"
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", str(wheel)],
        check=True, timeout=120, capture_output=True,
    )  # fmt: skip
    # The dependencies are those of the running environment. puzzlec itself must come from the wheel.
    # An editable install there is found by a .pth file, which PYTHONPATH does not read.
    environment = {**os.environ, "PYTHONPATH": sysconfig.get_paths()["purelib"]}
    where = subprocess.run(
        [python, "-c", "import puzzlec; print(puzzlec.__file__)"],
        check=True, capture_output=True, text=True, env=environment, cwd=tmp_path,
    )  # fmt: skip
    assert str(tmp_path / "fresh") in where.stdout
    done = subprocess.run(
        [folder / "puzzlec", "count", "soma"],
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        timeout=120,
    )
    assert done.stdout == "240\n", done.stderr
    manual = tmp_path / "fresh" / "share" / "man" / "man1" / "puzzlec.1"
    assert manual.read_bytes() == (ROOT / "docs" / "man" / "puzzlec.1").read_bytes()
    if (reader := shutil.which("man")) is not None and os.name != "nt":
        search = {key: value for key, value in environment.items() if key != "MANPATH"}
        search["PATH"] = f"{folder}{os.pathsep}{search['PATH']}"
        found = subprocess.run([reader, "-w", "puzzlec"], capture_output=True, text=True, env=search, cwd=tmp_path)
        assert found.stdout == f"{manual}\n", found.stderr
    listed = subprocess.run([folder / "puzzlec", "list"], capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert "pentominoes/6x10" in listed.stdout
    started = subprocess.run([folder / "puzzlec", "new", "sudoku"], capture_output=True, env=environment, cwd=tmp_path)
    lines = (ROOT / "puzzles" / "new" / "sudoku.puzzle").read_bytes().splitlines(keepends=True)
    assert started.stdout == b"".join([line for line in lines if not line.startswith(b"expect ")])
    lexer = subprocess.run(
        [python, "-c", "from puzzlec.language.highlight.highlighter import PuzzleLexer as found; print(found().name)"],
        capture_output=True, text=True, env=environment, cwd=tmp_path,
    )  # fmt: skip
    assert lexer.stdout == "puzzlec\n", lexer.stderr
    page = subprocess.run(
        [folder / "puzzlec", "explain", "PZ301"], capture_output=True, text=True, env=environment, cwd=tmp_path
    )
    title, *_ = (ROOT / "docs" / "errors" / "PZ301.md").read_text(encoding="utf-8").splitlines()
    assert page.stdout.splitlines()[0] == title.removeprefix("# "), page.stderr
