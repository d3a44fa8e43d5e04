"""The server: its documents, and the process that checks them.

Questions about the whole puzzle (its errors, the placements of a piece) go to a separate process. Questions about
words are answered at once, from the tree of the text.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from puzzlec.formats.reading import guess_format
from puzzlec.formats.registry import FORMATS
from puzzlec.language.editing.syntax import Syntax, syntax_of
from puzzlec.services.lsp.checking import Checking, Limits
from puzzlec.services.lsp.text import Text
from puzzlec.version import __version__


@dataclass
class Document:
    """A document: its address, its name (a path if it is a file), its language in the editor, and its text.

    ``found`` are the diagnostics of the last check, of the version ``checked``. ``pieces`` are the known names of
    pieces.
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
        """Replace the text."""
        self.text, self.version = text, version
        self.__dict__.pop("syntax", None)

    @cached_property
    def syntax(self) -> Syntax:
        """The tree of the current text; empty if it is not in the puzzle language."""
        source = self.text.source(self.name)
        return syntax_of(source) if self.is_puzzle else Syntax(source, known=False)

    @property
    def is_puzzle(self) -> bool:
        """Whether this is a text in the puzzle language."""
        if self.language in FORMATS or self.language == "puzzlec":
            return self.language in ("puzzle", "puzzlec")
        return PurePath(self.name).suffix in ("", ".puzzle") and _guess(self) == "puzzle"

    def task(self, do: str, **more: Any) -> dict[str, Any]:
        """Return a task for the worker about the current text."""
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


#: The protocol's number for a request that fails (LSP 3.17, "ErrorCodes").
REQUEST_FAILED = -32803


class Protocol(LanguageServerProtocol):
    """The protocol, with our own documents: the library breaks lines at more characters than editors do."""

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        """Pass a change on to the owner of the documents."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None


class Server(LanguageServer):
    """A language server with the open documents, and the process that checks them."""

    def __init__(self, limits: Limits | None = None) -> None:
        super().__init__("puzzlec", __version__, protocol_cls=Protocol)
        self.documents: dict[str, Document] = {}
        self.limits = limits
        self.checking: Checking | None = None
        self.may_end = False  # the editor has announced that it will close the connection

    def document(self, uri: str) -> Document:
        """Return an open document; raise the protocol's error if it is not open."""
        if uri not in self.documents:
            raise refused(f"{uri} is not open")
        return self.documents[uri]

    def check(self, document: Document) -> None:
        """Schedule a check of a document."""
        self.prepare().changed(document.uri, document.task("check"))

    def prepare(self) -> Checking:
        """Start the process that checks, unless it runs."""
        if self.checking is None:
            self.checking = Checking(self._told, self.limits)
        return self.checking

    async def ask(self, document: Document, do: str, **more: Any) -> dict[str, Any]:
        """Return the worker's answer to a question about a document."""
        return await self.checking.ask(document.task(do, **more)) if self.checking is not None else {}

    def _told(self, uri: str, task: dict[str, Any], found: dict[str, Any], why: str) -> None:
        """Publish the diagnostics of a document, unless it has changed since."""
        from puzzlec.services.lsp.answers import diagnostic, unfinished

        document = self.documents.get(uri)
        if document is None or document.version != task["version"]:
            return
        document.found, document.checked = found["diagnostics"], document.version
        document.pieces = found.get("pieces") or document.pieces
        shown = [diagnostic(finding, uri) for finding in document.found]
        if why not in ("complete", "running"):
            shown.append(unfinished(why, (self.limits or Limits()).seconds))
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, shown, document.version))


def refused(reason: str) -> JsonRpcException:
    """Return the protocol's error for a request that fails, with the reason."""
    return JsonRpcException(reason, REQUEST_FAILED)
