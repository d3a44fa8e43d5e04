"""Write the page of a game: its program, joined from its parts, with its data."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path

from puzzlec.show.game.data import GameData, game_data
from puzzlec.show.page import writing as viewer
from puzzlec.show.page.needed import needed
from puzzlec.show.words.languages import embedded, phrase_source, without_scripts
from puzzlec.solving.subject import Subject

#: The parts of the program in the order in which they are joined: those of all games, then the view of a flat board, or
#: the stage. Puzzles with turns also have the part about them. Parts of the viewer come before them.
SHARED = ("arrays", "ruling")
MODULES = ("rules", "hints", "keeper", "game")
FLAT, STAGED, TURNING = ("picture", "flat"), ("pulling", "stage"), ("turning",)

#: Returns the text of a file of the game.
_text = partial(viewer.text_of, folder=Path(__file__).parent)


@cache
def game_source(staged: bool, with_viewer: bool = True, turning: bool = False) -> str:
    """Return the program as one text of plain JavaScript, which defines ``PuzzleGame`` and its parts.

    ``staged``: with the stage, not with a flat board. ``with_viewer``: with the parts of the viewer that it needs.
    ``turning``: for a puzzle with turns.
    """
    shared = () if not with_viewer else viewer.STAGE if staged else SHARED
    views = (*STAGED, *(TURNING if turning else ())) if staged else FLAT
    return _joined(shared, views)


def _joined(shared: Sequence[str], views: Sequence[str]) -> str:
    return "\n".join([*map(viewer.part_of_viewer, shared), *(_text(f"{name}.js") for name in (*MODULES, *views))])


def shared_names(source: str) -> tuple[str, ...]:
    """Return the names of the definitions that a program without the viewer takes from it."""
    words = set(re.findall(r"\w+", source))
    return tuple([name for name in viewer.stage_names() if name in words])


def game_style() -> str:
    """Return the style of a game."""
    return _text("game.css")


def game(subject: Subject, remarks: list[str] | None = None, palette: str = "standard") -> str:
    """Return a page to play a puzzle on; it loads nothing from elsewhere. ``remarks`` and errors: see `game_data`."""
    return game_page(game_data(subject, remarks=remarks, palette=palette))


def game_page(
    data: GameData | list[GameData],
    short: Callable[[str], str] = str,
    short_style: Callable[[str], str] = str,
    codes: tuple[str, ...] = (),
) -> str:
    """Return a page to play on, from the data of a game. ``short`` and ``short_style`` shorten script and style.

    Data with ``begin``, placements of the first solution, make a scene for a frame of another page. At each visit it
    begins with these on the board. A page may have a list of games, each with a name as its ``scene``: it shows the one
    of its address, such as ``#scene=burr``, or else the first one. ``codes`` are its languages, by default all of them.
    """
    games = data if isinstance(data, list) else [data]
    has_rules = any(game.get("walls") or any(game["rules"].values()) for game in games)
    words = embedded("game", codes=codes, has_rules=has_rules)
    program, end = f"{phrase_source()}\n{_program(games)}", f"{words}{_text('start.js')}"
    source = short(f'(() => {{\n"use strict";\n{needed(program, end)}{end}}})();\n')
    style, silent = short_style(game_style()), without_scripts("game")
    return viewer.one_file(_text("game.html"), games[0]["title"], source, data, "data:", style=style, silent=silent)


def _program(games: Sequence[GameData]) -> str:
    """Return the parts of the program that some games need."""
    boards = [game["board"] for game in games]
    staged, flat = any(board["stage"] for board in boards), any(not board["stage"] for board in boards)
    turning = any("turning" in game for game in games)
    unused = set()
    if not any(game["rules"].get("notes") for game in games):
        unused.add("ruling")
    if not any("ball" in form or "rod" in form for board in boards for form in board.get("forms", ())):
        unused.add("rounds")
    shared = [name for name in (viewer.STAGE if staged else SHARED) if name not in unused]
    return _joined(shared, (*(STAGED if staged else ()), *(TURNING if turning else ()), *(FLAT if flat else ())))
