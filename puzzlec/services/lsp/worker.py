"""The process that reads puzzles for the language server: ``python -m puzzlec.services.lsp.worker MEMORY``."""

from __future__ import annotations

from puzzlec.services.sandbox.worker import Do, run


def _tasks() -> Do:
    from puzzlec.services.lsp.tasks import do

    return do


if __name__ == "__main__":
    run(_tasks)
