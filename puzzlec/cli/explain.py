"""``puzzlec explain``: how puzzlec understands a puzzle, one stage of it, or the meaning of a code."""

from __future__ import annotations

import os
import re
import sys
import textwrap
from typing import Annotated, Any, cast

import typer

from puzzlec import pipeline, resources
from puzzlec.cli.arguments import Ascii, Named, Reading
from puzzlec.cli.candidates import Words, puzzles_and_files
from puzzlec.cli.options import Argument, Option
from puzzlec.cli.terminal import (
    MODE,
    end,
    out,
    out_json,
    out_result,
    report_all,
    status_of,
    style,
    styled,
    width_of_prose,
)
from puzzlec.diagnostics import CODES, PuzzleError, Report
from puzzlec.diagnostics.error import fail
from puzzlec.engine.problem import ExactCover
from puzzlec.formats import catalogue
from puzzlec.formats.reading import AnyPuzzle
from puzzlec.ir import Fitting
from puzzlec.show.data import fitting_data
from puzzlec.show.explain import explanation_data, understood
from puzzlec.show.explain import told as told_text
from puzzlec.show.terminal.catalogue import entry_data, entry_lines
from puzzlec.show.terminal.overview import overview
from puzzlec.show.terminal.style import Style

#: Wider than any line: lines for other programs are not broken.
UNBROKEN = 10**6


def _puzzles_and_codes(incomplete: str) -> Words:
    """Return puzzles, and the codes of diagnostics if the beginning of one is typed."""
    is_code = incomplete and "PZ".startswith(incomplete[:2].upper())
    return [*((code, about.title) for code, about in CODES.items() if is_code), *puzzles_and_files(incomplete)]


def explain(
    puzzle: Annotated[
        str | None,
        Argument("File, `-`, name in the catalogue, or code such as PZ301.", "PUZZLE|CODE", offered=_puzzles_and_codes),
    ] = None,
    stage: Annotated[
        str | None,
        Option(f"Print this stage only: {', '.join(pipeline.EMITTED_STAGES)}.", "STAGE", words=pipeline.EMITTED_STAGES),
    ] = None,
    orientations: Annotated[bool, Option("Draw every orientation of every piece.")] = False,
    ascii: Ascii = False,
    reading: Reading = Reading(),
) -> None:
    """Describe a puzzle, or an error by its code.

    Draws the board and the pieces, and shows how puzzlec understands the puzzle, stage by stage, without solving it. A
    puzzle of the catalogue also has its counts, source, notes and tags. Without an argument, lists all codes.

    Examples:
        puzzlec explain soma
        puzzlec explain PZ301

    """
    if puzzle is not None and f"PZ{puzzle}" in CODES and not os.path.exists(puzzle):  # noqa: PTH110
        puzzle = f"PZ{puzzle}"
    if puzzle is None or is_code(puzzle):
        if stage is not None:
            raise typer.BadParameter("name a puzzle", param_hint="PUZZLE|CODE")
        _list_codes() if puzzle is None else _print_code(puzzle)
        return
    report, named = Report(), reading.of(puzzle)
    if stage is not None:
        text = pipeline.emit(
            puzzle,
            cast("pipeline.EmittedStage", stage),
            report=report,
            format=reading.source,
            board=reading.board,
            parameters=reading.given,
            problem=reading.problem,
        )
        out_json({"stage": stage, "text": text}) if MODE.json else sys.stdout.write(text)
    else:
        _describe(named, report, orientations, style(ascii))
    sys.stdout.flush()  # warnings come last in a pipe also
    if stage is not None or not report.errors:
        report_all(report.diagnostics)
    end(status_of(report.diagnostics))


def _describe(named: Named, report: Report, orientations: bool, look: Style) -> None:
    """Print the drawings of a puzzle, how it is understood, and its entry in the catalogue."""
    what = named.load(report, pieces_alone=True)
    # Another value of a parameter makes another puzzle, with other counts.
    entry = None if named.given or named.board or named.problem else catalogue.entry_of(named.puzzle)
    in_catalogue = {"catalogue": entry_data(entry) if entry else None}
    fitting = _drawable(what)
    if fitting is not None and not fitting.locations:
        out_json({**fitting_data(fitting), **in_catalogue}) if MODE.json else out(overview(fitting, look, orientations))
        return
    known = understood(what, report=report)
    text = told_text(known, UNBROKEN if MODE.json else width_of_prose())
    if report.errors:  # the reason why there is no solution comes before the rest
        report_all(report.diagnostics)
    if MODE.json:
        out_json({**explanation_data(known), **in_catalogue, "sections": sections(text)})
        return
    if isinstance(what, ExactCover):
        from puzzlec.show.explain.covers import show_cover

        out(show_cover(what) + "\n")
    if fitting is not None:
        out(overview(fitting, look, orientations) + "\n")
    out(re.sub(r"(?m)^\S.*$", lambda title: styled(title[0]), text))
    if entry is not None:
        out("\n" + "\n".join(entry_lines(entry, width_of_prose())))


