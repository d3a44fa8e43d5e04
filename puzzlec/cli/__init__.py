"""The command line, which parses arguments, calls the library, and prints."""

import gc

# Nearly all objects made at the start live to the end. Collecting garbage would cost a tenth of the start.
gc.set_threshold(100_000)
