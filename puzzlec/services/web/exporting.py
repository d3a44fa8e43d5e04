"""Export a puzzle with its solutions: in a format of puzzlec, as a picture, a page, or a model.

A setting is a field of the form on the page: a number, a choice, yes or no, or the size of a plate. A missing setting
has the default of the command line. :func:`settings_of` reads the data of the page. Other functions turn it into the
arguments of :mod:`puzzlec.make.outputs`.
"""

from __future__ import annotations

import base64
import io
import math
import re
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

from puzzlec.compiler import compile
from puzzlec.diagnostics import Diagnostic, PuzzleError
from puzzlec.diagnostics.error import fail
from puzzlec.formats.reading import AnyPuzzle
from puzzlec.ir import Fitting, Puzzle, Solution
from puzzlec.ir.solution import Placement
from puzzlec.make.choices import Cutting, Plate, Sizes
from puzzlec.make.table import GAMES, MESHES, OUTLINES, OUTPUTS, PAGES, PICTURES, WORKSHEETS
from puzzlec.services.sandbox.worker import Tell
from puzzlec.services.web import RefusalError
from puzzlec.show.svg.choices import WORKSHEET, Choices
from puzzlec.solving.checker import Checker
from puzzlec.solving.faults import WrongSolutionError
from puzzlec.solving.subject import Subject

#: Chosen values, by the names of settings.
Settings: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Setting:
    """A field of the form; ``kind`` is number, choice, flag or plate.

    ``hint`` describes the default. ``least`` and ``most`` bound a number, which is an integer if ``whole`` is true.
    ``only`` limits the field to some puzzles: "flat" or "solid" ones, or pieces of "edges" or "balls". ``options`` are
    the words of a choice with their names on the page; the first one is the default.
    """

    name: str
    label: str
    kind: str = "number"
    unit: str = ""
    hint: str = ""
    least: float = 0
    most: float = 100_000
    whole: bool = False
    options: tuple[tuple[str, str], ...] = ()
    only: str = ""

    def as_data(self) -> dict[str, Any]:
        """Return the field as data for the page."""
        return {**self.__dict__, "options": [list(option) for option in self.options]}

    def value(self, said: Any) -> Any:
        """Return the value of a typed text, None for an empty one; raise RefusalError for an invalid one."""
        if said is None or said == "":
            return None
        if self.kind == "flag" and isinstance(said, bool):
            return said
        if self.kind == "choice" and said in [word for word, _ in self.options]:
            return said
        if self.kind == "plate" and isinstance(said, str):
            with suppress(ValueError):
                return Plate.of(said)
        if self.kind == "number" and isinstance(said, int | float) and not isinstance(said, bool):
            fits = math.isfinite(said) and self.least <= said <= self.most
            if fits and (not self.whole or said == int(said)):
                return int(said) if self.whole else said
        raise RefusalError(400, f"{self.label}: {self._wanted()}", "setting")

    def _wanted(self) -> str:
        if self.kind == "number":
            return f"expected {'an integer' if self.whole else 'a number'} from {self.least:g} to {self.most:g}"
        if self.kind == "plate":
            return "expected width and depth in mm, such as 200x180"
        return "unknown choice"


_NUMBER = Setting("number", "Solutions", hint="the one on the page", least=0, most=1000, whole=True)

#: The words for yes and no in a choice.
_BOTH = {"yes": True, "no": False}


def settings_from(table: Any) -> tuple[Setting, ...]:
    """Return the fields of the form for the settings of a table that have a label."""
    form = []
    for row in fields(table):
        said = row.metadata.get("setting")
        if said is None or not said.label:
            continue
        words = said.choices or said.words or ()
        kind = "choice" if words else "flag" if row.default is False else "number"
        form.append(
            Setting(
                row.name,
                said.label,
                kind,
                unit=said.unit,
                hint=said.hint,
                least=said.least or 0,
                most=said.most or 100_000,
                whole=str(row.type).startswith("int"),
                options=tuple(zip(("",) * (row.default is None) + words, said.spoken, strict=True)) if words else (),
                only=said.only,
            )
        )
    return tuple(form)


_LAYOUT = Setting("layout", "Arrangement", "choice", options=(
    ("plate", "in rows"), ("solution", "as in the solution"),
))  # fmt: skip

_SIZES = {setting.name: setting for setting in settings_from(Sizes)}
_BEAM = settings_from(Cutting)

_MESH = (
    *_SIZES.values(),
    _LAYOUT,
    Setting("plate", "Plate of the printer", "plate", unit="mm", hint="such as 200x200"),
    Setting("separate", "A file for each piece", "flag"),
)

_CUT = (
    _SIZES["cell"],
    replace(_SIZES["gap"], hint="0"),
    *(setting for setting in _BEAM if setting.kind == "number"),
    _SIZES["width"],
    *(setting for setting in _BEAM if setting.kind != "number"),
    _LAYOUT,
    Setting("plate", "Sheet", "plate", unit="mm", hint="such as 600x300"),
    Setting("tray", "Add a tray: a frame for the board with a plate under it", "flag"),
)

