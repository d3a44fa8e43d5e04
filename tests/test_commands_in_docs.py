"""Each command and each option that a page, a notebook or a message names is one of the program."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from puzzlec.cli.commands import COMMANDS, FAMILIES, PROGRAM, made_command
from puzzlec.cli.exclusions import names_of
from tests.docs_blocks import DOCS, ERRORS, PAGES, ROOT

NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))

MODULES = sorted((ROOT / "puzzlec").rglob("*.py"))

#: Decisions that give the names that an option or a command had before.
HISTORY = {"058-options-have-one-name-for-each-idea.md"}

#: Pages with options of the tools for development.
TOOLS = {"benchmarks.md", "testing.md", "041-many-ways-to-count-one-number.md"}

#: Options of other programs that a page names, and misspelled commands that it shows.
OTHERS = {"--json-stream", "--length", "--lifetime", "--scheduler-file", "puzzlec slove", "puzzlec so"}


def options_of(command: object) -> set[str]:
    """Return the names of the options of a command, also those that switch it off."""
    parameters = getattr(command, "params", [])
    return names_of(command) | {name for parameter in parameters for name in parameter.secondary_opts}


COMMON = options_of(PROGRAM) | {"--help", "-h"}
OPTIONS = {"": COMMON, "help": COMMON} | {name: options_of(made_command(name)) | COMMON for name in COMMANDS}
OPTIONS |= {family: OPTIONS.get(f"{family} {usual}", COMMON) for family, (_, usual) in FAMILIES.items()}


def codes(text: str) -> Iterator[str]:
    """Yield the code of a page: what is between backticks, and the lines of blocks for a shell."""
    text = re.sub(r"(?s)<!--.*?-->", "", text)
    for language, block in re.findall(r"(?ms)^```(sh|bash|console)\n(.*?)^```$", text):
        prompt = r"\$ " if language == "console" else ""
        yield from re.findall(rf"(?m)^{prompt}(.*\bpuzzlec .*)$", block.replace("\\\n", " "))
    yield from re.findall(r"`([^`\n]+)`", re.sub(r"(?ms)^```.*?^```$", "", text))


def texts(path: Path) -> Iterator[str]:
    """Yield the texts of a page or a notebook, or the strings of a module."""
    text = path.read_text("utf-8")
    if path.suffix == ".ipynb":
        yield from ("".join(cell["source"]) for cell in json.loads(text)["cells"])
    elif path.suffix == ".py":
        nodes = ast.walk(ast.parse(text))
        yield from (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    else:
        yield text


def unknown(code: str) -> Iterator[str]:
    """Yield what a piece of code names that the program does not have."""
    alone = re.fullmatch(r"(--[a-z][\w-]+)(?:[ =].*)?", code)
    if alone and not any(alone[1] in options for options in OPTIONS.values()):
        yield alone[1]
    for call in re.findall(r"(?:^|[\s|;&(])puzzlec(?= |$)([^|;&#\n]*)", code):
        words = re.sub(r"'[^']*'|\"[^\"]*\"", "text", call).split()
        command = next((word for word in words if not word.startswith("-")), "")
        if command in FAMILIES:
            longer = " ".join(words[words.index(command) :][:2])
            command = longer if longer in COMMANDS else command
        if command in OPTIONS:
            named = [word.partition("=")[0] for word in words if re.match(r"--?[a-zA-Z]", word)]
            yield from (f"puzzlec {command} {option}" for option in named if option not in OPTIONS[command])
        elif re.fullmatch("[a-z][a-z-]*", command):
            yield f"puzzlec {command}"


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("puzzlec slove soma", ["puzzlec slove"]),
        ("--colour-of X", ["--colour-of"]),
        ("cat a | puzzlec -q count - --raw --worksheet", ["puzzlec count --worksheet"]),
        ("puzzlec list shapes pentominoes --number 3", ["puzzlec list shapes --number"]),
        ("puzzlec list --tag easy && puzzlec draw a --no-legend -o a.svg", []),
        ("puzzlec solutions soma --where 'X on border --or' --sample=2", []),
        ("--time-limit SECONDS", []),
    ],
)
def test_an_unknown_command_or_option_is_found(code: str, found: list[str]) -> None:
    assert list(unknown(code)) == found
    assert list(codes(f"Type `{code}` here.")) == [code]


@pytest.mark.parametrize("path", [*PAGES, *ERRORS, *NOTEBOOKS], ids=lambda path: path.name)
def test_a_page_names_commands_and_options_of_the_program(path: Path) -> None:
    named = {name for text in texts(path) for code in codes(text) for name in unknown(code)} - OTHERS
    lone = {name for name in named if path.name in TOOLS | HISTORY and name.startswith("--")}
    assert named == lone


@pytest.mark.long
def test_a_message_names_commands_and_options_of_the_program() -> None:
    found = {
        (path.name, name)
        for path in MODULES
        for text in texts(path)
        for code in codes(text)
        if code.startswith("puzzlec ")
        for name in unknown(code)
    }
    assert not found
