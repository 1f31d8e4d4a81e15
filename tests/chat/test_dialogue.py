"""Free text: what a sentence leads to, without any run."""

from __future__ import annotations

from pathlib import Path

import pytest

from diagnoser.chat.asking_back import SPLITTERS, best_splitter, set_aside
from diagnoser.chat.dialogue import interpret
from diagnoser.chat.intents import cannot, intent_of
from diagnoser.chat.naming import cause_in, place_in
from diagnoser.chat.session import Session
from diagnoser.errors import InputError
from diagnoser.evaluate.cases import load_case
from diagnoser.rules.registry import all_rules
from diagnoser.rules.symptoms import symptoms_in
from tests.chat.conftest import Talk
from tests.conftest import REPOSITORY

TARGETED = Session(target="train.py")


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("why?", "why"),
        ("but why", "why"),
        ("how do you know", "why"),
        ("are you sure?", "why"),
        ("why not the learning rate", "why-not"),
        ("why isn't it the learning rate?", "why-not"),
        ("could it be the data?", "why-not"),
        ("what about the labels", "why-not"),
        ("how do I fix it", "fix"),
        ("how can I fix that?", "fix"),
        ("what should I change", "fix"),
        ("what else", "else"),
        ("is anything else wrong?", "else"),
        ("what next", "next"),
        ("what now?", "next"),
        ("what should I do", "next"),
        ("I changed it, try again", "again"),
        ("I've fixed it, what do you say", "again"),
        ("run it again please", "again"),
        ("once more: try again", "again"),
        ("apply it", "apply"),
        ("please write the fix", "apply"),
        ("fix it for me", "apply"),
        ("undo", "undo"),
        ("put it back", "undo"),
        ("show me the diff", "diff"),
        ("show me line 31", "show"),
        ("does it work?", "verify"),
        ("what did it print", "printed"),
        ("how long did that take", "seconds"),
        ("thanks", "thanks"),
        ("thank you very much", "thanks"),
        ("bye", "bye"),
        ("that's all", "bye"),
        ("run it", "run"),
        ("what's wrong with it?", "run"),
        ("what if I lower the learning rate", "experiment"),
        ("hello", "hello"),
        ("the loss is nan", ""),
        ("accuracy stays at chance", ""),
    ],
)
def test_a_sentence_has_an_intent(text: str, intent: str) -> None:
    assert intent_of(text) == intent


def test_symptoms_of_every_case_are_taken_as_a_question() -> None:
    for path in sorted((REPOSITORY / "eval_cases").glob("*/case.toml")):
        words = load_case(path.parent).symptom
        if words.strip():
            step = interpret(TARGETED, words)
            assert step.look, f"{path.parent.name}: {words!r} leads to {step}"
            assert step.session.words == (words,)


@pytest.mark.parametrize(
    "text",
    [
        "write me a better model",
        "plot the loss curve",
        "tell me a joke",
        "install pytorch",
        "deploy it",
        "find the best learning rate",
        "train the model for me",
    ],
)
def test_what_is_not_done_here_is_said_with_the_nearest_thing(text: str) -> None:
    assert "The nearest thing:" in cannot(text)
    step = interpret(Session(), text)
    assert step.text.startswith("I cannot ")
    assert not step.look


def test_a_script_that_is_named_becomes_the_target() -> None:
    assert interpret(Session(), "train.py").commands == ("/target train.py",)
    step = interpret(Session(), "it's models/train.py and the loss is nan")
    assert step.commands == ("/target models/train.py",)
    assert step.look
    assert interpret(Session(), "see run.log").commands == ("/log run.log",)
    assert interpret(TARGETED, "show train.py:31").commands == ("/show train.py:31-31",)
    assert interpret(TARGETED, "show me lines 20 to 30").commands == ("/show 20-30",)


def test_a_traceback_that_is_pasted_is_a_question() -> None:
    text = 'Traceback (most recent call last):\n  File "a.py", line 3\nValueError: why not\n'
    assert interpret(Session(), text).look


def test_without_an_answer_questions_about_it_say_so(talk: Talk) -> None:
    for text in ("why", "how do I fix it", "what else", "what did it print", "apply it"):
        with pytest.raises(InputError, match="no answer yet"):
            talk(text)


