"""Probes that run inside the user's training process.

Standard library only: torch and numpy are looked at when the user's script has imported them
itself, never before. Nothing here imports the host package `diagnoser`; the two sides meet in a
folder of JSON Lines files (see `recorder`). Python 3.9 and newer.

    seam            reads the configuration, starts and ends everything in one process
    recorder        appends records to the process's own file
    probe           what collectors share: counters, schedules, locations, names
    hub             hands events to collectors and removes one that raises
    hooks/          reversible patches that turn calls into events, one file per library surface
    collectors/     one file per collector: events in, records out
    interventions/  one file per intervention: exactly one thing changed from outside
"""

from __future__ import annotations
