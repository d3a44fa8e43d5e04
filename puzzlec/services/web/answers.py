"""The answers to requests of the page that need neither a folder nor a process, as functions of a call.

The server and the page without a server use them: :mod:`puzzlec.services.web.app` and
:mod:`puzzlec.services.web.local`.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from puzzlec.engine.search.steps import CHOICES
from puzzlec.formats import catalogue
from puzzlec.formats.catalogue import kinds, starting_file
from puzzlec.formats.registry import FORMATS, WRITERS
from puzzlec.geometry import lattice_names
from puzzlec.ir.paints import PAINT_SYNONYMS, PAINTS
from puzzlec.language.highlight.contexts import contexts
from puzzlec.make.table import MESHES, OUTLINES, OUTPUTS
from puzzlec.services.web import RefusalError
from puzzlec.services.web.exporting import KINDS, SETTINGS, settings_of
from puzzlec.services.web.folder import ENDINGS, name_error
from puzzlec.services.web.stage import is_change, libraries
from puzzlec.show.palette import PALETTES
from puzzlec.version import __version__

#: The lines of an example about the command line, which the page does not need.
_COMMANDS = re.compile(r"(?:#\n)?# Edit (?:this file|both files)[^\n]*\n(?:#  +\S[^\n]*\n)*")

#: The name of a text without one: it is in the puzzle language.
_UNNAMED = "puzzle.puzzle"

#: Maximum number of characters of a text that is checked or solved.
MAX_TEXT_CHARACTERS = 4 * 2**20

#: Maximum number of names of pieces in a request.
MAX_NAMES = 2000


class Call(NamedTuple):
    """A request: the parts of its address (``path`` by names, ``query``), and the JSON in its body."""

    path: Mapping[str, str] = {}
    query: Mapping[str, str] = {}
    body: Mapping[str, Any] = {}


class Download(NamedTuple):
    """A file for the user, and remarks about it."""

    name: str
    media: str
    content: bytes
    remarks: tuple[str, ...] = ()


#: The name of a puzzle of the catalogue.
_NAME = re.compile(r"[A-Za-z0-9-]+(?:/[A-Za-z0-9-]+)*")


def start(folder: str | None, seconds: float, memory: int) -> dict[str, Any]:
    """Return the data that the page needs at its start; ``folder`` is None if it can open no files."""
    rules = {
        name: {
            "rules": [
                rule if isinstance(rule, str) else [rule.pattern, rule.roles, rule.opens] for rule in context.rules
            ],
            "end": context.end,
            "role": context.role,
        }
        for name, context in contexts().items()
    }
    return {
        "version": __version__,
        "folder": folder,
        "seconds": seconds,
        "memory": memory,
        "endings": ENDINGS,
        "syntax": rules,
        "examples": [kind._asdict() for kind in kinds()],
        "readable": [record.name for record in FORMATS.values()],
        "pieces_only": [record.name for record in FORMATS.values() if record.pieces_only],
        "problems": [record.name for record in FORMATS.values() if record.has_problems],
        "exports": exports(),
        "palettes": PALETTES,
        "paints": {name: paint for name, paint in PAINTS.items() if name not in PAINT_SYNONYMS},
    }


def puzzles() -> dict[str, Any]:
    """Return the catalogue, and the number of its ``examples``, which New lists."""
    from puzzlec.services.web.wall import numbers_of_pieces

    pieces = numbers_of_pieces()
    return {
        "examples": sum(entry.name.startswith("new/") for entry in catalogue.entries()),
        "puzzles": [
            {
                "name": entry.name,
                "title": entry.title,
                "heading": entry.heading,
                "tags": entry.tags,
                "distinct": None if entry.distinct is None else str(entry.distinct),
                "raw": None if entry.raw is None else str(entry.raw),
                "lattice": catalogue.lattice_name(entry).removesuffix(".yaml"),
                "slow": entry.slow,
                "pieces": pieces.get(entry.name),
            }
            for entry in catalogue.entries()
            if not entry.name.startswith("new/")
        ],
    }


def picture(name: str) -> dict[str, Any]:
    """Return the stored picture of a puzzle of the catalogue."""
    from puzzlec.services.web import wall

    if catalogue.named(name) is None:
        raise RefusalError(404, f"no puzzle `{name}` in the catalogue", "missing")
    return {"svg": wall.picture(name)}


def apart(name: str) -> dict[str, Any]:
    """Return the data of the viewer for a burr of the catalogue that comes apart, with its moves."""
    from puzzlec.services.web import wall

    data = wall.apart(name) if catalogue.named(name) is not None else None
    if data is None:
        raise RefusalError(404, f"no burr `{name}` in the catalogue", "missing")
    return data


def puzzle(name: str) -> dict[str, Any]:
    """Return a puzzle of the catalogue."""
    path = catalogue.find(name) if _NAME.fullmatch(name) else None
    if path is None:
        raise RefusalError(404, f"no puzzle `{name}` in the catalogue", "missing")
    text = path.read_text(encoding="utf-8")
    if len(text) > MAX_TEXT_CHARACTERS:
        raise RefusalError(413, f"`{name}` is too large for this page", "size")
    distinct = catalogue.promised(text.encode()).get("distinct")
    return {"name": name, "file": path.name, "text": text, "distinct": None if distinct is None else str(distinct)}


def example(name: str) -> dict[str, Any]:
    """Return the starting file of a kind of puzzle."""
    if name not in {kind.name for kind in kinds()}:
        raise RefusalError(404, f"no example `{name}`", "missing")
    return {
        "name": f"new/{name}",
        "file": f"{name}.puzzle",
        "text": _COMMANDS.sub("", starting_file(name)),
    }


def task(body: Mapping[str, Any], place: Callable[[str], str] = str) -> dict[str, Any]:
    """Return the puzzle of a request, in the form of a task; raise RefusalError for invalid data.

    ``position`` turns the name of a file into its path, or refuses it.
    """
    text = string(body, "text")
    if len(text) > MAX_TEXT_CHARACTERS:
        raise RefusalError(
            413, f"the text is too long (limit {MAX_TEXT_CHARACTERS // 2**20} million characters)", "size"
        )
    name = string(body, "name", 200)
    name_in_catalogue = string(body, "catalogue", 200)
    path: Path | str | None = None
    if _NAME.fullmatch(name_in_catalogue):
        path = catalogue.find(name_in_catalogue)
    if path is None and name and not name_error(name):
        path = place(name)
    parameters = body.get("parameters") or {}
    if not isinstance(parameters, dict) or not all(
        isinstance(value, int) and abs(value) < 10**9 for value in parameters.values()
    ):
        raise RefusalError(400, "expected an integer for each parameter")
    palette = string(body, "palette", 20) or "standard"
    if palette not in PALETTES:
        raise RefusalError(400, f"unknown palette `{palette}`")
    return {
        "text": text,
        "name": str(path or _UNNAMED),
        "format": string(body, "format", 20) or None,
        "board": string(body, "board", 40) or None,
        "problem": string(body, "problem", 200) or None,
        "parameters": parameters,
        "palette": palette,
    }


def edit_task(body: Mapping[str, Any], place: Callable[[str], str] = str) -> dict[str, Any]:
    """Return the task of a request to change a text."""
    change = body.get("change")
    if not is_change(change):
        raise RefusalError(400, "expected a change of the text")
    return {**task(body, place), "do": "edit", "change": change}


def complete_task(body: Mapping[str, Any], place: Callable[[str], str] = str) -> dict[str, Any]:
    """Return the task of a request for completions at a character of a text; ``pieces`` are names that are known."""
    pieces = body.get("pieces") or []
    if not isinstance(pieces, list) or len(pieces) > MAX_NAMES or not all(isinstance(name, str) for name in pieces):
        raise RefusalError(400, "expected the names of pieces")
    return {**task(body, place), "do": "complete", "at": _at(body), "pieces": pieces}


def explain_task(body: Mapping[str, Any], place: Callable[[str], str] = str) -> dict[str, Any]:
    """Return the task of a request for the meaning of a character of a text."""
    return {**task(body, place), "do": "explain", "at": _at(body)}


def _at(body: Mapping[str, Any]) -> int:
    """Return the character of a request, from 0 to the length of its text."""
    at = body.get("at")
    if type(at) is not int or not 0 <= at <= len(string(body, "text")):
        raise RefusalError(400, "expected a position in the text")
    return at


def stages_task(body: Mapping[str, Any], place: Callable[[str], str] = str) -> dict[str, Any]:
    """Return the task of a request for the stages of a text."""
    choice = string(body, "choice", 10) or CHOICES[0]
    if choice not in CHOICES:
        raise RefusalError(400, f"unknown choice; choose {' or '.join(CHOICES)}")
    return {**task(body, place), "do": "stages", "choice": choice}


def libraries_of(lattice: str) -> dict[str, Any]:
    """Return the shape libraries for a lattice."""
    return {"libraries": libraries(lattice) if lattice in lattice_names() else []}


def solve_task(body: Mapping[str, Any], place: Callable[[str], str] = str) -> dict[str, Any]:
    """Return the task of a request to solve a text."""
    task_of_solve = {**task(body, place), "do": "solve", "raw": body.get("raw") is True}
    task_of_solve["goal"] = string(body, "goal", 10) or "first"
    if task_of_solve["goal"] not in ("first", "some", "count", "hint", "given"):
        raise RefusalError(400, "unknown goal; choose first, some, count, hint or given")
    if task_of_solve["goal"] == "given":
        if not _is_numbers([body.get("placements")]):
            raise RefusalError(400, "expected the placements of a solution")
        task_of_solve["placements"] = body["placements"]
    if task_of_solve["goal"] == "hint":
        if not _is_numbers([body.get("placed")]):
            raise RefusalError(400, "expected the pieces on the board")
        task_of_solve["placed"] = body["placed"]
    limit = body.get("limit")
    task_of_solve["limit"] = limit if isinstance(limit, int) and limit > 0 else None
    return task_of_solve


def play_task(body: Mapping[str, Any], place: Callable[[str], str] = str) -> dict[str, Any]:
    """Return the task of a request for the game of a text."""
    return {**task(body, place), "do": "play"}


def moves_task(body: Mapping[str, Any], place: Callable[[str], str] = str) -> dict[str, Any]:
    """Return the task of a request for the moves from a state of a solution."""
    if not _is_state(body) or not _is_numbers([body.get("solution")]):
        raise RefusalError(400, "expected a solution, and a state of its pieces")
    state = {key: body[key] for key in ("solution", "there", "shifts", "walled")}
    return {**task(body, place), **state, "do": "moves"}


def patience(body: Mapping[str, Any], most: float) -> float:
    """Return the seconds for a request to solve a text, ``most`` at most."""
    seconds = body.get("seconds")
    asked = min(seconds, most) if isinstance(seconds, int | float) else most
    return asked if asked > 0 else most


def export_task(body: Mapping[str, Any], place: Callable[[str], str] = str) -> dict[str, Any]:
    """Return the task of a request to export a text."""
    to = string(body, "to", 20)
    if to not in WRITERS and to not in KINDS:
        raise RefusalError(400, f"unknown output `{to}`")
    solutions = body.get("solutions") or []
    if not _is_numbers(solutions):
        raise RefusalError(400, "expected the solutions as lists of numbers")
    settings = body.get("settings") or {}
    settings_of(to, settings)  # invalid settings are refused at once
    return {**task(body, place), "do": "export", "to": to, "solutions": solutions, "settings": settings}


def exported(task: Mapping[str, Any], message: Mapping[str, Any]) -> Download | dict[str, Any]:
    """Return the file of an export from its last message; or ``diagnostics`` with the reason why it failed.

    The file has the name of the puzzle, or else its title.
    """
    if message.get("why") != "complete":
        return {key: message[key] for key in ("why", "diagnostics", "message") if key in message}
    to = task["to"]
    ending = KINDS[to].ending if to in KINDS else WRITERS[to].endings[0]
    name = task["name"].rpartition("/")[2].split(".")[0]
    words = (message.get("title", "").lower() if task["name"] == _UNNAMED else "") or name
    stem = re.sub(r"[^\w-]+", "-", words).strip("-")[:60] or "puzzle"
    media = KINDS[to].media if to in KINDS else "application/octet-stream"
    if message.get("packed"):
        ending, media = ".zip", "application/zip"
    content = base64.b64decode(message.get("content", ""))
    return Download(stem + ending, media, content, tuple(message.get("remarks", ())))


def exports() -> list[dict[str, Any]]:
    """Return the kinds of files that the page can make; ``extra`` is a missing package."""
    rows = [
        (output.name, output.summary, "models" if output.kind in (MESHES, OUTLINES) else "pictures", output.missing)
        for output in OUTPUTS
    ]
    rows += [(writer.name, writer.summary, "formats", "") for writer in WRITERS.values()]
    return [
        {
            "name": name,
            "summary": summary,
            "group": group,
            "extra": extra,
            "settings": [setting.as_data() for setting in SETTINGS.get(name, ())],
        }
        for name, summary, group, extra in rows
    ]


def string(body: Mapping[str, Any], name: str, longest: int = 2**25) -> str:
    """Return a text of a request, empty if it is missing; raise RefusalError for another value."""
    value = body.get(name)
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > longest:
        raise RefusalError(400, f"expected a text of at most {longest} characters for `{name}`")
    return value


#: Maximum number of pieces in a state.
STATE = 1000


def _is_state(body: Mapping[str, Any]) -> bool:
    """Whether a request has a state of a solution: the pieces on the stage, how far each is from its position."""
    there, shifts = body.get("there"), body.get("shifts")
    return (
        isinstance(there, list)
        and isinstance(shifts, list)
        and len(there) == len(shifts) <= STATE
        and all(type(number) is int for number in there)
        and all(isinstance(shift, list) and len(shift) < 5 for shift in shifts)
        and all(type(value) is int and abs(value) < 10**4 for shift in shifts for value in shift)
        and isinstance(body.get("walled"), bool)
    )


def _is_numbers(solutions: object) -> bool:
    """Whether this is a list of lists of lists of integers, and not too long."""
    if not isinstance(solutions, list) or len(solutions) > 1000:
        return False
    return all(
        isinstance(solution, list) and all(isinstance(of, list) and all(type(k) is int for k in of) for of in solution)
        for solution in solutions
    )
