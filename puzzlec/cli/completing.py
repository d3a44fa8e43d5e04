"""What a shell asks for when somebody presses Tab: the words that can stand where the cursor is.

The scripts of ``puzzlec completion`` run puzzlec with the words of the command line up to the cursor, and say in the
environment (`_PUZZLEC_COMPLETION`) which shell they are of. A line is printed for each word: the word, a tab, what it
means.
"""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import Any

from puzzlec.cli.candidates import Words
from puzzlec.cli.commands import COMMANDS
from puzzlec.cli.sources import candidates
from puzzlec.cli.summaries import summaries

#: Options of puzzlec itself.
_OWN = {"--help": "Show what the commands are.", "--version": "Print the version and leave."}


def complete(shell: str, line: list[str]) -> None:
    """Print the words that can stand in the place of the last one of ``line``, for a shell."""
    line = joined(line) if shell == "bash" else line
    words, typed = line[:-1], line[-1] if line else ""
    typed, quote = (typed, "") if shell == "powershell" else unquoted(typed)  # it comes as it was typed
    option, equals, value = typed.partition("=")
    is_value = bool(equals) and option.startswith("--")
    found = words_for([*words, option] if is_value else words, value if is_value else typed)
    # bash takes `=` for the end of a word, the others do not.
    before = f"{option}=" if is_value and shell != "bash" else ""
    if isinstance(sys.stdout, TextIOWrapper):  # the bytes of a file's name may be no text
        sys.stdout.reconfigure(errors="surrogateescape")
    for word, about in found.items():
        shown = quoted(word, quote) if shell == "bash" else before + word
        with suppress(UnicodeEncodeError):  # what a terminal cannot show cannot be completed there
            sys.stdout.write(f"{shown}\t{' '.join(about.split())}\n")


def unquoted(text: str) -> tuple[str, str]:
    r"""Return what a shell makes of a word that is being typed, and the quote that is open at its end.

    Nothing is run or expanded: what stands behind a `$` stays as it is.

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
    """Return a word as it is written in bash, behind a quote that is open or without one."""
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
    for number, word in enumerate(line):
        if found and (word == "=" or line[number - 1] == "=") and found[-1].startswith("--"):
            found[-1] += word
        else:
            found.append(word)
    return found


def words_for(words: list[str], typed: str) -> Words:
    """Return the words that can stand behind others and begin with what is typed, with what they mean."""
    command = next((word for word in words if not word.startswith("-")), None)
    if command is None:
        found = _OWN if typed.startswith("-") else summaries()
    elif command not in COMMANDS:
        found = {}
    else:
        found = dict(_for_command(command, words[words.index(command) + 1 :], typed))
    return {word: about for word, about in found.items() if word.startswith(typed)}


def _for_command(command: str, words: list[str], typed: str) -> Words:
    from puzzlec.cli.group import made_command

    parameters = made_command(command).params
    options = {word: each for each in parameters for word in (*each.opts, *each.secondary_opts) if word[:1] == "-"}
    arguments = [each for each in parameters if each.param_type_name == "argument"]
    waiting: Any = None
    number, over = 0, False
    for word in words:
        name = word.partition("=")[0]
        if waiting is not None:
            waiting = None
        elif over or word == "-" or not word.startswith("-"):
            number += 1
        elif word == "--":
            over = True
        elif name in options and name == word and not getattr(options[name], "is_flag", False):
            waiting = options[name]
    if waiting is not None:
        return candidates(command, waiting.name, typed)
    if typed.startswith("-") and not over:
        helps = {word: each.help or "" for word, each in options.items() if len(word) > 2 or typed == word}
        return {**helps, "--help": "Show what the command does, and its options."}
    if number < len(arguments):
        return candidates(command, arguments[number].name, typed)
    return candidates(command, arguments[-1].name, typed) if arguments and arguments[-1].nargs == -1 else {}
