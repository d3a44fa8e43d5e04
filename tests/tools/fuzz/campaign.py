"""Fuzz all targets in turn, each time in a process, until the goal of inputs is reached.

    nice -n 17 python tests/tools/fuzz/campaign.py --logs FOLDER [--goal 10000000] [--least 200000] [--turn 240]

The target with the least time so far runs next, for a few seconds, and continues with its kept inputs. When all targets
have reached the goal, targets with too few inputs run. You can stop and restart a campaign. Its results are in the
folder of logs, and `tally.py` adds them up.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.tools.fuzz.logs import totals
from tests.tools.fuzz.targets import TARGETS

HERE = Path(__file__).parent


def next_target(done: dict[str, dict[str, float]], goal: int, least: int) -> str | None:
    """Return the target whose turn it is; None if all are done."""
    inputs = {name: done.get(name, {}).get("inputs", 0) for name in TARGETS}
    waiting = [name for name in TARGETS if sum(inputs.values()) < goal or inputs[name] < least]
    return min(waiting, key=lambda name: done.get(name, {}).get("processor", 0), default=None)


def turn(target: str, logs: Path, seconds: int, seed: int) -> int:
    """Fuzz one target for a few seconds; return the exit status."""
    kept = logs / "kept" / target
    kept.mkdir(parents=True, exist_ok=True)
    with (logs / f"{target}.out").open("ab") as stream:
        return subprocess.run(
            [sys.executable, str(HERE / "with_atheris.py"), target, "--logs", str(logs),
             f"-max_total_time={seconds}", f"-seed={seed}", str(kept)],
            stdout=stream, stderr=stream, check=False,
        ).returncode  # fmt: skip


def main() -> None:
    """Take turns until the goal is reached."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--logs", type=Path, default=Path("fuzz-logs"))
    parser.add_argument("--goal", type=int, default=10_000_000)
    parser.add_argument("--least", type=int, default=200_000)
    parser.add_argument("--turn", type=int, default=240)
    given = parser.parse_args()
    given.logs.mkdir(parents=True, exist_ok=True)
    number = 0
    while (target := next_target(totals(given.logs), given.goal, given.least)) is not None:
        number += 1
        status = turn(target, given.logs, given.turn, int(time.time()) + number)
        with (given.logs / "turns.txt").open("a") as stream:
            stream.write(f"{time.strftime('%H:%M:%S')} {target} {status}\n")


if __name__ == "__main__":
    main()
