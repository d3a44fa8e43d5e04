"""A setting of a picture is one row: the command line, the library, the page and the documentation are made from it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import get_type_hints

import pytest

import puzzlec
from puzzlec.cli import draw as command
from puzzlec.cli.command import sections
from puzzlec.cli.commands import made_command
from puzzlec.services.web.exporting import settings_from
from puzzlec.show.settings import Setting, option_names, setting
from puzzlec.show.svg import choices
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.chosen import Chosen
from tests.commands import command as called

ROOT = Path(__file__).parents[2]
KEYWORDS = ROOT / "puzzlec" / "show" / "svg" / "chosen.py"
PAGE = ROOT / "docs" / "pictures" / "draw.md"
BEGIN, END = "<!-- settings -->", "<!-- end of settings -->"


@dataclass(frozen=True)
class More(Choices):
    """The table with one more row."""

    frame: str = setting(
        "thin", "Frame: thin or thick.", "the frame around the picture", "WHICH",
        words=("thin", "thick"), label="Frame", spoken=("fine", "strong"),
    )  # fmt: skip


def table(rows: type[Choices]) -> str:
    """Return the table of the documentation."""
    lines = ["| option | keyword | meaning |", "|---|---|---|"]
    for row in fields(rows):
        found: Setting = row.metadata["setting"]
        names = option_names(row.name, row.default, found).split("/")
        typed = ", ".join(f"`{name} {found.metavar}`" if found.metavar else f"`{name}`" for name in names)
        lines.append(f"| {typed} | `{row.name}` | {found.about} |")
    return "\n".join([BEGIN, *lines, END])


def keywords(rows: type[Choices]) -> str:
    """Return the fields of the class for typed keywords."""
    return "".join(f"    {row.name}: {row.type}\n" for row in fields(rows))


def test_the_keywords_of_the_library_are_the_rows_of_the_table() -> None:
    text = KEYWORDS.read_text("utf-8")
    head = text[: text.index('for PNG."""\n') + len('for PNG."""\n')]
    written = f"{head}\n{keywords(Choices)}    comes_apart: bool | None\n    scale: float | None\n"
    if os.environ.get("PUZZLEC_REGENERATE"):
        KEYWORDS.write_text(written, "utf-8")
        text = written
    assert text == written, "PUZZLEC_REGENERATE=1 pytest tests/show/test_picture_settings.py writes it again"
    assert set(get_type_hints(Chosen)) == {*get_type_hints(Choices), "comes_apart", "scale"}


def test_the_documentation_has_the_rows_of_the_table() -> None:
    text = PAGE.read_text("utf-8")
    before, middle, after = re.split(rf"(?s)({BEGIN}.*?{END})", text)
    if os.environ.get("PUZZLEC_REGENERATE"):
        PAGE.write_text(before + table(Choices) + after, "utf-8")
        middle = table(Choices)
    assert middle == table(Choices), "PUZZLEC_REGENERATE=1 pytest tests/show/test_picture_settings.py writes it again"


def test_a_new_setting_of_a_picture_is_one_row(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[More] = []

    def drawn(*_: object, choices: More, **__: object) -> str:
        seen.append(choices)
        return "<svg/>"

    monkeypatch.setattr(choices, "Choices", More)
    monkeypatch.setattr(command, "Choices", More)
    monkeypatch.setattr("puzzlec.make.outputs.draw", drawn)
    made_command.cache_clear()
    try:
        rows = dict(row for group in sections(made_command("draw").params).values() for row in group)
        assert rows["--frame WHICH"] == "Frame: thin or thick. [default: thin]"
        assert called(capsys, monkeypatch, "draw", "soma", "-o", "-", "--frame", "thick")[0] == 0
        assert seen[0].frame == "thick"
        status, _, said = called(capsys, monkeypatch, "draw", "soma", "-o", "-", "--frame", "wide")
        assert (status, "expected `thin` or `thick`, found `wide`" in said) == (2, True)
    finally:
        made_command.cache_clear()
    monkeypatch.undo()
    monkeypatch.setattr(choices, "Choices", More)
    assert "<svg" in puzzlec.draw("soma", limit=0, frame="thick")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="frame must be one of thin, thick, not 'wide'"):
        puzzlec.draw("soma", limit=0, frame="wide")  # type: ignore[call-overload]
    last = settings_from(More)[-1]
    assert (last.name, last.label, last.options) == ("frame", "Frame", (("thin", "fine"), ("thick", "strong")))
    assert "| `--frame WHICH` | `frame` | the frame around the picture |" in table(More)
    assert "    frame: str\n" in keywords(More)


def test_every_command_that_draws_takes_a_palette() -> None:
    for name in ("draw", "view", "play", "model", "solve"):
        assert any("--palette" in option.opts for option in made_command(name).params), name
