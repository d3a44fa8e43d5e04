"""``puzzlec lsp``: the language server, which editors start."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from puzzlec.cli.exit_status import ExitStatus
from puzzlec.cli.terminal import say
from puzzlec.diagnostics.error import needs
from puzzlec.diagnostics.files import check_input


def lsp(
    tcp: Annotated[
        int | None,
        typer.Option(metavar="PORT", min=1, max=65535, help="Wait for one editor at this port of this machine."),
    ] = None,
    stdio: Annotated[  # noqa: ARG001
        bool, typer.Option("--stdio", help="Use standard input and output.", hidden=True)
    ] = False,
) -> None:
    """Serve an editor: faults as you type, and what words mean.

    An editor starts it and talks to it in the Language Server Protocol. docs/editors says how to set up which editor.

    Example: puzzlec lsp --tcp 8765
    """
    needs("pygls.lsp.server", "lsp", "the language server")
    from puzzlec.services.lsp.start import serve_stdio, serve_tcp

    if tcp is None:
        check_input()
        if sys.stdin.isatty():
            say("this waits for an editor, which starts it by itself; Ctrl-C ends it")
        if not serve_stdio():
            raise typer.Exit(ExitStatus.FAULTY)
        return
    serve_tcp(tcp, lambda: say(f"an editor can connect to port {tcp} of this machine; Ctrl-C ends it"))
