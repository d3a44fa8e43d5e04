"""The entry point: commands, and the exit status of each error."""

from __future__ import annotations

import atexit
import errno
import gc
import logging
import os
import re
import signal
import sys
import threading
import traceback
from _thread import interrupt_main
from contextlib import suppress
from io import TextIOWrapper
from types import FrameType
from typing import Any

from typer import Exit

from puzzlec.cli.command import UsageError
from puzzlec.cli.commands import COMMANDS, PROGRAM, like_puzzle, made_command
from puzzlec.cli.deadline import OutOfTime
from puzzlec.cli.terminal import ExitStatus, LogRemarks, begin, complain, forget_output, report_all, say, status_of
from puzzlec.diagnostics import Diagnostic, PuzzleError, near
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.suggest import listed

#: Errors of output that cannot be written: no space, or a closed stream.
_UNWRITTEN = (errno.ENOSPC, errno.EFBIG, errno.EBADF)

#: Errors of the system if there is no memory for a library.
_NO_MEMORY = ("cannot allocate memory", "failed to map segment")

#: Commands named in the error for an option of other commands.
MAX_COMMANDS_NAMED = 4

#: Seconds after which an interruption that was lost in a callback is repeated: the callback has ended then.
INTERRUPT_SECONDS = 0.01

#: Characters shown of a name that is too long.
MAX_NAME_CHARACTERS = 40


def _open_streams() -> None:
    """Replace streams that the caller has closed, which are None in Python.

    Output to standard error is lost. Output to standard output is an error, as on a full disk.
    """
    if sys.stdout is None:
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w")  # noqa: PTH123, SIM115 - it stays open until the end
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115


def _heed_interrupts() -> None:
    """Let Ctrl-C raise KeyboardInterrupt while a command runs; before, it ended the process."""
    if threading.current_thread() is threading.main_thread():
        if signal.getsignal(signal.SIGINT) in (signal.SIG_DFL, _leave):
            signal.signal(signal.SIGINT, signal.default_int_handler)
            sys.unraisablehook = _interrupt_again
        atexit.unregister(_ignore_interrupts)
        atexit.register(_ignore_interrupts)


def _interrupt_again(lost: sys.UnraisableHookArgs) -> None:
    """Raise KeyboardInterrupt again after Python dropped it in a callback, for example while it imports a module."""
    if lost.exc_type is KeyboardInterrupt:
        again = threading.Timer(INTERRUPT_SECONDS, interrupt_main)
        again.daemon = True
        again.start()
    else:
        sys.__unraisablehook__(lost)


def _leave_at_interrupts() -> None:
    """Let Ctrl-C end the process at once from now on, with the status of an interruption and without a traceback."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is threading.main_thread() and handler is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


def _leave(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    os._exit(ExitStatus.INTERRUPTED)


def _ignore_interrupts() -> None:
    """Ignore Ctrl-C in the last moments of Python, because the signal would kill the process."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _is_lack_of_memory(error: Exception) -> bool:
    """Whether an error means that the process has no more memory."""
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    return isinstance(error, ImportError) and any(words in str(error).lower() for words in _NO_MEMORY)


def _of_missing_numba(error: Exception) -> tuple[Diagnostic, ...] | None:
    """Return the diagnostic for a missing numba; None for any other error."""
    if not isinstance(error, RuntimeError):
        return None
    from puzzlec.engine.search.selection import NumbaMissingError

    if not isinstance(error, NumbaMissingError):
        return None
    note, help = f"{error.without} does not need it", "`pip install numba` installs it"
    return fail("PZ637", str(error), note=note, help=help).diagnostics


def _run() -> int:
    """Run the command of the command line, and return its exit status."""
    words = sys.argv[1:]
    if os.name == "nt":  # its shells leave `*` to the program
        from glob import glob  # only Windows needs it

        words = [name for word in words for name in (sorted(glob(word)) or [word])]  # noqa: PTH207
    if next((word for word in words if not word.startswith("-")), "") == "help":
        words.remove("help")
        words.append("--help")
    try:
        with PROGRAM.make_context("puzzlec", words) as context:
            PROGRAM.invoke(context)
    except Exit as end:
        return end.exit_code
    except UsageError as error:
        _report_usage(error)
        return ExitStatus.USAGE
    return ExitStatus.DONE


