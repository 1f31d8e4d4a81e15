"""The command line: one file per verb, which parses, calls one library function and prints.

main        the entry point and the lazy table of verbs
output      standard output, files and progress
parsing     values that several verbs read from the command line
"""

from __future__ import annotations
