"""Every table of docs/benchmarks.md: ``python -m tests.tools.bench.all [NAME ...] [--measure] [--store] [--write]``.

Without options it prints the stored tables, with their date and conditions. ``--measure`` runs their commands again and
prints what they print. ``--store`` also stores the figures. ``--write`` makes the page and its charts from the stored
tables.
"""

from __future__ import annotations

import argparse
import os
import platform
import shlex
import subprocess
import sys
from collections.abc import Iterable, Sequence
from datetime import date

from tests.tools.bench import chart, tables


def all_tables() -> dict[str, tables.Table]:
    """Return the stored tables, and the one that is computed from others."""
    stored = tables.read()
    return {**stored, "ratios": tables.ratios(stored)}


def machine() -> str:
    """Return this machine in words."""
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {platform.system()}"


def measure(names: Iterable[str], store: bool) -> None:
    """Run the command of each table once, and store its output if the options ask for it."""
    outputs: dict[str, str] = {}
    for name in names:
        stored = tables.read()
        if name not in stored:
            continue  # computed
        command = stored[name].command
        if command not in outputs:
            words = [sys.executable, "-m", f"tests.tools.bench.{shlex.split(command)[0]}", *shlex.split(command)[1:]]
            print(f"$ python -m tests.tools.bench.{command}", flush=True)
            done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False, cwd=tables.ROOT)
            print(done.stdout, flush=True)
            outputs[command] = done.stdout
        if store:
            try:
                stored[name] = tables.renewed(stored[name], outputs[command], str(date.today()), machine())
            except ValueError as error:
                print(f"{name} stays as it is: {error}", file=sys.stderr)
            else:
                tables.write(stored)


def write() -> None:
    """Write the page and its charts."""
    found = all_tables()
    tables.PAGE.write_text(tables.page(tables.PAGE.read_text("utf-8"), found), "utf-8")
    for path, text in {**chart.pictures(found), **chart.pages(found)}.items():
        path.write_text(text, "utf-8")


def main(words: Sequence[str]) -> None:
    """Print, measure or write tables."""
    known = all_tables()
    parser = argparse.ArgumentParser(prog="python -m tests.tools.bench.all", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these tables: {', '.join(known)}")
    parser.add_argument("--measure", action="store_true", help="run the commands of the tables again")
    parser.add_argument("--store", action="store_true", help="measure, and store the figures")
    parser.add_argument("--write", action="store_true", help="make the page and its charts")
    asked = parser.parse_args(words)
    if unknown := set(asked.names) - set(known):
        parser.error(f"unknown table {', '.join(sorted(unknown))}: {', '.join(known)}")
    names = asked.names or list(known)
    if asked.measure or asked.store:
        measure(names, asked.store)
    if asked.write:
        write()
    if not (asked.measure or asked.store or asked.write):
        print("\n\n".join(f"## {name}\n\n{known[name].markdown()}\n\n{known[name].conditions}" for name in names))


if __name__ == "__main__":
    main(sys.argv[1:])