def _report_usage(error: Any) -> None:
    """Print the error of a command line, and how to get its help."""
    message = re.sub(
        r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", r"unexpected argument `\1`", error.format_message()
    )
    message = re.sub("^Invalid value for '([^']*)'", r"Invalid value for \1", message)
    if message.startswith("No such command"):
        message = re.sub(r"'([^']*)'", r"`\1`", message).replace("`, `", "` or `")
    called = error.ctx.command_path if error.ctx else "puzzlec"
    options = _options(error.ctx)
    if unknown := re.match(r"No such option: (--[\w-]+)", message):
        begun = [name for name in options if name.startswith(unknown[1])]
        ended = [name for name in options if name.endswith(unknown[1][1:])]
        similar = [f"`{name}`" for name in near(unknown[1], options) or begun or ended]
        advice = f". Did you mean {listed(similar, 'or')}?" if similar else ""
        message = f"no such option: {unknown[1]}{_elsewhere(unknown[1], error.ctx) or advice}"
    elif unknown := re.match(r"No such option: (-\w)", message):
        long_forms = [f"`-{word}`" for word in sys.argv[1:] if word.startswith(unknown[1]) and f"-{word}" in options]
        message = f"no such option: {long_forms[0][2:-1]}. Did you mean {long_forms[0]}?" if long_forms else message
        if not long_forms and error.ctx:
            advice = _drawing(error.ctx) if unknown[1] == "-o" else _foreign(unknown[1], error.ctx)
            message = f"no such option: {unknown[1]}{advice}"
    text, *more = re.split(r"\. (?=[A-Z`])| (?=Did you mean)", message)
    helps = [sentence.strip("().")[:1].lower() + sentence.strip("().")[1:] for sentence in more]
    if extra := re.match(r"unexpected argument `(\S+\.\w+)`", text):
        writes = "-o" in options
        helps.append(f"`-o {extra[1]}` writes a file" if writes else f"`> {extra[1]}` writes the output into a file")
    elif (extra := re.match(r"unexpected argument `(\w+=[\d.,]+)`", text)) and "-p" in options:
        helps.append(f"`-p {extra[1]}` sets a parameter")
    elif typed := re.match(r"unexpected argument `(\d+)`", text):
        named = re.search(rf"\n-p\n(\w+)\n{typed[1]}\n", "\n".join(("", *sys.argv, "")))
        helps += [f"write `-p {named[1]}={typed[1]}` instead of `-p {named[1]} {typed[1]}`"] if named else []
    elif (extra := re.match(r"unexpected argument `(\S+)`", text)) and (other := like_puzzle(extra[1])):
        helps.append(f"type `{called} {other}` for the other puzzle")
    elif (drawn := re.match(r"Invalid value for --to.*found `(svg|png|pdf|html|gif|webp)`", text)) and error.ctx:
        puzzle = next((word for word in sys.argv[2:] if not word.startswith("-") and word != drawn[1]), "PUZZLE")
        stem = os.path.splitext(os.path.basename(puzzle))[0]  # noqa: PTH119, PTH122
        helps.append(f"`puzzlec draw {puzzle} -o {stem}.{drawn[1]}` draws the solutions")
    if "puzzlec -h" not in "".join(helps):
        helps.append(f"`{called} -h` shows how to call it")
    complain(text[:1].lower() + text[1:].rstrip("."), helps)


def _elsewhere(option: str, context: Any) -> str:
    """Return sentences that say what to type instead of an option; an empty text if nothing is known.

    The option may be an option of other commands, the name of a command, or a format of the output.
    """
    from puzzlec.make.table import OUTPUTS  # its package takes time to import

    word = option.lstrip("-")
    if option == "--solutions" and context is not None and context.info_name == "check":
        return ". Use `puzzlec check PUZZLE ANSWER`"
    if sentence := _foreign(option, context):
        return sentence
    writes = "-o" in _options(context)
    if word == "output" and context is not None and not writes:
        return _drawing(context)
    if writes and word in {output.format for output in OUTPUTS}:
        return f". `-o FILE.{word}` writes this format"
    if word in COMMANDS and context is not None and context.info_name != word:
        return f". Use `puzzlec {word}`"
    names = [name for name in COMMANDS if any(option in parameter.opts for parameter in made_command(name).params)]
    called = context.info_name if context else ""
    if not names or called in names:
        return ""
    owners = (
        f". `{option}` is an option of {listed((f'`puzzlec {name}`' for name in names[:MAX_COMMANDS_NAMED]), 'or')}"
    )
    return owners + ". `puzzlec solutions PUZZLE --where 'level >= 5'` finds assemblies by level" * (
        option == "--level"
    )


