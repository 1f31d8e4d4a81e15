"""The optional language model: it may write and reason on top, and never outranks a measurement.

settings come from `diagnoser.settings`; a `ModelError` says why there is no answer.

endpoint      which model, where, with which key
redaction     what never leaves: secrets and the home path
excerpt       source lines around the evidence, cut to a budget
material      what a prompt is made of
prompts       the templates and their hash
shipment      what would be sent, and how it is shown
consent       whether it may be sent
memory        what is remembered about endpoints in the user's state file
wire          the answer's flat form
rungs         the ways of asking for that form, the strictest first
transport     one request, its time limits and failures
client        asks; falls down the rungs, waits and retries
grounding     checks an answer against what was measured
masking       changes that hide a symptom
consultation  asks, checks, sends back, tries the change
converse      free text for a dialogue
"""

from __future__ import annotations
