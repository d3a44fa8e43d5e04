"""What is no answer: the problem itself, in a format that `puzzlec convert` writes, and the logs of solvers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from puzzlec.diagnostics import PuzzleError, Source, Span
from puzzlec.diagnostics.error import fail
from puzzlec.formats.recognition import recognised_as_written
from puzzlec.formats.solvers.answers.model import Known

#: What begins the log of a program, and how to have its answer.
_LOGS = (
    (r"Welcome to the CBC|Cbc[0-9]{4}I|Coin[0-9]{4}I", "CBC", "give the file that its command `solu FILE` writes"),
    (r"Running HiGHS|HiGHS [0-9.]+|Using HiGHS", "HiGHS", "give the file of its option `--solution_file`"),
    (r"GLPSOL", "GLPK", "give the file of `glpsol -o` or `glpsol -w`"),
    (r"Gurobi Optimizer|Set parameter |Gurobi [0-9.]+", "Gurobi", "give the file of its parameter `ResultFile`"),
    (r"SCIP version", "SCIP", "give the file that its command `write solution FILE` writes"),
    (r"Welcome to IBM|.*ILOG.*CPLEX|Version identifier: [0-9.]+", "CPLEX",
     "give the file that its command `write FILE.sol` writes"),
    (r".*\.(?:mzn|fzn):[0-9.-]+:$|(?:MiniZinc: |Error: |Warning: included file)", "MiniZinc",
     "it reports an error or a warning, and no solution"),
)  # fmt: skip


def problem_in(name: str, lines: Sequence[Span], known: Known) -> str | None:
    """Return the format of the problem that the first lines of a text are; None where they are none."""
    source = Source(name, "\n".join(line.source.text for line in lines) + "\n")
    first = next((line.text.strip() for line in lines if line.text.strip()), "")
    if any(re.match(r"c x [0-9]+ = |p cnf ", line.text) for line in lines):
        return "cnf"
    if any(re.match(r"c vertex [0-9]+: |p (?:edge|col) ", line.text) for line in lines):
        return "col"
    if re.match(r"\{\s*\"puzzlec\": *[0-9]", source.text):
        return "json"
    # In a DLX file the first line has all items.
    items = [known.item_of.get(word.rpartition("|")[2]) for word in first.split()]
    many = len(lines) > 1 < len(items) and None not in items and known.cover.primary <= len(items)
    if many and set(items) >= set(range(known.cover.primary)) and frozenset(items) not in known.options_with:
        return "dlx"
    found = recognised_as_written(source)
    return None if found == "smt2" and first.startswith("(define-") else found


def refuse_problem(name: str, lines: Sequence[Span], known: Known) -> None:
    """Raise PuzzleError (PZ611) where the first lines of a text are a problem, not an answer."""
    format = problem_in(name, lines, known)
    if format is not None:
        at = next(line for line in lines if line.text.strip())
        message = f"this is a problem in the format `{format}`, not an answer"
        raise fail("PZ611", message, at, help="give what the other program answered to it")


def log_of(lines: Sequence[Span]) -> PuzzleError | None:
    """Return the error that the first lines of a text are the log of a solver; None where they are none."""
    for line in lines:
        for pattern, program, help in _LOGS:
            if re.match(pattern, line.text.strip()):
                return fail("PZ611", f"this is a log of {program}, and holds no solution", line, help=help)
    return None
