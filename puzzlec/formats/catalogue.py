"""The catalogue: the puzzles that come with puzzlec, with their counts and sources."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from puzzlec import resources
from puzzlec.diagnostics import CODES, PuzzleError, Report, counted, near, suggestion
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.files import source_of
from puzzlec.diagnostics.suggest import listed
from puzzlec.formats.registry import FORMATS
from puzzlec.shown import brief

#: The headings of families whose folder has another name.
HEADINGS = {
    "boxes": "Boxes to fill through a hole",
    "calendar": "Calendars",
    "cover": "Exact covers",
    "designs": "Block designs",
    "dpf": "Texts in DPF",
    "faults": "Rectangles without faults",
    "hypercubes": "Four dimensions",
    "interlocking": "Interlocking cubes",
    "iq": "Kanoodle and IQ",
    "langford": "Langford pairs",
    "latin": "Latin squares and sudoku",
    "lattices": "Custom lattices",
    "line": "On a line",
    "morse": "Morse code",
    "new": "Texts to start from",
    "rhombic": "Rhombic solids",
    "sticks": "Cutting sticks",
    "tatami": "Mats that meet in threes",
    "tetoct": "Tetrahedra and octahedra",
    "tiles": "Edges that match",
    "tori": "Boards that wrap around",
    "turns": "Pieces that turn",
}


class Entry(NamedTuple):
    """A puzzle of the catalogue: its file in the catalogue's folder, and the counts that are published or recounted.

    The counts are numbers of solutions: ``distinct`` up to all symmetries, ``rotations`` up to rotations, ``parts``
    with each part of the board separate, ``raw`` without symmetry. ``options`` is the size of the exact cover (None:
    not stated). For puzzles to take apart, ``apart`` is the number of distinct assemblies that come apart,
    and ``level`` the best level. ``turns`` is the number of turns of the assembly with this level. ``slow`` puzzles
    take more than a few seconds to count. ``seconds`` is the time of all
    stated counts together. ``effort`` is the number of nodes of a plain search for each raw solution.
    ``grade`` is how hard the puzzle is for a person, such as `12.4` or `>=16.5`.

    >>> import puzzlec
    >>> entry = next(entry for entry in puzzlec.entries() if entry.name == "soma/castle")
    >>> entry.title, entry.heading, entry.distinct
    ('Soma castle', 'Soma', 5)
    """

    def __repr__(self) -> str:
        return brief(self)

    @property
    def path(self) -> Path:
        """The file, made when it is needed: for all puzzles it takes as long as reading them."""
        return resources.folder("puzzles") / self.file

    @property
    def heading(self) -> str:
        """The heading of its family."""
        folder = self.name.split("/")[0]
        return HEADINGS.get(folder) or folder.replace("-", " ").capitalize()

    name: str
    file: str
    title: str
    source: str
    distinct: int | None = None
    raw: int | None = None
    rotations: int | None = None
    parts: int | None = None
    options: int | None = None
    apart: int | None = None
    level: str | None = None
    turns: int | None = None
    slow: bool = False
    seconds: float | None = None
    effort: int | None = None
    notes: str = ""
    tags: tuple[str, ...] = ()
    grade: str | None = None


@cache
def entries() -> tuple[Entry, ...]:
    """Return all puzzles of the catalogue, in catalogue order.

    >>> import puzzlec
    >>> [entry.name for entry in puzzlec.entries() if entry.name.startswith("soma/cu")]
    ['soma/cube-v-in-a-corner', 'soma/cube-p-in-a-face', 'soma/cube-v-on-an-edge']

    """
    folder = resources.folder("puzzles")
    document: dict[str, dict[str, Any]] = resources.yaml_document(folder / "catalogue.yaml")
    puzzles = []
    for name, entry in document.items():
        entry = dict(entry)
        file = entry.pop("file", f"{name}.puzzle")
        entry["tags"] = tuple(entry.get("tags", ()))
        if file.endswith(".puzzle"):
            with open(f"{folder}/{file}", "rb", buffering=0) as stream:  # noqa: PTH123  # half the time of `read_bytes`
                entry |= promised(stream.read())
        puzzles.append(Entry(name=name, file=file, **entry))
    return tuple(puzzles)


@cache
def _index() -> dict[str, Entry]:
    return {entry.name: entry for entry in entries()}


def named(name: str) -> Entry | None:
    """Return the puzzle with exactly this name, None if there is none."""
    return _index().get(name)


#: A statement `expect` without a condition: its kind of number, and the number.
_EXPECT = re.compile(
    rb"\nexpect (?:(raw|rotations|parts|comes-apart|level|turns) )?([0-9][0-9.]*)[ \t]*(?:#.*)?(?=\r?\n)"
)


def promised(text: bytes) -> dict[str, int | str]:
    r"""Return the numbers that a text of the puzzle language promises, by the fields of an :class:`Entry`.

    Only statements in canonical form are read, and not on the first line: that is faster than reading the puzzle.

    >>> promised(b"puzzle 240\nexpect 240\nexpect comes-apart 240  # by straight moves\nexpect level 1\n")
    {'distinct': 240, 'apart': 240, 'level': '1'}
    """
    numbers: dict[str, int | str] = {}
    for measure, number in _EXPECT.findall(text):
        field = "apart" if measure == b"comes-apart" else measure.decode() or "distinct"
        numbers[field] = number.decode() if field == "level" else int(number)
    return numbers


def find_entries(name: str) -> tuple[Entry, ...]:
    """Return the puzzle with a name (in full, or its last part) or the puzzles of a family; empty if there are none.

    >>> [entry.name for entry in find_entries("castle")], len(find_entries("soma")) > 1
    (['soma/castle'], True)
    """
    inside = _inside(name)
    path = None if inside else find(name)
    return inside or tuple(entry for entry in entries() if entry.path == path)


def entry_of(name: str) -> Entry | None:
    """Return the entry of the puzzle that a command names by name or path; None if the catalogue lacks it.

    >>> [entry and entry.name for entry in map(entry_of, ("soma", "castle", "-", "nothing.puzzle"))]
    ['soma/soma', 'soma/castle', None, None]
    """
    path = None if name == "-" else Path(name).resolve() if os.path.exists(name) else find(name)  # noqa: PTH110
    if path is None or resources.folder("puzzles") not in path.parents:
        return None  # does not read catalogue.yaml
    return next((entry for entry in entries() if entry.path == path), None)


def _inside(name: str) -> tuple[Entry, ...]:
    """Return the puzzles in a folder of the catalogue, in catalogue order."""
    return tuple(entry for entry in entries() if entry.name.startswith(f"{name}/"))


def families() -> list[str]:
    """Return the families of the catalogue, which are its folders, in catalogue order."""
    return list(dict.fromkeys(entry.name.split("/")[0] for entry in entries()))


def completions(typed: str) -> dict[str, str]:
    """Return possible completions of a word, with titles. Some only share other characters with the word.

    These are families (with a final `/`) until one is chosen, and puzzles, by the last part of their name if it is
    unique.
    """
    names = {entry.name: entry.title for entry in entries()}
    if "/" in typed:
        return names
    groups = [name for name in families() if name not in names]
    offers = {f"{name}/": "" for name in groups} | {name: title for name, title in names.items() if "/" not in name}
    last = Counter(name.rsplit("/", 1)[-1] for name in names)
    for name, title in names.items() if typed else ():
        group, _, end = name.rpartition("/")
        if last[end] == 1 and (end == group or end not in groups):
            offers[end] = title
    return offers


def is_about(entry: Entry, words: Iterable[str]) -> bool:
    """Whether each word appears in the catalogue's facts about a puzzle, including sources and notes."""
    return all(word.lower() in f"{_words_of(entry)} {entry.source} {entry.notes}".lower() for word in words)


