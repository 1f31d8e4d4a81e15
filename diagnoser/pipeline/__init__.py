"""The order of an answer: intake, probe run, rules, experiments, rules again, fix, verification.

`answer` gives the report; `examine` gives the work behind it, for callers that go on from there.
"""

from diagnoser.pipeline.answer import answer, examine
from diagnoser.pipeline.options import Options, Progress

__all__ = ["Options", "Progress", "answer", "examine"]
