"""Import packages that only some tasks need, each installed by an extra of puzzlec."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from puzzlec.diagnostics.error import fail


def needs(module: str, extra: str, what: str) -> Any:
    """Return a module that an extra of puzzlec installs; ``what`` needs it, such as "a PNG picture".

    Raises PuzzleError (PZ505) if it is missing, or does not start on this machine.

    >>> needs("json", "print", "a mesh").__name__
    'json'
    """
    try:
        return import_module(module)
    except ImportError as error:
        package = module.split(".")[0]
        missing = isinstance(error, ModuleNotFoundError) and (error.name or "").split(".")[0] == package
        state = "is not installed" if missing else f"does not start: {error}"
        raise fail(
            "PZ505",
            f"{what} needs the package `{package}`, which {state}",
            help=f"run `pip install 'puzzlec[{extra}]'`",
        ) from None
