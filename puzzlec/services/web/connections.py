"""Connections that keep the server waiting: those that send nothing, or a request bit by bit, are closed.

Everybody on this machine can open connections, with a token or without. Each takes a descriptor, and the server has
a limited number of them; so a connection has some seconds for each request, and where there are many, the one that has
waited longest for its request goes.
"""

from __future__ import annotations

import asyncio
from typing import Any

#: So long may a request take to come in (seconds), from when the connection is there or the last answer was given.
PATIENCE = 10.0

#: So many connections there are at most, as long as some of them wait for a request.
MOST = 200


def protocol(patience: float = PATIENCE, most: int = MOST) -> type[asyncio.Protocol]:
    """Return HTTP as uvicorn speaks it, with less patience."""
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
                waiting = [each for each in self.connections if isinstance(each, Patient) and each._is_waiting]
                if waiting:
                    min(waiting, key=lambda each: each._since).transport.abort()

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
