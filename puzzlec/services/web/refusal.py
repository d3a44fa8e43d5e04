"""The refusal of a request."""

from __future__ import annotations


class RefusalError(Exception):
    """A refused request: its HTTP ``status``, a ``message`` for the user, and a ``reason`` for the page."""

    def __init__(self, status: int, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.status, self.message, self.reason = status, message, reason
