"""Manual pages from the helps of the commands, in the macros of man(7).

They are made from the same parameters as `--help`, so that neither can say what the other does not.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import Any

from puzzlec.cli.commands import COMMANDS, made_command
from puzzlec.cli.exit_status import MEANINGS
from puzzlec.cli.parsing import sections
from puzzlec.version import __version__

#: Variables of the environment, and what they do.
ENVIRONMENT = {
    "NO_COLOR": "Anything but an empty text: no colours.",
    "FORCE_COLOR": "Anything but an empty text: colours in pipes and files, too.",
    "PUZZLEC_CACHE": "The folder for parsed grammars and documents; puzzlec in XDG_CACHE_HOME or ~/.cache if not set.",
    "NUMBA_CACHE_DIR": "The folder for compiled kernels; beside the package if not set.",
    "PUZZLEC_DEBUG": "Anything but an empty text: a fault of puzzlec shows where it arose.",
}

#: Lines of a page are to be short, when signs have become names, too.
_WIDEST = 60

#: When this version was made: a page names a day.
_DAY = "2026-11-22"

_ABOUT = "compile puzzles from text to all their solutions"


def whole_page() -> str:
    """Return the page of puzzlec: each command with its arguments and options, statuses and the environment."""
    lines = [*_head("puzzlec", _ABOUT), ".SH SYNOPSIS", ".B puzzlec", r"\fICOMMAND\fR [\fIOPTIONS\fR] [\fIARGS\fR]"]
    lines += [".SH DESCRIPTION", *_text("puzzlec reads puzzles: packing and tiling puzzles of any shape, and those that"
              " are exact covers underneath. It says what is wrong with them, solves, counts and draws them, and"
              " translates them into other formats."), ".SH COMMANDS"]  # fmt: skip
    for name in COMMANDS:
        lines += [f".SS {_plain(_usage(name))}", *_body(name, False)]
    return "\n".join([*lines, *_tail()]) + "\n"


def command_page(name: str) -> str:
    """Return the page of a command; raise KeyError where there is none."""
    first, *_ = _paragraphs(name)
    lines = [*_head(f"puzzlec-{name}", first.rstrip(".")), ".SH SYNOPSIS", rf"\fB{_plain(_usage(name))}\fR"]
    return "\n".join([*lines, ".SH DESCRIPTION", *_body(name, True), *_tail()]) + "\n"


def _head(title: str, about: str) -> list[str]:
    made = f'.TH {title.upper()} 1 {_DAY} "puzzlec {__version__}" "puzzlec"'
    return [made, ".SH NAME", rf"{_plain(title)} \- {_plain(about)}"]


def _usage(name: str) -> str:
    arguments = [each for each in made_command(name).params if each.param_type_name == "argument"]
    words = [_names(each) if each.required else f"[{_names(each)}]" for each in arguments]
    return " ".join(["puzzlec", name, "[OPTIONS]", *words])


def _paragraphs(name: str) -> list[str]:
    """Return the help of a command by paragraphs, each on one line; the example is one of its own."""
    text = re.sub(r"\s+Example:", "\n\nExample:", made_command(name).help or "")
    return [" ".join(each.split()) for each in re.split(r"\n\s*\n", text) if each.strip()]


def _body(name: str, is_page: bool) -> Iterator[str]:
    """Give what a command does, and its arguments and options in groups; these are sections where it ``is_page``."""
    for number, paragraph in enumerate(_paragraphs(name)):
        if number:
            yield ".PP"
        example = paragraph.removeprefix("Example: ")
        yield from _text(paragraph) if example == paragraph else ["Example:", ".PP", ".RS 4", ".EX", _plain(example)]
        if example != paragraph:
            yield from (".EE", ".RE")
    for title, group in sections(made_command(name).params).items():
        if group:
            yield from (f'.SH "{_plain(title.upper())}"',) if is_page else (".PP", rf"\fB{_plain(title)}\fR")
        for each in group:
            yield from (".TP", rf"\fB{_plain(_names(each))}\fR", *_text(each.help or ""))
            default = each.default
            if isinstance(default, (str, int, float)) and not isinstance(default, bool):
                yield _plain(f"[default: {default}]")


def _names(parameter: Any) -> str:
    """Return what is typed for an argument or an option: all its names, and what stands behind them."""
    metavar = str(parameter.metavar or parameter.name).strip("[]")
    if parameter.param_type_name == "argument":
        return metavar
    names = ", ".join([*parameter.opts, *parameter.secondary_opts])
    return names if parameter.is_flag else f"{names} {metavar}"


def _tail() -> Iterator[str]:
    yield '.SH "EXIT STATUS"'
    for status, meaning in MEANINGS.items():
        yield from (".TP", f".B {int(status)}", *_text(meaning))
    yield ".SH ENVIRONMENT"
    for name, about in ENVIRONMENT.items():
        yield from (".TP", f".B {name}", *_text(about))


def _text(text: str) -> list[str]:
    """Return a text as short lines of a page, a sentence begins each; nothing is taken for a macro."""
    sentences = re.split(r"(?<=[.:;?!]) +", " ".join(text.split()))
    return [_plain(line) for each in sentences for line in textwrap.wrap(each, _WIDEST, break_on_hyphens=False)]


def _plain(text: str) -> str:
    r"""Return a text in which nothing means anything to groff.

    >>> print(_plain(".it's `a-b`"))
    \&.it\(aqs \(gaa\-b\(ga
    """
    for sign, name in (("\\", r"\e"), ("-", r"\-"), ("'", r"\(aq"), ("`", r"\(ga"), ("^", r"\(ha"), ("~", r"\(ti")):
        text = text.replace(sign, name)
    return rf"\&{text}" if text.startswith((".", "'")) else text