def tags(some: Iterable[Entry]) -> dict[str, int]:
    """Return all tags of some puzzles with the number of puzzles that have them, most frequent first."""
    return dict(Counter(tag for entry in some for tag in entry.tags).most_common())


def has_words(entry: Entry, words: Iterable[str]) -> bool:
    """Whether each word appears in the name, the title or the tags of a puzzle, ignoring case.

    A word may be part of another word, but not of a name: `burr` finds burrs, not BurrTools. A size such as `4x4x4`
    also finds `4 x 4 x 4`.
    """
    text = _words_of(entry, lambda tag: tag.islower()).lower()
    names = " ".join(tag for tag in entry.tags if not tag.islower())
    return all(word.lower() in text or re.search(rf"\b{re.escape(word)}\b", names, re.IGNORECASE) for word in words)


def _words_of(entry: Entry, is_wanted: Callable[[str], bool] = bool) -> str:
    """Return the words that name a puzzle, with some of its tags, and sizes in the title also without spaces."""
    plain = re.sub(r"(?<=\d) x (?=\d)", "x", entry.title)
    return " ".join((entry.name, entry.title, plain, *filter(is_wanted, entry.tags)))


def select(
    words: Sequence[str] = (), search: Sequence[str] = (), tagged: Collection[str] = (), lattice: str | None = None
) -> list[Entry]:
    """Return the puzzles with some words, also in sources and notes (``search``), with all tags, and on a lattice.

    Raises:
        PuzzleError: For an unknown tag or lattice, and if there are no such puzzles.

    """
    if lattice is not None:
        _refuse_unknown_lattice(lattice)
    _refuse_unknown_tags(tagged)
    puzzles = [
        entry
        for entry in entries()
        if has_words(entry, words) and is_about(entry, search) and {*tagged}.issubset(entry.tags)
    ]
    if lattice is not None:
        puzzles = [entry for entry in puzzles if lattice_name(entry) == lattice]
    if not puzzles:
        asked = [f"`{word}`" for word in (*words, *search)] + [f"the tag `{tag}`" for tag in tagged]
        asked += [f"the lattice `{lattice}`"] * (lattice is not None)
        helps = ["`puzzlec list` lists them all"]
        if words and not search and any(is_about(entry, words) for entry in entries()):
            helps.insert(0, f"`puzzlec list --search '{' '.join(words)}'` also searches sources and notes")
        raise fail("PZ006", f"no puzzle of the catalogue has {' and '.join(asked)}", help=helps)
    return puzzles


