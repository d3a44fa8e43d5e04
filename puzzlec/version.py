"""The version of puzzlec and the address of its repository. All modules can import them from here."""

#: Between releases, the version of the next one with `.dev0`.
__version__ = "0.2.0.dev0"

#: Address of the repository, such as ``https://example.org/puzzlec``. While the address is empty, no file is linked.
REPOSITORY = ""


def repository_file(path: str) -> str:
    """Return the address of a file of the repository, or an empty text if no repository is configured.

    >>> repository_file("docs/language/README.md")
    ''
    """
    return f"{REPOSITORY}/blob/main/{path}" if REPOSITORY else ""
