"""``puzzlec lsp``: the language server for editors."""

from __future__ import annotations

import sys
from typing import Annotated

from puzzlec.cli.options import Option
from puzzlec.cli.terminal import ExitStatus, end, say
from puzzlec.diagnostics.error import needs
from puzzlec.diagnostics.files import check_input


def lsp(
    tcp: Annotated[
        int | None, Option("Wait for an editor at PORT of this machine.", "PORT", least=1, most=65535, hidden=True)
    ] = None,
    stdio: Annotated[bool, Option("Use standard input and output.", hidden=True)] = False,  # noqa: ARG001
) -> None:
    """Run the language server for editors.

    An editor starts it and uses the Language Server Protocol. docs/editors explains how to set up an editor.

    Examples:
        puzzlec lsp
        puzzlec lsp --verbose

    """
    needs("pygls.lsp.server", "lsp", "the language server")
    from puzzlec.services.lsp.features import serve_stdio, serve_tcp

    if tcp is None:
        check_input()
        if sys.stdin.isatty():
            say("waiting for an editor, which normally starts this command; Ctrl-C ends it")
        if not serve_stdio():
            end(ExitStatus.FAULTY)
        return
    serve_tcp(tcp, lambda: say(f"an editor can connect to port {tcp} on this machine; Ctrl-C ends it"))
