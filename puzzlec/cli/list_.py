"""``puzzlec list``: the catalogue, or the puzzles that match some words."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Sequence
from typing import Annotated

from puzzlec.cli.candidates import lattices
from puzzlec.cli.candidates import tags as known_tags
from puzzlec.cli.candidates import words as words_of
from puzzlec.cli.options import Argument, Option
from puzzlec.cli.terminal import CYAN, MODE, out, out_json, out_result, style, styled
from puzzlec.diagnostics import counted, suggestion
from puzzlec.diagnostics.error import fail
from puzzlec.formats import catalogue
from puzzlec.formats.catalogue import Entry
from puzzlec.show.terminal.layout import entry as lines_of
from puzzlec.show.terminal.style import Style

_KEYS = (
    "name",
    "title",
    "distinct",
    "rotations",
    "parts",
    "raw",
    "options",
    "apart",
    "level",
    "seconds",
    "effort",
    "grade",
    "tags",
    "source",
)

#: On a narrow terminal, columns give way to titles of this width, in the order of :data:`_LEAST_FIRST`.
NARROWEST_TITLE = 28

_LEAST_FIRST = ("apart", "raw", "level", "distinct")

#: Figures of a long level that a terminal shows.
LEVEL_FIGURES = 3

#: The numbers of solutions that an entry may have, with their names.
_NUMBERS = {
    "distinct": "distinct",
    "rotations": "distinct under rotations",
    "parts": "distinct under symmetries of each part",
    "raw": "raw",
}


def entry_data(entry: Entry) -> dict[str, object]:
    """Return all facts of the catalogue about a puzzle, for JSON; ``notes`` may be None."""
    found = {key: getattr(entry, key) for key in _KEYS}
    return {**found, "notes": entry.notes or None, "file": str(entry.path)}


def apart_text(entry: Entry) -> str:
    """Return how a puzzle comes apart, according to the catalogue."""
    number = "1 distinct assembly" if entry.apart == 1 else f"{entry.apart} distinct assemblies"
    return number if entry.level is None else f"{number}, best level {entry.level}"


def entry_lines(entry: Entry, width: int) -> Iterator[str]:
    """Yield the facts of the catalogue about a puzzle, in lines of at most this width."""
    stated = [f"{number} {words}" for key, words in _NUMBERS.items() if (number := getattr(entry, key)) is not None]
    told = {
        "name": entry.name,
        "solutions": ", ".join(stated) or "unknown",
        "comes apart": "" if entry.apart is None else apart_text(entry),
        "counted": "" if entry.seconds is None else f"all of these in {entry.seconds:g} s of processor time",
        "effort": ""
        if entry.effort is None
        else f"{counted(entry.effort, 'node')} of a plain search for each raw solution",
        "grade": entry.grade or "",
        "source": entry.source,
        "notes": entry.notes,
        "tags": ", ".join(entry.tags),
    }
    yield "in the catalogue"
    for head, text in told.items():
        if text:
            yield from lines_of(head, text, width)


def _lattices() -> dict[str, str]:
    return {**lattices(), "none": "without geometry"}


def list_puzzles(
    words: Annotated[
        list[str] | None, Argument("Words in name, title or tags.", "WORD", offered=words_of(known_tags))
    ] = None,
    search: Annotated[
        str | None, Option("Words; also search sources and notes.", "WORDS", offered=words_of(known_tags))
    ] = None,
    tag: Annotated[list[str] | None, Option("Tag, such as solid or easy.", "TAG", offered=words_of(known_tags))] = None,
    lattice: Annotated[str | None, Option("Lattice, such as hex or none.", "NAME", offered=words_of(_lattices))] = None,
    tags: Annotated[bool, Option("List the tags of these puzzles.", name="--list-tags")] = False,
) -> None:
    """List the puzzles of the catalogue.

    Each line has the name, the numbers of distinct and raw solutions, and the title. Puzzles to take apart also have
    the number of assemblies that come apart, and the best level. `puzzlec explain NAME` prints the rest.

    On a terminal, the lines fit its width. Output to a file or a pipe has all columns in full.

    Examples:
        puzzlec list torus --lattice hex
        puzzlec list --tag easy

    """
    wanted = _wanted(words or [], (search or "").split(), tag or [], lattice)
    if tags:
        numbers = catalogue.tags(wanted)
        for name, number in numbers.items():
            out_result({"tag": name, "puzzles": number}, f"{number:>4}  {name}")
    elif MODE.json:
        for entry in wanted:
            out_json(entry_data(entry))
    else:
        _print_table(wanted)


def _wanted(words: Sequence[str], search: Sequence[str], tags: Sequence[str], lattice: str | None) -> list[Entry]:
    """Return the requested puzzles; raise PuzzleError if there are none."""
    if lattice is not None:
        _refuse_unknown_lattice(lattice)
    refuse_unknown_tags(tags)
    entries = [
        entry
        for entry in catalogue.entries()
        if catalogue.has_words(entry, words) and catalogue.is_about(entry, search) and set(tags) <= set(entry.tags)
    ]
    if lattice is not None:
        entries = [entry for entry in entries if catalogue.lattice_name(entry) == lattice]
    if not entries:
        asked = [f"`{word}`" for word in (*words, *search)] + [f"the tag `{tag}`" for tag in tags]
        asked += [f"the lattice `{lattice}`"] * (lattice is not None)
        helps = ["`puzzlec list` lists them all"]
        if words and not search and any(catalogue.is_about(entry, words) for entry in catalogue.entries()):
            helps.insert(0, f"`puzzlec list --search '{' '.join(words)}'` also searches sources and notes")
        raise fail("PZ006", f"no puzzle of the catalogue has {' and '.join(asked)}", help=helps)
    return entries


def _refuse_unknown_lattice(name: str) -> None:
    from puzzlec.geometry import lattice_names
    from puzzlec.language.lattice_file import is_lattice_file, other_lattice

    names = (*lattice_names(), "none")
    if name not in names and not is_lattice_file(name):
        raise fail(
            "PZ302",
            f"unknown lattice `{name}`",
            note=f"lattices are {', '.join(names)}",
            help=other_lattice(name, names),
        )


def refuse_unknown_tags(tags: Sequence[str]) -> None:
    """Raise PuzzleError for a tag that no puzzle of the catalogue has."""
    every = catalogue.tags(catalogue.entries())
    for tag in tags:
        if tag not in every:
            raise fail(
                "PZ006",
                f"unknown tag `{tag}`",
                help=suggestion(tag, every) or "`puzzlec list --list-tags` lists them all",
            )


def _print_table(entries: Sequence[Entry]) -> None:
    """Print a line for each puzzle. On a terminal the lines fit its width; other output has all figures in full."""
    columns = {"distinct": 9, "raw": 9}
    if any(entry.apart is not None for entry in entries):
        columns |= {"apart": 5, "level": max(5, *(len(entry.level or "") for entry in entries))}
    if sys.stdout.isatty():
        for line in _lines_in(entries, [*columns], style()):
            out(line)
        return
    width = max(len(entry.name) for entry in entries)
    heads = "  ".join(f"{name:>{wide}}" for name, wide in columns.items())
    out(styled(f"{'name':<{width}}  {heads}  title"))
    for entry in entries:
        stated = ((getattr(entry, name), wide) for name, wide in columns.items())
        numbers = "  ".join(f"{'-' if value is None else value:>{wide}}" for value, wide in stated)
        out(f"{styled(f'{entry.name:<{width}}', CYAN)}  {numbers}  {entry.title}")


def _lines_in(entries: Sequence[Entry], columns: Sequence[str], terminal: Style) -> Iterator[str]:
    """Yield the lines of a table in the width of a terminal: names and titles, then the columns that have room.

    A long name is on a separate line, and a long title is cut.
    """
    first = min(max(len(entry.name) for entry in entries), max(16, terminal.width * 7 // 20))
    longest = max(len(entry.title) for entry in entries)
    for left_out in range(len(_LEAST_FIRST) + 1):
        names = [name for name in columns if name not in _LEAST_FIRST[:left_out]]
        rows = [[_figure(entry, name, names) for name in names] for entry in entries]
        widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
        room = terminal.width - first - 2 - sum(width + 2 for width in widths)
        if room >= min(longest, NARROWEST_TITLE):
            break
    room = min(longest, max(room, 8))
    heads = "  ".join(map(str.rjust, names, widths))
    yield styled(f"{'name':<{first}}  {'title':<{room}}  {heads}".rstrip())
    dots = "..." if terminal.ascii else "\N{HORIZONTAL ELLIPSIS}"
    for entry, row in zip(entries, rows, strict=True):
        title = entry.title if len(entry.title) <= room else entry.title[: room - len(dots)].rstrip() + dots
        figures = "  ".join(map(str.rjust, row, widths))
        head = f"{entry.name:<{first}}"
        if len(entry.name) > first:
            yield styled(entry.name, CYAN)
            head = " " * first
        yield f"{styled(head, CYAN)}  {title:<{room}}  {figures}".rstrip()


def _figure(entry: Entry, name: str, names: Collection[str]) -> str:
    """Return a fact about a puzzle for a terminal that shows some columns: of a long level, its first figures."""
    value = getattr(entry, name)
    figures = value.split(".") if name == "level" and value else []
    if len(figures) > LEVEL_FIGURES + 1:
        return ".".join(figures[:LEVEL_FIGURES]) + "..."
    if value is None and name == "distinct" and "raw" not in names and entry.raw is not None:
        return f"{entry.raw} raw"
    return "-" if value is None else str(value)