def select_named(names: Sequence[str], tagged: Collection[str] = ()) -> list[Entry]:
    """Return the puzzles and families with some names (default: all), if they have all tags.

    Raises:
        PuzzleError: For an unknown name or tag, and if there are no such puzzles.

    """
    for word in names:
        if not find_entries(word):
            help = suggestion(word, [*families(), *_index()]) or ("`puzzlec list` lists them all",)
            raise fail("PZ006", f"unknown puzzle or family `{word}`", help=help[0])
    _refuse_unknown_tags(tagged)
    puzzles = [entry for name in names for entry in find_entries(name)] or list(entries())
    puzzles = [entry for entry in dict.fromkeys(puzzles) if {*tagged}.issubset(entry.tags)]
    if not puzzles:
        raise fail("PZ006", "no puzzle of the catalogue matches", help="`puzzlec list` lists them all")
    return puzzles


def _refuse_unknown_lattice(name: str) -> None:
    from puzzlec.geometry import lattice_names  # only this question needs it
    from puzzlec.language.lattice_file import is_lattice_file, other_lattice

    names = (*lattice_names(), "none")
    if name not in names and not is_lattice_file(name):
        note, help = f"lattices are {', '.join(names)}", other_lattice(name, names)
        raise fail("PZ302", f"unknown lattice `{name}`", note=note, help=help)


def _refuse_unknown_tags(names: Iterable[str]) -> None:
    every = tags(entries())
    for name in names:
        if name not in every:
            help = suggestion(name, every) or "`puzzlec list --list-tags` lists them all"
            raise fail("PZ006", f"unknown tag `{name}`", help=help)


def lattice_name(entry: Entry) -> str:
    """Return the name of the lattice of a puzzle, or ``none`` if the puzzle has no geometry."""
    source = source_of(entry.path.read_bytes(), str(entry.path))
    if entry.path.suffix == ".puzzle":  # stated on one line, so most of the text need not be read
        named = re.search(r'(?m)^[ \t]*lattice[ \t]+"?([^\s"#]+)', source.text)
        return named.group(1) if named else "square"
    from puzzlec.formats.reading import guess_format, read
    from puzzlec.ir import Fitting, Puzzle

    what = read(source, guess_format(source), Report())
    puzzle = what if isinstance(what, Puzzle) else what.puzzle if isinstance(what, Fitting) else None
    return puzzle.lattice.name if puzzle is not None and puzzle.lattice is not None else "none"


def _files() -> dict[str, Path]:
    """Return every file of the catalogue by its name: folder and stem, joined by a slash."""
    folder = resources.folder("puzzles")
    endings = {ending for record in FORMATS.values() for ending in record.endings}
    paths = sorted(path for path in folder.rglob("*") if path.suffix in endings)
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in paths}


def _with_an_ending(name: str) -> Path | None:
    """Return the file that has exactly this name, without reading the list of files."""
    folder = resources.folder("puzzles")
    paths = [folder / f"{name}{ending}" for record in FORMATS.values() for ending in record.endings]
    return max((path for path in paths if os.path.isfile(path)), default=None)  # noqa: PTH113  # pathlib raises an error for a name that is too long


