"""Formats: texts of other programs and people, read into a level of the IR and written from one."""
