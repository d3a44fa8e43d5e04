"""Write measured facts into the catalogue: the time of the counts, the effort for a solution, the grade for a person,
and tags.

    python -m tests.catalogue_facts [--most SECONDS] [NAME...]

Without names, it measures the entries that lack ``seconds`` or ``grade``, and writes all tags again.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import puzzlec
from puzzlec import resources
from puzzlec.engine import ExactCover, Limits, Search
from puzzlec.engine.search.estimating import estimate
from puzzlec.formats.catalogue import Entry, entries
from puzzlec.ir import Fitting, Puzzle
from puzzlec.recount import Outcome, verify

FILE = Path(resources.folder("puzzles")) / "catalogue.yaml"

#: Tags that are made here, in this order before all others.
DIMENSIONS = {1: "line", 2: "flat", 3: "solid", 4: "4D"}
MADE = (*DIMENSIONS.values(), "no geometry", "colour", "easy", "hard", "open", "impossible", "comes apart")

#: A puzzle is easy if a plain search visits at most this many nodes for each solution, and hard if at least this many.
EASY, HARD = 50, 10_000

#: Searches of at most this many nodes are run, not estimated.
MADE_NODES = 30_000_000


def lattice_of(what: object) -> puzzlec.Puzzle | None:
    """Return the puzzle with geometry at or above a level."""
    puzzle = what.puzzle if isinstance(what, Fitting) else what
    return puzzle if isinstance(puzzle, Puzzle) and puzzle.lattice is not None else None


def made_tags(entry: Entry, what: object) -> list[str]:
    """Return the tags that follow from a puzzle and its known facts."""
    puzzle = lattice_of(what)
    if puzzle is None:
        found = ["no geometry"]
    else:
        assert puzzle.lattice is not None
        found = [DIMENSIONS[puzzle.lattice.dimension]]
        if puzzle.colours.names or any(location.colour for location in puzzle.locations):
            found.append("colour")
    if entry.raw is None and entry.distinct is None:
        found.append("open")
    elif 0 in (entry.raw, entry.distinct):
        found.append("impossible")
    if entry.effort is not None and "impossible" not in found:
        found += ["easy"] * (entry.effort <= EASY) + ["hard"] * (entry.effort >= HARD)
    found += ["comes apart"] * bool(entry.apart)
    return found


def effort(entry: Entry, cover: ExactCover) -> int | None:
    """Return the nodes of a plain search for each raw solution, or None without a known solution."""
    raw = entry.raw
    if not raw:
        return None
    search = Search(cover, limits=Limits(None, None, MADE_NODES), kernel="auto")
    number = sum(1 for _ in search) if raw < 1_000_000 else 0
    if raw < 1_000_000 and search.stopped is None:
        assert number == raw, entry.name
        return round(search.nodes / raw)
    return max(1, round(estimate(cover, probes=20_000).nodes / raw))


def seconds(entry: Entry, most: float) -> float | None:
    """Return the processor time for all stated counts of a puzzle, None if they take longer."""
    begun = time.process_time()
    for check in verify([entry._replace(seconds=None)], seconds=most):
        assert check.outcome is not Outcome.DIFFERS, check
        if check.outcome in (Outcome.UNFINISHED, Outcome.OPEN):
            return None
    return time.process_time() - begun


def rounded(number: float) -> float | int:
    """Return a time with two digits at most, no smaller than a hundredth."""
    number = float(f"{max(number, 0.01):.2g}")
    return int(number) if number >= 10 else round(number, 2)


def set_field(text: str, name: str, field: str, value: str) -> str:
    """Set a field of an entry, and return the text of the catalogue. The field is placed before ``source``."""
    match = re.search(rf"(?ms)^{re.escape(name)}:\n(.*?)(?=^\S|\Z)", text)
    assert match, name
    entry = re.sub(rf"(?m)^  {field}:[^\n]*\n(?:    [^\n]*\n)*", "", match.group(1))
    at = entry.index("  source:") if field != "tags" else len(entry.rstrip("\n")) + 1
    entry = f"{entry[:at]}  {field}: {value}\n{entry[at:]}"
    return text[: match.start(1)] + entry + text[match.end(1) :]


def measured(some: Iterable[Entry], most: float) -> Iterator[tuple[Entry, float | None, int | None]]:
    """Yield entries with their measured facts; kernels are compiled first."""
    puzzlec.Solutions("soma/soma", symmetry="none", kernel="bits").count()
    for entry in some:
        encoding = puzzlec.compile(str(entry.path))
        spent = None if entry.raw is None and entry.distinct is None else seconds(entry, most)
        yield entry, spent, effort(entry, encoding.cover)


def main() -> None:
    """Measure, and write the catalogue after each entry."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--most", type=float, default=600.0)
    given = parser.parse_args()
    lacking = [entry for entry in entries() if entry.name in given.names or (not given.names and entry.seconds is None)]
    for entry, spent, nodes in measured(lacking, given.most):
        text = FILE.read_text(encoding="utf-8")  # read each time, because it may have changed
        if spent is not None:
            text = set_field(text, entry.name, "seconds", str(rounded(spent)))
        if nodes is not None:
            text = set_field(text, entry.name, "effort", str(nodes))
        FILE.write_text(text, encoding="utf-8")
        print(entry.name, spent, nodes, flush=True)  # noqa: T201
    entries.cache_clear()
    made = {entry: made_tags(entry, puzzlec.load(str(entry.path))) for entry in entries()}
    text = FILE.read_text(encoding="utf-8")
    for entry in made:
        if entry.grade is None or entry.name in given.names:
            text = set_field(text, entry.name, "grade", f'"{puzzlec.grade(str(entry.path)) or "unknown"}"')
    for entry, found in made.items():
        tags = found + [tag for tag in entry.tags if tag not in MADE]
        if tuple(tags) != entry.tags:
            text = set_field(text, entry.name, "tags", f"[{', '.join(tags)}]")
    FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
