"""``puzzlec serve``: the local page to write and solve puzzles."""

from __future__ import annotations

import sys
import threading
from typing import Annotated

from puzzlec.cli.arguments import TIME, memory_size
from puzzlec.cli.candidates import folders
from puzzlec.cli.options import Argument, Option
from puzzlec.cli.terminal import out_result, say


def serve(
    folder: Annotated[str, Argument("Folder of the puzzles.", "FOLDER", offered=folders)] = ".",
    port: Annotated[int | None, Option("Port. [default: first free port from 8000]", "N", least=0, most=65535)] = None,
    host: Annotated[str, Option("Address to listen on.", "ADDRESS")] = "127.0.0.1",
    time: Annotated[float, TIME.saying("Time limit of each search.", least=1)] = 60,
    memory: Annotated[
        int, Option("Memory limit of each search. [default: 1G]", "SIZE", parse=memory_size, hidden=True)
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
    from puzzlec.services.web.jobs import Limits
    from puzzlec.services.web.safety import is_loopback
    from puzzlec.services.web.server import open_browser, prepare

    served = prepare(folder, host, port, Limits(seconds=time, memory=memory))
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
