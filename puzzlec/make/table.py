"""The table of what a puzzle can be made into: pictures, a page, meshes to print, outlines to cut.

One entry is all that a format needs: the library, the command line, its completion and the page of ``serve`` ask here.
A writer is imported by the first call, since few runs need any.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from puzzlec.make.laser.plan import Plan
    from puzzlec.make.plate import Item
    from puzzlec.show.svg.paper import Picture
    from puzzlec.solving.subject import Subject

#: The kinds of outputs. All of one kind are written from the same thing, and have the same settings.
PICTURES, PAGES, MESHES, OUTLINES = "pictures", "pages", "meshes", "outlines"


@dataclass(frozen=True)
class Output:
    """A form that a puzzle can be made into.

    ``write`` makes the file: a picture from its SVG text and its scale, a page from its subject and a picture for
    readers without JavaScript, meshes from items and their title, outlines from a plan. ``packages`` are those that it
    needs, which the ``extra`` of puzzlec installs. ``settings`` are those of the page beyond the settings of its kind.
    ``coloured``: whether cells and sides keep their colours. ``prefix`` divides two outputs of one ``format``.
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

    @property
    def name(self) -> str:
        """The name among all outputs, such as ``stl`` or ``laser-svg``."""
        return f"{self.prefix}-{self.format}" if self.prefix else self.format

    @property
    def ending(self) -> str:
        """The end of the name of a file, such as ``.stl`` or ``-laser.svg``."""
        return f"-{self.prefix}.{self.format}" if self.prefix else f".{self.format}"

    @property
    def missing(self) -> str:
        """The extra of puzzlec that must be installed first, "" if nothing is missing."""
        return "" if all(find_spec(package) for package in self.packages) else self.extra


def _svg(picture: Picture, background: str, scale: float | None) -> str:  # noqa: ARG001
    from puzzlec.show.notebook import Drawing

    return Drawing(picture.svg(background))


def _png(picture: Picture, background: str, scale: float | None) -> bytes:
    from puzzlec.show.svg.png import png

    return png(picture.svg(background), scale)


def _pdf(pictures: Sequence[Picture], background: str, scale: float | None) -> bytes:  # noqa: ARG001
    from puzzlec.show.svg.pdf import pdf

    return pdf(pictures, background)


def _html(subject: Subject, limit: int | None, picture: str, remarks: list[str] | None) -> str:
    from puzzlec.show.notebook import Page
    from puzzlec.show.page import page

    return Page(page(subject, limit, picture, remarks))


def _stl(items: Sequence[Item], title: str) -> bytes:
    from puzzlec.make.stl import stl

    return stl(items, title)


def _three_mf(items: Sequence[Item], title: str) -> bytes:
    from puzzlec.make.three_mf import three_mf

    return three_mf(items, title)


def _glb(items: Sequence[Item], title: str) -> bytes:
    from puzzlec.make.glb import glb

    return glb(items, title)


def _laser_svg(plan: Plan) -> str:
    from puzzlec.make.laser.svg import svg_text
    from puzzlec.show.notebook import Drawing

    return Drawing(svg_text(plan))


def _dxf(plan: Plan) -> str:
    from puzzlec.make.laser.dxf import dxf_text

    return dxf_text(plan)


_SOLID, _FLAT = ("manifold3d",), ("shapely",)

#: All outputs, in the order in which they are shown.
OUTPUTS = (
    Output("svg", PICTURES, "a picture that scales", "image/svg+xml", _svg),
    Output("png", PICTURES, "a picture in pixels", "image/png", _png, ("resvg_py",), "png", ("scale",)),
    Output("pdf", PICTURES, "pages to print", "application/pdf", _pdf, ("typst",), "pdf", paged=True),
    Output("html", PAGES, "a page to turn it on, which works without a network", "text/html", _html),
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
    return {each.format: each for each in OUTPUTS if each.kind == kind}


def output(kind: str, format: str) -> Output:
    """Return the output of a kind in a format; raise ValueError if the format is unknown."""
    known = of_kind(kind)
    if format not in known:
        raise ValueError(f"there is no format {format!r} for {kind}: {', '.join(known)} are known")
    return known[format]


def endings(*kinds: str, last: str = "and") -> str:
    """Return the endings of the outputs of some kinds in words.

    >>> endings(MESHES), endings(PICTURES, last="or")
    ('.stl, .3mf and .glb', '.svg or .png')
    """
    found = [f".{format}" for kind in kinds for format in of_kind(kind)]
    return f" {last} ".join([", ".join(found[:-1]), found[-1]])
