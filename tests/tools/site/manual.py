"""The manual page docs/man/puzzlec.1, made from the helps of the commands in the macros of man(7).

The variables of the environment are those of the table in docs/cli.md.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from puzzlec.cli.command import TOGETHER_HEADING, parts_of, sections, shared_lines, usage_word
from puzzlec.cli.commands import COMMANDS, PROGRAM, made_command
from puzzlec.cli.exclusions import lines as rows_together
from puzzlec.cli.terminal import MEANINGS
from puzzlec.version import __version__
from tests.tools.site.pages import ROOT

#: The width of a page. Lines are short, because escapes make them longer.
_WIDEST = 60

#: The day on which this version began.
_DAY = "2026-11-28"


def whole_page() -> str:
    """Return the page of puzzlec: each command with its arguments and options, exit statuses and the environment."""
    about, *_ = parts_of(PROGRAM)[0]
    lines = [f'.TH PUZZLEC 1 {_DAY} "puzzlec {__version__}" "puzzlec"', ".SH NAME"]
    lines += [rf"puzzlec \- {_plain(about.rstrip('.'))}", ".SH SYNOPSIS", ".B puzzlec"]
    lines += [r"\fICOMMAND\fR [\fIOPTIONS\fR] [\fIARGUMENTS\fR]", ".SH OPTIONS"]
    lines += [*_rows(sections(PROGRAM.params)["Options"]), ".SH COMMANDS"]
    for name in COMMANDS:
        lines += [f".SS {_plain(_usage(name))}", *_body(name)]
    return "\n".join([*lines, *_tail()]) + "\n"


def _usage(name: str) -> str:
    arguments = [parameter for parameter in made_command(name).params if parameter.param_type_name == "argument"]
    return " ".join(["puzzlec", name, "[OPTIONS]", *map(usage_word, arguments)])


def _body(name: str) -> Iterator[str]:
    """Yield the description, the examples and the options of a command."""
    paragraphs, examples = parts_of(made_command(name))
    for paragraph in paragraphs:
        yield from [*_text(paragraph), ".PP"]
    yield from ("Examples:", ".PP", ".RS 4", ".EX", *map(_plain, examples), ".EE", ".RE")
    for title, rows in sections(made_command(name).params).items():
        yield from (".PP", rf"\fB{title}\fR")
        yield from _rows(rows)
    if together := rows_together(name, made_command(name)):
        yield from (".PP", rf"\fB{TOGETHER_HEADING}\fR")
        for names, meaning in together:
            yield from (".PP", *_text(f"{names}: {meaning[0].lower()}{meaning[1:]}"))
    for line in shared_lines(made_command(name).params):
        yield from (".PP", *_text(line))


def _rows(rows: list[tuple[str, str]]) -> Iterator[str]:
    for names, meaning in rows:
        yield from (".TP", rf"\fB{_plain(names)}\fR", *_text(meaning))


def _tail() -> Iterator[str]:
    yield '.SH "EXIT STATUS"'
    yield from _rows([(str(int(status)), meaning) for status, meaning in MEANINGS.items()])
    yield ".SH ENVIRONMENT"
    yield from _rows(environment())


def environment() -> list[tuple[str, str]]:
    """Return the variables of the table in docs/cli.md, and what they do, without its marks."""
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    table = re.sub(r"\[([^\]]*)\]\([^)]*\)|`", r"\1", page.split("\n## Environment\n")[1].split("\n## ")[0])
    return re.findall(r"(?m)^\| ([A-Z_, ]+) \| (.*) \|$", table)


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
