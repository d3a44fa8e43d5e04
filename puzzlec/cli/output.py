"""Writing a file for a command: never over one that exists, unless told to."""

from __future__ import annotations

from pathlib import Path

from puzzlec.diagnostics.diagnostic import fail


def write_file(target: str, text: str, force: bool = False, help: str = "give `--force` to write over it") -> None:
    """Write a text into a file; raise PuzzleError where it exists (unless ``force``) or cannot be written.

    ``help`` says what to do about a file that exists.
    """
    try:
        with Path(target).open("w" if force else "x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except FileExistsError:
        if Path(target).is_dir():
            raise fail("PZ005", f"`{target}` is a folder", file=target, help="name a file in it") from None
        raise fail("PZ005", f"the file `{target}` exists already", file=target, help=help) from None
    except OSError as error:
        raise fail("PZ005", f"cannot write `{target}`: {(error.strerror or 'error').lower()}", file=target) from None
