"""Lines of puzzlec that the tests run, also compiled lines: ``python -m tests.tools.coverage [--keep FILE] [tests]``.

Without names of tests, it measures the whole default run. The table has a row for each stage; ``--missing TEXT`` lists
the lines that do not run, in files with TEXT in their path.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

import coverage

from tests.tools.coverage.kernels import Kernels
from tests.tools.coverage.marked import FOLDER
from tests.tools.coverage.table import missing, table

parser = argparse.ArgumentParser(prog="python -m tests.tools.coverage", description="Find lines that no test runs.")
parser.add_argument("--keep", type=Path, help="a file to keep what is measured in; with --table, to print it again")
parser.add_argument("--add", action="store_true", help="add to what --keep has")
parser.add_argument("--table", action="store_true", help="run nothing, and print what --keep has")
parser.add_argument("--missing", default="", metavar="PATH", help="list the lines that are not run in these files")
parser.add_argument("tests", nargs="*", help="files and folders of tests, and options of pytest behind --")
asked = parser.parse_args()

with tempfile.TemporaryDirectory() as folder:
    # In a new folder: the files of the processes are found by the beginnings of their names.
    data, rules = Path(folder) / "data", Path(folder) / "rules"
    if asked.keep and (asked.add or asked.table):
        shutil.copyfile(asked.keep, data)
    rules.write_text(
        f"[run]\ndata_file = {data}\nbranch = true\nsource = puzzlec\nparallel = true\npatch = subprocess\n"
        "[report]\nexclude_also =\n    if TYPE_CHECKING\n    \\.\\.\\.$\n",
        encoding="utf-8",
    )
    measured = coverage.Coverage(config_file=str(rules))
    if asked.table:
        measured.load()
    else:
        if "puzzlec" in sys.modules:
            sys.exit("puzzlec is imported already: its kernels cannot be measured")
        kernels = Kernels(Path(FOLDER))
        kernels.install()
        measured.start()
        import pytest

        status = pytest.main(["-q", "-p", "no:cacheprovider", *asked.tests])
        measured.stop()
        measured.get_data().add_arcs(kernels.arcs())
        measured.save()
        # A new object, because this one has the data of one process.
        measured = coverage.Coverage(config_file=str(rules))
        measured.combine([str(path) for path in (data, *data.parent.glob("data.*")) if path.exists()])
        measured.save()
        if asked.keep:
            shutil.copyfile(data, asked.keep)
        if status:
            sys.stdout.write(f"pytest ended with status {int(status)}\n")
    sys.stdout.write(table(measured) + "\n")
    if asked.missing:
        sys.stdout.write(missing(measured, asked.missing) + "\n")
