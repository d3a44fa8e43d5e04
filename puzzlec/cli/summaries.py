"""What each command does, in a sentence, without importing the command: a list of them need not pay for all."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from puzzlec.cli.commands import COMMANDS


def summaries() -> dict[str, str]:
    """Return the commands with the first sentences of their helps, in the order of the help."""
    return {name: summary(name) for name in COMMANDS}


def summary(command: str) -> str:
    """Return the first sentence of the help of a command.

    It is read from the source, and from the module itself where there is none.

    >>> summary("count")
    'Count the solutions of a puzzle.'
    """
    module, function = COMMANDS[command].split(".")
    try:
        text = Path(__file__).with_name(f"{module}.py").read_text(encoding="utf-8")
    except OSError:
        text = ""
    found = re.search(rf'(?ms)^def {function}\(.*?\) -> None:\n    """(.*?)(?:\n|""")', text)
    if found is not None:
        return found.group(1)
    return str(getattr(import_module(f"puzzlec.cli.{module}"), function).__doc__).split("\n")[0]
