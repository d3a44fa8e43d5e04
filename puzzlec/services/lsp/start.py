"""Start the language server: join its features, and listen."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable

from lsprotocol import types
from pygls.uris import to_fs_path

from puzzlec.diagnostics.error import fail
from puzzlec.services.lsp.checking import Limits
from puzzlec.services.lsp.features import add_features
from puzzlec.services.lsp.server import Document, Server
from puzzlec.services.lsp.text import Text


def server(limits: Limits | None = None) -> Server:
    """Return a server with all its features. Nothing is started yet."""
    made = Server(limits)
    _add_documents(made)
    add_features(made)
    return made


def _add_documents(made: Server) -> None:
    """Register the requests that open, change and close documents."""

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
        # The file of a lattice may also have changed.
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
    """Serve the editor that started this process, over standard input and output, until it sends `exit`.

    Return whether it sent `shutdown` before, as required (LSP 3.17, "Exit").
    """
    # Nothing else may print between the messages.
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = sys.stderr
    made = server()
    made.start_io(sys.stdin.buffer, output)
    return made.may_end


def serve_tcp(port: int, began: Callable[[], None]) -> None:
    """Serve one editor that connects to a port of this machine; call ``began`` once it can connect.

    Raises PuzzleError (PZ645) if the port cannot be used.
    """
    try:
        with socket.socket() as probe:  # the library does not report that it listens
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
        began()
        server().start_tcp("127.0.0.1", port)
    except OSError as error:
        reason = os.strerror(error.errno).lower() if error.errno else str(error)
        message = f"cannot listen on this port: {reason}"
        raise fail("PZ645", message, help="choose another port") from None
