"""Pictures, pages and models of puzzles and of their solutions, each in one call.

Each call imports only the modules that it needs: a picture needs no meshes, a mesh no page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, Unpack, cast, overload

from puzzlec.compiler import PuzzleOrName, compile
from puzzlec.diagnostics import PuzzleError, counted
from puzzlec.diagnostics.error import fail
from puzzlec.engine import Limits, Stop
from puzzlec.engine.limits import limits_of
from puzzlec.engine.problem import ExactCover
from puzzlec.ir import Fitting, Puzzle, Solution
from puzzlec.lower import Encoding
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.make.table import GAMES, OUTLINES, PAGES, PICTURES, WORKSHEETS, output
from puzzlec.solving.solutions import Solutions
from puzzlec.solving.subject import MAX_COMPARED_ASSEMBLIES, Subject

if TYPE_CHECKING:
    from puzzlec.make.choices import Cutting, Plate, Sizes
    from puzzlec.show.svg.choices import Choices
    from puzzlec.show.svg.chosen import Chosen

#: A puzzle at any stage or its name, one solution or several.
Drawable: TypeAlias = PuzzleOrName | Solution | Solutions | Iterable[Solution] | Subject

#: The types of a puzzle, whose solutions are searched for.
PUZZLES = (str, Path, Puzzle, Fitting, Encoding, ExactCover)

_Made = TypeVar("_Made")

#: The default time limit of searches for pictures, in seconds.
SEARCH_SECONDS = 10.0

#: The default number of solutions on a page, and in a game.
PAGE_SOLUTIONS = 1000
GAME_SOLUTIONS = 100_000


def subject(
    what: Drawable,
    limit: int | None = 1,
    seconds: float | None = SEARCH_SECONDS,
    symmetry: SymmetryKind = "all",
    comes_apart: bool | None = None,
    at_most: int | None = MAX_COMPARED_ASSEMBLIES,
    moving: bool = False,
) -> Subject:
    """Return a puzzle with at most ``limit`` solutions (None: all), found in at most ``seconds``.

    ``symmetry`` sets which solutions count as the same, as for :func:`puzzlec.solving.solutions.solve`. Given solutions
    are not searched for, and with a limit of 0 there is no search.

    With ``comes_apart``, only solutions that come apart are returned, and the one with the best level is shown first.
    None: all are returned, and the best one is shown first if :func:`puzzlec.disassembling.has_best_assembly` says so.
    Once one comes apart, ``at_most`` solutions are compared. ``moving``: for an animation, which shows only solutions
    that come apart.

    Raises:
        PuzzleError: If the puzzle cannot be read or compiled, or if no solution comes apart (PZ716).
        ValueError: If a list of solutions is empty, or if ``comes_apart`` is set for given solutions.

    """
    if comes_apart and not isinstance(what, PUZZLES):
        raise ValueError("comes_apart chooses among the solutions of a puzzle, and these solutions are given")
    if isinstance(what, Subject):
        return what
    if isinstance(what, Solution):
        return Subject(what.fitting, (what,))
    if isinstance(what, Solutions):
        return _searched(what, limit)
    if not isinstance(what, PUZZLES):
        return _given(what, limit)
    if limit == 0:
        return Subject(_fitting(what))
    encoding = what if isinstance(what, Encoding) else compile(what)
    if limit == 1 and comes_apart is None and (stored := _stored(encoding.fitting)) is not None:
        words = f"assembly {stored[0]} of the file is shown: its moves are stored"
        return Subject(encoding.fitting, (stored[1],), choice=words, loose=(0,))
    has_best = comes_apart is None and _is_taken_apart(encoding.fitting.puzzle)
    if comes_apart or has_best:
        only = bool(comes_apart) or moving
        best = _best_first(encoding, limit, seconds, symmetry, only, at_most)
        if best is not None:
            return best
    # The search looks for one more than is shown, to know whether these are all, unless one is enough.
    most = limit + 1 if limit is not None and limit > 1 else limit
    return _searched(Solutions(encoding, limits=Limits(most, seconds), symmetry=symmetry), limit)


def _within(limits: Limits | None, limit: int | None, seconds: float | None) -> tuple[int | None, float | None]:
    """Return the limits of solutions and seconds of a call: those of ``limits``, if it is given."""
    if limits is None:
        limits = Limits(limit, seconds)
    limits = limits_of(limits, only=("solutions", "seconds"))
    return limits.solutions, limits.seconds


def _is_taken_apart(puzzle: Puzzle | None) -> bool:
    """Return :func:`puzzlec.disassembling.has_best_assembly`, whose module most flat puzzles need not import."""
    if puzzle is None or puzzle.lattice is None:
        return False
    if puzzle.lattice.dimension < 3 and not puzzle.movement.walls and not puzzle.movement.immovable:
        return False
    from puzzlec.disassembling import has_best_assembly

    return has_best_assembly(puzzle)


def _stored(fitting: Fitting) -> tuple[int, Solution] | None:
    """Return the assembly whose moves the file of a puzzle stores."""
    puzzle = fitting.puzzle
    if puzzle is None or puzzle.span is None or "<separation" not in puzzle.span.source.text:
        return None
    from puzzlec.disassembling import stored_solution

    return stored_solution(fitting)


def _best_first(
    encoding: Encoding,
    limit: int | None,
    seconds: float | None,
    symmetry: SymmetryKind,
    only: bool,
    at_most: int | None,
) -> Subject | None:
    """Return solutions with the best one to show first, or only those that come apart.

    With ``only``, all of them come apart. Returns None if the solutions cannot be compared, or if there is none at
    all: the caller searches as usual.
    """
    from puzzlec.disassembling import compared

    try:
        comparison = compared(encoding, limit, seconds, symmetry, only, at_most)
    except PuzzleError:
        if only:
            raise
        return None
    if comparison.best is None and only and (comparison.number or not comparison.complete):
        raise nothing_apart(encoding.fitting.puzzle, str(comparison), comparison.complete, seconds)
    if not comparison.number and comparison.complete:
        return None
    if not comparison.first:
        return Subject(encoding.fitting, remark=f"none found in {round(seconds or 0.0, 1):g} s, there may be more")
    solutions, start = list(comparison.first), 0
    if comparison.best is not None and comparison.best.solution not in solutions:
        solutions[-1:] = [comparison.best.solution]  # it is the last one that fits
    loose = comparison.loose
    if comparison.best is not None:
        start = solutions.index(comparison.best.solution)
        loose = tuple(sorted({*loose, start}))
    number = comparison.apart if only else comparison.number
    choice = str(comparison)
    if choice and not comparison.complete:
        choice += f"; {_longer(seconds)}"
    all_of_them = comparison.complete and limit != 1 and number == len(solutions)
    short = limit is None or len(solutions) < limit
    remark = f"the first {len(solutions)}; there may be more" if short and not comparison.complete else ""
    total = number if all_of_them else None
    return Subject(encoding.fitting, tuple(solutions), remark, total, (), start, choice, loose, comparison.open)


def _chosen(subject: Subject) -> list[str]:
    return [subject.choice] if subject.choice else []


def nothing_apart(puzzle: Puzzle | None, message: str, complete: bool, seconds: float | None) -> PuzzleError:
    """Return the error for solutions of which none comes apart (PZ716)."""
    help = "`puzzlec draw --steps` shows the pieces that interlock" if complete else _longer(seconds)
    return fail("PZ716", message, puzzle.span if puzzle else None, help=help)


def _longer(seconds: float | None) -> str:
    return f"`--time-limit {max(60, ceil(6 * (seconds or 0)))}` searches longer"


def first_apart(
    subject_of: Callable[[bool | None, int | None], Subject], made: Callable[[Subject], _Made], comes_apart: bool | None
) -> _Made:
    """Return an animation of the solution to show; if that does not come apart, of the first solution that does.

    Args:
        subject_of: Returns solutions, for the arguments ``comes_apart`` and ``at_most`` of :func:`subject`.
        made: Returns the animation of a subject. Raises PZ716 if it does not come apart.
        comes_apart: As for :func:`subject`. Unless it is None, there is no second attempt.

    """
    subject = subject_of(comes_apart, MAX_COMPARED_ASSEMBLIES)
    try:
        return made(subject)
    except PuzzleError as error:
        if comes_apart is not None or error.diagnostics[0].code != "PZ716" or _is_taken_apart(subject.puzzle):
            raise
        first = error
    try:
        return made(subject_of(True, 1))
    except PuzzleError as error:
        raise error if error.diagnostics[0].code == "PZ716" else first from None


def solutions_in(what: PuzzleOrName, name: str, notation: str | None = None, limit: int | None = None) -> Subject:
    """Return a puzzle with the solutions in a file (``-``: standard input), in any known notation.

    Raises:
        PuzzleError: If the puzzle or the file cannot be read, or if a solution is wrong.

    """
    from puzzlec.solving.judging import check_solutions

    fitting = _fitting(what)
    solutions: list[Solution] = []
    for number, verdict in enumerate(check_solutions(fitting, name, format=notation), 1):
        if limit is not None and number > limit:
            return Subject(fitting, tuple(solutions), f"the first {limit}; there are more")
        if verdict.claim.faults:
            raise PuzzleError(list(verdict.claim.faults))
        if verdict.solution is None:
            help = "`puzzlec check PUZZLE FILE --save-valid OUT` keeps the valid ones"
            raise fail("PZ608", f"invalid solution: {verdict.reason}", verdict.claim.span, help=help)
        solutions.append(verdict.solution)
    return Subject(fitting, tuple(solutions), number=len(solutions))


def _fitting(what: PuzzleOrName) -> Fitting:
    if isinstance(what, Encoding):
        return what.fitting
    return compile(what, stage="fitting")


def _given(what: Iterable[Solution], limit: int | None) -> Subject:
    """Return given solutions of one puzzle."""
    if not isinstance(what, Iterable):
        raise TypeError(f"expected a puzzle or a solution, found {what!r}")
    solutions: list[Solution] = []
    for solution in what:
        if not isinstance(solution, Solution):
            raise TypeError(f"expected a solution, found {solution!r}")
        if solutions and solution.fitting is not solutions[0].fitting:
            raise ValueError("the solutions are not all of one puzzle")
        if limit is not None and len(solutions) >= limit:
            return Subject(solutions[0].fitting, tuple(solutions), f"the first {limit}; there are more")
        solutions.append(solution)
    if not solutions:
        raise ValueError("the list of solutions is empty")
    return Subject(solutions[0].fitting, tuple(solutions), number=len(solutions))


def _searched(solutions: Solutions, limit: int | None) -> Subject:
    """Return the solutions of a search with a remark; of several, one more is looked for."""
    head: list[Solution] = []
    more = False
    for solution in solutions:
        more = limit is not None and len(head) == limit
        if more:
            break
        head.append(solution)
        if limit == 1:
            break
    number = len(head) if solutions.stopped is None and not more and limit != 1 else None
    remark = _remark(solutions, len(head), more, limit)
    return Subject(solutions.fitting, tuple(head), remark, number, solutions.reasons)


def _remark(solutions: Solutions, number: int, more: bool, limit: int | None) -> str:
    """Return why there are no solutions, or fewer than ``limit``."""
    if more:
        return ""  # the total number is unknown
    if solutions.stopped in (Stop.SECONDS, Stop.NODES) and number != limit:
        amount = solutions.counted(number) if number else "none"
        seconds = round(solutions.limits.seconds or 0.0, 1)
        within = f"{seconds:g} s" if solutions.stopped is Stop.SECONDS else f"{solutions.nodes} nodes"
        return f"{amount} found in {within}, there may be more"
    if not number:
        return "no solution" + "".join([f": {reason.message}" for reason in solutions.reasons[:1]])
    return f"the first {number}; there may be more" if limit != 1 and solutions.stopped is not None else ""


@overload
def draw(
    what: Drawable,
    *,
    format: Literal["svg"] = "svg",
    choices: Choices | None = None,
    limits: Limits | None = None,
    limit: int | None = 1,
    seconds: float | None = SEARCH_SECONDS,
    symmetry: SymmetryKind = "all",
    remarks: list[str] | None = None,
    **chosen: Unpack[Chosen],
) -> str: ...


@overload
def draw(
    what: Drawable,
    *,
    format: Literal["png", "pdf", "webp", "gif"],
    choices: Choices | None = None,
    limits: Limits | None = None,
    limit: int | None = 1,
    seconds: float | None = SEARCH_SECONDS,
    symmetry: SymmetryKind = "all",
    remarks: list[str] | None = None,
    **chosen: Unpack[Chosen],
) -> bytes: ...


@overload
def draw(
    what: Drawable,
    *,
    format: str,
    choices: Choices | None = None,
    limits: Limits | None = None,
    limit: int | None = 1,
    seconds: float | None = SEARCH_SECONDS,
    symmetry: SymmetryKind = "all",
    remarks: list[str] | None = None,
    **chosen: Unpack[Chosen],
) -> str | bytes: ...


def draw(
    what: Drawable,
    *,
    format: str = "svg",
    choices: Choices | None = None,
    limits: Limits | None = None,
    limit: int | None = 1,
    seconds: float | None = SEARCH_SECONDS,
    symmetry: SymmetryKind = "all",
    remarks: list[str] | None = None,
    **chosen: Unpack[Chosen],
) -> str | bytes:
    r"""Return a picture of a puzzle and of its solutions, as SVG, PNG or PDF, or of how it comes apart, as WebP or GIF.

    Keywords are the fields of :class:`puzzlec.Choices`, such as ``steps=True, labels="none"``; they overrule
    ``choices``. The keyword ``comes_apart`` draws only solutions that come apart; a single picture shows the best of
    them. Without it, this is so for a single picture of a burr, or of a puzzle with walls or immovable pieces. With
    ``comes_apart=False``, the first solutions are drawn. ``scale`` is the number of pixels of a PNG for each px of
    the picture. The default is two, or one for large pictures; on paper, a PNG has 300 pixels an inch.

    ``show="worksheet"`` makes a PDF with the board, pieces to cut out and the solutions, or with ``format="html"`` a
    page that a browser prints in the same way.
    WebP, GIF, and SVG with ``animate=True``, show the moves of one solution in an endless loop: the best one, as in
    :func:`subject`, otherwise the first one that comes apart.

    ``remarks`` is a list to which sentences are added. They name each keyword that has no effect on this puzzle, the
    common scale of a board and its pieces on paper, and the solution that was chosen. ``limit``, ``seconds`` and
    ``symmetry`` are as in :func:`subject`, except that all given solutions are drawn. The same input gives the same
    bytes.

    Raises:
        PuzzleError: If the puzzle cannot be drawn in this way (PZ504), a package for the format is missing (PZ505), or
            no solution comes apart (PZ716).
        ValueError: If a format, paper or word is unknown.
        TypeError: If a keyword is unknown.

    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> puzzlec.draw(puzzle, labels="none").startswith("<svg")
    True
    >>> puzzlec.draw(puzzle, format="pdf")[:4]
    b'%PDF'

    """
    from puzzlec.show.svg.choices import WORKSHEET, Choices
    from puzzlec.show.svg.picture import MOST_SOLUTIONS, ignored, pages, picture

    limit, seconds = _within(limits, limit, seconds)
    comes_apart = chosen.pop("comes_apart", None)
    scale = chosen.pop("scale", None)
    choices = replace(choices or Choices(), **cast("dict[str, Any]", chosen))
    made = output(WORKSHEETS if choices.show == WORKSHEET else PICTURES, format)
    is_puzzle = isinstance(what, PUZZLES)
    if choices.show in ("board", "pieces"):
        limit = 0 if is_puzzle else 1
    elif not is_puzzle and not isinstance(what, Solutions):
        limit = MOST_SOLUTIONS + 1  # too many are refused
    remarks = [] if remarks is None else remarks
    if made.moving or choices.animate:
        if not made.moving and made.format != "svg":
            raise ValueError(f"{made.format} has no animation: its format is 'svg', 'webp' or 'gif'")
        from puzzlec.show.svg.moving import Movie, movie

        def animated(subject: Subject) -> Movie:
            notes = [*_chosen(subject), *ignored(subject, choices)]
            film = movie(subject, choices, notes)
            remarks.extend(notes)
            return film

        reel = first_apart(
            lambda apart, at_most: subject(what, limit, seconds, symmetry, apart, at_most, True),
            animated,
            comes_apart if is_puzzle or comes_apart else False,
        )
        animation: str | bytes = made.write(reel, choices.background, scale)
        return animation
    if comes_apart is None and limit != 1:
        comes_apart = False  # several solutions are the first ones
    selection = subject(what, limit, seconds, symmetry, comes_apart)
    remarks += [*_chosen(selection), *ignored(selection, choices)]
    if choices.show == WORKSHEET:
        from puzzlec.show.svg.worksheet import Worksheet

        sheet = Worksheet(selection, choices)
        content: str | bytes = made.write(sheet)
        remarks += sheet.remarks
        return content
    pictures = pages(selection, choices) if made.paged else [picture(selection, choices)]
    remarks += pictures[0].remarks
    drawn: str | bytes = made.write(pictures if made.paged else pictures[0], choices.background, scale)
    return drawn


def view(
    what: Drawable,
    *,
    limits: Limits | None = None,
    limit: int | None = PAGE_SOLUTIONS,
    seconds: float | None = SEARCH_SECONDS,
    symmetry: SymmetryKind = "all",
    remarks: list[str] | None = None,
    palette: str = "standard",
    comes_apart: bool | None = None,
) -> str:
    r"""Return a page that shows a puzzle and its solutions in a browser, to rotate and to take apart.

    The page is one HTML document without links, smaller than 6 MB. ``limit``, ``seconds`` and ``symmetry`` are as in
    :func:`subject`. If the solutions do not fit, the page has the first ones. It says so, and so do ``remarks``. The
    same input gives the same bytes. ``palette`` has the colours of pieces: "standard", "wood" or "quiet".

    ``comes_apart`` is as in :func:`subject`: the page opens at the best solution.

    Raises:
        PuzzleError: If the puzzle is too large (PZ507).
        ValueError: If the palette is unknown.

    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> page = puzzlec.view(puzzle)
    >>> page.startswith("<!DOCTYPE html>"), "<script" in page
    (True, True)

    """
    from puzzlec.show.page.writing import MOST_LOCATIONS_IN_A_PICTURE
    from puzzlec.show.svg.choices import Choices
    from puzzlec.show.svg.picture import picture

    limit, seconds = _within(limits, limit, seconds)
    choices = Choices(palette=palette)
    selection = subject(what, limit, seconds, symmetry, comes_apart)
    if remarks is not None:
        remarks += _chosen(selection)
    if (
        not selection.remark
        and selection.number is None
        and limit is not None
        and 1 < limit == len(selection.solutions)
    ):
        selection = replace(selection, remark=f"the first {limit}; there are more")
    plain = ""
    if selection.fitting.locations <= MOST_LOCATIONS_IN_A_PICTURE:
        with suppress(PuzzleError):  # for readers without JavaScript; if there is no picture, the page has words
            plain = picture(
                replace(selection, solutions=(selection.shown,) if selection.shown else (), start=0), choices
            ).svg()
    text: str = output(PAGES, "html").write(selection, limit, plain, remarks, palette)
    return text


def play(
    what: PuzzleOrName | Subject,
    *,
    limits: Limits | None = None,
    limit: int | None = GAME_SOLUTIONS,
    seconds: float | None = SEARCH_SECONDS,
    remarks: list[str] | None = None,
    palette: str = "standard",
    comes_apart: bool | None = None,
) -> str:
    """Return a page to play a puzzle on: drag the pieces onto the board, with hints from the stored solutions.

    The page is one HTML document without links. It holds at most 300 kB of solutions. If these are not all, the page
    says so when it has no hint, and ``remarks`` get a sentence. ``limit`` and ``seconds`` are as in :func:`subject`. A
    given :class:`puzzlec.Subject` must have distinct solutions under `all`. The same input gives the same bytes.

    ``palette`` has the colours of pieces. With ``comes_apart``, hints lead only to solutions that come apart. None: so
    they do if :func:`puzzlec.disassembling.has_best_assembly` says so, and if a solution comes apart.

    Raises:
        PuzzleError: If the pieces cannot be dragged onto a board (PZ504), or the puzzle is too large (PZ507).
        ValueError: If the palette is unknown.

    >>> "Soma cube" in play("soma", limit=10)
    True

    """
    from puzzlec.show.palette import PALETTES

    if palette not in PALETTES:
        raise ValueError(f"unknown palette {palette!r}: expected one of {', '.join(PALETTES)}")
    limit, seconds = _within(limits, limit, seconds)
    selection = subject(what, limit, seconds, "all", comes_apart, None)
    if remarks is not None and selection.choice:
        some = (
            f"{counted(len(selection.loose), 'solution')} that {'comes' if len(selection.loose) == 1 else 'come'} apart"
        )
        remarks.append(f"hints lead only to {some}" if selection.loose else selection.choice)
    text: str = output(GAMES, "html").write(selection, remarks, palette)
    return text


def model(
    what: Drawable,
    *,
    format: str = "stl",
    sizes: Sizes | None = None,
    layout: str = "plate",
    plate: Plate | None = None,
    remarks: list[str] | None = None,
    tray: bool = False,
    comes_apart: bool | None = None,
) -> bytes:
    """Return the pieces as closed meshes in one file of a format, such as stl, 3mf or glb.

    They lie in rows as they are printed (layout "plate"), or as in a solution ("solution"). This is the first one, or
    as in :func:`draw` the best one; ``comes_apart`` is also as there. With ``tray`` there is a tray beside them, or
    around them. ``remarks`` get notes about them.

    Raises:
        PuzzleError: If the puzzle has no form in space (PZ504), a package is missing (PZ505), or the sizes leave
            nothing or need more than one ``plate`` (PZ506).
        ValueError: If the format or layout is unknown, or if ``comes_apart`` is set for rows of pieces.

    >>> import puzzlec
    >>> remarks: list[str] = []
    >>> mesh = puzzlec.model("soma", remarks=remarks)
    >>> len(mesh), remarks
    (27984, ['7 pieces, 127.4 x 127.4 x 39.8 mm, 211 cm3 of material'])

    """
    from puzzlec.make.model_files import files

    meshes = files(_laid_out(what, layout, comes_apart, remarks), format, sizes, layout, plate, False, remarks, tray)
    if plate is not None and len(meshes) > 1:
        raise fail(
            "PZ506",
            f"the pieces need {len(meshes)} plates of {plate.width:g} x {plate.depth:g} mm",
            help="choose a smaller cell or a larger plate",
        )
    return meshes[0].data


def _laid_out(what: Drawable, layout: str, comes_apart: bool | None, remarks: list[str] | None) -> Subject:
    """Return the subject of a model: with one solution if the layout shows it, otherwise without a search."""
    if comes_apart and layout != "solution":
        raise ValueError("comes_apart chooses a solution to show: set the layout 'solution'")
    selection = subject(what, 1 if layout == "solution" else 0, comes_apart=comes_apart)
    if remarks is not None:
        remarks += _chosen(selection)
    return selection


def models(
    what: Drawable,
    *,
    format: str = "stl",
    sizes: Sizes | None = None,
    layout: str = "plate",
    plate: Plate | None = None,
    separate: bool = False,
    remarks: list[str] | None = None,
    tray: bool = False,
) -> dict[str, bytes]:
    """Return the files of :func:`model` by their marks: the number of the plate, if there are several.

    With ``separate`` there is a file for each piece, by its name: one copy, as it is printed. A tray has the mark
    ``tray`` and a separate plate. Raises PuzzleError as :func:`model` does, ValueError for an unknown format or layout.
    """
    from puzzlec.make.model_files import files

    made = files(_laid_out(what, layout, None, remarks), format, sizes, layout, plate, separate, remarks, tray)
    return {file.name: file.data for file in made}


def cut(
    what: Drawable,
    *,
    format: str = "svg",
    cutting: Cutting | None = None,
    remarks: list[str] | None = None,
    comes_apart: bool | None = None,
) -> str:
    r"""Return the outlines of flat pieces for a laser as SVG or DXF, with lengths in mm.

    All pieces lie on sheets, or as in the solution that :func:`draw` shows: ``cutting`` chooses. ``comes_apart`` is
    also as in :func:`draw`. ``remarks`` get notes about them. The same input gives the same bytes.

    Raises:
        PuzzleError: If pieces are not flat (PZ504), a package is missing (PZ505), or sizes do not fit (PZ506).
        ValueError: If the format is unknown, or if ``comes_apart`` is set for pieces on sheets.

    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> remarks: list[str] = []
    >>> outlines = puzzlec.cut(puzzle, remarks=remarks)
    >>> outlines.startswith("<svg"), remarks
    (True, ['3 pieces, 3 cuts, 1 sheet of 134 x 30 mm'])

    """
    from puzzlec.make.choices import Cutting
    from puzzlec.make.laser.plan import described, planned

    write = output(OUTLINES, format).write
    cutting = cutting or Cutting()
    plan = planned(_laid_out(what, cutting.layout, comes_apart, remarks), cutting)
    if remarks is not None:
        remarks.append(described(plan))
    text: str = write(plan)
    return text
