"""``puzzlec serve``: the local page to write and solve puzzles."""

from __future__ import annotations

import sys
import threading
from typing import Annotated

import typer

from puzzlec.cli.arguments import Json, memory_size
from puzzlec.cli.candidates import folders
from puzzlec.cli.command import LIMITS
from puzzlec.cli.terminal import out, out_json, say


def serve(
    folder: Annotated[
        str, typer.Argument(metavar="FOLDER", help="Folder of the puzzles.", autocompletion=folders)
    ] = ".",
    port: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=65535, help="Port. [default: first free port from 8000]")
    ] = None,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.")] = "127.0.0.1",
    time: Annotated[
        float,
        typer.Option(
            "--time-limit", metavar="SECONDS", min=1, help="Time limit of each search.", rich_help_panel=LIMITS
        ),
    ] = 60,
    memory: Annotated[str, typer.Option(metavar="SIZE", help="Memory limit of each search.", hidden=True)] = "1G",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
    as_json: Json = False,
) -> None:
    """Serve a local page to write and solve puzzles.

    You see puzzles as you type, solve them, and save them in a folder. The page opens only on this machine, at the
    printed address with its token. Ctrl-C stops it.

    Examples:
        puzzlec serve
        puzzlec serve puzzles --port 8080

    """
    from puzzlec.services.web.jobs import Limits
    from puzzlec.services.web.safety import is_loopback
    from puzzlec.services.web.server import open_browser, prepare

    served = prepare(folder, host, port, Limits(seconds=time, memory=memory_size(memory)))
    root = str(served.folder.root).encode("utf-8", "replace").decode()  # names may contain bytes that are not UTF-8
    if as_json:
        out_json({"address": served.address, "folder": root})
    else:
        out(served.address)
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
