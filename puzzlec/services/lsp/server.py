"""The server: its documents, and the process that checks them.

Questions about the whole puzzle (its errors, the placements of a piece) go to a separate process. Questions about
words are answered at once, from the tree of the text.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from puzzlec.formats.reading import guess_format
from puzzlec.formats.registry import FORMATS
from puzzlec.language.editing.syntax import Syntax, syntax_of
from puzzlec.services.lsp.text import EditorText
from puzzlec.services.sandbox.child import Sandbox, report
from puzzlec.version import __version__


@dataclass(frozen=True)
class CheckLimits:
    """Limits of one check: ``seconds``, and ``memory`` in bytes.

    - ``pause``: seconds between the last change and the check.
    - ``patience``: seconds that the check of an old text may still take.
    - ``early``: seconds after which the errors found so far are published.
    - ``asking``: seconds to wait for an answer about a word.
    """

    seconds: float = 10.0
    memory: int = 2**30
    pause: float = 0.04
    patience: float = 0.5
    early: float = 0.5
    asking: float = 2.0


#: The module that runs as a worker process.
WORKER = "puzzlec.services.lsp.worker"

#: Receives the results of a document: its address, the task, the message of the worker, and why the check ended.
Told = Callable[[str, dict[str, Any], dict[str, Any], str], None]


class TextChecker:
    """Checks texts as they are typed, in a separate process, which is killed if it takes too long."""

    def __init__(self, publish: Told, limits: CheckLimits | None = None) -> None:
        self.limits = limits or CheckLimits()
        self._told = publish
        self._sandbox = Sandbox(WORKER, Path.cwd(), self.limits.memory, self.limits.patience)
        self._waiting: dict[str, dict[str, Any]] = {}
        self._wake = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._start(self._run())

    def changed(self, uri: str, task: dict[str, Any]) -> None:
        """Schedule a check of the newest text of a document. Older texts are dropped."""
        self._waiting.pop(uri, None)
        self._waiting[uri] = task
        self._wake.set()
        self._sandbox.overtake(uri)

    def forget(self, uri: str) -> None:
        """Stop checking a document."""
        self._waiting.pop(uri, None)
        self._sandbox.drop(uri)

    async def ask(self, task: dict[str, Any]) -> dict[str, Any]:
        """Return the worker's answer to a question; an empty one if it is busy or takes too long."""
        asked = self._start(self._asked(task, asyncio.get_running_loop().time() + self.limits.asking))
        done, _ = await asyncio.wait({asked}, timeout=self.limits.asking)
        return asked.result() if done else {}

    async def close(self) -> None:
        """End the process."""
        for task in self._tasks:
            task.cancel()
        await self._sandbox.close()

    def _start(self, what: Any) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _run(self) -> None:
        """Check the waiting texts, in an endless loop."""
        with suppress(OSError):
            async with self._sandbox.turn:
                await self._sandbox.ready()
        while True:
            await self._wake.wait()
            while True:  # until there is a pause in the typing
                self._wake.clear()
                await asyncio.sleep(self.limits.pause)
                if not self._wake.is_set():
                    break
            while self._waiting:
                uri = next(reversed(self._waiting))
                try:
                    await self._check(uri, self._waiting.pop(uri))
                except Exception as error:  # a bug of puzzlec, which must not end later checks
                    report(f"{type(error).__name__}: {error}")

    async def _check(self, uri: str, task: dict[str, Any]) -> None:
        async with self._sandbox.turn:
            outcome: dict[str, Any] = {"diagnostics": []}
            loop = asyncio.get_running_loop()
            early = None
            why = "died"
            try:
                async for message in self._sandbox.ask(task, self.limits.seconds, uri):
                    if message["event"] == "read":
                        outcome = message
                        early = loop.call_later(self.limits.early, self._told, uri, task, message, "running")
                    else:
                        why = message["why"]
                        outcome = message if why == "complete" else outcome
            except OSError:  # no process can start: the next change tries again
                pass
            finally:
                if early is not None:
                    early.cancel()
        if why != "newer":
            self._told(uri, task, outcome, why)

    async def _asked(self, task: dict[str, Any], end: float) -> dict[str, Any]:
        async with self._sandbox.turn:
            if asyncio.get_running_loop().time() >= end:  # too late: the editor no longer waits
                return {}
            answer: dict[str, Any] = {}
            with suppress(OSError):
                async for message in self._sandbox.ask(task, self.limits.asking):
                    answer = message
            return answer if answer.get("why") == "complete" else {}


@dataclass
class OpenDocument:
    """A document: its address, its name (a path if it is a file), its language in the editor, and its text.

    ``found`` are the diagnostics of the last check, of the version ``checked``. ``pieces`` are the known names of
    pieces.
    """

    uri: str
    name: str
    language: str
    version: int
    text: EditorText
    found: list[dict[str, Any]] = field(default_factory=list)
    checked: int = -1
    pieces: list[str] = field(default_factory=list)

    def change(self, text: EditorText, version: int) -> None:
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


def _guess(document: OpenDocument) -> str:
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


class EditorServer(LanguageServer):
    """A language server with the open documents, and the process that checks them."""

    def __init__(self, limits: CheckLimits | None = None) -> None:
        super().__init__("puzzlec", __version__, protocol_cls=Protocol)
        self.documents: dict[str, OpenDocument] = {}
        self.limits = limits
        self.checking: TextChecker | None = None
        self.may_end = False  # the editor has announced that it will close the connection

    def document(self, uri: str) -> OpenDocument:
        """Return an open document; raise the protocol's error if it is not open."""
        if uri not in self.documents:
            raise refused(f"{uri} is not open")
        return self.documents[uri]

    def check(self, document: OpenDocument) -> None:
        """Schedule a check of a document."""
        self.prepare().changed(document.uri, document.task("check"))

    def prepare(self) -> TextChecker:
        """Start the process that checks, unless it runs."""
        if self.checking is None:
            self.checking = TextChecker(self._told, self.limits)
        return self.checking

    async def ask(self, document: OpenDocument, do: str, **more: Any) -> dict[str, Any]:
        """Return the worker's answer to a question about a document."""
        return await self.checking.ask(document.task(do, **more)) if self.checking is not None else {}

    def _told(self, uri: str, task: dict[str, Any], outcome: dict[str, Any], why: str) -> None:
        """Publish the diagnostics of a document, unless it has changed since."""
        from puzzlec.services.lsp.answers import diagnostic, unfinished

        document = self.documents.get(uri)
        if document is None or document.version != task["version"]:
            return
        document.found, document.checked = outcome["diagnostics"], document.version
        document.pieces = outcome.get("pieces") or document.pieces
        diagnostics = [diagnostic(finding, uri) for finding in document.found]
        if why not in ("complete", "running"):
            diagnostics.append(unfinished(why, (self.limits or CheckLimits()).seconds))
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, document.version))


def refused(reason: str) -> JsonRpcException:
    """Return the protocol's error for a request that fails, with the reason."""
    return JsonRpcException(reason, REQUEST_FAILED)
