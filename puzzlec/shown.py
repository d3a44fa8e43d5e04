"""How objects show themselves in a notebook.

A class takes :func:`mimebundle` as its method ``_repr_mimebundle_``. This calls :data:`renderer`, which
``puzzlec/__init__.py`` sets to a function that imports the real renderer when a notebook asks. So the classes need not
import the package that draws pictures, which belongs to a higher layer.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
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
