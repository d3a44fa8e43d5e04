"""The output of drawing commands on a terminal, in a pipe, in ASCII, with and without colours."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import command


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.parametrize(
    "words",
    [
        ("explain", "tetoct/pairs-octahedron"),
        ("explain", "prisms/pairs-hexagon-2", "--orientations"),
        ("list", "shapes", "polyaboloes", "3"),
        ("solve", "polytwigs/one-sided-twigs-triangle"),
        ("solve", "octants/four-piece-tetrahedron"),
        ("solve", "latin/order-4"),
        ("solutions", "dominoes/4x4", "--limit", "2"),
    ],
)
def test_every_command_that_draws_can_draw_in_ascii(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, fine, _ = command(capsys, monkeypatch, *words)
    assert status == 0
    assert not fine.isascii()
    status, rough, _ = command(capsys, monkeypatch, *words, "--ascii")
    assert status == 0
    assert rough.isascii()
    assert fine.count("\n") == rough.count("\n")
    for line in (*fine.split("\n"), *rough.split("\n")):
        assert len(line) <= 80
        assert not line.strip() or line == line.rstrip()


def test_lift_can_draw_in_ascii(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.puzzle").write_text("locations { xx }\npiece A { xx }\n", encoding="utf-8")
    (tmp_path / "answer").write_text("A\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    _, found, _ = command(capsys, monkeypatch, "solve", "a.puzzle", "--to", "list")
    (tmp_path / "answer").write_text(found, encoding="utf-8")
    status, drawn, _ = command(capsys, monkeypatch, "check", "--to", "text", "a.puzzle", "answer", "--ascii")
    assert (status, drawn) == (0, "+-------+\n| A   A |\n+-------+\n")


def test_colours_appear_if_forced_but_not_in_a_pipe_or_with_no_color(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("solve", "dominoes/4x4")
    assert "\033" not in command(capsys, monkeypatch, *words)[1]
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\033[38;5;16;48;5;" in command(capsys, monkeypatch, *words)[1]
    monkeypatch.setenv("COLORTERM", "truecolor")
    assert "\033[38;2;0;0;0;48;2;" in command(capsys, monkeypatch, *words)[1]
    monkeypatch.delenv("COLORTERM")
    monkeypatch.setenv("TERM", "linux")
    assert "\033[30;" in command(capsys, monkeypatch, *words)[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\033" not in command(capsys, monkeypatch, *words)[1]
