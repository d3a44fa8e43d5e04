"""`puzzlec model`: files of meshes, and the messages of errors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import command

pytest.importorskip("manifold3d")

BARS = "lattice cubic\nlocations box 3x2x1\npiece I x2 { xxx }\n"


@pytest.fixture
def bars(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "bars.puzzle"
    path.write_text(BARS, encoding="utf-8")
    return path


def made(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str]:
    status, _, errors = command(capsys, monkeypatch, "model", *words)
    return int(status), errors


@pytest.mark.parametrize("ending", ["stl", "3mf", "glb"])
def test_the_extension_selects_the_format(
    ending: str, bars: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "2 pieces, 59.8 x 39.8 x 19.8 mm, 46.8 cm3 of material\n"
    assert made(capsys, monkeypatch, str(bars), "-o", f"out.{ending}", "--layout", "solution") == (0, said)
    begins = {"stl": b"puzzlec", "3mf": b"PK", "glb": b"glTF"}
    assert Path(f"out.{ending}").read_bytes().startswith(begins[ending])


def test_no_file_is_overwritten(
    bars: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("out.stl").write_text("mine")
    status, errors = made(capsys, monkeypatch, str(bars), "-o", "out.stl")
    assert status == 1
    assert "PZ005" in errors
    assert Path("out.stl").read_text() == "mine"
    assert made(capsys, monkeypatch, str(bars), "-o", "out.stl", "--force")[0] == 0
    assert Path("out.stl").read_bytes().startswith(b"puzzlec")


def test_each_plate_and_each_piece_can_have_a_file(
    bars: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, errors = made(capsys, monkeypatch, str(bars), "-o", "bar.stl", "--plate", "62x30")
    assert status == 0
    assert errors.splitlines() == [
        "bar-1.stl: 1 piece, 59.8 x 19.8 x 19.8 mm, 23.4 cm3 of material",
        "bar-2.stl: 1 piece, 59.8 x 19.8 x 19.8 mm, 23.4 cm3 of material",
        "2 pieces on 2 plates of 62 x 30 mm, 46.8 cm3 of material",
    ]
    assert sorted(path.name for path in Path().glob("*.stl")) == ["bar-1.stl", "bar-2.stl"]
    status, errors = made(capsys, monkeypatch, str(bars), "-o", "piece.3mf", "--separate", "--tray")
    assert "`I` is needed 2 times" in errors
    assert "piece-I.3mf: 59.8 x 19.8 x 19.8 mm" in errors
    assert "piece-tray.3mf: 64.2 x 44.2 x 22.1 mm" in errors
    assert sorted(path.name for path in Path().glob("*.3mf")) == ["piece-I.3mf", "piece-tray.3mf"]
    assert made(capsys, monkeypatch, str(bars), "-o", "t.stl", "--plate", "70x50", "--tray")[0] == 0
    assert sorted(path.name for path in Path().glob("t*.stl")) == ["t-1.stl", "t-tray.stl"]


def test_a_picture_of_the_plates_is_written_beside_the_file(
    bars: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert made(capsys, monkeypatch, str(bars), "-o", "b.stl", "--preview", "b.svg")[0] == 0
    assert "from above, " in Path("b.svg").read_text(encoding="utf-8")
    status, errors = made(capsys, monkeypatch, str(bars), "-o", "c.stl", "--preview", "b.svg")
    assert (status, "exists" in errors, Path("c.stl").exists()) == (1, True, False)
    pytest.importorskip("resvg_py")
    assert made(capsys, monkeypatch, str(bars), "-o", "d.stl", "--preview", "d.png")[0] == 0
    assert Path("d.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "status", "text"),
    [
        (("-o", "out.obj"), 2, "obj"),
        (("-o", "-"), 2, ""),
        (("-o", "out.stl", "--layout", "box"), 2, "box"),
        (("-o", "out.stl", "--plate", "wide"), 2, "200x180"),
        (("-o", "out.stl", "--separate", "--layout", "solution"), 2, "separate files have no plate"),
        (("-o", "out.stl", "--plate", "90x90", "--layout", "solution"), 2, "no plate"),
        (("-o", "-", "--to", "stl", "--separate"), 2, "each piece is a file"),
        (("-o", "out.svg", "--separate"), 2, "for meshes"),
        (("-o", "out.stl", "--wall", "3"), 2, "it needs --tray"),
        (("-o", "out.stl", "--preview", "out.jpg"), 2, "ends in .svg or .png"),
        (("-o", "out.dxf", "--preview", "out.svg"), 2, "for meshes"),
        (("-o", "out.stl", "--cell", "0"), 1, "PZ506"),
        (("-o", "out.stl", "--gap", "-1"), 2, "gap"),
        (("-o", "out.stl", "--bevel", "12"), 1, "PZ506"),
        (("-o", "out.stl", "--plate", "10x10"), 1, "PZ506"),
    ],
)
def test_contradictory_options_are_refused(
    words: tuple[str, ...],
    status: int,
    text: str,
    bars: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, errors = made(capsys, monkeypatch, str(bars), *words)
    assert found == status
    assert text in errors
    assert not list(Path().glob("out*"))


def test_other_commands_start_without_the_packages_of_this_one() -> None:
    code = "import sys, puzzlec.cli.model; print({'manifold3d', 'trimesh'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_a_missing_package_is_reported(
    bars: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "manifold3d", None)
    status, errors = made(capsys, monkeypatch, str(bars), "-o", "out.stl")
    assert status == 1
    assert "PZ505" in errors
    assert "puzzlec[print]" in errors
