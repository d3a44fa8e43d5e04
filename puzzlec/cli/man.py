"""``puzzlec man``: manual pages, made from the helps of the commands in the macros of man(7)."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from typing import Annotated

import typer

from puzzlec.cli.candidates import words
from puzzlec.cli.command import parts_of, sections, shared_lines, usage_word
from puzzlec.cli.commands import COMMANDS, made_command, summaries, whole_program
from puzzlec.cli.terminal import MEANINGS, out
from puzzlec.diagnostics import none_of
from puzzlec.version import __version__


def _known(command: str | None) -> str | None:
    """Return the name of a command, or None; raise BadParameter for another word."""
    if command is not None and command not in COMMANDS:
        raise typer.BadParameter(none_of(command, COMMANDS), param_hint="COMMAND")
    return command


_Command = Annotated[
    str | None,
    typer.Argument(
        metavar="COMMAND", help="Command. [default: all commands]", autocompletion=words(summaries), callback=_known
    ),
]


def help_command(context: typer.Context, command: _Command = None) -> None:
    """Show the help of a command.

    Examples:
        puzzlec help solve
        puzzlec help

    """
    root = context.find_root()
    found = root if command is None else made_command(command).make_context(command, [], root, resilient_parsing=True)
    out(found.get_help())


#: Variables of the environment, and what they do.
ENVIRONMENT = {
    "NO_COLOR": "If not empty: no colours.",
    "FORCE_COLOR": "If not empty: colours in pipes and files also.",
    "PUZZLEC_CACHE": "Folder for grammars, documents and machine code. Default: puzzlec in XDG_CACHE_HOME or ~/.cache.",
    "PUZZLEC_KERNELS": "numba: numba compiles all kernels, also those whose bitcode is shipped.",
    "NUMBA_CACHE_DIR": "Folder for kernels that numba has compiled. Default: beside the package.",
    "PUZZLEC_DEBUG": "If not empty: a bug in puzzlec shows a traceback.",
}

#: The width of a page. Lines are short, because escapes make them longer.
_WIDEST = 60

#: The day of this version.
_DAY = "2026-11-22"


def man(command: _Command = None) -> None:
    """Show a manual page.

    On a terminal, man(1) shows the page. Otherwise its source is printed, for a file in a folder `man1`.

    Examples:
        puzzlec man solve
        puzzlec man > puzzlec.1

    """
    page = whole_page() if command is None else command_page(command)
    if sys.stdout.isatty() and (reader := shutil.which("man")) is not None:
        shown = subprocess.run([reader, "-l", "-"], input=page.encode(), check=False)
        if shown.returncode == 0:
            return
    sys.stdout.write(page)


def whole_page() -> str:
    """Return the page of puzzlec: each command with its arguments and options, exit statuses and the environment."""
    about, *_ = parts_of(whole_program())[0]
    lines = [*_head("puzzlec", about), ".B puzzlec", r"\fICOMMAND\fR [\fIOPTIONS\fR] [\fIARGUMENTS\fR]"]
    lines += [".SH OPTIONS", *_rows(sections(whole_program().params)["Options"]), ".SH COMMANDS"]
    for name in COMMANDS:
        lines += [f".SS {_plain(_usage(name))}", *_body(name, False)]
    return "\n".join([*lines, *_tail()]) + "\n"


def command_page(name: str) -> str:
    """Return the page of a command; raise KeyError if there is none."""
    lines = [*_head(f"puzzlec-{name}", COMMANDS[name][1]), rf"\fB{_plain(_usage(name))}\fR"]
    return "\n".join([*lines, ".SH DESCRIPTION", *_body(name, True), *_tail()]) + "\n"


def _head(title: str, about: str) -> list[str]:
    made = f'.TH {title.upper()} 1 {_DAY} "puzzlec {__version__}" "puzzlec"'
    return [made, ".SH NAME", rf"{_plain(title)} \- {_plain(about.rstrip('.'))}", ".SH SYNOPSIS"]


def _usage(name: str) -> str:
    arguments = [parameter for parameter in made_command(name).params if parameter.param_type_name == "argument"]
    return " ".join(["puzzlec", name, "[OPTIONS]", *map(usage_word, arguments)])


def _body(name: str, is_page: bool) -> Iterator[str]:
    """Yield the description, the examples and the options of a command, as sections if it ``is_page``."""
    paragraphs, examples = parts_of(made_command(name))
    for paragraph in paragraphs:
        yield from [*_text(paragraph), ".PP"]
    yield from ("Examples:", ".PP", ".RS 4", ".EX", *map(_plain, examples), ".EE", ".RE")
    for title, rows in sections(made_command(name).params).items():
        yield from (f'.SH "{title.upper()}"',) if is_page else (".PP", rf"\fB{title}\fR")
        yield from _rows(rows)
    for line in shared_lines(made_command(name).params):
        yield from (".PP", *_text(line))


def _rows(rows: list[tuple[str, str]]) -> Iterator[str]:
    for names, meaning in rows:
        yield from (".TP", rf"\fB{_plain(names)}\fR", *_text(meaning))


def _tail() -> Iterator[str]:
    yield '.SH "EXIT STATUS"'
    yield from _rows([(str(int(status)), meaning) for status, meaning in MEANINGS.items()])
    yield ".SH ENVIRONMENT"
    yield from _rows(list(ENVIRONMENT.items()))


def _text(text: str) -> list[str]:
    """Return a text as short lines of a page. Each sentence begins a line, and no line looks like a macro."""
    sentences = re.split(r"(?<=[.:;?!]) +", text)
    return [_plain(line) for sentence in sentences for line in textwrap.wrap(sentence, _WIDEST, break_on_hyphens=False)]


def _plain(text: str) -> str:
    r"""Return a text in which no character means anything to groff.

    >>> print(_plain(".it's `a-b`"))
    \&.it\(aqs \(gaa\-b\(ga
    """
    for sign, name in (("\\", r"\e"), ("-", r"\-"), ("'", r"\(aq"), ("`", r"\(ga"), ("^", r"\(ha"), ("~", r"\(ti")):
        text = text.replace(sign, name)
    return rf"\&{text}" if text.startswith((".", "'")) else text
