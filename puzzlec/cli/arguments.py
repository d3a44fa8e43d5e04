"""Arguments and options that several commands have."""

from __future__ import annotations

import re
import time as clock
from collections.abc import Iterable, Mapping
from typing import Annotated

import typer

from puzzlec.cli.candidates import puzzles_and_files, words
from puzzlec.cli.command import INPUT, LIMITS, OUTPUT
from puzzlec.diagnostics import none_of


def _formats() -> Iterable[str]:
    from puzzlec.formats.registry import FORMATS

    return FORMATS


def _symmetries() -> Iterable[str]:
    from puzzlec.lower.symmetries import SYMMETRIES

    return SYMMETRIES


def kernels(context: typer.Context) -> list[str]:
    """Return the kernels that a command can search with."""
    from puzzlec.engine.search.counting import METHODS
    from puzzlec.engine.search.selection import KERNELS

    return list(KERNELS if context.info_name == "solve" else METHODS)


PuzzleName = Annotated[
    str,
    typer.Argument(
        metavar="PUZZLE",
        help="File, `-` for standard input, or name of a puzzle in the catalogue.",
        autocompletion=puzzles_and_files,
    ),
]
From = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="FORMAT",
        help="Input format. [default: from the file]",
        autocompletion=words(_formats),
        rich_help_panel=INPUT,
    ),
]
Board = Annotated[
    str | None,
    typer.Option(
        metavar="CxR",
        help="Board for a file of pieces: 10x6, 10, or a file with a drawing.",
        rich_help_panel=INPUT,
    ),
]
Parameters = Annotated[
    list[str] | None,
    typer.Option(
        "-p",
        "--param",
        metavar="NAME=VALUE",
        help="Value of a parameter, such as n=12.",
        rich_help_panel=INPUT,
    ),
]
Problem = Annotated[
    str | None,
    typer.Option(
        metavar="WHICH",
        help="Problem to read, by number or name.",
        rich_help_panel=INPUT,
    ),
]
Raw = Annotated[bool, typer.Option("--raw", help="Count rotations and reflections separately.")]
#: Where `--symmetry none` is as good.
RawHidden = Annotated[bool, typer.Option("--raw", help="As --symmetry none.", hidden=True)]
SymmetryHidden = Annotated[
    str | None,
    typer.Option(
        "--symmetry",
        metavar="WHICH",
        help="Symmetries that make solutions one.",
        autocompletion=words(_symmetries),
        hidden=True,
    ),
]
SymmetryName = Annotated[
    str | None,
    typer.Option(
        "--symmetry",
        metavar="WHICH",
        help="none, rotations, all (default), parts, automorphisms.",
        autocompletion=words(_symmetries),
    ),
]
Time = Annotated[
    float | None,
    typer.Option("--time-limit", metavar="SECONDS", min=0, help="Stop after SECONDS.", rich_help_panel=LIMITS),
]
Nodes = Annotated[int | None, typer.Option(metavar="N", min=1, help="Stop after N nodes.", hidden=True)]
Threads = Annotated[
    int,
    typer.Option(metavar="N", min=0, help="Search in N threads; 0: one per core. [default: 1]", rich_help_panel=LIMITS),
]
ThreadsHidden = Annotated[int, typer.Option("--threads", metavar="N", min=0, help="Threads.", hidden=True)]
MemoryHidden = Annotated[str | None, typer.Option("--memory", metavar="SIZE", help="Memory.", hidden=True)]
Own = Annotated[
    bool, typer.Option("--show-symmetry", help="Print the symmetries of each solution.", rich_help_panel=OUTPUT)
]
Apart = Annotated[bool, typer.Option("--apart", help="Only solutions that come apart.")]
Seed = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", min=0, help="Search for one solution at random."),
]
Kernel = Annotated[
    str,
    typer.Option(
        metavar="KERNEL",
        help="Search kernel: auto, python, links or bits; to count also frontier or memo.",
        autocompletion=kernels,
        hidden=True,
    ),
]

Memory = Annotated[
    str | None,
    typer.Option(
        "--memory",
        metavar="SIZE",
        help="Use at most SIZE of memory. [default: 1G]",
        rich_help_panel=LIMITS,
    ),
]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters.", rich_help_panel=OUTPUT)]
BoardHidden = Annotated[str | None, typer.Option("--board", help="As in `puzzlec solve`.", hidden=True)]
ParametersHidden = Annotated[
    list[str] | None, typer.Option("-p", "--param", help="As in `puzzlec solve`.", hidden=True)
]
ProblemHidden = Annotated[str | None, typer.Option("--problem", help="As in `puzzlec solve`.", hidden=True)]
AsciiHidden = Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters.", hidden=True)]
Json = Annotated[
    bool,
    typer.Option("--json", help="Print results, remarks and errors as JSON.", rich_help_panel=OUTPUT),
]

#: The digits of the longest number that a parameter may have as its value.
MOST_DIGITS = 9


def chosen_symmetry(raw: bool, given: str | None) -> str:
    """Return what ``--symmetry`` and ``--raw`` say together; raise typer.BadParameter for what makes no sense."""
    from puzzlec.lower.symmetries import SYMMETRIES

    if given is not None and given not in SYMMETRIES:
        raise typer.BadParameter(none_of(given, SYMMETRIES), param_hint="--symmetry")
    if raw and given not in (None, "none"):
        raise typer.BadParameter("--raw is short for --symmetry none: give one of them", param_hint="--symmetry")
    return "none" if raw else given or "all"


def memory_size(text: str) -> int:
    """Return the bytes that a size means: a number, with K, M, G or T behind it for powers of 1024.

    Raises typer.BadParameter for what is none.

    >>> memory_size("512M"), memory_size("1.5G"), memory_size("4096"), memory_size("2 GiB")
    (536870912, 1610612736, 4096, 2147483648)
    """
    match = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)\s*(?:([KMGT])(?:i?B)?|B)?", text.strip(), re.IGNORECASE)
    size = int(float(match[1]) * 1024 ** (" KMGT".index(match[2].upper()) if match[2] else 0)) if match else 0
    if size < 1:
        raise typer.BadParameter(f"`{text}` is no size such as 512M or 2G", param_hint="--memory")
    return size


def refuse_with_apart(kernel: str, others: Mapping[str, object]) -> None:
    """Raise typer.BadParameter for an option that does not go with ``--apart``, given by its name with its value."""
    if kernel in ("frontier", "memo"):
        raise typer.BadParameter(f"{kernel} counts all at once: --apart looks at each solution", param_hint="--kernel")
    for name, value in others.items():
        if value not in (None, False, "own"):
            raise typer.BadParameter("not available with --apart", param_hint=name)


def time_left(seconds: float | None, begun: float) -> float | None:
    """Return what is left of a limit of seconds since a moment of the monotonic clock; None for no limit."""
    return None if seconds is None else max(0.0, seconds - (clock.monotonic() - begun))


def parameter_values(given: list[str] | None) -> dict[str, int]:
    """Return the values of ``-p n=12`` by their names; raise typer.BadParameter for what is none."""
    values: dict[str, int] = {}
    for each in given or ():
        match = re.fullmatch(r"\s*(\w+)\s*=\s*(-?[0-9]+)\s*", each)
        if match is None:
            raise typer.BadParameter(f"`{each}` is not a name, `=` and a whole number", param_hint="-p")
        name, digits = match.groups()
        if len(digits.lstrip("-")) > MOST_DIGITS:
            words = f"the value of `{name}` is too large: a number has at most {MOST_DIGITS} digits"
            raise typer.BadParameter(words, param_hint="-p")
        values[name] = int(digits)
    return values
