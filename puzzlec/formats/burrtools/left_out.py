"""What an XMPuzzle text holds beside a puzzle: all of it is told in one warning, each kind with its number."""

from __future__ import annotations

import shlex

from puzzlec.diagnostics import Report, Span, counted
from puzzlec.formats.xml_positions import Element

#: So many kinds of things are named; a text may have any number of elements that are not known.
MOST = 12

#: So many characters of a comment are shown.
_SHOWN = 70


class LeftOut:
    """The kinds of things that are left out: how many there are of each, where the first one stands, and remarks."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], list[Span]] = {}
        self._number: dict[tuple[str, str], int] = {}
        self._notes: list[str] = []

    def add(self, kind: str, name: str = "", *, at: Span, number: int = 1, note: str = "") -> None:
        """Add so many things of a kind; ``name`` is what the text calls them, where that is not known."""
        self._found.setdefault((kind, name), [at])
        self._number[kind, name] = self._number.get((kind, name), 0) + number
        if note and note not in self._notes:
            self._notes.append(note)

    def add_comment(self, comment: Element) -> None:
        """Add a comment with the number of its lines, and with how it begins."""
        lines = comment.text.strip().splitlines()
        if lines:
            words = " ".join(comment.text[: 20 * _SHOWN].split())
            shown = words if len(words) <= _SHOWN else words[:_SHOWN].rsplit(" ", 1)[0] + " ..."
            self.add("comment", at=comment.span, number=len(lines), note=f"the comment begins: {shown}")

    def tell(self, report: Report, problem: str) -> None:
        """Warn of all that is left out, in one message; ``problem`` is the number of the problem if it must be said."""
        if not self._found:
            return
        said = [_said(kind, name, self._number[kind, name]) for kind, name in self._found]
        more = [f"{len(said) - MOST} other things"] if len(said) > MOST else []
        first = min((spans[0] for spans in self._found.values()), key=lambda span: span.start)
        help = ""
        if ("assembly", "") in self._found:
            name = first.source.name
            file = "FILE" if name.startswith(("<", "-")) else shlex.quote(name)
            help = f"`puzzlec lift {file} {file}{f' --problem {problem}' if problem else ''}` draws the assemblies"
        report.add(
            "PZ261", f"left out: {', '.join(said[:MOST] + more)}", first, note=tuple(self._notes), help=help or ()
        )


def _said(kind: str, name: str, number: int) -> str:
    """Return how many things of a kind there are, in words."""
    match kind:
        case "assembly":
            return "a stored assembly" if number == 1 else f"{number} stored assemblies"
        case "separation":
            return "how it comes apart"
        case "search":
            return "the state of a search that has not ended"
        case "weight":
            return "the weight of a shape" if number == 1 else f"the weights of {number} shapes"
        case "comment":
            return f"a comment of {counted(number, 'line')}"
        case "bound":
            return f"`{name}`"
        case _:
            what = f"`{name[:40]}`, {'an' if kind[0] in 'aeiou' else 'a'} {kind} that is not known"
            return what if number == 1 else f"{what} ({number} times)"
