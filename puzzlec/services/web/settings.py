"""Settings of exports: the fields of the form on the page, and their meaning.

A setting is a number, a choice, yes or no, or the size of a plate. A missing setting has the default of the command
line. :func:`settings_of` reads the data of the page. Other functions turn it into the arguments of
:mod:`puzzlec.make.outputs`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from puzzlec.make.table import MESHES, OUTLINES, OUTPUTS, PAGES, PICTURES
from puzzlec.services.web import RefusalError

if TYPE_CHECKING:
    from puzzlec.make import Plate, Sizes
    from puzzlec.make.laser import Cutting
    from puzzlec.show.svg.choices import Choices

#: Chosen values, by the names of settings.
Settings: TypeAlias = Mapping[str, Any]

#: The size of a plate or of a sheet, such as 200x180 (mm).
_PLATE = re.compile(r"\s*(\d{1,6}(?:\.\d{1,6})?)\s*[x×]\s*(\d{1,6}(?:\.\d{1,6})?)\s*")


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
        if self.kind == "plate" and isinstance(said, str) and (match := _PLATE.fullmatch(said)):
            sides = [float(match[1]), float(match[2])]
            if all(sides):
                return sides
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


def _mm(name: str, label: str, hint: str, only: str = "") -> Setting:
    return Setting(name, label, unit="mm", hint=hint, only=only)


_NUMBER = Setting("number", "Solutions", hint="the one on the page", least=0, most=1000, whole=True)

_PICTURE = (
    Setting("what", "Show", "choice", options=(
        ("", "a solution, otherwise board and pieces"), ("solution", "a solution"), ("board", "the board"),
        ("pieces", "the pieces"), ("all", "everything"),
    )),
    _NUMBER,
    Setting("labels", "Labels", "choice", options=(
        ("auto", "as space allows"), ("names", "names"), ("signs", "short symbols"), ("none", "none"),
    )),
    Setting("legend", "Legend", "choice", options=(("", "if needed"), ("yes", "yes"), ("no", "no"))),
    Setting("view", "Solids", "choice", options=(
        ("", "automatic"), ("isometric", "isometric"), ("layers", "as layers"), ("both", "both"),
    ), only="solid"),
    Setting("cell", "Cell", unit="px", hint="automatic", least=1, most=1000),
    Setting("columns", "Pictures side by side", hint="automatic", least=1, most=1000, whole=True),
    Setting("background", "Background", "choice", options=(("#ffffff", "white"), ("none", "none"))),
    Setting("plain", "Black and white, for printing", "flag"),
    Setting("steps", "Step by step: how the pieces are put together", "flag", only="solid"),
)  # fmt: skip

_LAYOUT = Setting("layout", "Arrangement", "choice", options=(
    ("plate", "in rows"), ("solution", "as in the solution"),
))  # fmt: skip

_WIDTH = _mm("width", "Width of the sticks", "a quarter of the shortest", only="edges")

_MESH = (
    _mm("cell", "Cell", "20"),
    _mm("gap", "Gap between pieces", "0.2"),
    _mm("bevel", "Bevel of the edges", "0.5"),
    _mm("height", "Height of the pieces", "a quarter of a cell", only="flat"),
    _WIDTH,
    _mm("neck", "Neck between balls", "a quarter of a ball", only="balls"),
    _LAYOUT,
    Setting("plate", "Plate of the printer", "plate", unit="mm", hint="such as 200x200"),
    Setting("separate", "A file for each piece", "flag"),
)

_CUT = (
    _mm("cell", "Cell", "20"),
    _mm("gap", "Gap between pieces", "0"),
    _mm("kerf", "Kerf: width of the laser beam", "0"),
    _mm("radius", "Radius of rounded corners", "0"),
    _WIDTH,
    Setting("engrave", "Engraved", "choice", options=(
        ("labels", "labels"), ("cells", "lines between cells"), ("both", "both"), ("none", "nothing"),
    )),
    _LAYOUT,
    Setting("plate", "Sheet", "plate", unit="mm", hint="such as 600x300"),
    Setting("tray", "Add a tray: a frame for the board with a plate under it", "flag"),
)  # fmt: skip

#: The settings of each kind of output.
_OF_KIND = {
    PICTURES: _PICTURE,
    PAGES: (Setting("number", "Solutions", hint="all found", least=0, most=1000, whole=True),),
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
    known = {setting.name: setting for setting in SETTINGS.get(to, ())}
    if not isinstance(said, dict):
        raise RefusalError(400, "expected the settings as an object")
    unknown = next((name for name in said if name not in known), None)
    if unknown is not None:
        raise RefusalError(400, f"`{to}` has no setting `{str(unknown)[:40]}`")
    found = {name: known[name].value(value) for name, value in said.items()}
    return {name: value for name, value in found.items() if value is not None and value is not False}


def choices_of(chosen: Settings) -> Choices:
    """Return the choices for a picture."""
    from puzzlec.show.svg.choices import Choices

    return Choices(
        show=chosen.get("what"),
        cell=chosen.get("cell"),
        columns=chosen.get("columns"),
        labels=chosen.get("labels", "auto"),
        legend={"yes": True, "no": False}.get(chosen.get("legend", "")),
        plain=chosen.get("plain", False),
        palette=chosen.get("palette", "standard"),
        background=chosen.get("background", "#ffffff"),
        view=chosen.get("view"),
        steps=chosen.get("steps", False),
    )


def sizes_of(chosen: Settings, gap: float | None = None) -> Sizes:
    """Return the sizes of pieces; ``gap`` is its default. Raises PuzzleError (PZ506)."""
    from puzzlec.make import Sizes

    given = {name: chosen[name] for name in ("cell", "gap", "bevel", "height", "width", "neck") if name in chosen}
    sizes = Sizes(**({} if gap is None else {"gap": gap}) | given)
    sizes.verify()
    return sizes


def plate_of(chosen: Settings) -> Plate | None:
    """Return the plate of a printer, or the sheet of a laser cutter; None without a limit."""
    from puzzlec.make import Plate

    return Plate(*chosen["plate"]) if "plate" in chosen else None


def cutting_of(chosen: Settings) -> Cutting:
    """Return the parameters for a laser cutter. Raises PuzzleError (PZ506)."""
    from puzzlec.make.laser import Cutting

    engraved = {"labels": ("labels",), "cells": ("cells",), "both": ("labels", "cells"), "none": ()}
    cutting = Cutting(
        sizes=sizes_of(chosen, gap=0.0),
        kerf=chosen.get("kerf", 0.0),
        radius=chosen.get("radius", 0.0),
        plate=plate_of(chosen),
        engrave=engraved[chosen.get("engrave", "labels")],
        layout=chosen.get("layout", "plate"),
        tray=chosen.get("tray", False),
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
    known = {setting.name: setting for setting in SETTINGS.get(to, ())}

    def replaced(match: re.Match[str]) -> str:
        setting = known.get(_NAMES.get(match[1], match[1]))
        if setting is None:
            return match[0]
        word = dict(setting.options).get(match[2] or "", match[2] or "")
        return f"“{setting.label}: {word}”" if word else f"“{setting.label}”"

    text = re.sub(r"`--([a-z-]+)(?:[ =]([^`]+))?`", replaced, text)
    text = re.sub(r"`-o [^`]*\.([a-z0-9]+)`", r"`\1`", text).replace("`puzzlec view`", "`html`")
    return "" if "`-" in text or "`puzzlec " in text else text
