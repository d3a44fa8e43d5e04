"""``puzzlec model`` for a laser: files in mm, their options, and no overwritten file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import command

pytest.importorskip("shapely")

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


def test_the_extension_of_the_file_selects_the_format(capsys: Capture, monkeypatch: Patch, tmp_path: Path) -> None:
    pytest.importorskip("ezdxf")
    for name, begins in (("a.svg", "<svg"), ("a.dxf", "  0\nSECTION")):
        words = ["model", "pentominoes/6x10", "-o", str(tmp_path / name), "--kerf", "0.2"]
        assert command(capsys, monkeypatch, *words) == (
            0,
            "",
            "12 pieces, 12 cuts, 1 sheet of 299 x 194.6 mm\n",
        )
        assert (tmp_path / name).read_text().startswith(begins)
        status, _, said = command(capsys, monkeypatch, *words)
        assert (status, "already exists" in said) == (1, True)
        assert command(capsys, monkeypatch, *words, "--force")[0] == 0


def test_standard_output_gets_the_outlines_of_a_solution(capsys: Capture, monkeypatch: Patch) -> None:
    words = [
        "model",
        "pentominoes/6x10",
        "-o",
        "-",
        "--to",
        "svg",
        "--layout",
        "solution",
        "--tray",
        "--engrave",
        "none",
    ]
    status, text, said = command(capsys, monkeypatch, *words)
    assert (status, said) == (0, "12 pieces and a tray, 14 cuts, 3 sheets of at most 230.2 x 150.2 mm\n")
    assert "#ff0000" in text
    assert 'stroke="#0000ff"' not in text
    assert "frame of the tray" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-o", "a.stl", "--kerf", "0.1"], "it is for outlines that are cut"),
        (["-o", "a.glb", "--radius", "1"], "it is for outlines that are cut"),
        (["-o", "a.svg", "--bevel", "1"], "it is for meshes"),
        (["-o", "a.svg", "--engrave", "name"], ", found `name`"),
        (["-o", "a.svg", "--engrave", "none,cells"], "use `none` alone"),
    ],
)
def test_options_that_do_not_belong_to_a_format_are_refused(
    words: list[str], said: str, capsys: Capture, monkeypatch: Patch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    status, _, told = command(capsys, monkeypatch, "model", "pentominoes/6x10", *words)
    assert (status, said in told) == (2, True), told
    assert not list(tmp_path.iterdir())


def test_a_solid_that_is_not_flat_is_refused_and_leaves_no_file(
    capsys: Capture, monkeypatch: Patch, tmp_path: Path
) -> None:
    status, _, told = command(capsys, monkeypatch, "model", "soma", "-o", str(tmp_path / "a.svg"))
    assert status == 1
    assert "error[PZ504]: piece `A` is not flat" in told
    assert not list(tmp_path.iterdir())
