"""The content of an XMPuzzle text: its grid, its shapes, and its problems."""

from __future__ import annotations

import re
import shlex
from typing import NamedTuple

from puzzlec.diagnostics import Report, Source, Span, counted
from puzzlec.diagnostics.error import fail
from puzzlec.formats.burrtools.grids import GRIDS, Voxel, cell_at
from puzzlec.formats.xml_positions import XmlElement, read_xml

#: Maximum number of kinds of things that a warning names: a text may have any number of unknown elements.
MAX_KINDS_NAMED = 12

#: Maximum number of characters of a comment that are shown.
_MAX_COMMENT_CHARACTERS = 70


class LeftOut:
    """The kinds of things that are left out: the number of each, the position of the first, and notes."""

    def __init__(self) -> None:
        self._spans: dict[tuple[str, str], list[Span]] = {}
        self._number: dict[tuple[str, str], int] = {}
        self._notes: list[str] = []

    def add(self, kind: str, name: str = "", *, at: Span, number: int = 1, note: str = "") -> None:
        """Add things of a kind; ``name`` is the word for an unknown kind."""
        self._spans.setdefault((kind, name), [at])
        self._number[kind, name] = self._number.get((kind, name), 0) + number
        if note and note not in self._notes:
            self._notes.append(note)

    def add_comment(self, comment: XmlElement) -> None:
        """Add a comment with the number of its lines, and with its beginning."""
        lines = comment.text.strip().splitlines()
        if lines:
            words = " ".join(comment.text[: 20 * _MAX_COMMENT_CHARACTERS].split())
            beginning = (
                words
                if len(words) <= _MAX_COMMENT_CHARACTERS
                else words[:_MAX_COMMENT_CHARACTERS].rsplit(" ", 1)[0] + " ..."
            )
            self.add("comment", at=comment.span, number=len(lines), note=f"the comment begins: {beginning}")

    def tell(self, report: Report, problem: str) -> None:
        """Warn once about everything that is left out; ``problem`` is the number of the problem unless it is 1."""
        if not self._spans:
            return
        said = [_said(kind, name, self._number[kind, name]) for kind, name in self._spans]
        more = [f"{len(said) - MAX_KINDS_NAMED} other things"] if len(said) > MAX_KINDS_NAMED else []
        first = min((spans[0] for spans in self._spans.values()), key=lambda span: span.start)
        name = first.source.name
        file = "FILE" if name.startswith(("<", "-")) else shlex.quote(name)
        arguments = f"{file}{f' --problem {problem}' if problem else ''}"
        helps = []
        if ("assembly", "") in self._spans:
            helps.append(f"`puzzlec check --to text {arguments}` draws the assemblies")
        if ("separation", "") in self._spans:
            helps.append(f"`puzzlec disassemble {arguments} --stored` carries out the moves")
        report.add("PZ261", f"ignoring {', '.join(said[:MAX_KINDS_NAMED] + more)}", first, note=self._notes, help=helps)


def _said(kind: str, name: str, number: int) -> str:
    """Return the number of things of a kind, in words."""
    match kind:
        case "assembly":
            return "a stored assembly" if number == 1 else f"{number} stored assemblies"
        case "separation":
            return "stored moves"
        case "search":
            return "the state of an unfinished search"
        case "weight":
            return "the weight of a shape" if number == 1 else f"the weights of {number} shapes"
        case "comment":
            return f"a comment of {counted(number, 'line')}"
        case "bound":
            return f"`{name}`"
        case _:
            what = f"the unknown {kind} `{name[:40]}`"
            return what if number == 1 else f"{what} ({number} times)"


#: Maximum number of colours in BurrTools.
MAX_COLOURS = 63

#: The weight of several pieces that never move, as puzzlec writes them. No other file is likely to have it.
STILL_WEIGHT = 99

#: BurrTools counts copies with 16 bits.
MAX_COPIES = 2**16 - 1

#: Maximum number of filled and variable voxels of all shapes.
MAX_VOXELS = 1_000_000

#: What to do if a problem has no result.
_RESULT_HELP = "in BurrTools, choose a result on the tab Puzzle, and save the file again"

#: The number of the result if a problem has none.
NO_SHAPE = 2**32 - 1

#: The elements and the attributes that an element may have.
_SCHEMA: dict[str, tuple[str, str]] = {
    "puzzle": ("gridType colors shapes problems comment", "version"),
    "gridType": ("", "type"),
    "colors": ("color", ""),
    "color": ("", "red green blue"),
    "puzzle/shapes": ("voxel", ""),
    "voxel": ("", "x y z hx hy hz type name weight"),
    "problems": ("problem", ""),
    "problem": ("shapes result bitmap assembler solutions", "name state assemblies solutions time maxHoles"),
    "problem/shapes": ("shape", ""),
    "shape": ("group", "id count min max group"),
    "group": ("", "group count"),
    "result": ("", "id"),
    "bitmap": ("pair", ""),
    "pair": ("", "piece result"),
    "assembler": ("", "version"),
    "solutions": ("solution", ""),
    "solution": ("assembly separation separationInfo", "asmNum solNum"),
    "comment": ("", "popup"),
}


