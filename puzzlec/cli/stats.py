"""What ``--stats`` prints: the kernel, the nodes, the symmetries, and the profile of the search tree."""

from __future__ import annotations

import sys

from puzzlec.cli.figures import percentage, short
from puzzlec.cli.terminal import MODE, say
from puzzlec.solving.solutions import Solutions

#: The time from which on a person wants to know what took it.
LONG = 1.0

#: The longest bar of the profile.
WIDTH = 40


def time_taken(seconds: float) -> str:
    """Return in words how long a command took, and whether kernels were compiled meanwhile.

    >>> time_taken(0.125)
    'in 0.12 s'
    """
    jit = sys.modules.get("puzzlec.engine.kernels.jit")
    compiled = seconds >= LONG and jit is not None and jit.has_compiled()
    return f"in {seconds:.2f} s" + ", some of it to compile the kernels, once on this machine" * compiled


def report_stats(solutions: Solutions) -> None:
    """Print to standard error how a search went."""
    now = solutions.progress()
    kernel = f"{solutions.choice.kernel}: {solutions.choice.reason}" if solutions.choice else "none: nothing to search"
    rate = f", {short(now.nodes / now.seconds)} a second" if now.seconds > 0 else ""
    lines = [
        ("kernel", kernel),
        ("threads", str(solutions.threads)),
        ("nodes", f"{now.nodes}{rate}"),
        ("searched", percentage(now.fraction)),
        ("symmetries", str(solutions.order) if solutions.order is not None else "not looked for"),
        ("held", solutions.held or "nothing"),
    ]
    if MODE.json:
        data: dict[str, object] = {
            "kernel": solutions.choice.kernel if solutions.choice else None,
            "threads": solutions.threads,
        }
        data |= {"nodes": now.nodes, "seconds": now.seconds, "fraction": now.fraction, "symmetries": solutions.order}
        say("statistics", True, stats={**data, "held": solutions.held or None, "profile": solutions.profile})
        return
    for name, value in lines:
        say(f"{name:<11}{value}", True)
    for row in profile_lines(solutions.profile):
        say(row, True)


def profile_lines(profile: list[int]) -> list[str]:
    """Return a profile as a table: a line for each level, its nodes, and a bar in proportion.

    >>> profile_lines([1, 2])
    ['level  nodes', '1          1  ####################', '2          2  ########################################']
    """
    most = max(profile, default=0)
    if not most:
        return []
    width = max(len(str(most)), 5)
    rows = [f"level  {'nodes':>{width}}"]
    for level, nodes in enumerate(profile, 1):
        bar = "#" * -(-WIDTH * nodes // most)
        rows.append(f"{level:<5}  {nodes:>{width}}  {bar}".rstrip())
    return rows
