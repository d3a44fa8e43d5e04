"""What the server does not do, with the reason in words and the status of HTTP that says it to programs."""

from __future__ import annotations


class RefusalError(Exception):
    """A call that is not served: ``status`` of HTTP, ``message`` for people, and a ``reason`` for the page."""

    def __init__(self, status: int, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.status, self.message, self.reason = status, message, reason
