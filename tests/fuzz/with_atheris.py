"""The same texts and the same rules with libFuzzer, where `atheris` is installed (``pip install atheris``).

    python tests/fuzz/with_atheris.py -runs=500000 -seed=1 [folder with a corpus]

Arguments are libFuzzer's. Every other text is changed by our own steps, the rest by those of libFuzzer. What is found
is printed and saved, and the run goes on.
"""

from __future__ import annotations

import importlib
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))
atheris: Any = importlib.import_module("atheris")
with atheris.instrument_imports(include=["puzzlec.readers", "puzzlec.diagnostics", "puzzlec.geometry.drawing"]):
    from tests.fuzz import target
from tests.fuzz.mutations import LONGEST, Mutator, seeds  # noqa: E402

_EVERY = 10_000


class Run:
    """Counts the texts, and collects what is found."""

    def __init__(self) -> None:
        self.tried = self.accepted = 0
        self.findings: dict[str, bytes] = {}
        self.slowest: tuple[float, str] = (0.0, "")
        self.begun = time.perf_counter()
        self.random = random.Random(1)
        self.corpus = seeds()

    def one(self, data: bytes) -> None:
        """Try the text in some bytes."""
        text = data.decode("utf-8", "replace")
        outcome = target.try_text(text)
        self.tried += 1
        self.accepted += outcome.accepted
        self.slowest = max(self.slowest, (outcome.seconds, text))
        if outcome.wrong and not any(target.same(outcome.wrong, known) for known in self.findings):
            self.findings[outcome.wrong] = data
            Path(f"atheris-finding-{len(self.findings)}.puzzle").write_bytes(data)
            print(f"found: {outcome.wrong}\n    {text!r}", flush=True)  # noqa: T201
        if self.tried % _EVERY == 0:
            rate = self.tried / (time.perf_counter() - self.begun)
            print(  # noqa: T201
                f"{self.tried} texts, {rate:.0f}/s, {self.accepted} accepted, {len(self.findings)} findings, "
                f"slowest {self.slowest[0]:.3f} s {self.slowest[1]!r}",
                flush=True,
            )

    def mutate(self, data: bytes, most: int, seed: int) -> bytes:
        """Return changed bytes, no more than ``most``."""
        self.random.seed(seed)
        if self.random.random() < 0.5:
            return bytes(atheris.Mutate(data, most))
        text = Mutator(self.random).mutated(data.decode("utf-8", "replace"), self.corpus)
        return text.encode("utf-8", "replace")[:most]


def main() -> None:
    """Run libFuzzer until it has tried as many texts as its arguments say."""
    run = Run()
    with tempfile.TemporaryDirectory() as folder, target.small_bounds():
        for number, text in enumerate(run.corpus):
            (Path(folder) / f"{number}.puzzle").write_text(text, encoding="utf-8")
        atheris.Setup([*sys.argv, f"-max_len={LONGEST}", folder], run.one, custom_mutator=run.mutate)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
