"""docs/cli.md lists every command with the summary of its help: PUZZLEC_REGENERATE=1 writes the tables again."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from puzzlec.cli.commands import COMMANDS, GROUPS, made_command
from puzzlec.cli.exclusions import EXCLUSIONS, FORMAT, MESHES, NEEDS, OUTLINES, in_words, names_of, of_command
from puzzlec.make.table import MESHES as MESHES_KIND
from puzzlec.make.table import OUTLINES as OUTLINES_KIND
from puzzlec.make.table import of_kind
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
    return ", ".join(f"`{in_words(option)}`" for option in options).replace("|", "\\|")


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
    names = {name: names_of(made_command(name)) for name in COMMANDS}
    for row in (*EXCLUSIONS, *NEEDS):
        for name in row.commands:
            assert any(option.split()[0] in names[name] for option in row.options), (name, row)
        for option in (*row.options, *row.others):
            assert any(option.split()[0] in words for words in names.values()), option


def test_the_formats_of_the_table_are_those_of_the_outputs() -> None:
    assert [f"FORMAT {format}" for format in of_kind(MESHES_KIND)] == list(MESHES)
    assert [f"FORMAT {format}" for format in of_kind(OUTLINES_KIND)] == list(OUTLINES)


def words_of(pair: tuple[str, ...], command: Any) -> list[str]:
    """Return a command line with both options or arguments of a pair, and a value for each."""
    values = {"--cluster tcp*": "tcp://a:1", "-p *[.,]*": "n=1..2", "--symmetry [!n]*": "all"}
    options = {word: parameter for parameter in command.params for word in parameter.opts}
    named = {spec.partition(" ")[0] for spec in pair}
    places = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    last = max((number for number, parameter in enumerate(places) if parameter.metavar in named), default=-1)
    arguments = {
        parameter.metavar: "x" for number, parameter in enumerate(places) if parameter.required or number <= last
    }
    words = []
    for spec in pair:
        name, _, pattern = spec.partition(" ")
        if name == FORMAT:
            words += ["-o", f"x.{pattern}"]
        elif name not in options:
            arguments[name] = pattern or "y"
        elif options[name].is_flag:
            words.append(name)
        else:
            kind = options[name].type_descriptor.annotation
            number = f"{min(2, options[name].max or 2)}"
            words += [name, values.get(spec) or pattern or (number if kind in (int, float) else "x")]
    return [*words, *arguments.values()]


def test_each_pair_of_the_table_is_refused(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in COMMANDS:
        found = made_command(name)
        for row in of_command(EXCLUSIONS, name, found):
            for pair in ((one, two) for one in row.options for two in row.others):
                status, _, said = command(capsys, monkeypatch, *name.split(), *words_of(pair, found))
                assert (status, "not available with" in said) == (2, True), (name, pair, said)


def test_an_option_that_needs_another_is_refused_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in COMMANDS:
        found = made_command(name)
        for row in of_command(NEEDS, name, found):
            for option in row.options:
                words = words_of((option,), found)
                if any(other.split()[0] in words for other in row.others):
                    continue
                status, _, said = command(capsys, monkeypatch, *name.split(), *words)
                assert (status, "it needs" in said) == (2, True), (name, option, said)
