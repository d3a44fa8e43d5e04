"""Formats: texts of other programs, read into a level of the IR and written from one."""
