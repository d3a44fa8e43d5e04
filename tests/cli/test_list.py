"""The table of `puzzlec list`, which fits a terminal and is complete in a pipe."""

from __future__ import annotations

import io

import pytest

from puzzlec.cli.app import main
from puzzlec.formats import catalogue
from tests.cli.test_progress import Terminal


def listed(monkeypatch: pytest.MonkeyPatch, width: int, *words: str, stream: type[io.StringIO] = Terminal) -> list[str]:
    """Return the lines of a list on a terminal of this width."""
    shown = stream()
    monkeypatch.setattr("sys.stdout", shown)
    monkeypatch.setattr("sys.argv", ["puzzlec", "list", *words])
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("NO_COLOR", "1")
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    return shown.getvalue().splitlines()


@pytest.mark.parametrize("width", [48, 60, 80, 100, 120, 200])
def test_no_line_is_longer_than_the_terminal_and_each_name_is_complete(
    monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    lines = listed(monkeypatch, width)
    assert max(map(len, lines)) <= width
    names = [line.split()[0] for line in lines[1:] if not line.startswith(" ")]
    assert names == [entry.name for entry in catalogue.entries()]


def test_a_terminal_of_80_columns_shows_the_title_second_and_the_first_figures_of_a_level(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = listed(monkeypatch, 80, "burr")
    assert lines[0].split() == ["name", "title", "distinct", "level"]
    (plates,) = (line for line in lines if line.startswith("burrs/plates-level-65"))
    assert plates.endswith("  1  65.2.1...")
    assert "Eight plates" in plates
    (points,) = (line for line in listed(monkeypatch, 80) if line.startswith("designs/nine-points"))
    assert points.split()[-3:] == ["840", "raw", "-"]


def test_a_wide_terminal_and_a_pipe_show_all_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    heads = ["distinct", "raw", "apart", "level"]
    assert listed(monkeypatch, 140, "burr")[0].split() == ["name", "title", *heads]
    piped = listed(monkeypatch, 80, "burr", stream=io.StringIO)
    assert piped[0].split() == ["name", *heads, "title"]
    (level,) = (entry.level for entry in catalogue.entries() if entry.name == "burrs/plates-level-65")
    assert level is not None
    assert sum(level in line for line in piped) == 1


@pytest.mark.parametrize("what", ["lattices", "formats", "shapes"])
def test_lists_of_other_things_fit_a_terminal_and_are_complete_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    lines = listed(monkeypatch, 80, what)
    assert max(map(len, lines)) <= 80
    piped = listed(monkeypatch, 80, what, stream=io.StringIO)
    assert " ".join(lines).split() != piped
    assert sorted(" ".join(lines).split()) == sorted(" ".join(piped).split())
