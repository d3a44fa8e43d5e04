"""The command line: it parses arguments and prints, and does nothing that the library cannot do in one call."""
