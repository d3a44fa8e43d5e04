"""``puzzlec completion``, and the words that a shell asks for when you press Tab.

The script of a shell runs the typed program with `_PUZZLEC_COMPLETION` in its environment: the name of the shell, a
space, and the typed arguments up to the cursor. It reads lines of a word, a tab, and the meaning of the word. No space
follows a word that ends in `/` or `=`.
"""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

from puzzlec.cli.options import Argument

#: The shells in the order of the help, and the file with the script of each.
SHELLS = {"bash": "puzzlec.bash", "zsh": "_puzzlec", "fish": "puzzlec.fish", "powershell": "puzzlec.ps1"}

#: Marks the cursor while a line is split into words.
_CURSOR = "\1"


def completion(
    shell: Annotated[str, Argument("bash, zsh, fish or powershell.", "SHELL", words=tuple(SHELLS))],
) -> None:
    """Print the completion script of a shell.

    Tab then completes commands, options and their values, and names of puzzles, lattices, shapes and files. The
    first lines of the script say where the shell looks for it.

    Examples:
        puzzlec completion bash >> ~/.bashrc
        puzzlec completion fish > puzzlec.fish

    """
    sys.stdout.write((Path(__file__).with_name("shells") / SHELLS[shell]).read_text(encoding="utf-8"))


def complete(request: str) -> None:
    """Print the words that fit at the cursor, for the request of a shell."""
    from typer import _completion_classes as classes

    shell, _, line = request.partition(" ")
    if shell == "bash":  # it splits words at `=`
        line = re.sub(r"(?<!\S)(--[\w-]+) = ?", r"\1=", line)
    if shell == "powershell":  # a backslash is part of a name there
        line = line.replace("\\", "\\\\")
    *before, typed = vars(classes)["click_split_arg_string"](line + _CURSOR)
    typed = typed.replace(_CURSOR, "")
    option, equals, _ = typed.partition("=")
    prefix = f"{option}=" if equals and option.startswith("--") and shell != "bash" else ""
    if isinstance(sys.stdout, TextIOWrapper):  # the bytes of a file's name may not be valid text
        sys.stdout.reconfigure(errors="surrogateescape")
    for word, about in words_for(before, typed).items():
        with suppress(UnicodeEncodeError):  # a shell cannot complete words that its terminal cannot show
            sys.stdout.write(f"{prefix}{word}\t{' '.join(about.split())}\n")


def words_for(before: list[str], typed: str) -> dict[str, str]:
    """Return the words that can follow others and begin with the typed text, with their meanings."""
    from typer._completion_classes import FishComplete  # the words are the same for all shells

    from puzzlec.cli.commands import FAMILIES, PROGRAM, SUMMARIES, TOP

    command, *more = [word for word in before if not word.startswith("-")] or ["help"]
    if command == "help" and not typed.startswith("-"):
        return {name: about for name, about in TOP.items() if name.startswith(typed)}
    if command not in {"help", *TOP}:
        return {}
    if command in FAMILIES and not {name.partition(" ")[2] for name in SUMMARIES} & {*more[:1]}:
        forms = {name.partition(" ")[2]: about for name, about in SUMMARIES.items() if name.startswith(f"{command} ")}
        if before[-1] == command and not typed.startswith("-"):
            return {name: about for name, about in forms.items() if name.startswith(typed)}
        before = [command, FAMILIES[command][1] or command, *before[before.index(command) + 1 :]]
    items = FishComplete(PROGRAM, {}, "puzzlec", "").get_completions(before, typed)
    meanings = {item.value: item.help or "" for item in items}
    return {word: about for word, about in meanings.items() if word == typed or not re.fullmatch("-[^-]", word)}
