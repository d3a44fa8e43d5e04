"""The share of injected bugs that the tests find: ``python -m tests.tools.mutation --mutants 600 --seed 1``.

Small bugs are injected into the code of a part, one at a time, and the tests of the changed lines run. The part
``lowering`` is the code that lowers puzzles and that of symmetry; ``searching`` is the code that searches, takes apart
and serves. A bug that no test finds *survives*. A run tries a sample, continues after the end of an earlier log, and
never changes a file of the code. ``--again`` tries the survivors of a log again. ``--summary`` prints the table of a
log without trying. ``--list`` prints the number of possible bugs. A file beside the log with the extension ``.tests``
has the lines of each test. Without it, all tests run once first.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.tools.mutation.sample import PARTS, faults_of, sample
from tests.tools.mutation.score import listed, read, summary
from tests.tools.mutation.trying import TESTS, tried

parser = argparse.ArgumentParser(prog="python -m tests.tools.mutation", description="Put faults into the code.")
parser.add_argument("--mutants", type=int, default=600, help="how many faults are tried")
parser.add_argument("--seed", type=int, default=1, help="the number of the sample")
parser.add_argument("--log", type=Path, default=Path("mutation.log"), help="the file that outcomes are appended to")
parser.add_argument("--only", default="", help="faults of files with this in their path")
parser.add_argument("--part", choices=PARTS, default="lowering", help="the code that is changed")
parser.add_argument("--tests", nargs="+", help="files and folders of the tests that are run")
parser.add_argument("--seconds", type=float, default=10.0, help="how long the tests of a fault may take")
parser.add_argument("--again", action="store_true", help="try only the survivors of the log again")
parser.add_argument("--summary", action="store_true", help="print the table of the log without trying")
parser.add_argument("--list", action="store_true", help="print the number of bugs in each file")
asked = parser.parse_args()
files = [file for file in PARTS[asked.part] if asked.only in file]
if asked.list:
    for file in files:
        sys.stdout.write(f"{len(faults_of(Path(file))):6}  {file}\n")
    sys.exit()
before = read(asked.log)
if not asked.summary:
    if asked.again:
        every = (fault for file in files for fault in faults_of(Path(file)))
        chosen = [fault for fault in every if before.get(fault.name, {}).get("by") == ""]
    else:
        chosen = [fault for fault in sample(files, asked.mutants, asked.seed) if fault.name not in before]
    status = tried(chosen, asked.tests or TESTS[asked.part], asked.log, asked.seconds)
    if status:
        sys.exit(f"the tests cannot be run: pytest ended with status {status}")
# Results from before a change of the code no longer count.
there = {fault.name for file in files for fault in faults_of(Path(file))}
found = {name: outcome for name, outcome in read(asked.log).items() if name in there}
sys.stdout.write(listed(found) + "\n\n" + summary(found) + "\n")
