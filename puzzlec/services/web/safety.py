"""The guard of the server: only pages of this machine with the printed token may use it.

A page of another site can make a browser send requests to 127.0.0.1, and the name of another site can be made to lead
there (DNS rebinding). Therefore each request must pass these checks:

- The Host header must name this machine.
- Requests for data must come from our own page, as far as the browser reports that (Origin, Sec-Fetch-Site).
- Requests for data need a header with a random token. Without it, other sites and other users of this machine have no
    access.

Sources: the Fetch standard on Origin, W3C Fetch Metadata, OWASP's cheat sheet on cross-site request forgery.
"""

from __future__ import annotations

import hmac
import ipaddress
import json
import socket
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, TypeAlias

from puzzlec.services.web import RefusalError

Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Application: TypeAlias = Callable[[Message, Receive, Send], Awaitable[None]]

#: Maximum number of bytes in the body of a request.
LARGEST_BODY = 16 * 2**20

#: The header with the token.
TOKEN = "x-puzzlec-token"

#: Headers of every answer: no content from elsewhere, no inline scripts, and no frame around the page.
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


def is_loopback(host: str) -> bool:
    """Whether a name or an address is a loopback address, which no other machine can reach.

    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    return host == "localhost" or (_address(host) is not None and ipaddress.ip_address(host).is_loopback)


def allows_host(header: str, host: str, port: int) -> bool:
    """Whether a Host header names the server that listens on ``host`` and ``port``.

    On a loopback address, only the names of this address are accepted. On other addresses, all numeric addresses and
    the name of this machine are also accepted, since rebinding needs a name.

    >>> allows_host("localhost:8000", "127.0.0.1", 8000), allows_host("evil.example:8000", "127.0.0.1", 8000)
    (True, False)
    """
    name, _, behind = header.lower().rpartition(":") if _has_port(header) else (header.lower(), "", "80")
    if behind != str(port) or name != name.strip():
        return False
    plain = name[1:-1] if name.startswith("[") and name.endswith("]") else name
    if is_loopback(host):
        return plain in ("localhost", "127.0.0.1", "::1", host.lower())
    return plain in ("localhost", host.lower(), socket.gethostname().lower()) or _address(plain) is not None


def _has_port(header: str) -> bool:
    return header.rpartition(":")[2].isdecimal() and not header.endswith("]")


def _address(text: str) -> str | None:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        return None


class Guard:
    """The guard of the server: an ASGI application that passes allowed requests on and refuses the others."""

    def __init__(self, inside: Application, host: str, port: int, token: str, ticket: str = "") -> None:
        self.inside, self.host, self.port, self.token = inside, host, port, token
        self.ticket = ticket  # can be exchanged for the token once

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one ASGI request."""
        if scope["type"] == "lifespan":
            await self.inside(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        began = False

        async def guarded(message: Message) -> None:
            nonlocal began
            if message["type"] == "http.response.start":
                began = True
                headers = [(key.encode(), value.encode()) for key, value in HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", ()), *headers]}
            await send(message)

        try:
            self.examine(scope["method"], scope["path"], scope["headers"])
            await self.inside(scope, receive, guarded)
        except RefusalError as refusal:
            if not began:
                await _refuse(guarded, refusal)

    def examine(self, method: str, path: str, headers: Iterable[tuple[bytes, bytes]]) -> None:
        """Raise RefusalError for a request that must not pass."""
        said: dict[str, str] = {}
        for key, value in headers:
            name = key.decode("latin-1").lower()
            if name in said and name in ("host", "origin", "content-length", TOKEN):
                raise RefusalError(400, f"duplicate header {name}")
            said[name] = value.decode("latin-1")
        if not allows_host(said.get("host", ""), self.host, self.port):
            raise RefusalError(421, "wrong name of the server in the Host header")
        if method not in ("GET", "HEAD", "POST"):
            raise RefusalError(405, f"the method {method} is not allowed")
        if not path.startswith("/api/"):
            return
        if said.get("sec-fetch-site", "same-origin") != "same-origin":
            raise RefusalError(403, "the request comes from another page")
        if said.get("origin", f"http://{said['host']}") != f"http://{said['host']}":
            raise RefusalError(403, "the request comes from another page")
        if not self._knows(path, said.get(TOKEN, "")):
            raise RefusalError(403, "open the address that `puzzlec serve` printed: it has the token", "token")
        if method == "POST" and said.get("content-type", "").split(";")[0].strip() != "application/json":
            raise RefusalError(415, "expected JSON")
        length = said.get("content-length", "0")
        if not length.isdecimal() or int(length[:18]) > LARGEST_BODY:
            raise RefusalError(413, f"request is larger than {LARGEST_BODY // 2**20} MB")

    def _knows(self, path: str, word: str) -> bool:
        """Whether a request has the token; or the ticket, which is valid for one request for the token."""
        if path != "/api/enter":
            return hmac.compare_digest(word.encode(), self.token.encode())
        if not self.ticket or not hmac.compare_digest(word.encode(), self.ticket.encode()):
            return False
        self.ticket = ""
        return True


async def _refuse(send: Send, refusal: RefusalError) -> None:
    body = json.dumps({"message": refusal.message, "reason": refusal.reason}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
