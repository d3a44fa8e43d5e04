"""What somebody may have meant by a command that there is not."""

from __future__ import annotations

import os
from pathlib import Path

#: What other programs call it.
ELSEWHERE = {
    "format": "fmt",
    "lint": "check",
    "validate": "check",
    "info": "show",
    "inspect": "explain",
    "render": "draw",
    "plot": "draw",
    "print": "draw",
    "export": "convert",
    "init": "new",
    "create": "new",
    "continue": "resume",
    "search": "list",
    "run": "solve",
    "version": "--version",
}


def hint(word: str, said: str = "") -> str:
    """Return what to say behind `No such command`: what it is called here, or what to do with that puzzle.

    Else it is where the commands are listed, unless what is ``said`` already ends with the question whether another
    one was meant.

    >>> hint("soma"), hint("validate")
    (' `soma` is a puzzle: `puzzlec solve soma` solves it.', ' Here it is `puzzlec check`.')
    >>> hint("xyz"), hint("slove", "No such command 'slove'. Did you mean 'solve'?")
    (' `puzzlec --help` lists the commands.', '')
    """
    if word in ELSEWHERE:
        return f" Here it is `puzzlec {ELSEWHERE[word]}`."
    from puzzlec.formats import catalogue

    if catalogue.find(word) is not None or (Path(word).suffix and os.path.isfile(word)):  # noqa: PTH113
        return f" `{word}` is a puzzle: `puzzlec solve {word}` solves it."
    return "" if said.endswith("?") else " `puzzlec --help` lists the commands."
