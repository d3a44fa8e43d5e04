"""docs/cli.md lists every command with the summary of its help: PUZZLEC_REGENERATE=1 writes the tables again."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from puzzlec.cli.commands import COMMANDS, GROUPS, made_command
from puzzlec.cli.exclusions import EXCLUSIONS, NEEDS, in_words, of_command
from tests.commands import command

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
BEGIN, END = "<!-- commands -->", "<!-- end of commands -->"


def tables() -> str:
    """Return a table of all commands, group by group."""
    lines = ["| group | command | what it does |", "|---|---|---|"]
    for title, group in GROUPS.items():
        lines += [f"| {title} | `puzzlec {name}` | {summary} |" for name, (_, summary) in group.items()]
    return "\n".join([BEGIN, *lines, END])


def test_the_page_lists_the_commands_as_the_help_does() -> None:
    text = PAGE.read_text("utf-8")
    before, middle, after = re.split(rf"(?s)({BEGIN}.*?{END})", text)
    if os.environ.get("PUZZLEC_REGENERATE"):
        PAGE.write_text(before + tables() + after, "utf-8")
        middle = tables()
    assert middle == tables(), "PUZZLEC_REGENERATE=1 pytest tests/cli/test_commands_page.py writes it again"


TOGETHER, END_OF_TOGETHER = "<!-- options together -->", "<!-- end of options together -->"


def together() -> str:
    """Return a table of the options that exclude or need each other."""
    rows = [
        f"| {_codes(row.options)} | not with {_codes(row.others)} | {_commands(row.commands)} |" for row in EXCLUSIONS
    ]
    rows += [f"| {_codes(row.options)} | only with {_codes(row.others)} | {_commands(row.commands)} |" for row in NEEDS]
    return "\n".join([TOGETHER, "| option | | commands |", "|---|---|---|", *rows, END_OF_TOGETHER])


def _codes(options: tuple[str, ...]) -> str:
    return ", ".join(f"`{in_words(option)}`" for option in options)


def _commands(commands: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in commands) or "all"


def test_the_page_lists_the_options_that_exclude_each_other() -> None:
    text = PAGE.read_text("utf-8")
    before, middle, after = re.split(rf"(?s)({TOGETHER}.*?{END_OF_TOGETHER})", text)
    if os.environ.get("PUZZLEC_REGENERATE"):
        PAGE.write_text(before + together() + after, "utf-8")
        middle = together()
    assert middle == together(), "PUZZLEC_REGENERATE=1 pytest tests/cli/test_commands_page.py writes it again"


def test_each_row_of_the_table_is_about_options_that_some_command_has() -> None:
    names = {name: {word for option in made_command(name).params for word in option.opts} for name in COMMANDS}
    for row in (*EXCLUSIONS, *NEEDS):
        for name in row.commands:
            assert any(option.split()[0] in names[name] for option in row.options), (name, row)
        for option in (*row.options, *row.others):
            assert any(option.split()[0] in words for words in names.values()), option


def test_each_pair_of_the_table_is_refused(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    values = {"--cluster tcp*": "tcp://a:1", "-p *[.,]*": "n=1..2", "--symmetry [!n]*": "all"}
    for name in COMMANDS:
        found = made_command(name)
        options = {word: option for option in found.params for word in option.opts}
        for row in of_command(EXCLUSIONS, name, found):
            for pair in ((one, two) for one in row.options for two in row.others):
                words = []
                for spec in pair:
                    option, _, pattern = spec.partition(" ")
                    words.append(option)
                    if not options[option].is_flag:
                        kind = options[option].type_descriptor.annotation
                        words.append(values.get(spec) or pattern or ("2" if kind in (int, float) else "x"))
                arguments = ["x"] * any(option.required for option in found.params)
                status, _, said = command(capsys, monkeypatch, *name.split(), *arguments, *words)
                assert (status, "not available with" in said) == (2, True), (name, pair, said)