_PICTURE = settings_from(Choices)

#: The settings of each kind of output.
_OF_KIND = {
    PICTURES: (_NUMBER, *_PICTURE),
    WORKSHEETS: (
        replace(_NUMBER, hint="1"),
        Setting("paper", "Paper", "choice", options=(("a4", "A4"), ("a5", "A5"), ("a3", "A3"), ("letter", "Letter"))),
        *(
            replace(row, unit="mm" * (row.name == "cell"))
            for row in _PICTURE
            if row.name in ("plain", "labels", "cell")
        ),
    ),
    PAGES: (Setting("number", "Solutions", hint="all found", least=0, most=1000, whole=True),),
    GAMES: (),
    MESHES: _MESH,
    OUTLINES: _CUT,
}

#: Settings of only some outputs of a kind, by their names.
_MORE = {"scale": Setting("scale", "Scale: pixels per px", hint="2", least=0.01, most=100)}

#: The settings of each output.
SETTINGS: dict[str, tuple[Setting, ...]] = {
    output.name: (*_OF_KIND[output.kind], *(_MORE[name] for name in output.settings)) for output in OUTPUTS
}


def settings_of(to: str, said: object) -> dict[str, Any]:
    """Return the chosen values for an output, checked; raise RefusalError for unknown settings and invalid values."""
    setting_of = {setting.name: setting for setting in SETTINGS.get(to, ())}
    if not isinstance(said, dict):
        raise RefusalError(400, "expected the settings as an object")
    unknown = next((name for name in said if name not in setting_of), None)
    if unknown is not None:
        raise RefusalError(400, f"`{to}` has no setting `{str(unknown)[:40]}`")
    values = {name: setting_of[name].value(value) for name, value in said.items()}
    return {name: value for name, value in values.items() if value is not None and value is not False}


def choices_of(values_of: Settings) -> Choices:
    """Return the choices for a picture."""
    values: dict[str, Any] = {row.name: values_of[row.name] for row in fields(Choices) if row.name in values_of}
    if "legend" in values:
        values["legend"] = _BOTH[values["legend"]]
    return Choices(**values)


def sizes_of(values_of: Settings, gap: float | None = None) -> Sizes:
    """Return the sizes of pieces; ``gap`` is its default. Raises PuzzleError (PZ506)."""
    given = {name: values_of[name] for name in _SIZES if name in values_of}
    sizes = Sizes(**({} if gap is None else {"gap": gap}) | given)
    sizes.verify()
    return sizes


def cutting_of(values_of: Settings) -> Cutting:
    """Return the parameters for a laser cutter. Raises PuzzleError (PZ506)."""
    engraved = {"labels": ("labels",), "cells": ("cells",), "both": ("labels", "cells"), "none": ()}
    cutting = Cutting(
        sizes=sizes_of(values_of, gap=0.0),
        kerf=values_of.get("kerf", 0.0),
        radius=values_of.get("radius", 0.0),
        plate=values_of.get("plate"),
        engrave=engraved[values_of.get("engrave", "labels")],
        layout=values_of.get("layout", "plate"),
        tray=values_of.get("tray", False),
    )
    cutting.verify()
    return cutting


#: Options of the command line that have another name on the page.
_NAMES = {"limit": "number"}


def for_page(text: str, to: str) -> str:
    """Return a suggestion of the command line in the words of the page; "" if it does not suit the page.

    >>> for_page("without `--layout solution` every piece is whole", "dxf")
    'without “Arrangement: as in the solution” every piece is whole'
    >>> for_page("write a model with `-o pieces.stl` or `-o pieces.3mf`", "dxf")
    'write a model with `stl` or `3mf`'
    >>> for_page("remove `--port`", "svg")
    ''
    """
    setting_of = {setting.name: setting for setting in SETTINGS.get(to, ())}

    def replaced(match: re.Match[str]) -> str:
        setting = setting_of.get(_NAMES.get(match[1], match[1]))
        if setting is None:
            return match[0]
        word = dict(setting.options).get(match[2] or "", match[2] or "")
        return f"“{setting.label}: {word}”" if word else f"“{setting.label}”"

    text = re.sub(r"`--([a-z-]+)(?:[ =]([^`]+))?`", replaced, text)
    text = re.sub(r"`-o [^`]*\.([a-z0-9]+)`", r"`\1`", text).replace("`puzzlec view`", "`html`")
    return "" if "`-" in text or "`puzzlec " in text else text


#: Maximum number of bytes of a file that is sent to the page.
MAX_EXPORT_BYTES = 64 * 2**20

#: Seconds to search for solutions that the page does not have.
MAX_SEARCH_SECONDS = 10.0


#: Pictures, pages and models, by their names.
KINDS = {output.name: output for output in OUTPUTS}


