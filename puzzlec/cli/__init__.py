"""The command line, which parses arguments, calls the library, and prints."""

import gc

# Nearly all objects of a start live to the end; collecting garbage costs a tenth of the start.
gc.set_threshold(50_000)
