"""What a shell asks for when you press Tab: the words that can be where the cursor is.

The scripts of ``puzzlec completion`` run puzzlec with the words of the command line up to the cursor, and the name of
their shell in the environment (`_PUZZLEC_COMPLETION`). A line is printed for each word: the word, a tab, what it means.
"""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from io import TextIOWrapper

import typer

from puzzlec.cli.commands import COMMANDS, summaries
from puzzlec.cli.program import program


def complete(shell: str, line: list[str]) -> None:
    """Print the words that can stand in the place of the last one of ``line``, for a shell."""
    line = joined(line) if shell == "bash" else line
    words, typed = line[:-1], line[-1] if line else ""
    typed, quote = (typed, "") if shell == "powershell" else unquoted(typed)  # it comes as it was typed
    option, equals, _ = typed.partition("=")
    # bash takes `=` for the end of a word, the others do not.
    before = f"{option}=" if equals and option.startswith("--") and shell != "bash" else ""
    if isinstance(sys.stdout, TextIOWrapper):  # the bytes of a file's name may be no text
        sys.stdout.reconfigure(errors="surrogateescape")
    for word, about in words_for(words, typed).items():
        shown = quoted(word, quote) if shell == "bash" else before + word
        with suppress(UnicodeEncodeError):  # what a terminal cannot show cannot be completed there
            sys.stdout.write(f"{shown}\t{' '.join(about.split())}\n")


def words_for(words: list[str], typed: str) -> dict[str, str]:
    """Return the words that can follow others and begin with what is typed, with what they mean."""
    command = next((word for word in words if not word.startswith("-")), None)
    if command is None and not typed.startswith("-"):
        return {name: about for name, about in summaries().items() if name.startswith(typed)}
    if command is not None and command not in COMMANDS:
        return {}
    from typer._completion_classes import FishComplete  # any shell: what is asked of it is the same for all

    found = FishComplete(typer.main.get_command(program), {}, "puzzlec", "").get_completions(words, typed)
    short = re.compile(r"-[^-]")
    return {item.value: item.help or "" for item in found if item.value == typed or not short.fullmatch(item.value)}


def unquoted(text: str) -> tuple[str, str]:
    r"""Return what a shell makes of a word that is being typed, and the quote that is open at its end.

    Nothing is run or expanded: what follows a `$` stays as it is.

    >>> unquoted(r"my\ box"), unquoted('"my box'), unquoted("'it'\"'\"s")
    (('my box', ''), ('my box', '"'), ("it's", ''))
    """
    found, quote = "", ""
    for sign in (signs := iter(text)):
        if sign == quote:
            quote = ""
        elif sign in "\"'" and not quote:
            quote = sign
        elif sign == "\\" and quote != "'":
            following = next(signs, "")
            found += following if not quote or following in '$`"\\' else sign + following
        else:
            found += sign
    return found, quote


def quoted(word: str, quote: str) -> str:
    """Return a word as it is written in bash, after a quote that is open or without one."""
    if quote == "'":
        return word.replace("'", r"'\''")
    special = r"([$`\"\\])" if quote else r"([^\w@%+=:,./~-])"
    return re.sub(special, r"\\\1", word)


def joined(line: list[str]) -> list[str]:
    """Return words with those together that bash has parted at a `=`.

    >>> joined(["solve", "--format", "=", "js"]), joined(["--format", "="])
    (['solve', '--format=js'], ['--format='])
    """
    found: list[str] = []
    for before, word in zip(["", *line], line, strict=False):
        if found and "=" in (before, word) and found[-1].startswith("--"):
            found[-1] += word
        else:
            found.append(word)
    return found
