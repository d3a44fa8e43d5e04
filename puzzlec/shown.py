"""How things show themselves in a notebook, by name: what is drawn is decided where pictures are made.

The stages of the compiler are below those that draw, and import none of them. So a class takes :func:`mimebundle` as
its method ``_repr_mimebundle_``, and that looks up the renderer when a notebook asks; nobody else pays for it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def mimebundle(self: object, include: object = None, exclude: object = None) -> dict[str, Any]:
    """Return what a notebook shows of something: texts by their MIME types, plain text always among them.

    ``include`` and ``exclude`` are MIME types as IPython gives them, None or collections of strings.
    """
    bundle: dict[str, Any] = import_module("puzzlec.show.notebook").bundle(self)
    kept = bundle.keys() if include is None else bundle.keys() & set(_words(include))
    left_out = set() if exclude is None else set(_words(exclude))
    return {kind: text for kind, text in bundle.items() if kind in kept and kind not in left_out}


def _words(several: object) -> list[str]:
    return list(several) if isinstance(several, (list, tuple, set, frozenset)) else []