def test_what_is_not_understood_says_what_is() -> None:
    step = interpret(Session(), "colourless green ideas")
    assert "I read symptoms" in step.text
    assert step.model


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("lr-too-high", "lr-too-high"),
        ("is it missing zero grad", "missing-zero-grad"),
        ("softmax before the cross entropy?", "softmax-before-cross-entropy"),
        ("a division by zero", "division-by-zero"),
        ("eval mode", "missing-eval-mode"),
        ("out of memory", "out-of-memory"),
        ("the weather", ""),
        ("my dog", ""),
    ],
)
def test_a_cause_is_known_by_its_words(text: str, cause: str) -> None:
    assert cause_in(text) == cause


def test_of_two_causes_the_better_ranked_is_meant() -> None:
    assert cause_in("the learning rate", ["lr-too-low", "lr-too-high"]) == "lr-too-low"
    assert cause_in("the learning rate", ["lr-too-high", "lr-too-low"]) == "lr-too-high"


def test_every_slug_names_its_own_cause() -> None:
    for rule in all_rules():
        assert cause_in(f"why not {rule.slug}") == rule.slug
        assert cause_in(f"could it be {rule.slug.replace('-', ' ')}?") == rule.slug


def test_places_are_read() -> None:
    place = place_in("look at src/train.py:12-14")
    assert place is not None
    assert (place.file, place.line, place.end) == ("src/train.py", 12, 14)
    assert place_in("line") is None


def test_it_asks_back_what_halves_the_candidates(talk: Talk) -> None:
    said = talk("the loss stays flat")
    assert "Does the loss ever change, or is it exactly constant?" in said
    said = talk("exactly constant")
    assert "lr-too-low" not in said
    assert "missing-optimizer-step" in said
    assert "lr-too-low" in talk.session.doubted
    assert "missing-optimizer-step" in talk("how do I fix it")


def test_the_other_reply_leaves_the_other_half(talk: Talk) -> None:
    talk("the loss stays flat")
    said = talk("it does change, a bit")
    assert "lr-too-low" in said
    assert "missing-optimizer-step" not in said


def test_who_cannot_tell_is_offered_a_run(talk: Talk) -> None:
    talk("the loss stays flat")
    assert "/target FILE" in talk("no idea")


def test_the_questions_split_every_symptoms_causes_or_are_not_asked() -> None:
    for slug in {slug for rule in all_rules() for slug in rule.prior}:
        rules = [rule for rule in all_rules() if slug in rule.prior]
        splitter = best_splitter(rules, frozenset())
        if splitter is not None:
            share = sum(splitter.holds(rule) for rule in rules) / len(rules)
            assert 0.25 <= share <= 0.75, (slug, splitter.name)


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("constant", ["exactly constant", "it never changes"], ["it's not constant", "it moves"]),
        ("error", ["it crashes", "yes"], ["no error", "it runs to the end"]),
        ("split", ["only the test score"], ["both", "training is bad too"]),
        ("rate", ["right away", "in the first steps"], ["after a while", "later"]),
        ("nan", ["nan", "yes"], ["no", "an ordinary number"]),
    ],
)
def test_replies_are_read(name: str, first: list[str], second: list[str]) -> None:
    splitter = next(entry for entry in SPLITTERS if entry.name == name)
    rules = all_rules()
    holds = {rule.slug for rule in rules if splitter.holds(rule)}
    for reply in first:
        assert set_aside(splitter, reply, rules) == {r.slug for r in rules} - holds, reply
    for reply in second:
        assert set_aside(splitter, reply, rules) == holds, reply
    assert set_aside(splitter, "i don't know", rules) is None


def test_more_words_add_up(talk: Talk) -> None:
    talk("the loss is nan")
    talk("and it is slow")
    last = talk.session.last
    assert last is not None
    assert set(last.work.examination.asked) == set(symptoms_in("the loss is nan and slow"))
    talk("/ask the test accuracy is bad")
    assert talk.session.words == ("the test accuracy is bad",)


def test_help_lists_the_commands(talk: Talk) -> None:
    text = talk("/help")
    for name in [
        "help",
        "target",
        "run",
        "ask",
        "why",
        "evidence",
        "candidates",
        "experiment",
        "fix",
        "diff",
        "apply",
        "undo",
        "verify",
        "log",
        "rules",
        "model",
        "llm",
        "prompt",
        "save",
        "export",
        "quit",
    ]:
        assert f"/{name}" in text


def test_a_path_is_no_command(talk: Talk, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file"):
        talk(f"{tmp_path}/train.py")