def find(name: str) -> Path | None:
    """Return the file of a puzzle by its name (``pentominoes/6x10``), or by its last part if that is unique.

    Does not read ``catalogue.yaml``.
    """
    if re.fullmatch(r"[a-z0-9-]+(?:/[a-z0-9-]+)*", name):
        direct = _with_an_ending(name) or _with_an_ending(f"{name}/{name}")
        if direct is not None:
            return direct
    files = _files()
    if name in files:
        return files[name]
    if any(key.startswith(f"{name}/") for key in files):
        return files.get(f"{name}/{name}")  # a family: its name is not a short name of another puzzle
    ends = [path for key, path in files.items() if key.rsplit("/", 1)[-1] == name]
    return ends[0] if len(ends) == 1 else None


def suggestions(name: str) -> list[str]:
    """Return names of the catalogue that ``name`` may mean: misspelt names, last parts, and families.

    Families list puzzles in the puzzle language first, in catalogue order, because those are the known ones.
    """
    files = list(_files())
    inside = [key for key in files if name in key.split("/")]
    ends = [key for key in files if near(name, [key.rsplit("/", 1)[-1]])]
    names = family(name) + inside + near(name, files) + ends
    if not names:
        names = [
            key
            for family_name in near(name, sorted({key.split("/")[0] for key in files}))
            for key in family(family_name)
        ]
    if not names and len(name) > 2:  # one word of a name, such as `bedlam` for the Bedlam cube
        names = [key for key in files if name.lower() in re.split(r"\W", key)]
    return list(dict.fromkeys(names))[:4]


def family(name: str) -> list[str]:
    """Return the puzzles in a folder of the catalogue, those in the puzzle language first; empty for an unknown folder.

    >>> family("pentominoes")[:4]
    ['pentominoes/3x20', 'pentominoes/4x15', 'pentominoes/5x12', 'pentominoes/6x10']
    """
    return [entry.name for entry in sorted(_inside(name), key=lambda entry: entry.path.suffix != ".puzzle")]


#: Maximum number of files of a folder that are examined.
_MAX_FILES_EXAMINED = 10_000

#: Maximum number of names that are suggested.
_MAX_SUGGESTED = 4


def unknown(name: str) -> PuzzleError | None:
    """Return the error for a name that means nothing, with suggestions.

    Returns None for a name that looks like a file and resembles no existing file or puzzle. The reader then reports
    the error.
    """
    folder = name.rstrip("/")
    files, members = files_like(name), family(folder)
    if members and not files:
        most = ", ".join(f"`{member}`" for member in members[:_MAX_SUGGESTED])
        puzzles = counted(len(members), "puzzle")
        return fail(
            "PZ006",
            f"unknown file `{name}`: the catalogue has a family of {puzzles} with this name",
            help=f"choose a puzzle, such as {most}, or list all with `puzzlec list {folder}`",
        )
    if (number := re.fullmatch(r"[A-Za-z]{1,3}[- ]?([0-9]{3})", name)) and f"PZ{number[1]}" in CODES and not files:
        return fail("PZ006", f"unknown file or puzzle `{name}`", help=f"did you mean `puzzlec explain PZ{number[1]}`?")
    whole = [file for file in files if os.path.splitext(file)[0] == name]  # noqa: PTH122
    similar = whole if whole and not members else [*files, *suggestions(name)][:_MAX_SUGGESTED]
    if not similar and "." not in name and (error := _unknown_in_family(folder)):
        return error
    if not similar and ("/" in name or "." in name):
        return None
    question = f"did you mean {' or '.join(f'`{name}`' for name in similar)}?"
    return fail(
        "PZ006",
        f"unknown file or puzzle `{name}`",
        help=question if similar else "list the puzzles with `puzzlec list`",
    )


def _unknown_in_family(name: str) -> PuzzleError | None:
    """Return the error for a name such as ``soma/nothing``, with puzzles of the family ``soma``.

    The family may be misspelt, unless a folder has this name. Returns None if there is no such family.
    """
    typed = name.rpartition("/")[0]
    like = [] if os.path.isdir(typed) else near(typed, families())  # noqa: PTH112  # a name may be too long for pathlib
    group = next((candidate for candidate in [typed, *like] if family(candidate)), None)
    if group is None:
        return None
    members = family(group)
    tried = listed((f"`{member}`" for member in members[:_MAX_SUGGESTED]), "or")
    return fail(
        "PZ006",
        f"unknown file or puzzle `{name}`",
        note=f"`{group}` is a family of {counted(len(members), 'puzzle')} in the catalogue",
        help=f"try {tried}, or list all with `puzzlec list {group}`",
    )


