"""A small editor: it speaks the Language Server Protocol with a server in a separate process.

It implements the protocol independently, from its specification, so it does not share mistakes with the server. It
counts places in the bytes of UTF-16.
"""

from __future__ import annotations

import json
import queue
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

#: Seconds to wait for an answer. No test depends on the time of an answer.
PATIENCE = 120


class Editor:
    """An editor with one server."""

    def __init__(self, *options: str, command: list[str] | None = None, encodings: list[str] | None = None) -> None:
        self.process = subprocess.Popen(
            command or [sys.executable, "-m", "puzzlec", "lsp", *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self.published: dict[str, dict[str, Any]] = {}
        self._number = 0
        self._messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        mine = {
            "general": {"positionEncodings": encodings} if encodings else {},
            "textDocument": {"rename": {"prepareSupport": True}},
        }
        self.can = self.ask("initialize", processId=None, rootUri=None, capabilities=mine)["capabilities"]
        self.tell("initialized")

    def _listen(self) -> None:
        assert self.process.stdout is not None
        stream = self.process.stdout
        while header := stream.readline():
            length = int(header.split(b":")[1])
            while stream.readline().strip():
                pass
            self._messages.put(json.loads(stream.read(length)))
        self._messages.put(None)

    def _send(self, **message: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def tell(self, method: str, **params: Any) -> None:
        """Send a notification."""
        self._send(method=method, params=params)

    def ask(self, method: str, **params: Any) -> Any:
        """Return the result of a request; raise RefusedError if the server refuses it."""
        self._number += 1
        self._send(id=self._number, method=method, params=params)
        while True:
            message = self._next()
            if message.get("id") == self._number and "method" not in message:
                if "error" in message:
                    raise RefusedError(message["error"]["message"])
                return message["result"]

    def _next(self) -> dict[str, Any]:
        """Return the next message of the server; keep the diagnostics that it publishes."""
        message = self._messages.get(timeout=PATIENCE)
        if message is None:
            raise AssertionError(f"the server is gone: {self.process.stderr.read().decode()}")  # type: ignore[union-attr]
        if message.get("method") == "textDocument/publishDiagnostics":
            self.published[message["params"]["uri"]] = message["params"]
        return message

    def diagnostics(self, uri: str, version: int) -> list[dict[str, Any]]:
        """Wait for the diagnostics of a version of a document, and return them."""
        end = time.monotonic() + PATIENCE
        while self.published.get(uri, {}).get("version") != version:
            assert time.monotonic() < end, "no diagnostics came"
            self._next()
        found: list[dict[str, Any]] = self.published[uri]["diagnostics"]
        return found

    def open(self, text: str, name: str = "test.puzzle", language: str = "puzzle") -> Document:
        """Return a document with a text, opened."""
        uri = (Path("/nowhere") / name).as_uri() if ":" not in name else name
        opened = Document(self, uri, text)
        about = {"uri": uri, "languageId": language, "version": opened.version, "text": text}
        self.tell("textDocument/didOpen", textDocument=about)
        return opened

    def end(self) -> int:
        """Shut the server down; return its exit status."""
        self.ask("shutdown")
        self._send(method="exit")
        status = self.process.wait(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        return status


class RefusedError(Exception):
    """The server has answered with an error."""


class Document:
    """A document in an editor: its text, its edits, and the requests about a place.

    A place is given by the words before it: ``at("piece A")`` is after the first occurrence.
    """

    def __init__(self, editor: Editor, uri: str, text: str) -> None:
        self.editor, self.uri, self.text, self.version = editor, uri, text, 1

    def at(self, before: str) -> dict[str, int]:
        """Return the position after the first occurrence of some words."""
        return position(self.text, self.text.index(before) + len(before))

    def change(self, start: int, end: int, new: str) -> None:
        """Replace characters, and send the change in the units of the server."""
        self.version += 1
        where = {"start": position(self.text, start), "end": position(self.text, end)}
        self.text = self.text[:start] + new + self.text[end:]
        about = {"uri": self.uri, "version": self.version}
        self.editor.tell("textDocument/didChange", textDocument=about, contentChanges=[{"range": where, "text": new}])

    def replace(self, old: str, new: str) -> None:
        """Replace the first occurrence of some words."""
        self.change(self.text.index(old), self.text.index(old) + len(old), new)

    def ask(self, what: str, before: str = "", **more: Any) -> Any:
        """Return the answer to a request about the document, or about the place after some words."""
        position = {"position": self.at(before)} if before else {}
        return self.editor.ask(f"textDocument/{what}", textDocument={"uri": self.uri}, **position, **more)

    def diagnostics(self) -> list[dict[str, Any]]:
        """Return the diagnostics of the current text."""
        return self.editor.diagnostics(self.uri, self.version)

    def codes(self) -> list[str]:
        """Return the codes of the diagnostics of the current text."""
        return [diagnostic.get("code", "") for diagnostic in self.diagnostics()]

    def shown(self, where: dict[str, dict[str, int]]) -> str:
        """Return the text in a range."""
        return self.text[offset(self.text, where["start"]) : offset(self.text, where["end"])]

    def words(self, before: str) -> list[str]:
        """Return the completions after some words."""
        return [item["label"] for item in self.ask("completion", before)["items"]]

    def hover(self, before: str) -> str:
        """Return the hover text at the place after some words; empty if there is none."""
        found = self.ask("hover", before)
        return found["contents"]["value"] if found else ""

    def apply(self, edits: list[dict[str, Any]]) -> str:
        """Return the text after some edits."""
        places = [(offset(self.text, edit["range"]["start"]), offset(self.text, edit["range"]["end"]), edit["newText"])
                  for edit in edits]  # fmt: skip
        text = self.text
        for start, end, new in sorted(places, reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def close(self) -> None:
        """Close the document."""
        self.editor.tell("textDocument/didClose", textDocument={"uri": self.uri})


def position(text: str, at: int) -> dict[str, int]:
    """Return the place of a character: its line, and the units of UTF-16 before it."""
    ends = [match.end() for match in re.finditer(r"\r\n|\n|\r", text) if match.end() <= at]
    start = ends[-1] if ends else 0
    return {"line": len(ends), "character": len(text[start:at].encode("utf-16-le")) // 2}


def offset(text: str, where: dict[str, int]) -> int:
    """Return the character at a position."""
    lines = re.split(r"(?<=\r\n)|(?<=\n)|(?<=\r)(?!\n)", text)
    before = "".join(lines[: where["line"]])
    line = lines[where["line"]] if where["line"] < len(lines) else ""
    units = line.encode("utf-16-le")[: 2 * where["character"]]
    return len(before) + len(units.decode("utf-16-le"))
