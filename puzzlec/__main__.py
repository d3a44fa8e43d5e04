"""``python -m puzzlec``: the command line."""

# `_signal` imports nothing. `signal` imports other modules, and Ctrl-C during their import would print a traceback.
import _signal  # type: ignore[import-not-found]
import time


def main() -> None:
    """Run the command line. Ctrl-C during its import ends the process silently."""
    begun = time.monotonic()
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    from puzzlec.cli.app import main as run

    run(begun)


if __name__ == "__main__":
    main()
