"""The fuzzer with libFuzzer, if `atheris` is installed (``pip install '.[fuzz]'``).

    python tests/tools/fuzz/with_atheris.py TARGET [--logs FOLDER] [-runs=500000] [-seed=1] [folder with a corpus]

TARGET is one of tests/tools/fuzz/targets.py. Arguments with one hyphen are for libFuzzer. If a target takes texts, most
inputs are changed word by word, and the rest by libFuzzer. Findings are in the folder of logs, and the run continues.
"""

from __future__ import annotations

import argparse
import importlib
import random
import resource
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[3]))
atheris: Any = importlib.import_module("atheris")

#: An input that would fill the memory is a finding, and does not stop the machine.
MOST_MEMORY = 4 * 2**30

#: The maximum number of accepted inputs that are parents of others, and the longest time of a parent.
MOST_ACCEPTED, KEPT_SECONDS = 500, 0.05

#: The steps of these packages guide the search, by what the target says.
PACKAGES = {
    "readers": ["puzzlec.formats", "puzzlec.geometry.drawing", "puzzlec.geometry.proving"],
    "lower": ["puzzlec.lower", "puzzlec.engine.reduction.reductions"],
    "solution": ["puzzlec.solving.conditions"],
}

#: The packages that guide each target, if these are not only the readers. The table of targets is not imported yet.
GUIDED = {
    "puzzle-level": ("lower",),
    "fitting-level": ("lower",),
    "cover-level": ("lower",),
    "lowered-text": ("readers", "lower"),
    "condition": ("readers", "solution"),
    "solutions": ("readers", "solution"),
}


def main() -> None:
    """Run libFuzzer for the number of inputs in its arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target")
    parser.add_argument("--logs", type=Path, default=Path("fuzz-logs"))
    given, others = parser.parse_known_args()
    guides = [package for name in GUIDED.get(given.target, ("readers",)) for package in PACKAGES[name]]
    with atheris.instrument_imports(include=guides):
        rules = importlib.import_module("tests.tools.fuzz.rules")
        rules.import_all()
        targets = importlib.import_module("tests.tools.fuzz.targets").TARGETS
    from tests.tools.fuzz.logs import Log

    if given.target not in targets:
        parser.error(f"there is no target {given.target!r}: there are {', '.join(targets)}")
    target = targets[given.target]
    runs = next((int(word.removeprefix("-runs=")) for word in others if word.startswith("-runs=")), 0)
    seed = next((int(word.removeprefix("-seed=")) for word in others if word.startswith("-seed=")), 1)
    log = Log(target.name, given.logs, runs)
    source = random.Random(seed)
    mutated = target.mutator(source)

    accepted: list[bytes] = []

    def one(content: bytes) -> None:
        outcome = target.tried(content)
        log.note(content, outcome)
        if outcome.accepted and outcome.seconds < KEPT_SECONDS:
            accepted[log.accepted % MOST_ACCEPTED : log.accepted % MOST_ACCEPTED + 1] = [content]

    def mutate(content: bytes, most: int, number: int) -> bytes:
        source.seed(number)
        # Inputs with many errors are easy to make, and the first error hides the others: so most parents are valid.
        if accepted and source.random() < 0.5:
            content = source.choice(accepted)
        if not target.texts or source.random() < 0.25:
            return bytes(atheris.Mutate(content, most))
        found: bytes = mutated(content, target.seeds)[:most]
        return found

    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    with tempfile.TemporaryDirectory() as folder, rules.small_bounds():
        for number, content in enumerate(target.seeds):
            (Path(folder) / str(number)).write_bytes(content)
        options = [f"-max_len={target.longest}", "-len_control=20", "-rss_limit_mb=0", "-timeout=300"]
        atheris.Setup([sys.argv[0], *options, *others, folder], one, custom_mutator=mutate)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
