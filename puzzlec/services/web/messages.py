"""Messages of the worker to the server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from puzzlec.diagnostics import Diagnostic, as_dict


class Tell(Protocol):
    """Sends a message to the server."""

    def __call__(self, event: str, **more: Any) -> None:
        """Send one, called ``event``, with what else it says."""


def told(diagnostics: Sequence[Diagnostic]) -> list[dict[str, object]]:
    """Return diagnostics as plain data for the page."""
    return [as_dict(each) for each in diagnostics]