def _foreign(option: str, context: Any) -> str:
    """Return the sentence that says what to write instead of an option of another program; empty if unknown."""
    from puzzlec.cli.foreign import instead_of  # only wrong options need it

    replacement = context and instead_of(option, sys.argv[1:], context.info_name, _options(context))
    if replacement is None:
        return ""
    typed, new = replacement
    if not new or "=" in new.split()[0]:
        return f". Begin the command with `{new}`" if new else f". Remove `{typed}`"
    puzzle = next((word for word in sys.argv[2:] if not word.startswith("-") and word not in typed.split()), "FILE")
    return f". Write `{new}` instead of `{typed}`" if new.startswith("-") else f". Use `puzzlec {new} {puzzle}`"


def _options(context: Any) -> list[str]:
    """Return the options of the command of a context, none without one."""
    return [name for parameter in context.command.params for name in parameter.opts] if context else []


def _drawing(context: Any) -> str:
    """Return sentences that say how to write an output, for a command without `-o`."""
    draws = ". `puzzlec draw PUZZLE -o FILE.svg` draws the solutions" * (context.info_name == "solve")
    return f"{draws}. `> FILE` writes the output into a file"


def _ending(error: Exception) -> ExitStatus:
    """Report an error that no command expected, and return the exit status."""
    number = error.errno if isinstance(error, OSError) else None
    if number in _UNWRITTEN:
        forget_output()
        complain(f"cannot write: {os.strerror(number).lower()}")
    elif _is_lack_of_memory(error):
        complain("out of memory: the puzzle or its solutions are too large for this process")
    elif number == errno.ENAMETOOLONG:
        complain(f"{os.strerror(number).lower()}: `{str(getattr(error, 'filename', ''))[:MAX_NAME_CHARACTERS]}...`")
    elif (diagnostics := _of_missing_numba(error)) is not None:
        report_all(diagnostics)
    else:
        debugging = os.environ.get("PUZZLEC_DEBUG")
        helps = [] if debugging else ["this is a bug in puzzlec; `PUZZLEC_DEBUG=1` shows where"]
        complain(f"internal error: {type(error).__name__}: {error}", helps)
        if debugging:
            traceback.print_exc()
        return ExitStatus.INTERNAL
    return ExitStatus.FAULTY


def main(begun: float | None = None) -> None:
    """Run a command, which began at a time of the monotonic clock (default: now), and exit with its status."""
    _open_streams()
    if (request := os.environ.get("_PUZZLEC_COMPLETION")) is not None:
        from puzzlec.cli.completion import complete

        with suppress(BrokenPipeError, PuzzleError):  # completion cannot show an error
            complete(request)
            sys.stdout.flush()
            return
        forget_output()
        return
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # the terminal may be unable to show a name
    logging.basicConfig(level=logging.WARNING, handlers=[LogRemarks()])
    begin(begun)
    try:
        _heed_interrupts()
        try:
            status = _run()
        finally:
            _leave_at_interrupts()
            sys.stdout.flush()  # report an error here, not when Python exits
    except PuzzleError as error:
        report_all(error.diagnostics)
        status = status_of(error.diagnostics)
    except OutOfTime as late:
        say(str(late), always=True)
        status = ExitStatus.LIMIT
    except KeyboardInterrupt:
        complain("interrupted", label="puzzlec")
        status = ExitStatus.INTERRUPTED
    except BrokenPipeError:
        forget_output()
        status = ExitStatus.DONE
    except Exception as error:
        status = _ending(error)
    finally:
        # `python -m` ends by SIGINT if KeyboardInterrupt ever left `exec` of a text, which Numba uses, even if it was
        # caught later. Python forgets this in the next `eval` of a text.
        eval("None")
        gc.freeze()  # skips the garbage collection at exit, a tenth of a small solve
    sys.exit(status)


if __name__ == "__main__":
    main()
