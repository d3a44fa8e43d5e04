"""The requests of the protocol with their answers, and the start of the server that has them all."""

from __future__ import annotations

import difflib
import os
import re
import socket
import sys
from collections.abc import Callable
from itertools import accumulate
from typing import TypeAlias

from lsprotocol import types
from pygls.uris import to_fs_path

from puzzlec.compiler import fmt
from puzzlec.diagnostics import PuzzleError
from puzzlec.diagnostics.error import fail
from puzzlec.language.editing.completion import offers
from puzzlec.language.editing.reference import line_of
from puzzlec.language.editing.renaming import RENAMABLE_KINDS, RefusedNameError, members, renamed
from puzzlec.language.editing.roles import word_at
from puzzlec.language.editing.syntax import MAX_SYNTAX_CHARACTERS, Name, NameKind
from puzzlec.services.lsp.answers import actions, folds, outline, range_of, stretch, symbol
from puzzlec.services.lsp.server import CheckLimits, EditorServer, OpenDocument, refused
from puzzlec.services.lsp.text import EditorText
from puzzlec.services.lsp.tokens import LEGEND, encoded

_KINDS = {
    "word": types.CompletionItemKind.Keyword,
    "lattice": types.CompletionItemKind.Module,
    "library": types.CompletionItemKind.Module,
    "shape": types.CompletionItemKind.Value,
    "piece": types.CompletionItemKind.Class,
    "location": types.CompletionItemKind.Field,
    "region": types.CompletionItemKind.Field,
    "colour": types.CompletionItemKind.EnumMember,
    "parameter": types.CompletionItemKind.Constant,
    "variable": types.CompletionItemKind.Variable,
}

#: Requests about a position.
_Where: TypeAlias = (
    types.DefinitionParams
    | types.ReferenceParams
    | types.DocumentHighlightParams
    | types.PrepareRenameParams
    | types.RenameParams
)

_LINE = re.compile(r"[^\n]*\n|[^\n]+")

#: Maximum number of lines compared for a short edit. The time grows with the square of the number of equal lines.
_MAX_COMPARED_LINES = 1000


def _at(document: OpenDocument, position: types.Position) -> int:
    """Return the offset of a position."""
    return document.text.offset(position.line, position.character)


def add_features(made: EditorServer) -> None:
    """Register all requests. The library passes the server to functions whose first parameter has its type."""
    made.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=["."]))(_complete)
    made.feature(types.TEXT_DOCUMENT_HOVER)(_hover)
    made.feature(types.TEXT_DOCUMENT_DEFINITION)(_definition)
    made.feature(types.TEXT_DOCUMENT_REFERENCES)(_references)
    made.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)(_highlight)
    made.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)(_prepare)
    made.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))(_rename)
    made.feature(types.TEXT_DOCUMENT_FORMATTING)(_format)
    made.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(_symbols)
    made.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)(_fold)
    legend = types.SemanticTokensLegend(list(LEGEND), [])
    made.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)(_tokens)
    fixing = types.CodeActionOptions([types.CodeActionKind.QuickFix])
    made.feature(types.TEXT_DOCUMENT_CODE_ACTION, fixing)(_actions)


def _complete(made: EditorServer, params: types.CompletionParams) -> types.CompletionList | None:
    document = made.document(params.text_document.uri)
    if document.syntax.tree is None and not document.is_puzzle:
        return None
    at = _at(document, params.position)
    completion = offers(document.syntax, at, document.pieces)
    where = stretch(document.text, completion.start, at)
    items = [
        types.CompletionItem(
            offer.text,
            kind=_KINDS.get(offer.what, types.CompletionItemKind.Text),
            detail=offer.remark or offer.what,
            documentation=_reference(offer.text) if offer.what == "word" else None,
            filter_text=offer.text,
            sort_text=f"{number:04}",
            text_edit=types.TextEdit(where, offer.text),
        )
        for number, offer in enumerate(completion.offers)
    ]
    return types.CompletionList(False, items)


def _reference(word: str) -> types.MarkupContent | None:
    """Return the description of a word of the language."""
    line = line_of(word)
    return types.MarkupContent(types.MarkupKind.Markdown, line.markdown) if line else None


async def _hover(made: EditorServer, params: types.HoverParams) -> types.Hover | None:
    document = made.document(params.text_document.uri)
    if not document.is_puzzle or len(document.text.plain) > MAX_SYNTAX_CHARACTERS:
        return None
    at = _at(document, params.position)
    word = word_at(document.text.plain, at)
    meaning = await made.ask(document, "hover", place=[params.position.line, params.position.character])
    line = _reference(word)
    parts = [part for part in (meaning.get("markdown"), line.value if line else None) if part]
    where = range_of(meaning["range"]) if "range" in meaning else None
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n\n".join(parts)), where) if parts else None


def _name(made: EditorServer, where: _Where) -> tuple[OpenDocument, Name | None]:
    """Return the document of a request, and the name at its position."""
    document = made.document(where.text_document.uri)
    return document, document.syntax.name_at(_at(document, where.position))


def _places(document: OpenDocument, names: list[Name]) -> list[types.Location]:
    return [types.Location(document.uri, stretch(document.text, name.start, name.end)) for name in names]


