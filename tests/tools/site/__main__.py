"""Build the site of the documentation, ``python -m tests.tools.site build``, or show it, ``... serve``.

Both write to build/site of the checkout, or to a named folder. ``serve`` builds edited pages again.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

from tests.tools.site import checking
from tests.tools.site.building import SETTINGS, SiteError, build, stage
from tests.tools.site.pages import ROOT, sources


def main() -> int:
    """Run the command and return its exit status: 1 if the site has an error."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.site", description="The site of the documentation.")
    parser.add_argument("what", choices=("build", "serve"))
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "site", help="folder to write")
    parser.add_argument("--address", default="localhost:8000", help="address of `serve` [default: localhost:8000]")
    parser.add_argument("--url", default="", help="public address of the site, for links with pictures")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    try:
        if asked.what == "serve":
            return serve(asked.folder.resolve(), asked.address)
        site = build(asked.folder.resolve(), asked.url)
    except SiteError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    if faults := checking.faults(site, asked.url.rstrip("/")):
        sys.stderr.write("\n".join(faults) + "\n")
        return 1
    sys.stdout.write(f"{site / 'index.html'}\n")
    return 0


def serve(folder: Path, address: str) -> int:
    """Serve the site until Ctrl-C, and return the exit status of the server. Copy edited files, which it then reads."""
    command = [sys.executable, "-m", "zensical", "serve", "--dev-addr", address]
    server = subprocess.Popen([*command, "--config-file", str(stage(folder))], cwd=folder)
    known = _edited()
    try:
        while server.poll() is None:
            time.sleep(1)
            if known != (known := _edited()):
                try:
                    stage(folder)
                except SiteError as error:
                    sys.stderr.write(f"{error}\n")
    except KeyboardInterrupt:
        server.wait()
    return server.returncode


def _edited() -> dict[Path, float]:
    """Return the time of the last change of each file of the site."""
    return {path: path.stat().st_mtime for path in (*sources().values(), SETTINGS)}


if __name__ == "__main__":
    sys.exit(main())