def _drawable(what: AnyPuzzle) -> Fitting | None:
    """Return the puzzle to draw, None for an exact cover, and for a puzzle whose placements cannot be listed."""
    if isinstance(what, ExactCover):
        return None
    try:
        return pipeline.compile(what, stage="fitting")
    except PuzzleError:
        return None  # the explanation has the errors


def _print_code(name: str) -> None:
    """Print the page of a code."""
    page = error_page(name)
    if MODE.json:
        code = name.upper()
        out_json({"code": code, **CODES[code]._asdict(), "severity": CODES[code].severity.value, "page": page})
    else:
        out(rendered(page, width_of_prose(), style().colour))


def _list_codes() -> None:
    """Print the meaning of each code."""
    for code, known in CODES.items():
        data = {"code": code, **known._asdict(), "severity": known.severity.value}
        out_result(data, f"{code}  {known.severity.value:<7}  {known.title}")


def sections(told: str) -> list[dict[str, Any]]:
    r"""Return the stages of an explanation: the title of each, and its lines.

    >>> sections("pieces\n  I\n  L\n\nforced\n  nothing")
    [{'title': 'pieces', 'lines': ['I', 'L']}, {'title': 'forced', 'lines': ['nothing']}]
    """
    blocks = [block.split("\n") for block in told.split("\n\n")]
    return [{"title": title, "lines": [line.removeprefix("  ") for line in lines]} for title, *lines in blocks]


def is_code(name: str) -> bool:
    """Return whether a name has the form of a code, in upper or lower case.

    >>> is_code("PZ301"), is_code("pz999"), is_code("PZ301.puzzle")
    (True, True, False)
    """
    return re.fullmatch(r"PZ[0-9]+", name, re.IGNORECASE | re.ASCII) is not None


def error_page(code: str) -> str:
    """Return the page of a code, in Markdown; raise PuzzleError if there is no such code."""
    name = code.upper()
    if name not in CODES:
        raise fail(
            "PZ006",
            f"unknown code `{name}`",
            help=(*_alike(name), "`puzzlec explain` lists them all"),
        )
    page = (resources.folder("errors") / f"{name}.md").read_text(encoding="utf-8")
    return re.sub(r"(?m)^<!--.*-->\n", "", page)  # comments are for the tests of the page


def rendered(page: str, width: int, bold: bool = False) -> str:
    r"""Return a page as plain text for a terminal: wrapped prose, indented code, bold headings, no links.

    >>> print(rendered("# PZ1: wrong\n\nSee [the\nlist](a.md).\n\n## Fix\n\n```puzzle\n# [a](b)\n```\n", 80))
    PZ1: wrong
    <BLANKLINE>
    See the list.
    <BLANKLINE>
    Fix
    <BLANKLINE>
      # [a](b)
    """
    blocks: list[str] = []
    for at, part in enumerate(re.split(r"^```\w*\n(.*?)^```\n", page, flags=re.DOTALL | re.MULTILINE)):
        if at % 2:
            blocks.append(textwrap.indent(part.rstrip("\n"), "  "))
            continue
        prose = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", part)
        for paragraph in filter(None, (text.strip() for text in re.split(r"\n\n|\n(?=- )", prose))):
            heading = paragraph.lstrip("#").lstrip()
            if heading != paragraph:
                blocks.append(f"\033[1m{heading}\033[0m" if bold else heading)
                continue
            item = "  " * paragraph.startswith("- ")
            words = re.sub(r"`[^`]+`", lambda code: code[0].replace(" ", "\0"), " ".join(paragraph.split()))
            filled = textwrap.fill(words, width, subsequent_indent=item, break_on_hyphens=False)
            blocks.append(filled.replace("\0", " "))
    return "\n\n".join(blocks).replace("\n\n- ", "\n- ")


def _alike(name: str) -> tuple[str, ...]:
    """Return the suggestion for an unknown code: the codes with the longest common beginning.

    >>> _alike("PZ3010"), _alike("PZ9")
    (('did you mean `PZ301`?',), ())
    """
    for length in range(len(name), len("PZ"), -1):
        codes = [code for code in CODES if code.startswith(name[:length])]
        if len(codes) == 1:
            return (f"did you mean `{codes[0]}`?",)
        if codes:
            words = ", ".join(codes) if len(codes) <= 10 else f"{codes[0]} to {codes[-1]}"
            return (f"codes with `{name[:length]}` are {words}",)
    return ()
