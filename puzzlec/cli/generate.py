"""``puzzlec generate``: puzzles with a promised property, from a seed."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from puzzlec.cli.arguments import Clock, ComesApart, TargetOptions
from puzzlec.cli.candidates import words
from puzzlec.cli.command import LIMITS
from puzzlec.cli.deadline import OutOfTime
from puzzlec.cli.options import Argument, Option
from puzzlec.cli.output import refuse_existing, write_file
from puzzlec.cli.terminal import MODE, ExitStatus, end, out_json, out_result, say
from puzzlec.diagnostics import counted
from puzzlec.engine import Limits, Stop, UnfinishedError
from puzzlec.generators.generating import KINDS, Generated, Generator, find_kind, option_name
from puzzlec.generators.kind import Value


def generate(
    kind: Annotated[str | None, Argument("Kind of puzzle.", "KIND", offered=words(lambda: KINDS))] = None,
    seed: Annotated[int, Option("Seed of the random numbers. [default: 0]", "N", least=0)] = 0,
    number: Annotated[int, Option("Generate N puzzles, with consecutive seeds. [default: 1]", "N", least=1)] = 1,
    size: Annotated[str | None, Option("Size of the puzzle, such as 6 or 4x4.", "SIZE")] = None,
    pieces: Annotated[str | None, Option("Pieces, such as `pentominoes F I L` or `pentominoes 5`.", "PIECES")] = None,
    colours: Annotated[str | None, Option("Number of colours, not counting the border.", "N")] = None,
    level: Annotated[str | None, Option("Minimum level of the burr.", "N")] = None,
    weekday: Annotated[bool, Option("Include weekdays in a calendar.")] = False,
    comes_apart: ComesApart = False,
    attempts: Annotated[int | None, Option("Stop after N attempts.", "N", least=1, panel=LIMITS)] = None,
    clock: Clock = Clock(),
    written: TargetOptions = TargetOptions(),
) -> None:
    """Generate puzzles with a promised property.

    The same seed and options give the same puzzle. Without KIND, lists the kinds with their options.

    Examples:
        puzzlec generate dominosa --seed 7
        puzzlec generate dominosa --size 4 --number 3 -o grid.puzzle

    """
    if kind is None:
        _list()
        return
    given: dict[str, Value | None] = {
        "size": size, "pieces": pieces, "colours": colours, "level": level, "weekday": weekday or None,
        "comes_apart": comes_apart or None,
    }  # fmt: skip
    options = {name: value for name, value in given.items() if value is not None}
    for target in _existing(written.output or "-", number):
        refuse_existing(target, written.force)
    for index, target in enumerate(_targets(written.output or "-", number)):
        search = Generator(kind, seed + index, Limits(seconds=clock.left), options, attempts)
        status, stopped = _find(search, Clock(time=clock.left), target, written.force)
        if stopped:
            effort = search.effort
            tried = f"{counted(effort.attempts, 'attempt')} with seed {search.seed}"
            lacking = "no calendar with weekdays" if weekday and kind == "calendar" else "no result"
            longer = "; try a longer `--time-limit`" if status is ExitStatus.LIMIT else ""
            say(f"{stopped} after {clock.taken:.1f} s and {tried}: {effort.best or lacking + longer}")
            end(status)


def _list() -> None:
    width = max(map(len, KINDS))
    for kind in map(find_kind, KINDS):
        options = " ".join(
            option_name(name) if value in (False, "") else f"{option_name(name)} {value}"
            for name, value in kind.options.items()
        )
        data = {"name": kind.name, "promise": kind.promise, "options": dict(kind.options)}
        out_result(data, f"{kind.name:<{width}}  {kind.promise} [{options}]")


def _targets(target: str, number: int) -> Iterator[str]:
    """Yield a file for each puzzle: the given one, or several with numbers before the extension."""
    path = Path(target)
    for index in range(1, number + 1):
        yield target if number == 1 or target == "-" else str(path.with_name(f"{path.stem}-{index}{path.suffix}"))


def _existing(target: str, number: int) -> list[str]:
    """Return those files for puzzles that exist. The number of puzzles may be too large to look for each file."""
    if number == 1 or target == "-":
        return [target]
    path = Path(target)
    name = re.compile(rf"{re.escape(path.stem)}-([1-9][0-9]*){re.escape(path.suffix)}")
    matches = (
        [match for match in map(name.fullmatch, (entry.name for entry in path.parent.iterdir())) if match]
        if path.parent.is_dir()
        else []
    )
    return [str(path.with_name(match[0])) for match in matches if len(match[1]) < 19 and int(match[1]) <= number]


def _find(search: Generator, clock: Clock, target: str, force: bool) -> tuple[ExitStatus, str]:
    """Search, and write the puzzle; return the exit status, and the reason if there is no puzzle."""
    try:
        with clock.bounded(grace=True):
            generated = search.find()
    except (OutOfTime, UnfinishedError):
        return ExitStatus.LIMIT, Stop.SECONDS.words
    except KeyboardInterrupt:
        return ExitStatus.INTERRUPTED, Stop.SIGNAL.words
    if target != "-":
        write_file(target, lambda: generated.text, force)
    _print(generated, target)
    work = f"{counted(generated.attempts, 'attempt')}, {clock.taken:.2f} s"
    solutions = counted(generated.solutions, "solution")
    if generated.options.get("comes_apart"):
        solutions += ", which comes apart"
    if generated.kind in ("burr", "turning"):
        solutions += ", which comes apart" if generated.solutions == 1 else ", one of which comes apart"
    say(f"{generated.kind} with seed {generated.seed}: {solutions}; {work}")
    return ExitStatus.DONE, ""


def _print(generated: Generated, target: str) -> None:
    if MODE.json:
        where = {"text": generated.text} if target == "-" else {"file": target}
        members = {"kind": generated.kind, "seed": generated.seed, "options": dict(generated.options)}
        out_json({**members, "solutions": generated.solutions, "attempts": generated.attempts, **where})
    elif target == "-":
        sys.stdout.write(generated.text)
        sys.stdout.flush()
