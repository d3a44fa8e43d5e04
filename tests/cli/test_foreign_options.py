"""Options of other programs: each command that has something for one says what to write, and that works."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from puzzlec.cli.command import UsageError
from puzzlec.cli.commands import COMMANDS, PROGRAM, made_command
from puzzlec.cli.foreign import FOREIGN, instead_of
from puzzlec.cli.terminal import begin
from tests.commands import command


@pytest.fixture(autouse=True)
def _reset() -> Iterator[None]:
    """Forget the options that the tests parse: `--json` would also change later tests."""
    yield
    begin()


def options_of(name: str) -> list[str]:
    """Return the options of a command."""
    return [word for parameter in made_command(name).params for word in parameter.opts]


def arguments(name: str) -> list[str]:
    """Return the arguments that a command needs."""
    return ["soma" for parameter in made_command(name).params if parameter.param_type_name == "argument"][:1]


def unknown(name: str, words: list[str]) -> str:
    """Return the message of the unknown option in a command line; empty if all options are known."""
    begin()
    above = PROGRAM.make_context("puzzlec", name.split()[:1])  # it names the options that ask for help
    try:
        with above:
            made_command(name).make_context(name, words, parent=above)
    except UsageError as error:
        message = str(error.format_message())
        return message if message.startswith("No such option") else ""
    return ""


@pytest.mark.parametrize("name", COMMANDS)
def test_what_to_write_instead_of_an_option_is_an_option_of_the_command(name: str) -> None:
    options = options_of(name)
    for foreign in FOREIGN:
        for option in foreign.names:
            if option in options:
                continue
            value = foreign.values[0] if foreign.values else "5" if foreign.takes_value else ""
            words = [name, *arguments(name), option, *filter(None, [value])]
            found = instead_of(option, words, name, options)
            if found is None:
                continue
            typed, new = found
            assert typed == " ".join(words[len(words) - 1 - bool(value) :])
            if not new or "=" in new.split()[0]:
                assert unknown(name, arguments(name)) == "", (option, new)
            elif new.startswith("-"):
                assert unknown(name, [*arguments(name), *new.split()]) == "", (option, new)
            else:
                assert new in COMMANDS
                assert new != name


def test_each_option_of_another_program_means_something_in_some_command() -> None:
    for foreign in FOREIGN:
        value = foreign.values[0] if foreign.values else "5" if foreign.takes_value else ""
        for option in foreign.names:
            words = ["count", "soma", option, value]
            assert any(
                instead_of(option, words, name, options_of(name)) for name in COMMANDS if option not in options_of(name)
            ), option


@pytest.mark.parametrize(
    ("line", "help"),
    [
        ("count soma -n 5", "write `--limit 5` instead of `-n 5`"),
        ("count soma -n5", "write `--limit 5` instead of `-n5`"),
        ("count soma --max=5", "write `--limit 5` instead of `--max=5`"),
        ("solve soma -a", "write `--all` instead of `-a`"),
        ("solve soma -j 4", "write `--threads 4` instead of `-j 4`"),
        ("count soma --jobs 4", "write `--threads 4` instead of `--jobs 4`"),
        ("count soma --parallel 2", "write `--threads 2` instead of `--parallel 2`"),
        ("solve soma --timeout 5", "write `--time-limit 5` instead of `--timeout 5`"),
        ("solve soma --format json", "write `--json` instead of `--format json`"),
        ("solve soma --format list", "write `--to list` instead of `--format list`"),
        ("solve soma --first", "write `--limit 1` instead of `--first`"),
        ("solve soma --one", "write `--limit 1` instead of `--one`"),
        ("solve soma --random", "write `--seed 1` instead of `--random`"),
        ("count soma --no-symmetry", "write `--symmetry none` instead of `--no-symmetry`"),
        ("count soma --distinct", "write `--symmetry all` instead of `--distinct`"),
        ("count soma --mirror", "write `--symmetry all` instead of `--mirror`"),
        ("check soma --fix", "use `puzzlec fmt soma`"),
        ("fmt soma --write", "remove `--write`"),
        ("count soma --all", "remove `--all`"),
        ("draw soma --all", "write `--limit 1000` instead of `--all`"),
        ("solve soma --color", "begin the command with `FORCE_COLOR=1`"),
        ("draw soma --colors x", "write `--palette x` instead of `--colors x`"),
    ],
)
def test_the_suggestion_has_the_value_of_the_user(
    line: str, help: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, printed, said = command(capsys, monkeypatch, *line.split())
    assert (status, printed) == (2, "")
    assert re.findall(r"= help: (.*)", said)[0] == help
