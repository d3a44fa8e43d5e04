"""The answer of another program in words: its verdicts, and how many solutions it has."""

from __future__ import annotations

from puzzlec.cli.texts.solutions import NOT_TOLD_APART
from puzzlec.diagnostics import counted
from puzzlec.formats.solvers.answers import Ending
from puzzlec.solving.faults import wrong_ones
from puzzlec.solving.lifting import MAX_SOLUTIONS_REMEMBERED, Count, Lifted


def verdict_words(result: Lifted, repeated: bool) -> str:
    """Return whether a solution is right, in words, and if not, why."""
    if result.solution is not None:
        return "right, but repeated" if repeated else "right"
    if result.verdict is None:
        return "wrong"
    codes = ", ".join(dict.fromkeys(fault.code for fault in result.faults))
    return f"cannot be read ({codes})" if result.faults else result.verdict.reason


def answer_lines(count: Count, distinct: int | None, ending: Ending | None, stopped: bool, judged: bool) -> list[str]:
    """Return how many solutions an answer has, right and wrong, and how it ends.

    Args:
        count: The totals of the solutions.
        distinct: The number of distinct solutions; None if unknown.
        ending: The end of the other program.
        stopped: Whether the rest of the answer was not read.
        judged: Whether the solutions are in a notation of puzzlec, which has no end.

    """
    if not count.models and not judged:
        none = "the answer claims that there are no solutions"
        return [none if ending is Ending.COMPLETE else "the other program found no result"]
    lines = [f"{counted(count.models, 'solution')}: {count.right} right{wrong_ones(count.wrong)}"]
    if count.forgot:
        lines.append(f"more than {MAX_SOLUTIONS_REMEMBERED}: repeated ones are not counted")
    elif count.right:
        facts = [f"{distinct} distinct"] * (distinct is not None) + [f"{count.twice} repeated"] * (count.twice > 0)
        facts += [f"{count.unclear} not known: {NOT_TOLD_APART}"] * (count.unclear > 0)
        lines.append(f"of the right ones: {', '.join(facts)}" if facts else "too many symmetries to list")
    if count.models == count.right == 1 and not count.unclear and not judged:
        lines = ["1 solution, and it is right"]
    if stopped:
        lines.append("the rest of the answer was not read")
    elif ending is Ending.COMPLETE:
        none = "no solution costs less" if count.costs else "there are no more"
        lines.append(f"the answer claims that {none}")
    elif ending is Ending.UNKNOWN:
        lines.append("according to the answer there may be more")
    return lines
