"""A setting as a row of a table: a field of a dataclass, with all that the command line, the page and the pages say.

The options of commands, the form on the page of ``serve``, the keywords of the library and the documentation are made
from these rows. An option of a command is a row of the same kind.

Every command makes the classes of its rows when it begins. Without comparison, and not frozen, they are made in a
quarter of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import KW_ONLY, dataclass, field, fields
from typing import Any


@dataclass(eq=False, repr=False)
class Typed:
    """What a user can type for a value.

    Attributes:
        help: The sentence of the help.
        metavar: The word for the value in the help; none for yes or no.
        words: The only words that are allowed, or a function that returns them.
        offered: Words that a shell offers, or a function from a typed text to words. Default: ``words``.
        parse: Reads the text of a value. It raises ValueError for a wrong text.
        least: The least number.
        most: The greatest number.
        hidden: Whether only the documentation has it.

    """

    help: str
    metavar: str | None = None
    _: KW_ONLY
    words: Iterable[str] | Callable[[], Iterable[str]] | None = None
    offered: Iterable[str] | Callable[[str], Any] | None = None
    parse: Callable[[Any], Any] | None = None
    least: float | None = None
    most: float | None = None
    hidden: bool = False


@dataclass(eq=False, repr=False)
class Setting(Typed):
    """What a user can choose in a picture or a model.

    Attributes:
        about: The sentence of the documentation.
        label: The name on the page; an empty one: it is not on the page.
        choices: The words to choose from on the page. Default: ``words``.
        spoken: The names of the choices on the page, first that of None.
        unit: The unit on the page.
        hint: The default on the page.
        only: The puzzles that have it: "flat" or "solid", or pieces of "edges" or "balls".

    """

    _: KW_ONLY
    words: tuple[str, ...] | None = None
    about: str = ""
    label: str = ""
    choices: tuple[str, ...] = ()
    spoken: tuple[str, ...] = ()
    unit: str = ""
    hint: str = ""
    only: str = ""

    def check(self, name: str, value: Any) -> None:
        """Raise ValueError for a value that is not allowed."""
        if self.words is not None and value is not None and value not in self.words:
            raise ValueError(f"{name} must be one of {', '.join(self.words)}, not {value!r}")
        if self.parse is not None and isinstance(value, str):
            self.parse(value)


def setting(default: Any, help: str, about: str = "", metavar: str | None = None, **more: Any) -> Any:
    """Return the field of a dataclass for a setting with this default."""
    return field(default=default, metadata={"setting": Setting(help, metavar, about=about, **more)})


def settings(table: Any) -> Iterator[tuple[str, Setting]]:
    """Yield the settings of a table with their names."""
    for row in fields(table):
        if (setting := row.metadata.get("setting")) is not None:
            yield row.name, setting


def option_names(name: str, default: Any, setting: Setting) -> str:
    """Return the options of a setting on the command line.

    >>> option_names("legend", None, Setting("")), option_names("cell", None, Setting("", "PX"))
    ('--legend/--no-legend', '--cell')
    """
    word = name.replace("_", "-")
    return f"--{word}/--no-{word}" if setting.metavar is None and default is None else f"--{word}"
