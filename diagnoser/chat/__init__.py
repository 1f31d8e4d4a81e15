"""The same as `ask`, as a conversation.

session      what a conversation knows: pure state
reply        what a line leads to, and what is said back
commands     the table of commands: name -> function, help
dialogue     free text -> intent -> answer; pure
replying     offers and questions, and what the user replies to them
intents      what a sentence wants
naming       which cause, place or file a sentence names
answers      the texts about one answer: why, evidence, candidates, lines
fixes        the fix that is talked about, and the pattern where there is none
rejudge      more symptoms against the examination that is there
asking_back  the one question that would halve the candidates
compare      what changed from one run to the next
actions      commands that run something or write something
desk         the runs: one warm runner, ended by an interrupt without a trace
interrupts   Ctrl-C
render       an answer as the conversation shows it
export       the files that the user asks for
speaking     prints replies and errors
history      what was typed before, without secrets
completion   of commands, causes, evidence ids and files
paste        long pastes, and those that never end
model        the language model, where there is one
repl         a terminal, with prompt_toolkit
plain        a pipe, or a terminal that can do little
"""

from __future__ import annotations
