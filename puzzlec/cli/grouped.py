"""The options of a command in groups: what it is for comes first, what all commands have comes last."""

from __future__ import annotations

from typing import Any

#: What stands above each group, and the options in it; others stand in the first one.
GROUPS = {
    "Limits and workers": ("--time", "--nodes", "--memory", "--threads", "--kernel", "--engine"),
    "Searches kept in a folder, or on several machines": ("--checkpoint", "--processes", "--cluster", "--shard"),
    "How the puzzle is read": ("--param", "--from", "--board", "--problem"),
    "What is told": ("--progress", "--stats", "--json", "--quiet", "--verbose", "--help"),
}

#: So few options need no groups but the last one, which is that of all commands.
_FEW = 12


def write_options(parameters: list[Any], context: Any, formatter: Any) -> None:
    """Write the arguments and options of a command into its help; ``formatter`` is Typer's."""
    for title, group in sections(parameters):
        rows = [record for each in group if (record := each.get_help_record(context)) is not None]
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows)


def sections(parameters: list[Any]) -> list[tuple[str, list[Any]]]:
    """Return the arguments and the groups of options of a command, each with its title; groups may be empty."""
    options = [each for each in parameters if each.param_type_name == "option"]
    groups = list(GROUPS) if len(options) > _FEW else list(GROUPS)[-1:]
    found: dict[str, list[Any]] = {name: [] for name in ["Options", *groups]}
    for each in options:
        found[next((name for name in groups if set(GROUPS[name]) & set(each.opts)), "Options")].append(each)
    return [("Arguments", [each for each in parameters if each not in options]), *found.items()]
