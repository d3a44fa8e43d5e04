"""``puzzlec disassemble``: take the assemblies of a puzzle apart."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from puzzlec.cli.arguments import (
    CHECKPOINT,
    SHARD,
    Clock,
    Cluster,
    Force,
    Memory,
    Named,
    SymmetryOptions,
    Threads,
    pool_of,
)  # fmt: skip
from puzzlec.cli.deadline import OutOfTime
from puzzlec.cli.options import FILE, Option
from puzzlec.cli.output import ending_in, write_file
from puzzlec.cli.progress import ProgressKind, shown
from puzzlec.cli.terminal import MODE, ExitStatus, end, out, out_json, out_result, report_all, say, status_after
from puzzlec.cli.texts.disassembly import Assemblies, come_apart, compared_line, counted_assemblies
from puzzlec.diagnostics import counted
from puzzlec.disassembling import (
    AssemblyTally,
    Manner,
    burrtools_text,
    burrtools_warnings,
    check_symmetry,
    compared_levels,
    encoding_with_roles,
    read_groups,
    step_of,
    stored_levels,
    taken_apart,
    with_moves,
)
from puzzlec.engine import Limits, Stop
from puzzlec.ir import Puzzle, Solution
from puzzlec.motion.bodies import movable
from puzzlec.motion.disassembly import WHOLE_STEP
from puzzlec.motion.levels import text as level_text
from puzzlec.motion.search import DEFAULT_SEARCH_BYTES, Bounds
from puzzlec.motion.taken import Taken
from puzzlec.motion.turning import DEFAULT_CLEARANCE, Turning
from puzzlec.solving.solutions import Solutions

#: After more assemblies than this, remarks say how to print fewer, and what moves a flat puzzle has.
MANY_ASSEMBLIES = 100


@dataclass(kw_only=True, eq=False, repr=False)
class Assembled(Named, Clock, SymmetryOptions):
    """The options for the assemblies of a puzzle."""

    memory: Memory = None

    @property
    def bounds(self) -> Bounds:
        """New limits of a search."""
        return Bounds(None if self.time is None else self.begun + self.time, self.memory or DEFAULT_SEARCH_BYTES)


def disassemble_puzzle(
    *,
    every: Annotated[bool, Option("Also print assemblies that do not come apart.", name="--all")] = False,
    best: Annotated[int | None, Option("Print only the best N.", "N", least=1)] = None,
    steps: Annotated[bool, Option("Also print the moves.")] = False,
    solution: Annotated[
        str | None, FILE.saying("Take the solutions in FILE apart; `-`: standard input.", name="--solutions")
    ] = None,
    together: Annotated[
        list[dict[str, int]] | None,
        Option('Pieces that may stay together, such as "A B" or "A:2".', "PIECES", parse=read_groups, many=True),
    ] = None,
    immovable: Annotated[list[str] | None, Option("A piece that never moves.", "PIECE")] = None,
    stored: Annotated[bool, Option("Check the moves or levels stored in a BurrTools file.", hidden=True)] = False,
    output: Annotated[
        str | None,
        FILE.saying(
            "Write assemblies and moves to FILE for BurrTools: .xmpuzzle.",
            name="-o, --output",
            parse=ending_in(".xmpuzzle"),
        ),
    ] = None,
    force: Force = False,
    graph: Annotated[
        str | None,
        FILE.saying(
            "Write all states of the best assembly to FILE: .json or .graphml.", parse=ending_in(".json", ".graphml")
        ),
    ] = None,
    least_sum: Annotated[bool, Option("Find plans with the fewest moves in total.")] = False,
    turns: Annotated[
        bool | None,
        Option("Also turn pieces, by a quarter or a sixth. [default: as stated]", name="--turns/--no-turns"),
    ] = None,
    fewest_turns: Annotated[bool, Option("Find plans with the fewest turns, then the fewest moves.")] = False,
    clearance: Annotated[
        float, Option("Space at each side of a cell when pieces turn.", "CELLS", least=0, most=0.25)
    ] = DEFAULT_CLEARANCE,
    step: Annotated[
        Fraction, Option("Shortest move, in steps: 1 or 1/2.", "STEP", offered=("1", "1/2"), parse=step_of)
    ] = WHOLE_STEP,
    checkpoint: Annotated[Path | None, CHECKPOINT.saying("Keep results in DIR, and continue from there.")] = None,
    shard: Annotated[
        tuple[int, int] | None, SHARD.saying("Take every N-th assembly apart, starting with the K-th.")
    ] = None,
    cluster: Cluster = None,
    asked: Assembled,
    threads: Threads = 1,
    progress: ProgressKind = "bar",
) -> None:
    """Find how a puzzle comes apart.

    Prints the assemblies that come apart, best level first. A level such as 5.3.2 gives the number of moves to the
    first separation, then to each of the next ones. A move slides some pieces in one direction.

    Examples:
        puzzlec disassemble soma --best 1 --steps
        puzzlec disassemble burrs/six-boards-level-5 --all

    """
    which = asked.which
    if stored:
        with asked.bounded(grace=True):
            _check_stored(asked, asked.bounds)
        return
    groups = together or []
    check_symmetry(which)
    what: Solutions | Sequence[Solution]
    with asked.bounded():
        compiled = asked.encoding()
        encoding = encoding_with_roles(compiled, groups, (), immovable or ())
        if solution is None:
            what = Solutions(encoding, limits=Limits(seconds=asked.left), threads=threads, symmetry=which)
        else:
            from puzzlec.make.outputs import solutions_in

            what = solutions_in(encoding.fitting, solution).solutions
    tally = AssemblyTally(every, asked.bounds)
    flat = movable(encoding.fitting)
    groups = groups or [dict(group) for group in flat.movement.together]
    manner = Manner(threads, least_sum, turning=Turning(clearance, fewest_turns), step=step)
    flat = _with_moves(flat, turns, manner)
    if graph is not None:
        _check_moves_of_graph(flat, step)
    with ExitStack() as stack:
        kept = None
        if checkpoint is not None:
            from puzzlec.jobs.disassemblies import KeptDisassemblies  # its packages take time to import

            settings = {"together": groups, "least_sum": least_sum}
            kept = stack.enter_context(KeptDisassemblies(checkpoint, settings, shard, manner.turning_of(flat), step))
        if cluster is not None:
            pool_of(threads, None, cluster)
            from puzzlec.jobs.disassemblies_on_cluster import ClusterDisassembler

            on_cluster = stack.enter_context(ClusterDisassembler(cluster, flat, groups, manner))
            manner = manner._replace(cluster=on_cluster)
        try:
            with (
                shown(progress, partial(tally.progress, what), "assembly", more=tally.as_data),
                asked.bounded(grace=True),
            ):
                tally.take(taken_apart(flat, what, groups, tally.bounds, manner, kept))
            if isinstance(what, Solutions):
                report_all(what.reasons)
                tally.stopped = tally.stopped or (Stop.SECONDS if what.stopped else None)
        except OutOfTime:
            tally.stopped = Stop.SECONDS
        except KeyboardInterrupt:
            tally.stopped = Stop.SIGNAL
    if output is not None:
        best_ones = tally.ranked[:best]
        text = burrtools_text(flat, best_ones, tally.number)
        report_all(burrtools_warnings(flat, best_ones))
        write_file(output, lambda: text, force)
    listed, assemblies = [*tally.ranked, *tally.others][:best], Assemblies(steps, tally.bounds)
    for assembly in listed:
        out_json(assembly.as_dict()) if MODE.json else out("\n".join(assemblies.lines(assembly)))
    if graph is not None and (drawn := (*tally.ranked, tally.first)[0]) is not None:
        _write_graph(drawn, graph, asked.bounds)
    if MODE.json:
        apart = len(tally.apart)
        out_json({"assemblies": tally.number, "apart": apart, "best": tally.level, "stopped": tally.stopped})
    if best is None and len(listed) > MANY_ASSEMBLIES and not MODE.json:
        if flat.geometry.lattice.dimension < 3 and not flat.movement.walls:
            say("this puzzle is flat: its pieces slide within the plane, and none is lifted out")
        say("`--best 10` prints only the best ten assemblies")
    _conclude(tally)


def _check_moves_of_graph(puzzle: Puzzle, step: Fraction) -> None:
    """Raise BadParameter if pieces make moves that a graph of states does not have."""
    if puzzle.movement.turns_allowed:
        raise typer.BadParameter("it has slides only, and pieces turn. Also give `--no-turns`", param_hint="--graph")
    if step != WHOLE_STEP:
        raise typer.BadParameter("it has whole steps only. Leave out `--step 1/2`", param_hint="--graph")


def _with_moves(puzzle: Puzzle, turns: bool | None, manner: Manner) -> Puzzle:
    """Return the puzzle with or without turns; `--fewest-turns` means turns also."""
    try:
        return with_moves(puzzle, manner.turning.fewest or None if turns is None else turns, manner)
    except ValueError:
        option = "--fewest-turns" if manner.turning.fewest else "--clearance"
        raise typer.BadParameter("it needs `--turns`. Also give `--turns`", param_hint=option) from None


def _check_stored(puzzle: Named, bounds: Bounds) -> None:
    """Carry out the moves that a file of BurrTools stores, and compare its levels with the search."""
    from puzzlec.compiler import load
    from puzzlec.diagnostics.files import open_source
    from puzzlec.formats.burrtools.stored import stored_separations

    what = load(puzzle.puzzle, format="xmpuzzle", problem=puzzle.problem)
    assert isinstance(what, Puzzle)
    stored = stored_separations(open_source(puzzle.puzzle), puzzle.problem)
    for assembly, replayed in stored_levels(what.geometry.lattice, stored.separations):
        level = level_text(replayed.level)
        out_result({"assembly": assembly, "level": level}, f"assembly {assembly}: level {level}")
    number = len(stored.separations)
    comparisons = []
    for compared in compared_levels(what, stored.counted, bounds):
        if compared.taken.stopped is Stop.SECONDS:
            break
        comparisons.append(compared)
        by_search = compared.taken
        moves = by_search.moves if by_search.apart else None
        search = {"level": by_search.text, "moves": moves, "stopped": by_search.stopped}
        level = level_text(compared.level)
        out_result(
            {"assembly": compared.number, "level": level, "moves": compared.moves, "search": search},
            compared_line(compared),
        )
    if number or not stored.assemblies:
        say(f"carried out the stored moves of {counted_assemblies(number)}")
    if comparisons:
        differing = sum(not compared.agrees for compared in comparisons)
        differ = f"{differing or 'no'} level{'s differ' if differing > 1 else ' differs'}"
        say(f"compared the stored levels of {counted_assemblies(len(comparisons))} with the search: {differ}")
    if bare := stored.assemblies - number - len(stored.counted):
        say(f"no moves and no level are stored for {counted_assemblies(bare)}")
    if left := len(stored.counted) - len(comparisons):
        say(f"stopped at the limit (time): {counted_assemblies(left)} not compared")
        end(ExitStatus.LIMIT)
    if any(compared.contradicts for compared in comparisons):
        end(ExitStatus.FAULTY)
    end(status_after(False, number or comparisons))


def _write_graph(assembly: Taken, target: str, bounds: Bounds) -> None:
    """Write the graph of states of an assembly, and print how large it is."""
    from puzzlec.motion.graph import graph_of_states

    states = graph_of_states(assembly.disassembly.lattice, assembly.disassembly.bodies, bounds)
    text = states.as_json() if target.lower().endswith(".json") else states.as_graphml()
    write_file(target, lambda: text, help="choose another file name")
    size = f"{counted(len(states.places), 'state')}, {counted(len(states.moves), 'move')}"
    least = f"stopped at the limit ({states.stopped}): at least " if states.stopped else ""
    say(f"graph of assembly {assembly.number}: {least}{size}")


def _conclude(tally: AssemblyTally) -> None:
    """Print how many assemblies come apart; raise typer.Exit if the exit status is not 0."""
    apart = len(tally.apart)
    if tally.stopped:
        limit = "interrupted" if tally.stopped is Stop.SIGNAL else f"stopped at the limit ({tally.stopped})"
        number, moves = tally.searched
        more = f"; assembly {number} was searched for {counted(moves, 'move')}" if number else ""
        come = f"{apart} of {counted_assemblies(tally.number)} came apart so far" if tally.number else "none is done"
        say(f"{limit}: {come}{more}")
        end(ExitStatus.INTERRUPTED if tally.stopped is Stop.SIGNAL else ExitStatus.LIMIT)
    if tally.number:
        say(come_apart(apart, tally.number) + (f", best level {tally.level}" if tally.level else ""))
    else:
        say("no assembly: the puzzle has no solution")
    end(status_after(False, apart))
