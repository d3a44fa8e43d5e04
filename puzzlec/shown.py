"""How objects show themselves in a notebook.

A class takes :func:`mimebundle` as its method ``_repr_mimebundle_``. This calls :data:`renderer`, which
``puzzlec/__init__.py`` sets to a function that imports the real renderer when a notebook asks. So the classes need not
import the package that draws pictures, which belongs to a higher layer.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

#: Return the texts that a notebook shows for a value, by MIME type. ``puzzlec/__init__.py`` replaces this function.
renderer: Callable[[object], dict[str, Any]] = lambda thing: {"text/plain": str(thing)}  # noqa: E731


def mimebundle(self: object, include: object = None, exclude: object = None) -> dict[str, Any]:
    """Return the texts that a notebook shows for an object, by MIME type. Plain text is always included.

    ``include`` and ``exclude`` are MIME types as IPython passes them: None or collections of strings.
    """
    bundle: dict[str, Any] = renderer(self)
    kept = bundle.keys() if include is None else bundle.keys() & set(_words(include))
    left_out = set() if exclude is None else set(_words(exclude))
    return {kind: text for kind, text in bundle.items() if kind in kept and kind not in left_out}


def _words(several: object) -> list[str]:
    return list(several) if isinstance(several, (list, tuple, set, frozenset)) else []


#: Maximum number of characters of a line that describes an object.
MAX_BRIEF_CHARACTERS = 99


def brief(self: object) -> str:
    """Return a line that describes a dataclass or a named tuple: its fields without empty ones, cut if it is long.

    A class takes this function as its method ``__repr__``.
    """
    fields: dict[str, Any] = getattr(self, "__dataclass_fields__", {})
    names: Iterable[str] = [*fields, *getattr(self, "_fields", ())]
    parts = []
    for name in names:
        value = getattr(self, name)
        if (name in fields and not fields[name].repr) or (value is None or value == () or value == ""):
            continue
        short = f"{value:.4g}" if isinstance(value, float) else repr(value).replace("\n", " ")
        parts.append(f"{name}={short if len(short) <= 60 else short[:57] + '...'}")
    line = f"{type(self).__name__}({', '.join(parts)})"
    return line if len(line) <= MAX_BRIEF_CHARACTERS else line[: MAX_BRIEF_CHARACTERS - 4] + "...)"
