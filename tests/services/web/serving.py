"""A server for tests in a separate thread, and requests to it by plain HTTP."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from puzzlec.services.web.jobs import WebLimits
from puzzlec.services.web.server import Served, prepare, server


@dataclass
class Answer:
    """The status of an answer, its headers, and its body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.body.splitlines() if line]


@dataclass
class Running:
    """A running server, with its uvicorn object."""

    served: Served
    uvicorn: Any

    def ask(
        self, method: str, path: str, body: object = None, raw: bytes | None = None, **headers: str | None
    ) -> Answer:
        """Send a request like the page; ``headers`` (with `_` for `-`) are added, or left out if None."""
        own: dict[str, str | None] = {
            "X-Puzzlec-Token": self.served.token,
            "Content-Type": "application/json" if method == "POST" else None,
        }
        own |= {key.replace("_", "-"): value for key, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.served.port, timeout=60)
        try:
            content = raw if raw is not None else None if body is None else json.dumps(body).encode()
            connection.putrequest(method, path, skip_host="Host" in own, skip_accept_encoding=True)
            for key, value in own.items():
                if value is not None:
                    connection.putheader(key, value)
            if content is not None and "Content-Length" not in own:
                connection.putheader("Content-Length", str(len(content)))
            connection.endheaders(content)
            answer = connection.getresponse()
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str | None) -> Answer:
        return self.ask("GET", path, None, None, **headers)

    def post(self, path: str, body: object, **headers: str | None) -> Answer:
        return self.ask("POST", path, body, None, **headers)

    def solve(self, text: str, **more: object) -> str:
        """Start to solve a text; return the name of the job."""
        answer = self.post("/api/solve", {"text": text, **more})
        assert answer.status == 200, answer.body
        return str(answer.json["job"])


@contextmanager
def running(folder: Path, limits: WebLimits | None = None, host: str = "127.0.0.1") -> Iterator[Running]:
    """Run a server during a block."""
    served = prepare(str(folder), host, 0, limits or WebLimits(seconds=30))
    began = threading.Event()
    found = server(served, began.set)
    thread = threading.Thread(target=found.run, kwargs={"sockets": [served.listening]})
    thread.start()
    try:
        assert began.wait(20)
        yield Running(served, found)
    finally:
        found.should_exit = True
        thread.join(20)
        served.listening.close()
        assert not thread.is_alive()
