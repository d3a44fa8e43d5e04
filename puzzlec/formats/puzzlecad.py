"""Designs for puzzlecad, an OpenSCAD library for printing burrs: calls of ``burr_piece`` and ``burr_plate``.

The library is at <https://github.com/aaron-siegel/puzzlecad>; its examples define the form. A piece is a string for
each layer with rows separated by ``|``, or the number of a burr stick. Nothing of OpenSCAD is evaluated: expressions in
the list of pieces are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import NamedTuple

from puzzlec.diagnostics import PuzzleError, Report, Source, Span
from puzzlec.diagnostics.error import fail
from puzzlec.formats.burr import STICKS, burr_board, number_of_stick
from puzzlec.formats.cells.pieces import look_for_gaps
from puzzlec.formats.drawn.drawings import least_image
from puzzlec.formats.plain import Unsupported, box_sizes, by_rows, refuse_beyond, refuse_other_turns, supported_lattice
from puzzlec.formats.problems import chosen_problem
from puzzlec.formats.record import Format, Sign, WriterChoices
from puzzlec.geometry import Cell, find_lattice, find_library
from puzzlec.geometry.lattice import at_origin
from puzzlec.ir import Location, Piece, Puzzle
from puzzlec.language.given import Board, Given

#: Maximum number of cells of a piece, of pieces with their copies, and of cells along a stick.
MAX_CELLS_OF_PIECE = 10_000
MAX_COPIES = 9999
MAX_STICK_LENGTH = 100

_TOKEN = re.compile(
    r"[\s\xa0]++|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/"
    r"|(?P<comment>/\*.*+)"  # without its end
    r'|(?P<string>"(?:[^"\\]++|\\.)*+")|(?P<open>"(?:[^"\\]++|\\.)*+)'
    r"|(?P<word>(?:include|use)\s*+<[^>\n]*+>|[$A-Za-z_]\w*+)"
    r"|(?P<number>(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?+)"
    r"|(?P<sign>.)",
    re.DOTALL | re.ASCII,
)

#: Modules of puzzlecad that make pieces, and the arguments that count.
_CALLS = ("burr_piece", "burr_plate")
_ARGUMENTS = {
    "burr_piece": ("burr_spec",),
    "burr_plate": ("burr_specs", "num_copies"),
    "burr_stick": ("kaenel_number", "stick_length"),
}

#: Modules and statements of OpenSCAD after which a call is not the piece that it describes.
_CHANGES = (
    "for", "intersection_for", "if", "else", "mirror", "scale", "resize", "multmatrix", "difference", "intersection",
    "hull", "minkowski", "projection",
)  # fmt: skip

#: Words that another word may follow.
_BEFORE_A_WORD = ("module", "function", "else")

_CLOSERS = {"(": ")", "[": "]", "{": "}"}

_EXAMPLE = '["xx.|.xx", "...|..x"]'


class _Token(NamedTuple):
    """A string, word, number or sign of a program, by its ``kind``."""

    kind: str
    text: str
    start: int


class _PieceCall(NamedTuple):
    """A call that makes pieces: the index of its name among the tokens, and the statement that changes its pieces."""

    at: int
    change: str


@dataclass
class _Design:
    """A module with calls, or the calls outside modules (without a name). ``others`` are other modules it calls."""

    name: str
    span: Span
    calls: list[_PieceCall] = field(default_factory=list)
    others: list[int] = field(default_factory=list)


class _CallPiece(NamedTuple):
    """A piece of a call: its cells, its position, its number if it is a stick of the usual length, and its copies."""

    cells: tuple[Cell, ...]
    span: Span
    stick: str = ""
    copies: int = 1


def read_puzzlecad(source: Source, report: Report, given: Given) -> Puzzle:
    """Return the puzzle with the pieces of a design on a separate board: the format has no board.

    The modules of a text that make pieces are its designs; the calls outside modules are another one. A ``*`` before a
    call does not matter. Pieces that are rotations of each other are copies, named by their number from 1. If all are
    sticks by number, this number is the name. Raises PuzzleError with all errors of the design.
    """
    program = _Program(source)
    designs = _designs(program)
    if not designs:
        note = "pieces are calls of `burr_piece` or `burr_plate`"
        raise fail("PZ309", "missing pieces", source.end, note=note, help=f"write `burr_plate([{_EXAMPLE}]);`")
    names, spans = [design.name for design in designs], [design.span for design in designs]
    design = designs[chosen_problem(given.problem, names, spans, report, "designs")]
    reader = _CallReader(program, report)
    shapes = [shape for call in design.calls for shape in reader.shapes(call)]
    report.stop_on_errors()
    if not shapes:
        raise fail("PZ309", "missing pieces", design.span)
    if sum(shape.copies for shape in shapes) > MAX_COPIES:
        raise fail("PZ234", f"too many pieces (limit {MAX_COPIES:,})", design.span)
    reader.warn(design, {other.name for other in designs})
    pieces = _pieces(shapes)
    look_for_gaps({piece.name: (piece.cells, piece.span) for piece in pieces if piece.span}, report)
    return Puzzle(PurePath(source.name).stem, find_lattice("cubic"), given.board, pieces)


def usual_board(puzzle: Puzzle) -> Board | None:
    """Return the board of a six-piece burr if the pieces are six burr sticks; None for other pieces."""
    return burr_board() if _is_burr(puzzle) else None


def _is_burr(puzzle: Puzzle) -> bool:
    """Whether the pieces are six burr sticks."""
    if sum(piece.high for piece in puzzle.pieces) != STICKS:
        return False
    name_of = find_library("burr-sticks").name_of
    return all(piece.covers is None and 0 < len(piece.cells) <= 24 and name_of(piece.cells) for piece in puzzle.pieces)


def _pieces(shapes: list[_CallPiece]) -> tuple[Piece, ...]:
    """Return pieces with their copies: shapes that are rotations of each other."""
    lattice = find_lattice("cubic")
    turns = lattice.turns(lattice.freedom)
    by_number = all(shape.stick for shape in shapes)
    images: dict[frozenset[Cell], frozenset[Cell]] = {}
    pieces: dict[frozenset[Cell], Piece] = {}
    for number, shape in enumerate(shapes, 1):
        form = at_origin(shape.cells)
        if form not in images:
            images[form] = least_image(shape.cells, turns)
        image = images[form]
        if image in pieces:
            copies = pieces[image].high + shape.copies
            pieces[image] = replace(pieces[image], low=copies, high=copies)
        else:
            name = shape.stick if by_number else str(number)
            colours, copies = (None,) * len(shape.cells), shape.copies
            pieces[image] = Piece(name, shape.cells, colours, turns, None, copies, copies, span=shape.span)
    return tuple(pieces.values())


class _Program:
    """The tokens of a text, and the closing bracket of each opening one, by index."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = [
            _Token(match.lastgroup, match.group(), match.start())
            for match in _TOKEN.finditer(source.text)
            if match.lastgroup
        ]
        self.closers: dict[int, int] = {}
        opened: list[int] = []
        for at, token in enumerate(self.tokens):
            if token.kind == "open":
                raise fail("PZ234", 'missing `"` at the end of a string', source.span(token.start))
            if token.kind == "comment":
                span = source.span(token.start, token.start + 2)
                raise fail("PZ234", "missing `*/` at the end of a comment", span)
            if token.kind != "sign":
                continue
            if token.text in _CLOSERS:
                opened.append(at)
            elif token.text in _CLOSERS.values():
                if not opened or _CLOSERS[self.text(opened[-1])] != token.text:
                    raise fail("PZ234", f"unexpected `{token.text}`", self.span(at))
                self.closers[opened.pop()] = at
        if opened:
            raise fail("PZ234", f"missing `{_CLOSERS[self.text(opened[-1])]}`", self.span(opened[-1]))

    def text(self, at: int) -> str:
        """Return the text of a token; empty after the last one."""
        return self.tokens[at].text if at < len(self.tokens) else ""

    def span(self, start: int, end: int | None = None) -> Span:
        """Return the position of some tokens, or of one."""
        last = self.tokens[(start + 1 if end is None else end) - 1]
        return self.source.span(self.tokens[start].start, last.start + len(last.text))

    def parts(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the parts of some tokens that commas separate. A comma may follow the last part."""
        ranges, first, at = [], start, start
        while at < end:
            if self.text(at) == "," and self.tokens[at].kind == "sign":
                ranges.append((first, at))
                first = at + 1
            at = self.closers.get(at, at) + 1
        return [*ranges, (first, end)] if first < end else ranges


def _designs(program: _Program) -> list[_Design]:
    """Return the designs of a program that have calls, in their order."""
    walk = _ProgramWalk(program)
    at = 0
    while at < len(program.tokens):
        at = walk.step(at)
    walk.end()
    return [design for design in walk.designs if design.calls]


class _ProgramWalk:
    """The walk through a program: the module, the blocks, and the statement that a token is in."""

    def __init__(self, program: _Program) -> None:
        self.program = program
        self.designs: list[_Design] = []
        self.outside: _Design | None = None
        self.module: _Design | None = None
        self.depth = 0  # the number of blocks around the module
        self.change = ""  # of the statement
        self.blocks: list[tuple[str, str]] = []  # the changes around each open block, and of its statement
        self.begun: int | None = None  # the first token of a statement

    def step(self, at: int) -> int:
        """Look at a token, and return the index of the next one. Arguments and lists are left out."""
        token = self.program.tokens[at]
        if self.begun is None and token.text not in ("}", ";") and not token.text.endswith(">"):
            self.begun = at
        if token.kind == "word":
            return self._word(at, token.text)
        if token.kind != "sign":
            return at + 1
        if token.text == "{":
            self.blocks.append((self._around(), self.change))
            self.change, self.begun = "", None
        elif token.text in _CLOSERS:
            return self.program.closers[at] + 1
        elif token.text in ("}", ";"):
            if token.text == "}":
                self.end()
                self.blocks.pop()
            self.change, self.begun = "", None
            if len(self.blocks) == self.depth:
                self.module = None
        return at + 1

    def end(self) -> None:
        """Refuse a statement that does not end here."""
        if self.begun is not None:
            raise fail("PZ234", "missing `;` at the end of this statement", self.program.span(self.begun))

    def _around(self) -> str:
        """Return the change by the statements around a block, or by that of the block."""
        return (self.blocks[-1][0] or self.blocks[-1][1]) if self.blocks else ""

    def _word(self, at: int, word: str) -> int:
        program = self.program
        after = program.tokens[at + 1] if at + 1 < len(program.tokens) else None
        if after and after.kind == "word" and word not in _BEFORE_A_WORD and not word.endswith(">"):
            raise fail("PZ234", f"unexpected `{after.text[:40]}` after `{word[:40]}`", program.span(at + 1))
        has_arguments = program.text(at + 1) == "("
        if word == "module" and program.text(at + 2) == "(":
            if self.module is None:
                self.module = _Design(program.text(at + 1), program.span(at + 1))
                self.designs.append(self.module)
                self.depth = len(self.blocks)
            return program.closers[at + 2] + 1
        if word == "else" or (has_arguments and word in _CHANGES):
            self.change = self.change or ("if" if word == "else" else word)
        elif has_arguments and word in _CALLS:
            self._design(at).calls.append(_PieceCall(at, self._around() or self.change))
        elif has_arguments and self.module:
            self.module.others.append(at)
        return program.closers[at + 1] + 1 if has_arguments else at + 1

    def _design(self, at: int) -> _Design:
        """Return the design of a call."""
        if self.module is not None:
            return self.module
        if self.outside is None:
            self.outside = _Design("", self.program.span(at))
            self.designs.append(self.outside)
        return self.outside


class _CallReader:
    """Reads the pieces of calls, and collects the options of cells, which are ignored."""

    def __init__(self, program: _Program, report: Report) -> None:
        self.program, self.report = program, report
        self.options: dict[str, Span] = {}

    def shapes(self, call: _PieceCall) -> list[_CallPiece]:
        """Return the pieces of a call with their copies; report errors."""
        try:
            return self._call(call)
        except PuzzleError as error:
            for diagnostic in error.diagnostics:
                self.report.append(diagnostic)
            return []

    def warn(self, design: _Design, names: set[str]) -> None:
        """Warn about options of cells, and about calls of other designs; see `_Design.others`."""
        if self.options:
            some = ", ".join(f"`{name}`" for name in list(self.options)[:8])
            note = "`connect` joins printed parts, but each part is a piece here" if "connect" in self.options else ()
            self.report.add(
                "PZ230", f"ignoring the options {some} of cells", next(iter(self.options.values())), note=note
            )
        others = [at for at in design.others if self.program.text(at) in names - {design.name}]
        if others:
            name = self.program.text(others[0])
            help = f"read them with `--problem {name}`"
            span = self.program.span(others[0])
            self.report.add(
                "PZ230", f"ignoring the pieces of module `{name}`, which is another design", span, help=help
            )

    def _call(self, call: _PieceCall) -> list[_CallPiece]:
        program, name = self.program, self.program.text(call.at)
        if call.change:
            raise fail(
                "PZ234",
                f"cannot read a piece in `{call.change}`",
                program.span(call.at),
                note="puzzlec does not evaluate OpenSCAD, and reads pieces as they are written",
                help=f"write each piece in `burr_plate([{_EXAMPLE}]);`",
            )
        pieces, copies = (*self._arguments(call.at), None)[:2]
        if pieces is None:
            raise fail("PZ234", f"missing pieces of `{name}`", program.span(call.at))
        count = 1 if copies is None else self._integer(*copies, "number of copies", MAX_COPIES)
        if name == "burr_piece":
            return [self._shape(*pieces)]
        if self._inside(*pieces) is None:
            raise self._unexpected(*pieces, "a list of pieces")
        shapes: list[_CallPiece] = []
        for part in program.parts(pieces[0] + 1, pieces[1] - 1):
            try:
                shapes.append(self._shape(*part))
            except PuzzleError as error:
                for diagnostic in error.diagnostics:
                    self.report.append(diagnostic)
        return [shape._replace(copies=count) for shape in shapes]

    def _arguments(self, at: int) -> list[tuple[int, int] | None]:
        """Return the arguments of a call that count, by position or by name; None for a missing one."""
        program, names = self.program, _ARGUMENTS[self.program.text(at)]
        arguments: dict[str, tuple[int, int]] = {}
        position = 0
        for start, end in program.parts(at + 2, program.closers[at + 1]):
            if program.text(start + 1) == "=" and program.tokens[start].kind == "word":
                arguments[program.text(start)] = (start + 2, end)
            elif position < len(names):
                arguments[names[position]] = (start, end)
                position += 1
        return [arguments.get(name) for name in names]

    def _inside(self, start: int, end: int) -> list[tuple[int, int]] | None:
        """Return the parts of a list that some tokens are; None if they are not a list."""
        if start < end and self.program.text(start) == "[" and self.program.closers[start] == end - 1:
            return self.program.parts(start + 1, end - 1)
        return None

    def _unexpected(self, start: int, end: int, what: str) -> PuzzleError:
        program = self.program
        if start >= end:
            return fail("PZ234", f"missing {what}", program.span(min(start, len(program.tokens) - 1)))
        word = program.tokens[start].kind == "word"
        return fail(
            "PZ234",
            f"expected {what}, found `{program.text(start)[:40]}`",
            program.span(start),
            note="puzzlec does not evaluate variables, functions and loops" if word else (),
            help=f"write a piece as its layers, such as `{_EXAMPLE}`",
        )

    def _integer(self, start: int, end: int, what: str, limit: int) -> int:
        """Return a positive integer; raise PuzzleError for other tokens."""
        text = self.program.text(start)
        if end - start == 1 and re.fullmatch(r"[0-9]{1,9}", text, re.ASCII) and 1 <= int(text) <= limit:
            return int(text)
        if end - start == 1 and self.program.tokens[start].kind == "number":
            raise fail("PZ234", f"expected a {what} from 1 to {limit}, found `{text[:20]}`", self.program.span(start))
        raise self._unexpected(start, end, f"a {what}")

    def _shape(self, start: int, end: int) -> _CallPiece:
        """Return a piece: a string, a list of strings, a number, or a call of `burr_stick`."""
        program = self.program
        inside = self._inside(start, end)
        if inside is not None:
            for part in inside:
                if part[1] - part[0] != 1 or program.tokens[part[0]].kind != "string":
                    raise self._unexpected(*part, "a layer of a piece")
            return self._drawn(program.span(start, end), [program.tokens[part[0]] for part in inside])
        if program.text(start) == "burr_stick" and program.closers.get(start + 1) == end - 1:
            number, length = self._arguments(start)
            if number is None:
                raise fail("PZ234", "missing number of a stick", program.span(start))
            return self._stick(*number, length)
        if end - start == 1 and program.tokens[start].kind == "string":
            return self._drawn(program.span(start), [program.tokens[start]])
        if end - start == 1 and program.tokens[start].kind == "number":
            return self._stick(start, end, None)
        raise self._unexpected(start, end, "a piece")

    def _stick(self, start: int, end: int, length: tuple[int, int] | None) -> _CallPiece:
        """Return a stick by its number. If it is longer than usual, both ends are."""
        program = self.program
        if end - start != 1 or program.tokens[start].kind != "number":
            raise self._unexpected(start, end, "the number of a stick")
        report = Report()
        name = number_of_stick(program.text(start), program.span(start), report)
        report.stop_on_errors()
        cells = find_library("burr-sticks").shape(name).cells
        size = STICKS if length is None else self._integer(*length, "stick length", MAX_STICK_LENGTH)
        if size == STICKS:
            return _CallPiece(cells, program.span(start), name)
        if size < STICKS or size % 2:
            what = f"a stick length is even and at least {STICKS}, found {size}"
            raise fail("PZ234", what, program.span(*length) if length else None)
        more = (size - STICKS) // 2
        ends = [(x, y, z) for x in (*range(more), *range(size - more, size)) for y in (0, 1) for z in (0, 1)]
        return _CallPiece((*((x + more, y, z) for x, y, z in cells), *ends), program.span(start))

    def _drawn(self, span: Span, layers: list[_Token]) -> _CallPiece:
        """Return a piece by the strings of its layers. A first string in braces has the options of all cells `#`."""
        common = bool(layers) and layers[0].text.startswith('"{')
        if common:
            self._options(layers[0], 1)
        cells: list[Cell] = []
        for z, layer in enumerate(layers[common:]):
            cells += [(x, y, z) for x, y in self._layer(layer, common)]
            if len(cells) > MAX_CELLS_OF_PIECE:
                raise fail("PZ234", f"the piece is too large (limit {MAX_CELLS_OF_PIECE:,} cells)", span)
        if not cells:
            raise fail("PZ314", "missing cells of this piece", span)
        return _CallPiece(tuple(cells), span)

    def _layer(self, layer: _Token, common: bool) -> Iterator[tuple[int, int]]:
        """Yield the cells of a layer: letters and `+`, and `#` if there are ``common`` options."""
        x, y, at, last = 0, 0, 1, len(layer.text) - 1
        while at < last:
            sign = layer.text[at]
            if sign == "|":
                x, y = 0, y + 1
            elif sign == "." or sign == "+" or "a" <= sign <= "z" or (sign == "#" and common):
                if sign != ".":
                    yield x, y
                x += 1
                if layer.text[at + 1] == "{":
                    at = self._options(layer, at + 1)
            else:
                raise fail(
                    "PZ234",
                    f"unexpected character `{sign}` in a piece",
                    self.program.source.span(layer.start + at),
                    note="letters are cells, `.` is empty, `|` ends a row, and options follow a cell in braces",
                    help="write `x`" if sign in "X*1" else "write `.`" if sign in " _-0" else (),
                )
            at += 1

    def _options(self, layer: _Token, start: int) -> int:
        """Collect the options in braces that begin at a position of a string, and return that of the last brace."""
        source, depth = self.program.source, 0
        for match in re.compile(r"[{}]").finditer(layer.text, start):
            depth += 1 if match.group() == "{" else -1
            if not depth:
                break
        else:
            raise fail("PZ234", "missing `}` after options", source.span(layer.start + start))
        end = match.start()
        for option in re.compile(r"(?<=[{,])\s*+([a-z_]++)(?=\s*+[=,}])").finditer(layer.text, start, end + 1):
            span = source.span(layer.start + option.start(1), layer.start + option.end(1))
            if option.group(1) == "components":
                what = "unsupported option `components`: this cell is a part of a cube"
                raise fail("PZ234", what, span, note="puzzlec reads pieces of whole cubes")
            self.options.setdefault(option.group(1), span)
        return end


def write_puzzlecad(puzzle: Puzzle, choices: WriterChoices) -> Iterator[str]:  # noqa: ARG001
    """Yield the pieces of a puzzle of cubes as a call of ``burr_plate``, without names. Copies are equal entries.

    The board must be a full box, whose size a comment gives, or the usual one of a six-piece burr. Raises PuzzleError
    (PZ501) for everything that the format does not support.
    """
    report = Unsupported("puzzlecad", puzzle.title, puzzle.span)
    lattice = supported_lattice(puzzle, report, ("cubic",))
    burr = _is_burr(puzzle) and _on_board(puzzle.locations) == _on_board(burr_board())
    refuse_beyond(_alone(puzzle, burr), report)
    refuse_other_turns(puzzle, lattice, report)
    sizes = "" if burr else box_sizes(puzzle, report)
    first: dict[frozenset[Cell], str] = {}
    for piece in puzzle.pieces:
        if piece.covers is not None:
            continue
        if len(piece.cells) > MAX_CELLS_OF_PIECE:
            report.add("PZ501", f"piece `{piece.name}` is too large for {report.words}", piece.span)
            continue
        same = first.setdefault(least_image(piece.cells, lattice.turns(lattice.freedom)), piece.name)
        if same != piece.name:
            note = "they would become copies of one piece"
            report.part(f"the pieces `{same}` and `{piece.name}` of the same shape", piece.span, note=note)
    if not puzzle.pieces or sum(piece.high for piece in puzzle.pieces) > MAX_COPIES:
        report.add("PZ501", f"{report.words} needs 1 to {MAX_COPIES} pieces", puzzle.span, file=puzzle.title)
    report.stop_on_errors()
    return _text(puzzle, sizes)


def _on_board(locations: Board) -> dict[Cell, bool]:
    """Return whether each location is optional, on a board moved to the origin."""
    low = [min(axis) for axis in zip(*(location.at for location in locations), strict=True)]
    return {
        tuple(c - least for c, least in zip(location.at, low, strict=True)): location.optional for location in locations
    }


def _alone(puzzle: Puzzle, burr: bool) -> Puzzle:
    """Return a puzzle without what this format supports beyond others: copies, and the board of a burr."""
    once = [replace(piece, low=1, high=1) if 0 < piece.low == piece.high else piece for piece in puzzle.pieces]
    plain: tuple[Location, ...] = tuple(replace(location, optional=False) for location in puzzle.locations)
    return replace(puzzle, pieces=tuple(once), locations=plain if burr else puzzle.locations)


def _text(puzzle: Puzzle, sizes: str) -> Iterator[str]:
    if sizes:
        yield f"// The board is {sizes}.\n"
    yield "include <puzzlecad.scad>\n\nburr_plate([\n"
    for piece in puzzle.pieces:
        line = f"    [{', '.join(_layers(piece.cells))}],\n"
        for _ in range(piece.high):
            yield line
    yield "]);\n"


def _layers(cells: tuple[Cell, ...]) -> Iterator[str]:
    """Yield the layers of a piece as strings."""
    there = set(by_rows(cells))
    width, height, depth = (max(axis) + 1 for axis in zip(*there, strict=True))
    for z in range(depth):
        rows = ("".join("x" if (x, y, z) in there else "." for x in range(width)) for y in range(height))
        yield f'"{"|".join(rows)}"'


#: After remarks and settings: the library is included, and a call follows. Or a call with a drawn piece or a number.
_INCLUDED = (
    r"(?>(?:.*+\n){0,2000}?[ \t]*+(?:include|use)[ \t]*+<[^>\n]*puzzlecad[^>\n]*>)"
    r"(?:.*+\n){0,2000}?.*?\bburr_(?:piece|plate)[ \t]*+\("
)
_CALLED = (
    r"(?:.*+\n){0,2000}?[ \t]*+\*?[ \t]*+burr_(?:piece|plate)[ \t]*+\("
    r"[\s\[]*+(?:\"[.a-z+#{|][^\"\n]*+\"|[0-9]{1,5}\s*+[,\])])"
)

FORMAT = Format(
    "puzzlecad",
    (".scad",),
    "designs for puzzlecad in OpenSCAD: pieces only",
    read=read_puzzlecad,
    write=write_puzzlecad,
    recognise=(Sign(84, _INCLUDED), Sign(86, _CALLED)),
    aliases=("scad", "openscad"),
    place=175,
    traits=("pieces only", "problems"),
    largest=2**20,
    board=usual_board,
)
