"""Compare many random problems: ``python -m tests.differential --puzzles 100000 --seed 1 [--from N] [--log FILE]``."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.differential.tally import RUN, run, summary

parser = argparse.ArgumentParser(prog="python -m tests.differential", description="Compare random problems.")
parser.add_argument("--puzzles", type=int, default=1000, help="how many problems")
parser.add_argument("--seed", type=int, default=1, help="the number of the run: another one has other problems")
parser.add_argument("--from", type=int, default=0, dest="first", help="first puzzle")
parser.add_argument("--log", type=Path, default=Path("differential.log"), help="file for the blocks")
parser.add_argument("--summary", action="store_true", help="print the table of a log without comparing")
asked = parser.parse_args()
begun = time.monotonic()
if not asked.summary:
    start = asked.seed * RUN
    for line in run(start + asked.first, start + asked.puzzles, asked.log):
        sys.stdout.write(f"{time.monotonic() - begun:8.0f} s  {line}\n")
        sys.stdout.flush()
sys.stdout.write(summary(asked.log) + "\n")
