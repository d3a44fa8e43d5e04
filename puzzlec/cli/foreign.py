"""Options of other programs and of earlier versions, and what to write instead of them in a command that has it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Foreign(NamedTuple):
    """Options of other programs with one meaning.

    Attributes:
        names: The options.
        instead: What to write instead, first the best: ``{}`` is the value that follows. A word for a command means
            that the command is another one, and `NAME=VALUE` a variable of the environment. An empty text means that
            the option is not needed.
        values: The only values for which this holds. Default: any.
        commands: The only commands for which this holds. Default: all.

    """

    names: tuple[str, ...]
    instead: tuple[str, ...]
    values: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()

    @property
    def takes_value(self) -> bool:
        """Whether a value follows the option."""
        return "{}" in self.instead[0] or bool(self.values)


FOREIGN = (
    Foreign(("--least",), ("--min-cost",)),
    Foreign(("--greatest",), ("--max-cost",)),
    Foreign(("--level", "--emit"), ("--stage {}",), ("ast", "puzzle", "fitting", "cover", "zdd")),
    Foreign(("--apart", "--best-level"), ("--comes-apart",)),
    Foreign(("--format", "--output-format", "-f", "-F"), ("--json",), ("json", "JSON")),
    Foreign(("--format", "--output-format", "-f", "-F"), ("--to {}", "-o picture.{}")),
    Foreign(
        ("--max", "-n", "-N", "-k", "--number", "--num", "--max-solutions", "--maximum", "--head"),
        ("--limit {}", "--number {}"),
    ),
    Foreign(("-j", "--jobs", "--parallel", "--workers", "--cores", "--cpus", "--procs"), ("--threads {}",)),
    Foreign(
        ("--timeout", "-t", "--time", "--seconds", "--max-time", "--timelimit", "--deadline"), ("--time-limit {}",)
    ),
    Foreign(("-1", "--first", "--one", "--single", "--any"), ("--limit 1",)),
    Foreign(("--random", "--shuffle", "--rand"), ("--seed 1",)),
    Foreign(("-a", "-A", "--every", "--each"), ("--all",)),
    Foreign(("-a", "-A", "--every", "--each", "--all"), ("--limit 1000",), commands=("draw", "view", "play")),
    Foreign(("-a", "-A", "--every", "--each", "--all"), ("",), commands=("count", "sets", "solutions", "estimate")),
    Foreign(("--no-symmetry", "--no-symmetries", "--asymmetric"), ("--symmetry none", "--raw")),
    Foreign(("--mirror", "--mirrors", "--reflect", "--reflections", "--distinct", "--dedup"), ("--symmetry all",)),
    Foreign(("--no-mirror", "--no-reflections", "--rotations", "--chiral"), ("--symmetry rotations",)),
    Foreign(("--colors", "--colours", "--theme"), ("--palette {}",)),
    Foreign(("--color", "--colour"), ("FORCE_COLOR=1",)),
    Foreign(("--no-colour", "--no-colours", "--no-colors", "--plain", "--mono"), ("--no-color",)),
    Foreign(("--silent", "-s"), ("--quiet",)),
    Foreign(("--debug", "--stats", "--statistics", "--timing", "--trace"), ("--verbose",)),
    Foreign(("--fix", "--write", "-w", "--in-place", "-i", "--inplace"), ("fmt", "")),
    Foreign(("--dry-run", "--verify", "--list-different"), ("--check",)),
    Foreign(("--overwrite", "--yes", "-y", "--clobber"), ("--force",)),
    Foreign(("--out", "--outfile", "--output-file", "--save"), ("-o {}",)),
    Foreign(("-D", "--define", "--set", "--parameter", "--var"), ("-p {}",)),
    Foreign(("--memory-limit", "--max-memory", "--mem"), ("--memory {}",)),
    Foreign(("--ids", "--verbose-json", "--as-json"), ("--json",)),
)


def instead_of(option: str, words: list[str], command: str, options: list[str]) -> tuple[str, str] | None:
    """Return what a command line has with an option of another program, and what to write instead; None if unknown.

    Args:
        option: The unknown option.
        words: All words of the command line.
        command: The name of the command.
        options: Its options.

    >>> instead_of("-n", ["count", "soma", "-n", "5"], "count", ["--limit"])
    ('-n 5', '--limit 5')
    >>> instead_of("--timeout", ["count", "soma", "--timeout=5"], "count", ["--time-limit"])
    ('--timeout=5', '--time-limit 5')

    """
    for foreign in FOREIGN:
        if option not in foreign.names or (foreign.commands and command not in foreign.commands):
            continue
        typed, value = _typed(option, words, foreign.takes_value)
        if foreign.values and value not in foreign.values:
            continue
        for new in _possible(foreign, command, options, value):
            return typed, new
    return None


def _possible(foreign: Foreign, command: str, options: list[str], value: str) -> Iterator[str]:
    """Yield what can be written instead, with the value."""
    for new in foreign.instead:
        name = new.split(" ")[0]
        if "{}" in new and not value:
            continue
        if (name in options) if name.startswith("-") else name != command:
            yield new.replace("{}", value)


def _typed(option: str, words: list[str], takes_value: bool) -> tuple[str, str]:
    """Return an option as typed, with its value, and the value; it is empty if there is none."""
    for number, word in enumerate(words):
        if word.startswith(f"{option}="):
            return word, word.partition("=")[2]
        if word == option:
            following = words[number + 1] if number + 1 < len(words) else ""
            if takes_value and following and not following.startswith("-"):
                return f"{option} {following}", following
            return option, ""
        if len(option) == 2 and option[1] != "-" and word.startswith(option):
            return word, word[2:]
    return option, ""
