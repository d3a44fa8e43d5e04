"""The server: each request of the protocol, and which part of the package answers it.

What asks about the puzzle as a whole (its faults, what a piece compiles to) goes to a process of its own; what asks
about words is answered at once, from the tree of the text.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Generator
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.uris import to_fs_path

from puzzlec.diagnostics.diagnostic import fail
from puzzlec.services.lsp.checking import Checking, Limits
from puzzlec.services.lsp.documents import Document
from puzzlec.services.lsp.text import Text
from puzzlec.version import __version__

#: The protocol's number for a request that cannot be done as asked (LSP 3.17, "ErrorCodes").
REQUEST_FAILED = -32803


class Protocol(LanguageServerProtocol):
    """The protocol, but that documents are kept by us: the library breaks lines at more signs than editors do."""

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        """Hand a change to whoever keeps the documents."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None


class Server(LanguageServer):
    """A language server with the documents that are open, and the process that checks them."""

    def __init__(self, limits: Limits | None = None) -> None:
        super().__init__("puzzlec", __version__, protocol_cls=Protocol)
        self.documents: dict[str, Document] = {}
        self.limits = limits
        self.checking: Checking | None = None
        self.may_end = False  # the editor has said that it will

    def document(self, uri: str) -> Document:
        """Return an open document; raise the protocol's error where it is not open."""
        if uri not in self.documents:
            raise refused(f"{uri} is not open")
        return self.documents[uri]

    def check(self, document: Document) -> None:
        """Have a document checked, soon."""
        self.prepare().changed(document.uri, document.task("check"))

    def prepare(self) -> Checking:
        """Start the process that checks, where it does not run."""
        if self.checking is None:
            self.checking = Checking(self._told, self.limits)
        return self.checking

    async def ask(self, document: Document, do: str, **more: Any) -> dict[str, Any]:
        """Return the worker's answer to a question about a document."""
        return await self.checking.ask(document.task(do, **more)) if self.checking is not None else {}

    def _told(self, uri: str, task: dict[str, Any], found: dict[str, Any], why: str) -> None:
        """Publish what was found in a document, unless it has changed since."""
        from puzzlec.services.lsp.answers import diagnostic, unfinished

        document = self.documents.get(uri)
        if document is None or document.version != task["version"]:
            return
        document.found, document.checked = found["diagnostics"], document.version
        document.pieces = found.get("pieces") or document.pieces
        shown = [diagnostic(each, uri) for each in document.found]
        if why not in ("complete", "going on"):
            shown.append(unfinished(why, (self.limits or Limits()).seconds))
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, shown, document.version))


def refused(reason: str) -> JsonRpcException:
    """Return the protocol's error for a request that cannot be done, with the reason in words."""
    return JsonRpcException(reason, REQUEST_FAILED)


def server(limits: Limits | None = None) -> Server:
    """Return a server with all that it can do; nothing is started yet."""
    from puzzlec.services.lsp.features import add_features

    made = Server(limits)
    _add_documents(made)
    add_features(made)
    return made


def _add_documents(made: Server) -> None:
    """Add what keeps the documents."""

    @made.feature(types.INITIALIZED)
    def ready(_: types.InitializedParams) -> None:
        made.prepare()

    @made.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        told = params.text_document
        name = to_fs_path(told.uri) if told.uri.startswith("file:") else None
        text = Text(told.text, made.workspace.position_encoding or "utf-16")
        document = Document(told.uri, name or "<unsaved>", told.language_id, told.version, text)
        made.documents[told.uri] = document
        made.check(document)

    @made.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        document = made.document(params.text_document.uri)
        text = document.text
        for change in params.content_changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                start, end = change.range.start, change.range.end
                text = text.edited((start.line, start.character), (end.line, end.character), change.text)
            else:
                text = Text(change.text, text.encoding)
        document.change(text, params.text_document.version)
        made.check(document)

    @made.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        # A lattice of a file may have changed, too.
        made.check(made.document(params.text_document.uri))

    @made.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        made.documents.pop(uri, None)
        if made.checking is not None:
            made.checking.forget(uri)
        made.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    @made.feature(types.SHUTDOWN)
    async def ended(_: None) -> None:
        made.may_end = True
        if made.checking is not None:
            await made.checking.close()


def serve_stdio() -> bool:
    """Serve the editor that has started us, over standard input and output, until it says `exit`.

    Return whether it said `shutdown` before, as it should (LSP 3.17, "Exit").
    """
    # What anything else prints must not come between the messages.
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = sys.stderr
    made = server()
    made.start_io(sys.stdin.buffer, output)
    return made.may_end


def serve_tcp(port: int, began: Callable[[], None]) -> None:
    """Serve one editor that connects to a port of this machine; ``began`` is called when it can.

    Raises PuzzleError (PZ645) where nobody can listen there.
    """
    try:
        with socket.socket() as probe:  # the library says nothing when it listens
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
        began()
        server().start_tcp("127.0.0.1", port)
    except OSError as error:
        reason = os.strerror(error.errno).lower() if error.errno else str(error)
        message = f"the language server cannot listen on this port: {reason}"
        raise fail("PZ645", message, help="choose another port") from None
