"""``puzzlec view`` and ``puzzlec play``: a puzzle on a page, with its solutions or to play it."""

from __future__ import annotations

from puzzlec.cli.arguments import Palette, ShowsApart
from puzzlec.cli.picturing import Depicted, Limit, PictureOptions
from puzzlec.make import outputs
from puzzlec.make.outputs import GAME_SOLUTIONS, PAGE_SOLUTIONS


def view(
    depicted: Depicted,
    limit: Limit = PAGE_SOLUTIONS,
    comes_apart: ShowsApart = None,
    palette: Palette = "standard",
) -> None:
    """Explore a puzzle on a page in the browser.

    On the page you rotate, explode and assemble the puzzle, and step through its solutions. The page is one file and
    works offline. Without -o, it is a temporary file: the command prints its name, and opens it if it runs in a
    terminal.

    Examples:
        puzzlec view soma
        puzzlec view pentominoes/6x10 -o six.html --limit 20

    """

    def page(remarks: list[str]) -> str:
        subject = depicted.subject(limit, comes_apart)
        return outputs.view(subject, limit=limit, remarks=remarks, palette=palette)

    depicted.write_page(page)


def play(
    depicted: PictureOptions,
    limit: Limit = GAME_SOLUTIONS,
    comes_apart: ShowsApart = None,
    palette: Palette = "standard",
) -> None:
    """Play a puzzle on a page in the browser, with hints.

    Drag the pieces onto the board, rotate and reflect them. The page is one file and works offline, also on a phone.
    Without -o, it is a temporary file: the command prints its name, and opens it if it runs in a terminal.

    Examples:
        puzzlec play pentominoes/6x10
        puzzlec play soma -o soma.html

    """

    def page(remarks: list[str]) -> str:
        subject = depicted.subject(limit, comes_apart, None)
        return outputs.play(subject, remarks=remarks, palette=palette)

    depicted.write_page(page)