def export(what: AnyPuzzle, task: dict[str, Any], tell: Tell) -> None:
    """Send a puzzle in the format ``to``, with the ``solutions`` that the page shows, made with these ``settings``.

    Several files become one ZIP file. The end then has ``packed``. ``remarks`` are for the user. Raises PuzzleError
    with suggestions that suit the page.
    """
    to = task["to"]
    remarks: list[str] = []
    try:
        values = {**settings_of(to, task.get("settings") or {}), "palette": task.get("palette") or "standard"}
        made = _made(what, to, task.get("solutions") or [], values, remarks) if to in KINDS else _written(what, to)
    except PuzzleError as error:
        raise PuzzleError([_for_page(diagnostic, to) for diagnostic in error.diagnostics]) from None
    content = made if isinstance(made, bytes) else packed(made, KINDS[to].ending)
    if len(content) > MAX_EXPORT_BYTES:
        raise fail(
            "PZ503", f"the file would be larger than {MAX_EXPORT_BYTES // 2**20} MB", help="use `puzzlec` in a terminal"
        )
    packing, title = not isinstance(made, bytes), what.title if isinstance(what, Puzzle | Fitting) else ""
    content_as_text = base64.b64encode(content).decode()
    tell("end", why="complete", content=content_as_text, packed=packing, remarks=remarks, title=title)


def _for_page(diagnostic: Diagnostic, to: str) -> Diagnostic:
    helps = [for_page(help, to) for help in diagnostic.helps]
    return replace(diagnostic, helps=tuple([help for help in helps if help]))


def packed(files: Mapping[str, bytes], ending: str) -> bytes:
    """Return files, by their distinguishing names, as one ZIP file. The same files give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (mark, content) in enumerate(files.items(), 1):
            plain = re.sub(r"[^\w+-]", "_", mark)  # some systems do not allow all characters in names
            name = f"plate-{mark}{ending}" if mark == str(number) else f"{number:02}-{plain}{ending}"
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)  # without the time
    return buffer.getvalue()


def _written(what: AnyPuzzle, to: str) -> bytes:
    from puzzlec.formats.writing import write

    return write(what, to).encode()


def _made(
    what: AnyPuzzle,
    to: str,
    solutions: Sequence[Sequence[Sequence[int]]],
    values: Mapping[str, Any],
    remarks: list[str],
) -> bytes | dict[str, bytes]:
    """Return a picture, a page or a model; several files by their distinguishing names."""
    from puzzlec.make import outputs as pictures

    kind, format = KINDS[to].kind, KINDS[to].format
    if kind == GAMES:
        return pictures.play(what, remarks=remarks, palette=values["palette"]).encode()
    subject = _subject(what, solutions, {"number": 1, **values} if kind == WORKSHEETS else values)
    if kind == PICTURES:
        made: str | bytes = pictures.draw(subject, format=format, choices=choices_of(values), scale=values.get("scale"))
    elif kind == WORKSHEETS:
        sheet = replace(choices_of(values), show=WORKSHEET)
        made = pictures.draw(subject, format=format, choices=sheet, remarks=remarks)
    elif kind == OUTLINES:
        made = pictures.cut(subject, format=format, cutting=cutting_of(values), remarks=remarks)
    elif kind == MESHES:
        layout, separate = values.get("layout", "plate"), values.get("separate", False)
        # Separate files and models of a solution have no plate.
        plate = None if separate or layout == "solution" else values.get("plate")
        files = pictures.models(
            subject,
            format=format,
            sizes=sizes_of(values),
            layout=layout,
            plate=plate,
            separate=separate,
            remarks=remarks,
        )
        return files if separate or len(files) > 1 else next(iter(files.values()))
    else:
        made = pictures.view(subject, remarks=remarks, palette=values["palette"])
    return made if isinstance(made, bytes) else made.encode()


def _subject(what: AnyPuzzle, solutions: Sequence[Sequence[Sequence[int]]], values: Mapping[str, Any]) -> Subject:
    """Return the subject to show. If the page has too few solutions, search for some."""
    from puzzlec.make import outputs as pictures

    fitting = compile(what, stage="fitting")
    wants = values.get("layout") == "solution" or values.get("show") == "solution"
    number = values.get("number", 1 if wants else 0)
    if len(solutions) >= number or values.get("show") in ("board", "pieces"):
        return Subject(fitting, solutions_of(fitting, solutions))
    return pictures.subject(fitting, number, MAX_SEARCH_SECONDS)


def solutions_of(fitting: Fitting, numbers_of: Sequence[Sequence[Sequence[int]]]) -> tuple[Solution, ...]:
    """Return solutions from the numbers of placements of each piece; raise PuzzleError for invalid ones."""
    checker, solutions = Checker(fitting), []
    for number, orientations in enumerate(numbers_of, 1):
        try:
            placements = [
                Placement(piece, index, fitting.pieces[piece].placements.row(index), fitting)
                for piece, indices in enumerate(orientations)
                for index in indices
                if 0 <= index < len(fitting.pieces[piece].placements)
            ]
            solution = Solution(fitting, tuple(placements))
            checker.check(solution)
        except (WrongSolutionError, IndexError, TypeError) as error:
            raise fail(
                "PZ608",
                f"solution {number} is not a solution of this puzzle: {error}",
                help="solve the puzzle again, since its text has changed",
            ) from None
        solutions.append(solution)
    return tuple(solutions)