class VoxelShape(NamedTuple):
    """A shape: its voxels with their colours (0: neutral), the variable ones, and its hot spot.

    Rotations are about the hot spot: only stored assemblies need it. When BurrTools takes pieces apart, the part with
    the greatest ``weight`` stays where it is.
    """

    number: int
    name: str
    colours: dict[Voxel, int]
    variable: frozenset[Voxel]
    hotspot: Voxel
    element: XmlElement
    weight: int = 1


class ProblemPart(NamedTuple):
    """A shape as a piece of a problem, which is used ``low`` to ``high`` times.

    ``groups`` are the numbers of groups that may stay together, with the number of copies in each.
    """

    shape: int
    low: int
    high: int
    element: XmlElement
    groups: tuple[tuple[int, int], ...] = ()


class BurrToolsProblem(NamedTuple):
    """A problem: its parts, the number of its result, the matching pairs of colours, and the number of holes."""

    name: str
    parts: list[ProblemPart]
    result: int
    pairs: set[tuple[int, int]]
    holes: int | None
    element: XmlElement


class Document:
    """An XMPuzzle text: the numbers of its grid and of its colours, its shapes, and the elements of its problems.

    Errors go into the report. ``left_out`` has everything that is not part of the puzzle. Stored ``assemblies`` are
    read on request.
    """

    def __init__(self, source: Source, report: Report, assemblies: bool = False, separations: bool = False) -> None:
        self.report = report
        self.left_out = LeftOut()
        uncounted: tuple[str, ...] = ("solutions",)
        if assemblies:
            uncounted = () if separations else ("separation", "separationInfo")
        self.root = root = read_xml(source, uncounted)
        if root.tag != "puzzle":
            raise fail("PZ262", f"expected the root element `puzzle`, found `{root.tag}`", root.span)
        if root.attributes.get("version") not in ("1", "2"):
            self.wrong(root, "version", "the version must be 1 or 2")
        self.filled = 0
        self.look_for_unknown(root, "")
        grid = root.first("gridType")
        self.grid = 0 if grid is None else self.number(grid, "type")
        if grid is not None and not 0 <= self.grid < len(GRIDS):
            note = ", ".join(f"{grid.number} {grid.name}" for grid in GRIDS)
            raise fail("PZ262", "unknown grid", grid.span_of("type"), note=f"grids are {note}")
        self.colours = sum(len(colors.all("color")) for colors in root.all("colors"))
        if self.colours > MAX_COLOURS:
            extra = [color for colors in root.all("colors") for color in colors.all("color")][MAX_COLOURS]
            report.add("PZ262", f"too many colours (limit {MAX_COLOURS:,})", extra.span)
        elements = [voxel for shapes in root.all("shapes") for voxel in shapes.all("voxel")]
        self.shapes = [self.shape(number, element) for number, element in enumerate(elements)]
        self.problems = [problem for problems in root.all("problems") for problem in problems.all("problem")]
        if not self.problems:
            report.add(
                "PZ262",
                "missing problem",
                (root.first("problems") or root).span,
                note="a problem names the pieces and the shape that they make",
                help="in BurrTools, add a problem on the tab Puzzle, and save the file again",
            )

    def wrong(self, element: XmlElement, attribute: str, message: str) -> None:
        """Report a missing attribute, or an invalid value of one."""
        if attribute not in element.attributes:
            self.report.add("PZ262", f"missing attribute `{attribute}` of this `{element.tag}`", element.span)
        else:
            self.report.add("PZ262", message, element.span_of(attribute))

    def number(self, element: XmlElement, attribute: str, default: int | None = None, least: int = 0) -> int:
        """Return the number in an attribute; report an invalid number, or a missing one without a default."""
        value = element.attributes.get(attribute, "").strip()
        if default is not None and attribute not in element.attributes:
            return default
        if re.fullmatch(r"-?[0-9]{1,10}", value, re.ASCII) and int(value) >= least:
            return int(value)
        self.wrong(element, attribute, f"expected a number in `{attribute}`" + ("" if least else " from 0"))
        return default or 0

    def look_for_unknown(self, element: XmlElement, above: str) -> None:
        """Look for unknown elements and attributes."""
        content = _SCHEMA.get(f"{above}/{element.tag}") or _SCHEMA.get(element.tag)
        if content is None:
            return
        children, attributes = content
        for attribute in element.attributes:
            if attribute not in attributes.split():
                self.left_out.add("attribute", attribute, at=element.span_of(attribute))
        for child in element:
            if child.tag in children.split():
                self.look_for_unknown(child, element.tag)
            else:
                self.left_out.add("element", child.tag, at=child.span)

    def shape(self, number: int, element: XmlElement) -> VoxelShape:
        """Return a shape of the text."""
        before = self.report.errors
        size = [self.number(element, axis) for axis in "xyz"]
        sized = self.report.errors == before
        if element.attributes.get("type", "").strip() != "0":
            self.wrong(element, "type", "the type of a shape must be 0")
        weight = self.number(element, "weight", 1, -(10**9))
        hotspot = (self.number(element, "hx", 0), self.number(element, "hy", 0), self.number(element, "hz", 0))
        colours: dict[Voxel, int] = {}
        variable = set()
        for voxel, sign, colour in self.voxels(element, size) if sized else ():
            colours[voxel] = colour
            if sign == "+":
                variable.add(voxel)
        return VoxelShape(
            number, element.attributes.get("name", ""), colours, frozenset(variable), hotspot, element, weight
        )

    def voxels(self, element: XmlElement, size: list[int]) -> list[tuple[Voxel, str, int]]:
        """Return the voxels of a shape that are not empty, each with its sign and its colour."""
        text = element.text.rstrip()
        prefix = re.match(r"\s*(?:[#+_][0-9]*)*", text, re.ASCII)
        end = prefix.end() if prefix else 0
        if end < len(text):
            message = f"unexpected `{text[end]}`: voxels are `_`, `#`, `+` and digits"
            self.report.add("PZ263", message, element.span_in_text(end))
            return []
        width, height, depth = size
        volume = width * height * depth
        signs = text.count("#") + text.count("+") + text.count("_")
        if signs != volume:
            self.report.add(
                "PZ263",
                "the text of this shape has another size than the shape",
                element.span,
                note=f"expected {counted(volume, 'voxel')} for {width} x {height} x {depth}, found {signs}",
            )
            return []
        self.filled += text.count("#") + text.count("+")
        if self.filled > MAX_VOXELS:
            raise fail("PZ007", f"too many voxels in the shapes (limit {MAX_VOXELS:,})", element.span)
        entries = []
        for at, match in enumerate(re.finditer(r"([#+_])([0-9]*)", text, re.ASCII)):
            sign, digits = match.groups()
            if sign == "_":
                continue
            voxel = (at % width, at // width % height, at // (width * height))
            colour = int(digits[:4] or 0)
            if colour > self.colours:
                message = f"unknown colour {digits[:4]}"
                span = element.span_in_text(match.start(), len(match.group()))
                self.report.add("PZ265", message, span, note=f"the puzzle has {counted(self.colours, 'colour')}")
            elif cell_at(self.grid, voxel) is None:
                message = f"the voxel {voxel} is outside the grid of {GRIDS[self.grid].name}"
                self.report.add("PZ264", message, element.span_in_text(match.start(), len(match.group())))
            entries.append((voxel, sign, colour))
        return entries

    def problem(self, index: int) -> BurrToolsProblem:
        """Return a problem of the text."""
        element = self.problems[index]
        shapes = [shape for group in element.all("shapes") for shape in group.all("shape")]
        parts = [self.part(shape) for shape in shapes]
        pairs = {
            (self.colour(pair, "piece"), self.colour(pair, "result"))
            for bitmap in element.all("bitmap")
            for pair in bitmap.all("pair")
        }
        result = element.first("result")
        number = NO_SHAPE if result is None else self.number(result, "id")
        if result is None or number == NO_SHAPE:
            span = element.span if result is None else result.span_of("id")
            self.report.add("PZ265", "missing result of this problem", span, help=_RESULT_HELP)
            number = -1
        elif number >= len(self.shapes):
            message = f"unknown shape {number} (numbered from 0)"
            self.report.add("PZ265", message, result.span_of("id"), note=self.how_many)
            number = -1
        holes = self.number(element, "maxHoles", -1)
        self.look_at_the_rest(element)
        name = " ".join(element.attributes.get("name", "").split())
        return BurrToolsProblem(name, parts, number, pairs, None if holes < 0 else holes, element)

    @property
    def how_many(self) -> str:
        """The number of shapes, in words."""
        return f"this text has {counted(len(self.shapes), 'shape')}, numbered from 0"

    def part(self, element: XmlElement) -> ProblemPart:
        """Return a shape as a piece of a problem."""
        number = self.number(element, "id")
        if number >= len(self.shapes):
            self.report.add(
                "PZ265", f"unknown shape {number} (numbered from 0)", element.span_of("id"), note=self.how_many
            )
            number = -1
        if "count" in element.attributes or not {"min", "max"} <= set(element.attributes):
            low = high = self.number(element, "count", 1)
        else:
            low, high = self.number(element, "min"), self.number(element, "max")
            if low > high:
                message = f"the numbers {low} to {high} run backwards"
                self.report.add("PZ262", message, element.span_of("min"), help="exchange `min` and `max`")
                high = low
        if max(low, high) > MAX_COPIES:
            self.report.add("PZ262", f"a piece has too many copies (limit {MAX_COPIES:,})", element.span)
        return ProblemPart(number, low, high, element, self.groups(element, high))

    def groups(self, element: XmlElement, copies: int) -> tuple[tuple[int, int], ...]:
        """Return the groups that a piece may be in, 0 for none, and the number of its copies in each."""
        entries = [(self.number(element, "group", 0), copies)]
        entries += [(self.number(group, "group"), self.number(group, "count")) for group in element.all("group")]
        return tuple([(number, most) for number, most in entries if number and most])

    def colour(self, pair: XmlElement, attribute: str) -> int:
        """Return a colour of a pair, counted from 1, as in voxels."""
        number = self.number(pair, attribute)
        if number >= self.colours and attribute in pair.attributes:
            note = f"the number of colours is {self.colours}; pairs number them from 0"
            self.report.add("PZ265", f"unknown colour {number}", pair.span_of(attribute), note=note)
        return number + 1

    def look_at_the_rest(self, problem: XmlElement) -> None:
        """Note everything in a problem that is not part of the puzzle: solutions, an unfinished search, a comment."""
        for solutions in problem.all("solutions"):
            number, _ = solutions.inside.get("assembly", (0, 0))
            if number:
                self.left_out.add("assembly", at=solutions.span, number=number)
            if {"separation", "separationInfo"} & solutions.inside.keys():
                self.left_out.add("separation", at=solutions.span)
        assembler = problem.first("assembler")
        if assembler is not None:
            self.left_out.add("search", at=assembler.span)
        comment = self.root.first("comment")
        if comment is not None:
            self.left_out.add_comment(comment)


#: Pieces that are named.
MAX_PIECES_NAMED = 4


def told_by_their_pieces(document: Document) -> list[str]:
    """Return a remark for each problem: its result and the number of its pieces, and some pieces if these are the same.

    This reports no errors: only the errors of the chosen problem are reported.
    """
    parts = [_parts(problem) for problem in document.problems]
    remarks = [
        f"{_result(document, problem)} of {_number(uses)}"
        for problem, uses in zip(document.problems, parts, strict=True)
    ]
    alike: dict[str, list[dict[int, tuple[int, int]]]] = {}
    for remark, uses in zip(remarks, parts, strict=True):
        alike.setdefault(remark, []).append(uses)
    common = {remark: set.intersection(*(set(uses.items()) for uses in those)) for remark, those in alike.items()}
    return [
        remark + _others(document, uses.items() - common[remark]) for remark, uses in zip(remarks, parts, strict=True)
    ]


def _others(document: Document, uses: set[tuple[int, tuple[int, int]]]) -> str:
    """Return the names of the pieces that other problems with the same remark lack."""
    names = [_name(document, shape) for shape, _ in sorted(uses)[:MAX_PIECES_NAMED]]
    return f": {', '.join(names)}{', ...' if len(uses) > MAX_PIECES_NAMED else ''}" if names else ""


def _parts(problem: XmlElement) -> dict[int, tuple[int, int]]:
    """Return how often a problem uses each shape, at least and at most, by the number of the shape."""
    uses: dict[int, tuple[int, int]] = {}
    for shape in (shape for shapes in problem.all("shapes") for shape in shapes.all("shape")):
        number = _whole(shape, "id", -1)
        count = _whole(shape, "count", 1)
        low, high = _whole(shape, "min", count), _whole(shape, "max", count)
        before = uses.get(number, (0, 0))
        uses[number] = before[0] + low, before[1] + high
    return uses


def _whole(element: XmlElement, attribute: str, default: int) -> int:
    text = element.attributes.get(attribute, "").strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else default


def _number(parts: dict[int, tuple[int, int]]) -> str:
    low, high = (sum(bounds) for bounds in zip(*parts.values(), strict=True)) if parts else (0, 0)
    return counted(high, "piece") if low == high else f"{low} to {high} pieces"


def _result(document: Document, problem: XmlElement) -> str:
    result = problem.first("result")
    return _name(document, -1 if result is None else _whole(result, "id", -1))


def _name(document: Document, shape: int) -> str:
    """Return the name of a shape, else its number, as BurrTools shows it."""
    if not 0 <= shape < len(document.shapes):
        return "no shape"
    return " ".join(document.shapes[shape].name.split()) or f"S{shape + 1}"
