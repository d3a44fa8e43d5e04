"""``puzzlec fmt``: files in the puzzle language in their canonical layout."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from puzzlec import compiler
from puzzlec.cli.candidates import files
from puzzlec.cli.options import Argument, Option
from puzzlec.cli.output import new_file
from puzzlec.cli.terminal import MODE, ExitStatus, end, out_json, report_all, say
from puzzlec.diagnostics import PuzzleError, Source
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.files import content_of, shown_name, source_of
from puzzlec.formats.reading import guess_format, refusal


def fmt(
    names: Annotated[list[str], Argument("Files, folders with `.puzzle` files, or `-`.", "FILE", offered=files)],
    check: Annotated[bool, Option("Write nothing; status 1 if a file would change.")] = False,
    diff: Annotated[bool, Option("Like --check, but also print the changes.")] = False,
) -> None:
    """Format files in the puzzle language.

    Changes the layout and words of version 0.1; the meaning and all comments stay the same.

    Examples:
        puzzlec fmt mine.puzzle
        puzzlec fmt --check puzzles

    """
    changed = unchanged = faulty = 0
    for name in _files(names):
        try:
            differs = _format(name, check, diff)
        except PuzzleError as error:
            report_all(error.diagnostics)
            faulty += 1
            continue
        changed, unchanged = changed + differs, unchanged + (not differs)
        if differs and not MODE.json and (name != "-" or check):
            say(f"{'would reformat' if check or diff else 'reformatted'} {shown_name(name)}")
    if names != ["-"] and not MODE.json:
        _summary(changed, unchanged, faulty, "would be reformatted" if check or diff else "reformatted")
    if faulty or (changed and (check or diff)):
        end(ExitStatus.FAULTY)


def _summary(changed: int, unchanged: int, faulty: int, verb: str) -> None:
    counts = ((changed, verb), (unchanged, "unchanged"), (faulty, "with errors"))
    parts = [f"{number} file{'s' * (number != 1)} {what}" for number, what in counts if number]
    say(", ".join(parts) or "no files to format")


def _files(names: list[str]) -> Iterator[str]:
    """Yield each named file once: for a folder, all files of the language in it."""
    seen: set[str] = set()
    for name in names:
        inside = name != "-" and os.path.isdir(name)  # noqa: PTH112 - a name may contain characters that a path cannot
        below = sorted(str(path) for path in Path(name).rglob("*.puzzle") if path.is_file()) if inside else [name]
        for file in below:
            key = file if file == "-" else os.path.realpath(file)
            if key not in seen:
                seen.add(key)
                yield file


def _format(name: str, check: bool, diff: bool) -> bool:
    """Format a file, or standard input; return whether a byte was changed, or would be changed.

    With --json, print the result as JSON, with the text of standard input, and with ``diff`` the changes.
    """
    content = content_of(name)
    source = source_of(content, shown_name(name))
    _refuse_other_formats(source, name)
    try:
        result, upgrades = compiler.reformatted(source)
    except PuzzleError as error:
        raise refusal(source, error) from None
    for change in upgrades:
        say(f"{source.name}: {change}")
    differs = result.encode() != content
    changes = difference(content.decode(), result, source.name) if diff and differs else ""
    if MODE.json:
        stays = check or diff or name == "-"
        if differs and not stays:
            replace(Path(name), content, result.encode())
        data: dict[str, object] = {"file": source.name, "changes": differs, "written": differs and not stays}
        data["upgrades"] = [
            {"old": made.rewrite.old, "new": made.rewrite.new, "lines": made.lines} for made in upgrades
        ]
        data |= {"diff": changes} if diff else {"text": result} if name == "-" and not check else {}
        out_json(data)
        return differs
    if diff:
        if differs:
            _print(changes)
    elif name == "-" and not check:
        _print(result)
    elif differs and not check:
        replace(Path(name), content, result.encode())
    return differs


def _refuse_other_formats(source: Source, name: str) -> None:
    """Raise PuzzleError for a text that is not in the puzzle language."""
    try:
        format = guess_format(source)
    except PuzzleError:
        if name == "-":
            return  # its errors say more than an unknown first word
        raise fail(
            "PZ004",
            "cannot recognise this as the puzzle language",
            file=source.name,
            help="give its name the extension `.puzzle`, or use standard input: `puzzlec fmt -`",
        ) from None
    if format != "puzzle":
        raise fail(
            "PZ502",
            f"cannot format `{format}`",
            note="only the puzzle language has a canonical layout",
            help="`puzzlec convert` translates it to the puzzle language",
            file=source.name,
        )


def _print(text: str) -> None:
    """Print a text to standard output in UTF-8, whatever the encoding of the terminal: it may become a file."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


def difference(old: str, new: str, name: str) -> str:
    """Return a unified diff that `patch` understands."""
    compared = difflib.unified_diff(_lines(old), _lines(new), name, name)
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in compared)


def _lines(text: str) -> list[str]:
    """Return the lines of a text with their ends; a carriage return is part of its line."""
    lines = [line + "\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def replace(path: Path, old: bytes, new: bytes) -> None:
    """Replace the content of a file at once: in any case, the file has either the old or the new content."""
    with new_file(str(path), force=True) as part:
        with part.open("wb") as stream:
            stream.write(new)
            stream.flush()
            os.fsync(stream.fileno())
        if path.read_bytes() != old:
            raise fail("PZ005", f"cannot write `{path}`: it changed in the meantime", file=str(path))
