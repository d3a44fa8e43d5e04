"""Write the page: its program, joined from its parts, with the data of a puzzle.

It is one HTML file: the data, and the program that shows it, without other libraries.
"""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from functools import cache
from html import escape
from pathlib import Path
from string import Template

from puzzlec.show.page.data import MOST_BYTES, page_data
from puzzlec.show.words.languages import embedded, phrase_source, without_scripts
from puzzlec.solving.subject import Subject

#: The parts of the program in the order in which they are joined: each uses only earlier ones when it starts.
MODULES = (
    "arrays",
    "ruling",
    "sides",
    "ruled",
    "vectors",
    "puzzle",
    "meshes",
    "rounds",
    "assembly",
    "board",
    "shapes",
    "picking",
    "playing",
    "camera",
    "ground",
    "apart",
    "painter",
    "sketch",
    "controls",
    "chart",
    "gestures",
    "words",
    "picture",
    "view",
)

#: The parts that the stage of a game does not need: the list of pieces, solutions and their steps.
_NOT_ON_STAGE = {"ruled", "shapes", "playing", "apart", "controls", "chart", "words", "picture", "view"}
STAGE = tuple([name for name in MODULES if name not in _NOT_ON_STAGE])

#: The longest picture for readers without JavaScript, and the maximum number of locations of its puzzle.
MOST_OF_A_PICTURE = 300_000
MOST_LOCATIONS_IN_A_PICTURE = 600

_HERE = Path(__file__).parent

_DEFINED = re.compile(r"(?m)^(?:class|function|const) (\w+)")


@cache
def viewer_source() -> str:
    """Return the program as one text of plain JavaScript, which defines ``PuzzleView`` and nothing else.

    ``new PuzzleView(element, data, settings)`` fills an element with the data of :func:`page_data`. Its words are in
    the language of the document if that is known, otherwise in a language of the browser.
    """
    return f"{silent_source()}{embedded('view', 'PuzzleView')}"


@cache
def silent_source(shared: tuple[str, ...] = ()) -> str:
    """Return the program of :func:`viewer_source` without words: ``PuzzleView.speak`` takes those of a language.

    ``PuzzleView.parts`` has the ``shared`` definitions, for another program.
    """
    inside = "\n".join([phrase_source(), *map(part_of_viewer, MODULES)])
    words = "grouped, phrase, speak, translated, unpacked"
    parts = f", parts: {{ {', '.join(shared)} }}" if shared else ""
    more = f"Object.assign(PuzzleView, {{ {words}{parts} }});"
    return f'const PuzzleView = (() => {{\n"use strict";\n{inside}\n{more}\nreturn PuzzleView;\n}})();\n'


@cache
def text_of(name: str, folder: Path = _HERE) -> str:
    """Return the text of a file of the page, or of one in another folder."""
    return (folder / name).read_text(encoding="utf-8")


def part_of_viewer(name: str) -> str:
    """Return one of the parts of the program."""
    return text_of(f"{name}.js")


@cache
def stage_names() -> list[str]:
    """Return the names that the parts in :data:`STAGE` define for other parts."""
    return [name for part in STAGE for name in _DEFINED.findall(part_of_viewer(part))]


@cache
def viewer_style() -> str:
    """Return the style sheet; all its rules apply to elements within the class ``puzzle-view``."""
    return text_of("viewer.css")


def page(
    subject: Subject,
    limit: int | None = None,
    picture: str = "",
    remarks: list[str] | None = None,
    palette: str = "standard",
) -> str:
    """Return a page that shows a puzzle and its solutions; it loads nothing from elsewhere.

    ``picture`` is an SVG for readers without JavaScript. ``palette`` has the first colours of the page.
    ``remarks`` get a sentence if not all solutions fit. Raises PuzzleError (PZ507) for a puzzle too large for a page.
    """
    if len(picture) > MOST_OF_A_PICTURE:
        picture = ""
    data = page_data(subject, limit, MOST_BYTES - len(picture.encode()), remarks)
    data["palette"] = palette
    source = f"{viewer_source()}{text_of('start.js')}"
    style, words = text_of("page.css") + viewer_style(), picture or without_scripts("view")
    return one_file(text_of("page.html"), subject.title, source, data, "data: blob:", style=style, picture=words)


def one_file(template: str, title: str, source: str, data: object, images: str, **parts: str) -> str:
    """Return a page with its program and its data; ``images`` are the sources of images that it may use."""
    # One script without a closing tag within: the browser allows it by its digest.
    assert "</script" not in source
    digest = b64encode(hashlib.sha256(source.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src {images}; "
        "base-uri 'none'; form-action 'none'"
    )
    # JSON can escape every `<`, so that no text of the user ends the script.
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    head = _plain(escape(title or "a puzzle"))
    return Template(template).substitute(policy=policy, title=head, data=text, source=source, **parts)


def _plain(text: str) -> str:
    """Return a text without characters that UTF-8 cannot encode: single surrogates."""
    return text.encode("utf-8", "replace").decode("utf-8")
