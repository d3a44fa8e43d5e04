"""The options that exclude or need each other: one table for the check of a command line, help and documentation.

An option may have a pattern of values after it: `--kernel frontier` is about this value only. An argument is named as
in the help. :data:`FORMAT` stands for the format of the output, that of ``--to`` or of the extension of a file.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import PurePath
from typing import Any, NamedTuple

from typer import BadParameter

from puzzlec.diagnostics.suggest import listed

FORMAT = "FORMAT"

#: The option and the argument for a file to write.
FILE_OPTIONS = ("-o", "OUT")

JOB_OPTIONS = ("--checkpoint", "--processes", "--cluster")
PICTURE_FORMATS = ("FORMAT svg", "FORMAT png", "FORMAT pdf")
MESHES = ("FORMAT stl", "FORMAT 3mf", "FORMAT glb")
OUTLINES = ("FORMAT svg", "FORMAT dxf")
BEST_OPTIONS = ("--min-cost", "--max-cost", "--best")


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
        (*BEST_OPTIONS, "--cost"), (*JOB_OPTIONS, "--shard", "--all", "--limit", "--kernel", "--seed", "--engine")
    ),
    Exclusion(
        ("--best",), ("--certificate",), why="a certificate proves that one solution is the best: use `--min-cost`"
    ),
    Exclusion(("--cost",), ("--nodes", "--certificate")),
    Exclusion(
        ("--comes-apart",),
        (*JOB_OPTIONS, "--shard", "--certificate", "--seed", "--engine", "--kernel frontier"),
        ("solve", "count"),
    ),
    Exclusion(
        ("--comes-apart",), ("--solutions",), ("draw", "view", "model"), "choose among the solutions of a search"
    ),
    Exclusion(
        JOB_OPTIONS,
        ("--nodes", "--seed", "--engine", "--certificate", "--memory", "--kernel frontier"),
        ("solve", "count"),
    ),
    Exclusion(("--processes", "--cluster"), ("--threads",)),
    Exclusion(("--processes",), ("--cluster tcp*",), why="use `--processes` only with `--cluster local`"),
    Exclusion(("--seed", "--engine"), ("--all", "--limit"), ("solve",), "a random search looks for one solution"),
    Exclusion(("--engine cpsat",), ("--nodes",)),
    Exclusion(("--kernel frontier",), ("--limit", "--nodes"), why="this kernel counts all solutions at once"),
    Exclusion(("-o",), (*JOB_OPTIONS, "-p *[.,]*"), ("solve",)),
    Exclusion(("-p *[.,]*",), ("--certificate", "--solutions-from", "--save-valid"), why="a sweep has several puzzles"),
    Exclusion(("--fewest-turns",), ("--least-sum",), ("disassemble",), "both say what is least"),
    Exclusion(("--exactly",), ("--at-most",)),
    Exclusion(("--frequency",), ("--limit", "--sample", "-o"), why="it prints a table"),
    Exclusion(("--table",), ("--to", "--frequency", "-o"), ("solutions",), "it prints a table"),
    Exclusion(("--limit",), ("--sample",)),
    Exclusion(("--certificate",), ("--save-valid", "--solutions-from", "--to", "--force"), ("check",)),
    Exclusion(
        ("--catalogue",), ("--certificate", "--save-valid", "--solutions-from", "--to", "-p", "--board", "--from")
    ),
    Exclusion(("--concise",), ("--json",)),
    Exclusion(("--save-valid",), ("--to",), ("check",)),
    Exclusion(("--worksheet",), ("--show",), why="a worksheet has all parts"),
    Exclusion(("--separate",), ("--plate", "--layout solution"), why="separate files have no plate and no solution"),
    Exclusion(("--separate",), ("-o -",), why="each piece is a file: name one to write"),
    Exclusion(MESHES, ("--kerf", "--radius", "--engrave"), ("model",), "it is for outlines that are cut"),
    Exclusion(
        OUTLINES,
        ("--bevel", "--height", "--neck", "--preview", "--separate"),
        ("model",),
        "it is for meshes",
    ),
    Exclusion(("FORMAT png", "FORMAT pdf"), ("--animate",), ("draw",), "write .svg, .webp or .gif"),
    Exclusion(
        ("--to list", "--to board", "--to locations", "--to orientations", "--to states", *PICTURE_FORMATS),
        ("--show-symmetry",),
        ("solve",),
        "this format cannot show it",
    ),
    Exclusion(
        ("--to [!j]*",),
        ("--json",),
        ("solve", "solutions", "job resume"),
        "it is short for `--to jsonl`",
    ),
    Exclusion(
        ("-o -", "OUT -"),
        ("--json",),
        ("convert", "draw", "view", "play", "model"),
        "name a file to write: standard output is for JSON then",
    ),
    Exclusion(("-o",), ("OUT",), why="name one file"),
    Exclusion(("--certificate",), ("-p", "--board", "--from", "--problem"), ("check",), "it is about one puzzle"),
    Exclusion(("PUZZLE -",), ("--solutions -",), why="only one can be standard input: the puzzle or its solutions"),
    Exclusion(("FORMAT zdd",), ("--stage [!z]*",), ("convert",), "a diagram of all solutions has no other stage"),
    Exclusion(("--stage zdd",), ("--to [!z]*",), ("convert",), "a diagram of all solutions has no other format"),
)

NEEDS = (
    Need(("--shard",), ("--checkpoint",)),
    Need(("--seed",), ("--sample",), ("solutions",)),
    Need(("--wall",), ("--tray",)),
    Need(("--comes-apart",), ("--layout solution",), ("model",)),
    Need(("--tag",), ("--catalogue",), ("check",)),
    Need(("--worksheet",), ("FORMAT pdf",), ("draw",)),
    Need(("--memory",), ("--stage zdd", "FORMAT zdd"), ("convert",)),
    Need(("--json",), ("-o", "OUT"), ("convert",)),
    Need(("--stage zdd", "--to zdd"), ("-o", "OUT"), ("convert",)),
    Need(("--to png", "--to pdf"), ("-o",), ("solve",)),
    Need(("--palette",), PICTURE_FORMATS, ("solve",)),
    Need(("--to parquet",), ("-o",), ("solutions",)),
    Need(("--number",), ("-o", "--json"), ("generate",)),
    Need(("--yaml",), ("NAME|FILE.yaml",), ("list lattices",)),
)


def refuse(command: str, context: Any) -> None:
    """Raise BadParameter for options on the command line that exclude each other, or lack a needed one."""
    given = _given(context)
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
                needed = list(map(in_words, need.others))
                missing = f"it needs {' or '.join(needed)}. Also give {listed((f'`{word}`' for word in needed), 'or')}"
                raise BadParameter(missing, ctx=context, param_hint=in_words(option))


def of_command(rows: Any, name: str, command: Any) -> Iterator[Any]:
    """Yield the rows about a command, with the options that it has."""
    names = names_of(command)
    for row in rows:
        options, others = (
            tuple(option for option in column if option.split()[0] in names) for column in (row.options, row.others)
        )
        if options and others and name in (row.commands or (name,)):
            yield row._replace(options=options, others=others)


def names_of(command: Any) -> set[str]:
    """Return the names of the options and arguments of a command, and :data:`FORMAT` if it writes a file."""
    names = {word for parameter in command.params for word in _names(parameter)}
    return names | {FORMAT} if names & set(FILE_OPTIONS) else names


def lines(name: str, command: Any) -> list[tuple[str, str]]:
    """Return the rows about a command in words, for its help."""
    excluded = [
        (", ".join(map(in_words, row.options)), f"Not with {', '.join(map(in_words, row.others))}.")
        for row in of_command(EXCLUSIONS, name, command)
    ]
    needed = [
        (", ".join(map(in_words, row.options)), f"Only with {' or '.join(map(in_words, row.others))}.")
        for row in of_command(NEEDS, name, command)
    ]
    return excluded + needed


def in_words(option: str) -> str:
    """Return an option with its pattern in words.

    >>> in_words("--cluster tcp*"), in_words("-p *[.,]*"), in_words("--symmetry [!n]*")
    ('--cluster tcp...', '-p with a sweep', '--symmetry')
    """
    name, _, pattern = option.partition(" ")
    if name == FORMAT:
        return f"{FILE_OPTIONS[0]} FILE.{pattern}"
    if pattern == "*[.,]*":
        return f"{name} with a sweep"
    return name if "[" in pattern else option.replace("*", "...")


def _names(parameter: Any) -> list[str]:
    """Return the names of an option, or of an argument as in the help."""
    return list(parameter.opts) if parameter.param_type_name == "option" else [str(parameter.metavar)]


def _given(context: Any) -> dict[str, list[str]]:
    """Return what is on the command line with its values, except what repeats a default."""
    given = dict[str, list[str]]()
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name)
        value = context.params.get(parameter.name)
        if source is None or source.name != "COMMANDLINE" or value in (None, False, parameter.default):
            continue
        values = list(map(str, value)) if isinstance(value, list | tuple) else [str(value)]
        given |= dict.fromkeys(_names(parameter), values)
    format = given.get("--to") or [PurePath(file).suffix[1:] for name in FILE_OPTIONS for file in given.get(name, ())]
    return given | {FORMAT: [word.lower() for word in format]}


def _is_given(option: str, given: dict[str, list[str]]) -> bool:
    name, _, pattern = option.partition(" ")
    return bool(given.get(name)) and (not pattern or any(fnmatchcase(value, pattern) for value in given[name]))
