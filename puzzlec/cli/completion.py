"""``puzzlec completion``, and the words that a shell asks for when you press Tab.

The script of a shell runs the typed program with `_PUZZLEC_COMPLETION` in its environment: the name of the shell, a
space, and the typed arguments up to the cursor. It reads lines of a word, a tab, and the meaning of the word. No space
follows a word that ends in `/` or `=`.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

from puzzlec.cli.candidates import words
from puzzlec.cli.output import write_file, written_to
from puzzlec.cli.terminal import say
from puzzlec.diagnostics import none_of

#: The shells in the order of the help, and the file with the script of each.
SHELLS = {"bash": "puzzlec.bash", "zsh": "_puzzlec", "fish": "puzzlec.fish", "powershell": "puzzlec.ps1"}

#: Marks the cursor while a line is split into words.
_CURSOR = "\1"


def completion(
    shell: Annotated[
        str | None,
        typer.Argument(
            metavar="SHELL",
            help="bash, zsh, fish or powershell. [default: your shell]",
            autocompletion=words(tuple(SHELLS)),
        ),
    ] = None,
    install: Annotated[bool, typer.Option("--install", help="Write the script where the shell finds it.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file of --install.", hidden=True)] = False,
) -> None:
    """Print the completion script of a shell.

    Tab then completes commands, options and their values, and names of puzzles, lattices, shapes and files.

    Examples:
        puzzlec completion --install
        puzzlec completion bash

    """
    chosen = {"pwsh": "powershell"}.get(name := shell or own_shell(), name)
    if chosen not in SHELLS:
        raise typer.BadParameter(none_of(chosen, SHELLS) if chosen else f"name one: {', '.join(SHELLS)}")
    text = script(chosen)
    if not install:
        sys.stdout.write(text)
        return
    place, remark = _place(chosen)
    if place is None:
        raise typer.BadParameter(remark, param_hint="--install")
    if place.is_file() and place.read_bytes() == text.encode():
        say(f"{place} already exists; {remark}")
        return
    with written_to(str(place), ""):
        place.parent.mkdir(parents=True, exist_ok=True)
    write_file(str(place), text, force)
    say(f"wrote {place}; {remark}")


def script(shell: str) -> str:
    """Return the script of a shell."""
    return (Path(__file__).with_name("shells") / SHELLS[shell]).read_text(encoding="utf-8")


def own_shell() -> str:
    """Return the shell that puzzlec runs in, or an empty text."""
    with suppress(Exception):  # shellingham may be missing, or know no shell here
        from shellingham import detect_shell  # type: ignore[import-untyped]

        return str(detect_shell()[0])
    return Path(os.environ.get("SHELL", "powershell" if os.name == "nt" else "")).name


def _place(shell: str) -> tuple[Path | None, str]:
    """Return the file that a shell reads (None if there is none), and the other steps that the user must take."""
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    config = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    if shell == "bash":
        place = data / "bash-completion" / "completions" / "puzzlec"
        return place, f"new shells use it (without the package bash-completion: `source {place}` in ~/.bashrc)"
    if shell == "zsh":
        line = "fpath=(~/.zfunc $fpath); autoload -Uz compinit; compinit"
        return Path.home() / ".zfunc" / "_puzzlec", f"new shells use it if ~/.zshrc has `{line}`"
    if shell == "fish":
        return config / "fish" / "completions" / "puzzlec.fish", "new shells use it"
    return None, "PowerShell reads its profile only: `puzzlec completion powershell >> $PROFILE`"


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

    from puzzlec.cli.commands import PROGRAM, SUMMARIES

    command = next((word for word in before if not word.startswith("-")), None)
    if command is None and not typed.startswith("-"):
        return {name: about for name, about in SUMMARIES.items() if name.startswith(typed)}
    if command is not None and command not in SUMMARIES:
        return {}
    found = FishComplete(PROGRAM, {}, "puzzlec", "").get_completions(before, typed)
    short = re.compile(r"-[^-]")
    return {item.value: item.help or "" for item in found if item.value == typed or not short.fullmatch(item.value)}
