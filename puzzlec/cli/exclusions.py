"""The options that exclude or need each other: one table for the check of a command line, help and documentation.

An option may have a pattern of values after it: `--kernel memo` is about this value only.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from typer import BadParameter

JOB = ("--checkpoint", "--processes", "--cluster")
BEST = ("--min-cost", "--max-cost", "--best")


class Exclusion(NamedTuple):
    """Each of the ``options`` excludes each of the ``others``, in these ``commands`` (none: in all).

    ``why`` is the reason, or what to type.
    """

    options: tuple[str, ...]
    others: tuple[str, ...]
    commands: tuple[str, ...] = ()
    why: str = ""


class Need(NamedTuple):
    """Each of the ``options`` needs one of the ``others``, in these ``commands`` (none: in all)."""

    options: tuple[str, ...]
    others: tuple[str, ...]
    commands: tuple[str, ...] = ()


EXCLUSIONS = (
    Exclusion(("--all",), ("--limit",), ("solve", "job resume")),
    Exclusion(("--raw",), ("--symmetry [!n]*",), why="`--raw` is short for `--symmetry none`"),
    Exclusion(("--min-cost",), ("--max-cost",)),
    Exclusion(
        (*BEST, "--cost"), (*JOB, "--shard", "--comes-apart", "--all", "--limit", "--kernel", "--seed", "--engine")
    ),
    Exclusion(
        ("--best",), ("--certificate",), why="a certificate proves that one solution is the best: use `--min-cost`"
    ),
    Exclusion(("--cost",), ("--nodes", "--certificate")),
    Exclusion(
        ("--comes-apart",),
        (*JOB, "--shard", "--certificate", "--seed", "--engine", "--kernel frontier", "--kernel memo"),
        ("solve", "count"),
    ),
    Exclusion(
        ("--comes-apart",), ("--solutions",), ("draw", "view", "model"), "choose among the solutions of a search"
    ),
    Exclusion(("--comes-apart",), ("--frequency",)),
    Exclusion(
        JOB,
        ("--nodes", "--seed", "--engine", "--certificate", "--memory", "--kernel frontier", "--kernel memo"),
        ("solve", "count"),
    ),
    Exclusion(("--processes", "--cluster"), ("--threads",)),
    Exclusion(("--processes",), ("--cluster tcp*",), why="use `--processes` only with `--cluster local`"),
    Exclusion(("--seed", "--engine"), ("--all", "--limit"), ("solve",), "a random search looks for one solution"),
    Exclusion(("--engine cpsat",), ("--nodes",)),
    Exclusion(
        ("--kernel frontier", "--kernel memo"), ("--limit", "--nodes"), why="this kernel counts all solutions at once"
    ),
    Exclusion(("-o",), (*JOB, "-p *[.,]*"), ("solve",)),
    Exclusion(("-p *[.,]*",), ("--certificate", "--solutions-from", "--save-valid"), why="a sweep has several puzzles"),
    Exclusion(
        ("--turns", "--fewest-turns"),
        ("--least-sum", "--checkpoint", "--cluster", "-o", "--graph"),
        ("disassemble",),
        "it knows slides only",
    ),
    Exclusion(("--exactly",), ("--at-most",)),
    Exclusion(("--frequency",), ("--limit", "--sample", "-o"), why="it prints a table"),
    Exclusion(("--limit",), ("--sample",)),
    Exclusion(("--certificate",), ("--save-valid", "--solutions-from", "--to", "--force"), ("check",)),
    Exclusion(
        ("--catalogue",), ("--certificate", "--save-valid", "--solutions-from", "--to", "-p", "--board", "--from")
    ),
    Exclusion(("--concise",), ("--json",)),
    Exclusion(("--save-valid",), ("--to",), ("check",)),
    Exclusion(("--worksheet",), ("--show",), why="a worksheet has all parts"),
    Exclusion(("--separate",), ("--plate", "--layout solution"), why="separate files have no plate and no solution"),
)

NEEDS = (
    Need(("--shard",), ("--checkpoint",)),
    Need(("--seed",), ("--sample",), ("solutions",)),
    Need(("--wall",), ("--tray",)),
    Need(("--clearance",), ("--turns", "--fewest-turns")),
    Need(("--tag",), ("--catalogue",), ("check",)),
)


def refuse(command: str, context: Any) -> None:
    """Raise BadParameter for options on the command line that exclude each other, or lack a needed one."""
    given = dict(_given(context))
    for row in of_command(EXCLUSIONS, command, context.command):
        for option, other in ((one, two) for one in row.options for two in row.others):
            if _is_given(option, given) and _is_given(other, given):
                reason = f": {row.why}" if row.why else ""
                raise BadParameter(
                    f"not available with {in_words(option)}{reason}", ctx=context, param_hint=in_words(other)
                )
    for need in of_command(NEEDS, command, context.command):
        for option in need.options:
            if _is_given(option, given) and not any(_is_given(other, given) for other in need.others):
                other = " or ".join(need.others)
                raise BadParameter(f"it needs {other}. Also give `{other}`", ctx=context, param_hint=option)


def of_command(rows: Any, name: str, command: Any) -> Iterator[Any]:
    """Yield the rows about a command, with the options that it has."""
    names = {word for parameter in command.params for word in parameter.opts}
    for row in rows:
        options, others = (
            tuple(option for option in column if option.split()[0] in names) for column in (row.options, row.others)
        )
        if options and others and name in (row.commands or (name,)):
            yield row._replace(options=options, others=others)


def lines(name: str, command: Any) -> list[tuple[str, str]]:
    """Return the rows about a command in words, for its help."""
    excluded = [
        (", ".join(map(in_words, row.options)), f"Not with {', '.join(map(in_words, row.others))}.")
        for row in of_command(EXCLUSIONS, name, command)
    ]
    needed = [
        (", ".join(row.options), f"Only with {' or '.join(row.others)}.") for row in of_command(NEEDS, name, command)
    ]
    return excluded + needed


def in_words(option: str) -> str:
    """Return an option with its pattern in words.

    >>> in_words("--cluster tcp*"), in_words("-p *[.,]*"), in_words("--symmetry [!n]*")
    ('--cluster tcp...', '-p with a sweep', '--symmetry')
    """
    name, _, pattern = option.partition(" ")
    if pattern == "*[.,]*":
        return f"{name} with a sweep"
    return name if "[" in pattern else option.replace("*", "...")


def _given(context: Any) -> Iterator[tuple[str, list[str]]]:
    """Yield the names of the options on the command line with their values, except those that repeat a default."""
    for parameter in context.command.params:
        if parameter.param_type_name != "option":
            continue
        source = context.get_parameter_source(parameter.name)
        value = context.params.get(parameter.name)
        if source is None or source.name != "COMMANDLINE" or value in (None, False, parameter.default):
            continue
        values = list(map(str, value)) if isinstance(value, list | tuple) else [str(value)]
        yield from ((name, values) for name in parameter.opts)


def _is_given(option: str, given: dict[str, list[str]]) -> bool:
    name, _, pattern = option.partition(" ")
    return name in given and (not pattern or any(fnmatchcase(value, pattern) for value in given[name]))
