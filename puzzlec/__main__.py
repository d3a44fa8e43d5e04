"""``python -m puzzlec``: the command line."""

from puzzlec.cli.app import main

main()