def note_of_a_name(name: str) -> tuple[str, ...]:
    """Return a note if a name that means no folder or library is a puzzle or family of the catalogue.

    >>> note_of_a_name("soma"), note_of_a_name("nowhere")
    (('`soma` is a puzzle of the catalogue',), ())
    """
    if find(name) is not None:
        return (f"`{name}` is a puzzle of the catalogue",)
    return (f"`{name}` is a family of puzzles in the catalogue",) if _inside(name) else ()


def warn_of_a_file(name: str, path: Path, report: Report) -> None:
    """Warn about a puzzle file whose name without extension is a puzzle of the catalogue: the name means that puzzle.

    Files in other formats are often made from the puzzle of the catalogue and share its name.
    """
    there = [file for file in files_like(name) if name in _shorter(file) and ".puzzle" in file]
    if there:
        puzzle = path.relative_to(resources.folder("puzzles")).with_suffix("").as_posix()
        report.add(
            "PZ010",
            f"`{name}` means `{puzzle}` of the catalogue, not the file `{there[0]}`",
            file=name,
            help=f"write `{there[0]}` for the file, `{puzzle}` for the puzzle of the catalogue",
        )


def _shorter(file: str) -> tuple[str, ...]:
    """Return the name of a file without its extension, and without ``.txt`` and the extension before it."""
    stem = Path(file).stem
    return (stem, Path(stem).stem) if file.endswith(".txt") else (stem,)


def files_like(name: str) -> list[str]:
    """Return puzzle files near ``name``: files with that stem, the puzzle language first, else similar names.

    Editors add ``.txt`` after the extension, and some systems hide it, so ``cube.puzzle.txt`` counts as a puzzle file.
    """
    last = Path(name).name
    if not name.endswith(last):
        return []
    try:
        with os.scandir(Path(name).parent) as entries:
            there = sorted(entry.name for entry in islice(entries, _MAX_FILES_EXAMINED) if entry.is_file())
    except (OSError, ValueError):
        return []
    endings = {ending for record in FORMATS.values() for ending in record.endings}
    there = [file for file in there if Path(file.removesuffix(".txt")).suffix in endings]
    similar = [file for file in there if last.lower() in _shorter(file.lower())]
    if not similar:
        slips = near(last, there) + near(last, dict.fromkeys(Path(file).stem for file in there))
        similar = [file for file in there if file in slips or Path(file).stem in slips]
    similar.sort(key=lambda file: not file.endswith(".puzzle"))
    return [name.removesuffix(last) + file for file in similar]


_FOLDER = "new/"


class PuzzleKind(NamedTuple):
    """A kind of puzzle to start with: its name, and a short summary."""

    name: str
    summary: str


def kinds() -> list[PuzzleKind]:
    """Return all kinds that have a starting file, in catalogue order."""
    return [PuzzleKind(name, _text(entry).split("\n", 1)[0].lstrip("# ")) for name, entry in _entries().items()]


def starting_file(kind: str) -> str:
    """Return the text of the starting file of a kind.

    The files are in ``puzzles/new/`` and are entries of the catalogue. The first line of a file is a comment that names
    the kind. Raises PuzzleError for an unknown kind.
    """
    kinds = _entries()
    if kind not in kinds:
        similar = _similar(kind, kinds)
        raise fail(
            "PZ006",
            f"unknown kind of puzzle `{kind}`",
            note=f"kinds are {', '.join(kinds)}",
            help=f"did you mean {' or '.join(f'`{name}`' for name in similar)}?"
            if similar
            else "list the kinds with `puzzlec new`",
        )
    return re.sub(r"(?m)^expect .*\n", "", _text(kinds[kind]))  # a copy that you change promises nothing


def files_beside(kind: str) -> dict[str, str]:
    """Return the files that the starting file of a kind names, by name: lattices in the same folder."""
    entry = _entries()[kind]
    text = _text(entry)
    near_by = sorted(entry.path.parent.glob("*.yaml"))
    return {path.name: path.read_text(encoding="utf-8") for path in near_by if f'lattice "{path.name}"' in text}


def _entries() -> dict[str, Entry]:
    return {entry.name.removeprefix(_FOLDER): entry for entry in entries() if entry.name.startswith(_FOLDER)}


def _text(entry: Entry) -> str:
    return entry.path.read_text(encoding="utf-8")


def _similar(word: str, kinds: dict[str, Entry]) -> list[str]:
    """Return kinds with a similar name, or with the word in their name, else kinds with such a tag."""
    word = word.lower()
    named = near(word, kinds) or [name for name in kinds if len(word) > 1 and word in name]
    return named or [name for name, entry in kinds.items() if near(word, entry.tags)]
