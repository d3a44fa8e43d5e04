"""The server: it takes a port, prints its address, and ends with Ctrl-C."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import secrets
import socket
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from puzzlec.diagnostics.error import fail, needs
from puzzlec.formats.catalogue import note_of_a_name
from puzzlec.services.web.folder import Folder
from puzzlec.services.web.jobs import WebLimits

#: Default ports: the first free one is taken.
PORTS = range(8000, 8100)


@dataclass(frozen=True)
class Served:
    """A server before its start: its socket, its address for the user, and its settings.

    ``once`` is an address for the browser that is started. This address is valid only once, since other users of this
    machine can see the arguments of programs.
    """

    listening: socket.socket
    address: str
    once: str
    host: str
    port: int
    token: str
    ticket: str
    folder: Folder
    limits: WebLimits

    def run(self, began: Callable[[], None] | None = None) -> None:
        """Serve until Ctrl-C or SIGTERM. Afterwards all processes have ended, and the port is free.

        ``began`` is called once the server answers. The caller gets KeyboardInterrupt.
        """
        try:
            server(self, began).run(sockets=[self.listening])
        finally:
            self.listening.close()


def prepare(folder: str, host: str = "127.0.0.1", port: int | None = None, limits: WebLimits | None = None) -> Served:
    """Return a server for a folder, with its port taken.

    Raises PuzzleError: PZ508 if the folder does not exist or the port is not available, PZ505 if packages are missing.
    """
    if not os.path.isdir(folder):  # noqa: PTH112  # pathlib raises an error for a name that is too long
        what = "not a folder" if os.path.lexists(folder) else "no such folder"
        note = note_of_a_name(folder)
        raise fail(
            "PZ508",
            f"cannot serve `{folder}`: {what}",
            note=note,
            help="`puzzlec serve` serves the current folder; choose the puzzle on the page"
            if note
            else "give the folder that the page may read and write",
        )
    for module in ("starlette", "uvicorn"):
        needs(module, "web", "the local page")
    listening = _socket(host, port)
    port_number = listening.getsockname()[1]
    token, ticket = secrets.token_urlsafe(16), secrets.token_urlsafe(16)
    name = "127.0.0.1" if host in ("0.0.0.0", "") else "::1" if host == "::" else host
    host_in_address = f"[{name}]" if ":" in name else name
    place = f"http://{host_in_address}:{port_number}/"
    address, once = f"{place}?token={token}", f"{place}?ticket={ticket}"
    return Served(
        listening=listening,
        address=address,
        once=once,
        host=host,
        port=port_number,
        token=token,
        ticket=ticket,
        folder=Folder(Path(folder)),
        limits=limits or WebLimits(),
    )


def _socket(host: str, port: int | None) -> socket.socket:
    """Return a listening socket; raise PuzzleError if that fails."""
    if port is not None and not 0 <= port < 2**16:
        raise fail("PZ508", f"port {port} is out of range (0 to 65535)", help="remove `--port`")
    why = ""
    for number in PORTS if port is None else [port]:
        try:
            family, kind, protocol, _, place = socket.getaddrinfo(
                host, number, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
        except (OSError, UnicodeError):
            raise fail(
                "PZ508", f"cannot serve on `{host}`: not an address of this machine", help="remove `--host`"
            ) from None
        listening = socket.socket(family, kind, protocol)
        try:
            if os.name == "posix":  # allows a port that was just closed; on other systems, the port would be shared
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(place)
            listening.listen(128)
        except OSError as error:
            listening.close()
            if error.errno == errno.EADDRNOTAVAIL:
                raise fail(
                    "PZ508", f"cannot serve on `{host}`: not an address of this machine", help="remove `--host`"
                ) from None
            why = (error.strerror or "error").lower()
            continue
        return listening
    ports = f"port {port}" if port is not None else f"any port from {PORTS[0]} to {PORTS[-1]}"
    raise fail("PZ508", f"cannot serve on {ports}: {why}", help="remove `--port`, or choose another one")


def server(served: Served, began: Callable[[], None] | None = None) -> Any:
    """Return the uvicorn server. Set ``should_exit`` to end it from another thread."""
    import uvicorn

    from puzzlec.services.web.app import Api, application

    api = Api(served.folder, served.limits)
    config = uvicorn.Config(
        application(api, served.host, served.port, served.token, served.ticket),
        log_config=None,
        log_level="critical",
        access_log=False,
        lifespan="on",
        ws="none",
        http=protocol(),
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=3,
        h11_max_incomplete_event_size=2**16,
    )

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if began is not None and self.started:
                began()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            # Some answers last as long as a solve. Solves therefore end first.
            await api.close()
            await super().shutdown(sockets)

    return Server(config)


def open_browser(address: str) -> None:
    """Open an address in the browser of this machine, if it has one. Do not wait for a browser in the terminal."""
    with contextlib.suppress(webbrowser.Error, OSError):
        webbrowser.open(address)


#: Seconds for a request to arrive, from the start of the connection or the last answer.
REQUEST_PATIENCE = 10.0

#: Maximum number of connections while some of them wait for a request.
MOST_CONNECTIONS = 200


def protocol(patience: float = REQUEST_PATIENCE, most: int = MOST_CONNECTIONS) -> type[asyncio.Protocol]:
    """Return the HTTP protocol of uvicorn, which also closes idle connections.

    Every program on this machine can open connections, without a token. Each takes a descriptor, and the server has a
    limited number of them. A connection has a few seconds for each request. If there are too many connections, the one
    that has been idle longest is closed.
    """
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Patient(H11Protocol):
        """One connection."""

        _looking: asyncio.TimerHandle | None = None
        _seen: Any = None
        _since = 0.0

        @property
        def _is_waiting(self) -> bool:
            return self.cycle is None or self.cycle.response_complete

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._since = self.loop.time()
            self._look()
            if len(self.connections) > most:
                waiting = [
                    connection
                    for connection in self.connections
                    if isinstance(connection, Patient) and connection._is_waiting
                ]
                if waiting:
                    min(waiting, key=lambda connection: connection._since).transport.abort()

        def _look(self) -> None:
            if self._looking is not None and self._is_waiting and self._seen is self.cycle:
                self.transport.abort()
                return
            self._seen = self.cycle if self._is_waiting else self
            self._looking = self.loop.call_later(patience, self._look)

        def connection_lost(self, exc: Exception | None) -> None:
            if self._looking is not None:
                self._looking.cancel()
            super().connection_lost(exc)

    return Patient
