"""``puzzlec view``: a puzzle and its solutions as a page for a browser."""

from __future__ import annotations

from puzzlec.cli.arguments import Palette, ShowsApart
from puzzlec.cli.picturing import Depicted, Limit
from puzzlec.make import outputs
from puzzlec.make.outputs import MANY_SOLUTIONS


def view(
    shown: Depicted,
    limit: Limit = MANY_SOLUTIONS,
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
        subject = shown.subject(limit, comes_apart)
        return outputs.view(subject, limit=limit, remarks=remarks, palette=palette)

    shown.write_page(page)
