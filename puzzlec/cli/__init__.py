"""The command line: it parses arguments and prints, and does nothing that the library cannot do in one call."""

import gc

# Nearly all that a start makes lasts to the end, and looking it through for garbage costs a tenth of the start.
gc.set_threshold(50_000)
