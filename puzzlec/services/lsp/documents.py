"""The documents that an editor has open, each as it is now."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath
from typing import Any

from puzzlec.formats.reading import guess_format
from puzzlec.formats.registry import FORMATS
from puzzlec.services.lsp.syntax import Syntax, syntax_of
from puzzlec.services.lsp.text import Text


@dataclass
class Document:
    """A document: its address, its name (a path where it is a file), the editor's word for its language, its text.

    ``found`` is what the last check has found, at the version ``checked``; ``pieces`` are the names of the pieces as
    far as they are known.
    """

    uri: str
    name: str
    language: str
    version: int
    text: Text
    found: list[dict[str, Any]] = field(default_factory=list)
    checked: int = -1
    pieces: list[str] = field(default_factory=list)

    def change(self, text: Text, version: int) -> None:
        """Take another text."""
        self.text, self.version = text, version
        self.__dict__.pop("syntax", None)

    @cached_property
    def syntax(self) -> Syntax:
        """What can be read of the text as it is now; nothing, where it is not in the puzzle language."""
        source = self.text.source(self.name)
        return syntax_of(source) if self.is_puzzle else Syntax(source, known=False)

    @property
    def is_puzzle(self) -> bool:
        """Whether this is a text in the puzzle language."""
        if self.language in FORMATS or self.language == "puzzlec":
            return self.language in ("puzzle", "puzzlec")
        return PurePath(self.name).suffix in ("", ".puzzle") and _guess(self) == "puzzle"

    def task(self, do: str, **more: Any) -> dict[str, Any]:
        """Return a task for the worker, about the document as it is now."""
        language = "puzzle" if self.is_puzzle else self.language
        text = self.text
        about = {"name": self.name, "language": language, "text": text.raw, "encoding": text.encoding}
        return {"do": do, "version": self.version, **about, **more}


def _guess(document: Document) -> str:
    from puzzlec.diagnostics import PuzzleError

    try:
        return guess_format(document.text.source(document.name))
    except PuzzleError:
        return ""
