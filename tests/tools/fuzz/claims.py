"""Targets for claims about solutions (answers of programs, files of solutions, conditions), and for custom lattices."""

from __future__ import annotations

import io
import json
import re
from functools import cache

from puzzlec import parse
from puzzlec.compiler import convert
from puzzlec.diagnostics import Diagnostic, PuzzleError, Source
from puzzlec.diagnostics.files import source_of
from puzzlec.engine import ExactCover, Search
from puzzlec.formats.solutions.claims import NOTATIONS, read_claims
from puzzlec.formats.solvers.answers import KINDS, SourceLines, lines
from puzzlec.geometry import Lattice
from puzzlec.ir import Location, Piece, Puzzle
from puzzlec.language.lattice_file import _lattice
from puzzlec.lower import Encoding, encode, place
from puzzlec.lower.raising import encoded_cover
from puzzlec.solving.checker import Checker
from puzzlec.solving.conditions import understood
from puzzlec.solving.judging import judged
from puzzlec.solving.lifting import Lifted, lifted
from tests.solving.formulas import holds
from tests.tools.fuzz.rules import Said, accepted, refused, sound

#: The puzzles of the claims: the first answers in the tests belong to the first puzzle.
PUZZLES = (
    'puzzle "Dominoes"\nlocations box 3x2\npiece domino x3 { xx }\n',
    "locations { xx?/xxx }\npiece A x0..2 { xx }\npiece B { x }\npiece C x* { x/x }\n",
    "colours r b\nlocations box 2x1\npiece A sides r r b b\npiece B sides b b r r\n",
)


@cache
def encodings() -> tuple[Encoding, ...]:
    """Return some puzzles with their exact covers; the last cover has colours, and no puzzle."""
    cover = ExactCover.from_names(["p", "q"], {"a": ["p", "x:red"], "b": ["q", "x:red"], "c": ["q", "x:blue"]}, ["x"])
    return (*(encode(place(parse(text))) for text in PUZZLES), encoded_cover(cover))


def claimed() -> list[bytes]:
    """Return files with a solution of each puzzle in every notation, after a byte that selects the puzzle."""
    found = []
    for number, encoding in enumerate(encodings()[:3]):
        solution = encoding.lift(min(tuple(sorted(options)) for options in Search(encoding.cover)))
        pieces = " ".join(",".join(map(str, orientation)) or "-" for orientation in solution.orientations)
        names = " ".join(name or "-" for name in solution.names_on)
        lines = (solution.listing(), json.dumps(solution.as_dict()), pieces, names)
        found += [bytes([number]) + line.encode() + b"\n" for line in lines]
    return found


def try_answer(content: bytes) -> Said:
    """Read an answer: the first byte selects the puzzle, and the kind or detection of the kind."""
    head, content = (content[0], content[1:]) if content else (0, b"")
    kind = (None, None, *KINDS)[head // 4 % (len(KINDS) + 2)]
    encoding = encodings()[head % 4]
    within = Source("answer", "\n".join(line.rstrip("\r") for line in _text(content).split("\n")))
    found: list[Diagnostic] = []
    good = False
    try:
        for event in lifted(encoding, SourceLines("answer", lines._decoded(io.BytesIO(content), "answer")), kind):
            if isinstance(event, Lifted):
                assert bool(event.faults) != (event.solution is not None), "neither a solution nor an error"
                if event.solution is not None and encoding.faithful:
                    Checker(encoding.fitting).check(event.solution)
                good = good or event.solution is not None
                found += event.faults
    except PuzzleError as error:
        return refused(error, within)
    sound(found, within)
    return good, found


def _text(content: bytes) -> str:
    """Return an answer as it is read: lines of XML that are not in UTF-8 count as Windows-1252."""
    found: list[str] = []
    for line in content.split(b"\n"):
        try:
            found.append(line.decode("utf-8" if found else "utf-8-sig"))
        except UnicodeDecodeError:
            old = content.lstrip().startswith(b"<")
            found.append(line.decode("cp1252" if old else "utf-8", "replace"))
    return "\n".join(found)


def try_solutions(content: bytes) -> Said:
    """Read a file of solutions: the first byte selects the puzzle, and the notation or detection of the notation."""
    head, content = (content[0], content[1:]) if content else (0, b"")
    notation = (None, *NOTATIONS)[head // 4 % (len(NOTATIONS) + 1)]
    fitting = encodings()[head % 3].fitting
    within = Source("s", content.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n"))
    found: list[Diagnostic] = []
    good = False
    try:
        within = source_of(content, "s")
        for verdict in judged(fitting, read_claims(within, fitting, notation)):
            assert (verdict.solution is None) == bool(verdict.reason), "neither a solution nor a reason"
            found += verdict.claim.faults
            if verdict.solution is not None:
                Checker(fitting).check(verdict.solution)
                line = " ".join(",".join(map(str, orientation)) or "-" for orientation in verdict.solution.orientations)
                (again,) = judged(fitting, read_claims(Source("s", line), fitting, "orientations"))
                assert again.solution == verdict.solution, "it is another solution when it is read again"
                good = True
    except PuzzleError as error:
        return refused(error, within)
    sound(found, within)
    return good, found


def try_condition(content: bytes) -> Said:
    """Read a condition on solutions; the first byte selects the puzzle. The opposite must also be read."""
    head, content = (content[0], content[1:]) if content else (0, b"")
    encoding = encodings()[head % 4]
    text = content.decode("utf-8", "replace")
    within = Source("<condition>", text)
    try:
        condition = understood(text, encoding)
    except PuzzleError as error:
        # The error for an unknown name refers to a separate text, which is the name.
        return refused(error, within)
    assert condition.words.strip(), "the condition has no description"
    if text.count("(") < 40:
        other = understood(f"not ({text})", encoding)
        every = set(range(len(encoding.cover)))
        for chosen in (set[int](), every, {0}, {1, 2}):
            assert holds(other.formula, chosen) != holds(condition.formula, chosen), "the opposite means the same"
    return True, ()


def try_lattice(content: bytes) -> Said:
    """Read a custom lattice, and check that JSON preserves it."""
    text = content.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    within = Source("f.yaml", text)
    try:
        within = source_of(content, "f.yaml")
        found = _lattice.__wrapped__("f.yaml", within)
    except PuzzleError as error:
        return refused(error, within)
    assert isinstance(found, Lattice), "the result is not a lattice"
    cell = found.cell(found.kinds[0].at)
    if cell is not None and re.fullmatch(r"[\x20-\x7e\n]*", text):
        locations = (Location(cell),)
        piece = Piece("p", (cell,), (None,), found.isometries)
        puzzle = parse(convert(Puzzle("t", found, locations, (piece,)), "json"), format="json")
        assert isinstance(puzzle, Puzzle)
        assert puzzle.lattice is not None
        assert puzzle.lattice.isometries == found.isometries, "JSON says something else"
        assert puzzle.locations == locations, "JSON says something else"
    return accepted((), within)
