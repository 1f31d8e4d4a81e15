"""Turns a report into text: for a terminal or as strict JSON.

literal      shows text from scripts as it is, control characters escaped
terminal     about one screen for a person
json_report  one JSON object
json_schema  the JSON Schema of that object
"""

from __future__ import annotations
