"""Solutions on a terminal are side by side as far as there is room, and in a pipe one below the other."""

from __future__ import annotations

import io
import re

import pytest

from puzzlec.cli.app import main
from tests.cli.test_progress import Terminal

SOLVE = "solve", "new/packing2d", "--raw", "--progress", "none", "--limit"


def printed(monkeypatch: pytest.MonkeyPatch, *words: str, stream: type[io.StringIO] = Terminal, lines: int = 24) -> str:
    """Return what a command prints on a terminal of 80 columns."""
    shown = stream()
    monkeypatch.setattr("sys.stdout", shown)
    monkeypatch.setattr("sys.argv", ["puzzlec", *words])
    for name, value in {"COLUMNS": "80", "LINES": str(lines), "NO_COLOR": "1", "TERM": "xterm"}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit):
        main()
    return shown.getvalue()


def seen(text: str) -> list[str]:
    """Return the lines that a terminal shows, after some were erased from a line on."""
    lines: list[str] = []
    for part in re.split(r"(?=\033\[\d+A)", text):
        if up := re.match(r"\033\[(\d+)A\033\[J", part):
            del lines[-int(up[1]) :]
            part = part[up.end() :]
        lines += part.split("\n")[:-1]
    return lines


def test_pictures_share_rows_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = printed(monkeypatch, *SOLVE, "5", stream=io.StringIO).rstrip("\n").split("\n\n")
    assert len(pictures) == 5
    blocks = [picture.split("\n") for picture in pictures]
    height, width = len(blocks[0]), max(map(len, blocks[0]))
    assert all(len(block) == height and max(map(len, block)) == width for block in blocks)
    lines = seen(printed(monkeypatch, *SOLVE, "5"))
    row = (80 + 4) // (width + 4)
    assert 1 < row < 5
    for number, block in enumerate(blocks):
        top, left = number // row * (height + 1), number % row * (width + 4)
        assert [line[left : left + width].rstrip() for line in lines[top : top + height]] == block
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("change", [{"stream": io.StringIO}, {"lines": 3}])
def test_without_room_or_a_terminal_no_line_is_erased(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, object]
) -> None:
    assert "\033" not in printed(monkeypatch, *SOLVE, "3", **change)  # type: ignore[arg-type]
