"""The programs and libraries that puzzlec is compared with: their places, their input, and the form of their counts.

None of them is part of this project. The table leaves out programs that are not installed, and a line names them.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.tools.bench import inside
from tests.tools.bench.instances import Instance
from tests.tools.bench.measuring import MEMORY
from tests.tools.bench.texts import dlx_text, polycube_text, row_text

HERE = Path(__file__).parent

#: No program can visit more covers than this one by one within a limit.
MANY = 10**10


def after_altogether(text: str) -> int:
    """Return the count that Knuth's programs print.

    >>> after_altogether("Altogether 92 solutions, 12+34 mems")
    92
    """
    return _number(r"Altogether (\d+) solution", text)


def after_found(text: str) -> int:
    """Return the count that MiniExact prints.

    >>> after_found("1 3 4\\n\\nFound 2 solutions!")
    2
    """
    return _number(r"Found (\d+) solution|(?<!\d)(0) solutions|UNSATISFIABLE", text)


def after_equals(text: str) -> int:
    """Return the count that polycube prints.

    >>> after_equals("# Number of solutions found:\\nSOLUTIONS=8\\n\\nSOLUTIONS_PER_SEC=1.5")
    8
    """
    return _number(r"^SOLUTIONS=(\d+)$", text)


def last_number(text: str) -> int:
    """Return the number in the last line.

    >>> last_number("reading\\n12\\n")
    12
    """
    return _number(r"(?:^|\n)(\d+)\s*\Z", text)


def _number(pattern: str, text: str) -> int:
    found = re.findall(pattern, text, re.MULTILINE)
    if not found:
        raise ValueError(f"no count in {text[-200:]!r}")
    last = found[-1]
    return int(last if isinstance(last, str) else next(group for group in last if group))


@dataclass(frozen=True)
class Program:
    """A program: a whole process for each problem.

    ``command`` are its words. The first one is the name of the file. ``{file}`` is the problem; without this word, the
    problem comes on standard input. ``{peers}`` is the folder of the peers. ``write`` makes the text, and raises
    ValueError for features that the program does not support. ``read`` finds the count in the output. A process may
    reserve ``memory`` bytes.
    """

    name: str
    command: tuple[str, ...]
    write: Callable[[Instance], str]
    read: Callable[[str], int]
    secondary: bool = True
    colours: bool = False
    counts: bool = False
    special: tuple[tuple[str, tuple[str, ...]], ...] = ()
    needs: str = ""
    memory: int = MEMORY

    def missing(self, peers: Path | None) -> str:
        """Return why the program cannot run here; an empty text if it can."""
        if find(self.command[0], peers) is None:
            return f"there is no program {self.command[0]}"
        if self.needs and (peers is None or not (peers / self.needs).exists()):
            return f"there is no {self.needs}"
        return ""

    def text(self, instance: Instance) -> str | None:
        """Return the input of the program, None if it cannot express this problem."""
        if not _suits(self, instance):
            return None
        try:
            return self.write(instance)
        except ValueError:
            return None

    def words(self, instance: Instance, file: Path, peers: Path | None) -> list[str]:
        """Return the command for a problem in a file."""
        path = find(self.command[0], peers)
        assert path is not None
        more = dict(self.special).get(instance.name, self.command[1:])
        return [str(path), *(word.format(file=file, peers=peers) for word in more)]

    @property
    def by_name(self) -> bool:
        """Whether the file is named in the command, and not on standard input."""
        return any("{file}" in word for word in self.command)


@dataclass(frozen=True)
class Library:
    """A Python library: one process for all problems, which stays warm. ``name`` is its name in ``inside.py``."""

    name: str
    secondary: bool = False
    colours: bool = False
    counts: bool = False

    def text(self, instance: Instance) -> str | None:
        """Return the file that the process reads; an empty text if it knows the instance by name."""
        return row_text(instance.cover) if _suits(self, instance) else None

    def python(self, peers: Path | None) -> list[str]:
        """Return the command of the process, in the environment of the peers if they have one."""
        beside = peers / "venv" / "bin" / "python" if peers is not None else None
        python = str(beside) if beside is not None and beside.exists() else sys.executable
        return [python, "-W", "ignore", str(HERE / "inside.py"), self.name]


@dataclass(frozen=True)
class Ours:
    """A figure of puzzlec: ``engine`` (the exact cover alone), ``count`` (by any method), ``puzzle`` (symmetries)."""

    name: str

    def text(self, instance: Instance) -> str | None:
        """Return an empty text, None if the figure has no meaning or the count would never end."""
        figure = self.name.removeprefix("puzzlec-")
        if figure == "puzzle" and not instance.puzzle:
            return None
        return None if instance.countable and figure in ("engine", "bits", "lists") else ""

    def python(self, peers: Path | None) -> list[str]:
        """Return the command of the process."""
        return [sys.executable, "-m", "tests.tools.bench.inside", self.name]


Competitor = Program | Library | Ours


def _suits(peer: Program | Library, instance: Instance) -> bool:
    return (
        (peer.secondary or not instance.secondary)
        and (peer.colours or not instance.colours)
        and (peer.counts or (not instance.countable and instance.solutions < MANY))
    )


def find(name: str, peers: Path | None) -> Path | None:
    """Return the path of a program: in the folder of the peers, its ``bin``, its ``venv/bin``, or on the PATH."""
    for folder in (peers, peers / "bin", peers / "venv" / "bin") if peers is not None else ():
        if (folder / name).is_file():
            return folder / name
    found = shutil.which(name)
    return Path(found) if found else None


def _dlx(instance: Instance) -> str:
    return dlx_text(instance.cover)


def _rows(instance: Instance) -> str:
    return row_text(instance.cover)


def _sorted_rows(instance: Instance) -> str:
    return row_text(instance.cover, sort=True)


def _polycube(instance: Instance) -> str:
    if instance.encoding is None:
        raise ValueError("no geometry")
    return polycube_text(instance.encoding.fitting)


#: The best options for polycube, found by hand: its own algorithms near the leaves, its filter of volumes near the
#: root.
FLAT = ("-q", "-i1", "-b", "6", "-V", "10")

#: DLX6 reserves 24 GiB for its tables, most of which it never touches.
RESERVED = 25 << 30

PROGRAMS = (
    Program("dlx1", ("dlx1",), _dlx, after_altogether),
    Program("dlx2", ("dlx2",), _dlx, after_altogether, colours=True),
    Program("ssxcc", ("ssxcc",), _dlx, after_altogether, colours=True),
    Program("xccdc", ("xccdc",), _dlx, after_altogether, colours=True),
    Program("dlx6", ("dlx6",), _dlx, after_altogether, counts=True, memory=RESERVED),
    Program("dlx6-nomrv", ("dlx6-nomrv",), _dlx, after_altogether, counts=True, memory=RESERVED),
    Program("libexact", ("libexact",), _rows, last_number, secondary=False),
    Program("miniexact", ("miniexact", "-D", "-e", "-x", "{file}"), _dlx, after_found),
    Program("exact-covers", ("exact-covers",), _rows, last_number, colours=True),
    Program("tdzdd", ("tdzdd",), _sorted_rows, last_number, counts=True),
    Program(
        "polycube",
        ("polycube", *FLAT, "{file}"),
        _polycube,
        after_equals,
        special=(
            ("dominoes-8x8", ("-q", "-i1", "-b", "100", "{file}")),
            ("6x10-held", (*FLAT, "-r#", "{file}")),
            ("bedlam-held", (*FLAT, "-r#", "{file}")),
        ),
    ),
    Program(
        "dancing-links",
        ("node", str(HERE / "dancing_links.mjs"), "{peers}/npm", "{file}"),
        _rows,
        last_number,
        needs="npm/node_modules/dancing-links",
    ),
)

LIBRARIES = tuple(
    Library(
        name,
        secondary=name in ("xcover", "xcover-zdd", "pyxcc"),
        colours=name in ("xcover", "pyxcc"),
        counts=name == "dxz",
    )
    for name in inside.LIBRARIES
)

OURS = tuple(Ours(f"puzzlec-{figure}") for figure in ("engine", "count", "puzzle"))

COMPETITORS: tuple[Competitor, ...] = (*OURS, *PROGRAMS, *LIBRARIES)
