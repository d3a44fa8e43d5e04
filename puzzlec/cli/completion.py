"""``puzzlec completion``: the script with which a shell completes the words of puzzlec's command line."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from puzzlec.cli.candidates import words
from puzzlec.cli.output import write_file, written_to
from puzzlec.cli.terminal import say
from puzzlec.diagnostics import none_of

#: The shells in the order of the help, and the file with the script of each.
#:
#: A script runs the program that was typed, with the words up to the cursor as its arguments and the name of the shell
#: in `_PUZZLEC_COMPLETION`, and gets lines of a word, a tab and what it means (see ``completing``). No space follows a
#: word that ends in `/` or `=`: it continues.
SHELLS = {"bash": "puzzlec.bash", "zsh": "_puzzlec", "fish": "puzzlec.fish", "powershell": "puzzlec.ps1"}


def script(shell: str) -> str:
    """Return the script of a shell."""
    return (Path(__file__).with_name("shells") / SHELLS[shell]).read_text(encoding="utf-8")


def completion(
    shell: Annotated[
        str | None,
        typer.Argument(
            metavar="SHELL",
            help="bash, zsh, fish or powershell; yours, if not given.",
            autocompletion=words(tuple(SHELLS)),
        ),
    ] = None,
    install: Annotated[
        bool, typer.Option("--install", help="Write it to where the shell looks, and say what else is to be done.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Let --install write over a file that exists.")] = False,
) -> None:
    """Print the script that makes a shell complete commands.

    Pressing Tab then completes commands, options and their values, names of puzzles, lattices, shapes and files.

    Example: puzzlec completion bash
    """
    chosen = shell or own_shell()
    if chosen == "pwsh":
        chosen = "powershell"
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
        say(f"{place} is there already; {remark}")
        return
    with written_to(str(place), ""):
        place.parent.mkdir(parents=True, exist_ok=True)
    write_file(str(place), text, force)
    say(f"{place} is written; {remark}")


def own_shell() -> str:
    """Return the shell that puzzlec was called from, as far as that can be seen; an empty text where it cannot."""
    try:
        from shellingham import ShellDetectionFailure, detect_shell  # type: ignore[import-untyped]
    except ImportError:
        pass
    else:
        try:
            return str(detect_shell()[0])
        except (ShellDetectionFailure, OSError):
            pass
    return Path(os.environ.get("SHELL", "powershell" if os.name == "nt" else "")).name


def _place(shell: str) -> tuple[Path | None, str]:
    """Return the file that a shell reads by itself, None where there is none, and what is to be done besides."""
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    config = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    if shell == "bash":
        place = data / "bash-completion" / "completions" / "puzzlec"
        return place, f"new shells use it (without the package bash-completion: `source {place}` in ~/.bashrc)"
    if shell == "zsh":
        line = "fpath=(~/.zfunc $fpath); autoload -Uz compinit; compinit"
        return Path.home() / ".zfunc" / "_puzzlec", f"new shells use it where ~/.zshrc has `{line}`"
    if shell == "fish":
        return config / "fish" / "completions" / "puzzlec.fish", "new shells use it"
    return None, "PowerShell reads one file alone: `puzzlec completion powershell >> $PROFILE`"
