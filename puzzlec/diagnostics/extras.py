"""Packages that only some tasks need: an extra of puzzlec installs each, and who lacks one is told so."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from puzzlec.diagnostics.error import fail


def needs(module: str, extra: str, what: str) -> Any:
    """Return a module that an extra of puzzlec installs; ``what`` is what it is needed for, such as "a PNG picture".

    Raises PuzzleError (PZ505) where it is not there, or does not start here.

    >>> needs("json", "print", "a mesh").__name__
    'json'
    """
    try:
        return import_module(module)
    except ImportError as error:
        package = module.split(".")[0]
        missing = isinstance(error, ModuleNotFoundError) and (error.name or "").split(".")[0] == package
        state = "is not installed" if missing else f"does not start here: {error}"
        raise fail(
            "PZ505",
            f"{what} needs the package `{package}`, which {state}",
            help=f"`pip install 'puzzlec[{extra}]'` installs what is needed",
        ) from None
