"""The table of outputs of a puzzle: pictures, a page, meshes to print, outlines to cut.

A format is one entry here: the library, the command line, its completion and the page of ``serve`` use this table. The
first call imports a writer, since most runs need none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from puzzlec.diagnostics import listed

if TYPE_CHECKING:
    from puzzlec.make.laser.plan import CuttingPlan
    from puzzlec.make.packing import PlacedThing
    from puzzlec.show.svg.moving import Movie
    from puzzlec.show.svg.paper import Picture
    from puzzlec.show.svg.worksheet import Worksheet
    from puzzlec.solving.subject import Subject

#: The kinds of outputs. All outputs of a kind are written from the same input, and have the same settings.
PICTURES, WORKSHEETS, PAGES, GAMES = "pictures", "worksheets", "pages", "games"
MESHES, OUTLINES = "meshes", "outlines"


@dataclass(frozen=True)
class Output:
    """A form of a puzzle that can be written.

    ``write`` makes the file. A picture is made from a drawing, its background and its scale; a ``paged`` one gets
    several drawings, and a ``moving`` one a moving picture. A worksheet is made before it is typeset. A page is made
    from its subject and a picture for readers without JavaScript, meshes from items and their title, outlines from a
    plan. ``packages`` are required, and the ``extra`` of puzzlec installs them. ``settings`` are those of the page
    beyond the settings of its kind. ``coloured``: whether cells and sides keep their colours. ``prefix`` separates two
    outputs of one ``format``.
    """

    format: str
    kind: str
    summary: str
    media: str
    write: Callable[..., Any]
    packages: tuple[str, ...] = ()
    extra: str = ""
    settings: tuple[str, ...] = ()
    coloured: bool = True
    prefix: str = ""
    paged: bool = False
    moving: bool = False

    @property
    def name(self) -> str:
        """Name among all outputs, such as ``stl`` or ``laser-svg``."""
        return f"{self.prefix}-{self.format}" if self.prefix else self.format

    @property
    def ending(self) -> str:
        """Ending of a file name, such as ``.stl`` or ``-laser.svg``."""
        return f"-{self.prefix}.{self.format}" if self.prefix else f".{self.format}"

    @property
    def missing(self) -> str:
        """Extra of puzzlec that must be installed first, "" if nothing is missing."""
        return "" if all(find_spec(package) for package in self.packages) else self.extra


def _svg(picture: Picture | Movie, background: str, scale: float | None) -> str:  # noqa: ARG001
    from puzzlec.show.notebook import Drawing

    return Drawing(picture.svg(background))


def _png(picture: Picture, background: str, scale: float | None) -> bytes:
    from puzzlec.show.svg.files import png

    return png(picture.svg(background), scale)


def _pdf(pictures: Sequence[Picture], background: str, scale: float | None) -> bytes:  # noqa: ARG001
    from puzzlec.show.svg.files import pdf

    return pdf(pictures, background)


def _webp(movie: Movie, background: str, scale: float | None) -> bytes:
    from puzzlec.show.svg.files import animated

    return animated(movie, "webp", background, scale)


def _gif(movie: Movie, background: str, scale: float | None) -> bytes:
    from puzzlec.show.svg.files import animated

    return animated(movie, "gif", background, scale)


def _worksheet_pdf(sheet: Worksheet) -> bytes:
    return sheet.pdf()


def _worksheet_html(sheet: Worksheet) -> str:
    return sheet.html()


def _html(subject: Subject, limit: int | None, picture: str, remarks: list[str] | None, palette: str) -> str:
    from puzzlec.show.notebook import Page
    from puzzlec.show.page.writing import page

    return Page(page(subject, limit, picture, remarks, palette))


def _game(subject: Subject, remarks: list[str] | None, palette: str) -> str:
    from puzzlec.show.game.writing import game

    return game(subject, remarks, palette)


def _stl(items: Sequence[PlacedThing], title: str) -> bytes:
    from puzzlec.make.mesh_files import stl

    return stl(items, title)


def _three_mf(items: Sequence[PlacedThing], title: str) -> bytes:
    from puzzlec.make.mesh_files import three_mf

    return three_mf(items, title)


def _glb(items: Sequence[PlacedThing], title: str) -> bytes:
    from puzzlec.make.mesh_files import glb

    return glb(items, title)


def _laser_svg(plan: CuttingPlan) -> str:
    from puzzlec.make.laser.outlines import svg_text
    from puzzlec.show.notebook import Outlines

    return Outlines(svg_text(plan))


def _dxf(plan: CuttingPlan) -> str:
    from puzzlec.make.laser.outlines import dxf_text

    return dxf_text(plan)


_MOVING = ("PIL", "resvg_py")
_SOLID, _FLAT = ("manifold3d",), ("shapely",)

#: All outputs, in the order of lists and menus.
OUTPUTS = (
    Output("svg", PICTURES, "a picture that scales", "image/svg+xml", _svg),
    Output("png", PICTURES, "a picture in pixels", "image/png", _png, ("resvg_py",), "png", ("scale",)),
    Output("pdf", PICTURES, "pages to print", "application/pdf", _pdf, ("typst",), "pdf", paged=True),
    Output(
        "webp", PICTURES, "an animation of taking apart", "image/webp",
        _webp, _MOVING, "animation", ("scale",), moving=True,
    ),
    Output(
        "gif", PICTURES, "an animation of taking apart, as GIF", "image/gif",
        _gif, _MOVING, "animation", ("scale",), moving=True,
    ),
    Output(
        "pdf", WORKSHEETS, "a worksheet with pieces to cut out", "application/pdf",
        _worksheet_pdf, ("typst",), "pdf", prefix="worksheet",
    ),
    Output(
        "html", WORKSHEETS, "a worksheet to print from a browser", "text/html", _worksheet_html, prefix="worksheet"
    ),
    Output("html", PAGES, "a page to rotate it, which works offline", "text/html", _html),
    Output("html", GAMES, "a game to send, which works offline", "text/html", _game, prefix="game"),
    Output("stl", MESHES, "the pieces, to print", "model/stl", _stl, _SOLID, "print", coloured=False),
    Output("3mf", MESHES, "the pieces in their colours, to print", "model/3mf", _three_mf, _SOLID, "print"),
    Output("glb", MESHES, "the pieces for 3D programs", "model/gltf-binary", _glb, _SOLID, "print"),
    Output(
        "svg", OUTLINES, "outlines in mm for a laser, as SVG", "image/svg+xml",
        _laser_svg, _FLAT, "print", prefix="laser",
    ),
    Output(
        "dxf", OUTLINES, "outlines in mm for a laser, as DXF", "image/vnd.dxf", _dxf, (*_FLAT, "ezdxf"), "print"
    ),
)  # fmt: skip


def of_kind(kind: str) -> dict[str, Output]:
    """Return the outputs of a kind by their formats.

    >>> list(of_kind(MESHES)), list(of_kind(OUTLINES))
    (['stl', '3mf', 'glb'], ['svg', 'dxf'])
    """
    return {output.format: output for output in OUTPUTS if output.kind == kind}


#: The command that writes each kind of output.
COMMANDS = {PICTURES: "draw", WORKSHEETS: "draw", PAGES: "view", GAMES: "play", MESHES: "model", OUTLINES: "model"}


def command_of(format: str) -> str | None:
    """Return the command that writes a format; None if there is none.

    >>> command_of("png"), command_of("stl"), command_of("txt")
    ('draw', 'model', None)
    """
    return next((COMMANDS[output.kind] for output in OUTPUTS if output.format == format and not output.prefix), None)


def output(kind: str, format: str) -> Output:
    """Return the output of a kind in a format; raise ValueError if the format is unknown."""
    outputs = of_kind(kind)
    if format not in outputs:
        raise ValueError(f"unknown format {format!r} for {kind}; known: {', '.join(outputs)}")
    return outputs[format]


def endings(*kinds: str, last: str = "and") -> str:
    """Return the endings of the outputs of some kinds in words.

    >>> endings(MESHES), endings(PICTURES, last="or")
    ('.stl, .3mf and .glb', '.svg, .png, .pdf, .webp or .gif')
    """
    return listed((f".{format}" for kind in kinds for format in of_kind(kind)), last)


def file_names(output: str, marks: list[str]) -> list[str]:
    """Return file names with marks. Characters that are not allowed in a file name become `_`.

    >>> file_names("a/b.stl", ["V", "v", "x/y", ""])
    ['a/b-V.stl', 'a/b-v-2.stl', 'a/b-x_y.stl', 'a/b.stl']
    """
    path, lower_names, names = Path(output), set[str](), list[str]()
    for mark in marks:
        plain = re.sub(r"[^\w+-]", "_", mark)
        name, number = plain, 1
        while name.lower() in lower_names:  # some systems ignore the case of letters
            number += 1
            name = f"{plain}-{number}"
        lower_names.add(name.lower())
        names.append(str(path.with_name(f"{path.stem}-{name}{path.suffix}" if mark else path.name)))
    return names