def _definition(made: EditorServer, params: types.DefinitionParams) -> list[types.Location]:
    document, name = _name(made, params)
    return _places(document, _definitions(document, name)) if name is not None else []


def _definitions(document: OpenDocument, name: Name) -> list[Name]:
    """Return the definition of a name. For a piece of a library, this is the statement that takes it."""
    definitions = [place for place in document.syntax.of_key(name.key) if place.defines]
    if definitions or name.kind is not NameKind.PIECE:
        return definitions
    libraries = [name for name in document.syntax.names if name.kind is NameKind.LIBRARY]
    return [library for library in libraries if name.word in members(library.word, library.size)]


def _references(made: EditorServer, params: types.ReferenceParams) -> list[types.Location]:
    document, name = _name(made, params)
    places = document.syntax.of_key(name.key) if name is not None else []
    with_definition = params.context.include_declaration
    return _places(document, [place for place in places if with_definition or not place.defines])


def _highlight(made: EditorServer, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
    document, name = _name(made, params)
    places = document.syntax.of_key(name.key) if name is not None else []
    return [
        types.DocumentHighlight(
            stretch(document.text, place.start, place.end),
            types.DocumentHighlightKind.Write if place.defines else types.DocumentHighlightKind.Read,
        )
        for place in places
    ]


def _prepare(made: EditorServer, params: types.PrepareRenameParams) -> types.Range | None:
    document, name = _name(made, params)
    if name is None or name.kind not in RENAMABLE_KINDS:
        return None
    return stretch(document.text, name.start, name.end)


def _rename(made: EditorServer, params: types.RenameParams) -> types.WorkspaceEdit:
    document, name = _name(made, params)
    if name is None:
        raise refused("no name at this place")
    try:
        edits = renamed(document.syntax, name, params.new_name)
    except RefusedNameError as error:
        raise refused(str(error)) from None
    return types.WorkspaceEdit(
        {document.uri: [types.TextEdit(stretch(document.text, start, end), new) for start, end, new in edits]}
    )


def _format(made: EditorServer, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
    document = made.document(params.text_document.uri)
    if not document.is_puzzle:
        return None
    if len(document.text.plain) > MAX_SYNTAX_CHARACTERS:
        raise refused("text too long to format here; run `puzzlec fmt`")
    try:
        result = fmt(document.text.plain, name=document.name)
    except PuzzleError:  # the errors are already visible
        return None
    return line_edits(document, result)


def line_edits(document: OpenDocument, result: str) -> list[types.TextEdit]:
    """Return edits of whole lines that turn a document into ``result``, with the line ends of the document."""
    text = document.text
    before, after = _LINE.findall(text.plain), _LINE.findall(result)
    starts = [0, *accumulate(map(len, before))]
    return [
        types.TextEdit(
            stretch(text, starts[first], starts[end]), "".join(after[start:stop]).replace("\n", text.line_end)
        )
        for first, end, start, stop in _changes(before, after)
    ]


def _changes(before: list[str], after: list[str]) -> list[tuple[int, int, int, int]]:
    """Return the ranges of lines that differ, in ``before`` and ``after``; a single range for long texts."""
    least = min(len(before), len(after))
    head = next((at for at in range(least) if before[at] != after[at]), least)
    most = least - head
    tail = next((at for at in range(most) if before[-1 - at] != after[-1 - at]), most)
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if max(len(old), len(new)) > _MAX_COMPARED_LINES:
        return [(head, head + len(old), head, head + len(new))]
    opcodes = difflib.SequenceMatcher(None, old, new, False).get_opcodes()
    return [(head + a, head + b, head + c, head + d) for kind, a, b, c, d in opcodes if kind != "equal"]


def _symbols(made: EditorServer, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    document = made.document(params.text_document.uri)
    return [symbol(entry, document.text) for entry in outline(document.syntax)]


def _fold(made: EditorServer, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    document = made.document(params.text_document.uri)
    return [types.FoldingRange(first, last) for first, last in folds(document.syntax)]


def _tokens(made: EditorServer, params: types.SemanticTokensParams) -> types.SemanticTokens:
    document = made.document(params.text_document.uri)
    is_coloured = document.is_puzzle and len(document.text.plain) <= MAX_SYNTAX_CHARACTERS
    return types.SemanticTokens(encoded(document.text) if is_coloured else [])


def _actions(made: EditorServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    return actions(made.document(params.text_document.uri), params.range)


def server(limits: CheckLimits | None = None) -> EditorServer:
    """Return a server with all its features. Nothing is started yet."""
    made = EditorServer(limits)
    _add_documents(made)
    add_features(made)
    return made


def _add_documents(made: EditorServer) -> None:
    """Register the requests that open, change and close documents."""

    @made.feature(types.INITIALIZED)
    def ready(_: types.InitializedParams) -> None:
        made.prepare()

    @made.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        name = to_fs_path(item.uri) if item.uri.startswith("file:") else None
        text = EditorText(item.text, made.workspace.position_encoding or "utf-16")
        document = OpenDocument(item.uri, name or "<unsaved>", item.language_id, item.version, text)
        made.documents[item.uri] = document
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
                text = EditorText(change.text, text.encoding)
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
