"""``puzzlec check --solutions``: what is wrong with each of the solutions in a file, and how many are right."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import typer

from puzzlec.cli.formatting import NOT_TOLD_APART
from puzzlec.cli.output import new_file
from puzzlec.cli.terminal import ExitStatus, out, out_json, report_all, say
from puzzlec.diagnostics import as_dict, concise, counted
from puzzlec.ir import Fitting
from puzzlec.lower import encode
from puzzlec.solving.judging import Tally, Verdict, check_solutions

#: How a reason begins for one solution, by how it begins for several.
_ONE = {
    "cross": "crosses",
    "cover": "covers",
    "leave": "leaves",
    "use": "uses",
    "have": "has",
    "break": "breaks",
    "are": "is",
    "belong": "belongs",
    "say": "says",
    "contradict": "contradicts",
}


def judge(fitting: Fitting, name: str, notation: str | None, format: str, keep: str | None, force: bool) -> None:
    """Check the solutions in a file, print what is wrong, and keep the right ones; end with 1 if some are wrong."""
    verdicts = check_solutions(fitting, name, notation)
    tally = Tally(encode(fitting))
    if keep is None:
        _print(verdicts, tally, format)
    else:
        with new_file(keep, force) as path:
            right = _print(verdicts, tally, format)
            between = "\n\n" if any("\n" in text for text in right) else "\n"
            path.write_text(between.join(right) + "\n" if right else "", encoding="utf-8", newline="\n")
    if format != "concise":
        _sum_up(tally)
    if tally.wrong:
        raise typer.Exit(ExitStatus.FAULTY)


def _print(verdicts: Iterable[Verdict], tally: Tally, format: str) -> list[str]:
    """Print what each claim is; return the texts of those that are right."""
    right = []
    for number, verdict in enumerate(verdicts, 1):
        before = tally.add(verdict)
        span = verdict.claim.span
        line, column = span.source.position(span.start)
        if verdict.solution is not None:
            right.append(span.text)
        if format == "json":
            data = {"solution": number, "file": span.source.name, "line": line, "right": verdict.solution is not None}
            data |= {"reason": verdict.reason or None, "repeated": before}
            if verdict.claim.faults:
                data["faults"] = [as_dict(each) for each in verdict.claim.faults]
            out_json(data)
        elif format == "text":
            fine = "right, but told before" if before else "right"
            unread = f"cannot be read ({', '.join(dict.fromkeys(each.code for each in verdict.claim.faults))})"
            out(f"solution {number}, line {line}: {unread if verdict.claim.faults else verdict.reason or fine}")
            if verdict.claim.faults:
                sys.stdout.flush()
                report_all(verdict.claim.faults)
        elif verdict.claim.faults:
            for each in verdict.claim.faults:
                out(concise(each))
        elif verdict.solution is None:
            out(f"{span.source.name}:{line}:{column}: {verdict.reason}")
    return right


def _sum_up(tally: Tally) -> None:
    """Say how many claims are right and wrong, and how many of the right ones are distinct."""
    distinct = tally.distinct()
    first, *others = _summary(tally, distinct)
    say(
        first,
        solutions=tally.right + tally.wrong.total(),
        right=tally.right,
        wrong=dict(tally.wrong),
        distinct=distinct,
        repeated=tally.twice,
        unclear=tally.unclear,
    )
    for line in others:
        say(line)


def _summary(tally: Tally, distinct: int | None) -> list[str]:
    """Return what is said of so many claims, in lines."""
    number = tally.right + tally.wrong.total()
    wrong = [f", {many} {verb(kind, many)}" for kind, many in sorted(tally.wrong.items(), key=lambda e: (-e[1], e[0]))]
    lines = [f"{counted(number, 'solution')}: {tally.right} right{''.join(wrong)}"]
    unclear = [f"{tally.unclear} not known: {NOT_TOLD_APART}"] * (tally.unclear > 0)
    if tally.right == tally.unclear > 0:
        lines.append(f"of the right ones: {unclear[0]}")
    elif tally.right:
        told = [f"{distinct} distinct"] * (distinct is not None) + [f"{tally.twice} told before"] * (tally.twice > 0)
        told += unclear
        lines.append(f"of the right ones: {', '.join(told)}" if told else "their symmetries are too many to be listed")
    return lines


def verb(kind: str, many: int) -> str:
    """Return what is wrong with so many solutions, as it is said of one or of several."""
    word, _, rest = kind.partition(" ")
    return f"{_ONE.get(word, word) if many == 1 else word} {rest}".strip()
