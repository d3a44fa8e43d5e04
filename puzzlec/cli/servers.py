"""``puzzlec serve`` and ``puzzlec lsp``: the local page to write and solve puzzles, and the language server."""

from __future__ import annotations

import sys
import threading
from typing import Annotated

from puzzlec.cli.arguments import TIME
from puzzlec.cli.candidates import folders
from puzzlec.cli.options import Argument, Option
from puzzlec.cli.terminal import ExitStatus, end, out_result, say
from puzzlec.diagnostics.error import needs
from puzzlec.diagnostics.files import check_input
from puzzlec.engine.limits import read_memory


def serve(
    folder: Annotated[str, Argument("Folder of the puzzles.", "FOLDER", offered=folders)] = ".",
    port: Annotated[int | None, Option("Port. [default: first free port from 8000]", "N", least=0, most=65535)] = None,
    host: Annotated[str, Option("Address to listen on.", "ADDRESS")] = "127.0.0.1",
    time: Annotated[float, TIME.saying("Time limit of each search.", least=1)] = 60,
    memory: Annotated[
        int, Option("Memory limit of each search. [default: 1G]", "SIZE", parse=read_memory, hidden=True)
    ] = 1 << 30,
    no_browser: Annotated[bool, Option("Do not open a browser.")] = False,
) -> None:
    """Serve a local page to write and solve puzzles.

    You see puzzles as you type, solve them, and save them in a folder. The page opens only on this machine, at the
    printed address with its token. Ctrl-C stops it.

    Examples:
        puzzlec serve
        puzzlec serve puzzles --port 8080

    """
    from puzzlec.services.web.jobs import WebLimits
    from puzzlec.services.web.safety import is_loopback
    from puzzlec.services.web.server import open_browser, prepare

    served = prepare(folder, host, port, WebLimits(seconds=time, memory=memory))
    root = str(served.folder.root).encode("utf-8", "replace").decode()  # names may contain bytes that are not UTF-8
    out_result({"address": served.address, "folder": root}, served.address)
    sys.stdout.flush()  # for a program that waits for it
    if not is_loopback(host):
        say(f"warning: other machines can reach `{host}`: with this address they can read and write puzzles in", True)
        say(f"  {root} and solve here; the connection is not encrypted", True)
    say(f"the page works in {root}; Ctrl-C ends it")

    def began() -> None:
        if not no_browser:
            threading.Thread(target=open_browser, args=(served.once,), daemon=True).start()

    try:
        served.run(began)
    except KeyboardInterrupt:
        say("stopped")


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
