"""Each row of the symptom table is recognised in the words that people use for it."""

from __future__ import annotations

import pytest

from diagnoser.rules.symptoms import SYMPTOMS, symptoms_in

SAID = {
    "loss-nan": ["the loss is NaN", "after a while everything is nan", "loss goes to inf"],
    "loss-flat": [
        "the loss does not go down",
        "it never learns",
        "accuracy is stuck",
        "the loss hardly moves",
        "same loss every epoch",
    ],
    "loss-explodes": ["the loss explodes", "it diverges", "loss shoots up", "the error climbs"],
    "loss-swings": ["the loss jumps around", "it oscillates", "very noisy", "never settles"],
    "loss-plateaus": ["it plateaus at 0.4", "the curve flattens early", "it levels off"],
    "overfitting": [
        "it overfits",
        "train accuracy is great but test accuracy is bad",
        "validation drops",
    ],
    "underfitting": ["accuracy is low", "poor results", "it predicts the mean"],
    "too-good": ["too good to be true", "suspiciously high", "100 % accuracy"],
    "inconsistent": ["results differ between two runs", "not reproducible", "different every time"],
    "device-mismatch": [
        "Expected all tensors to be on the same device",
        "found cuda:0 and cpu",
    ],
    "shape-mismatch": [
        "mat1 and mat2 shapes cannot be multiplied (8x5 and 4x4)",
        "size mismatch for fc.weight",
    ],
    "crash": ["it crashes", "I get an error", "raises an exception", "it fails at start"],
    "out-of-memory": ["out of memory", "OOM after an hour", "RAM grows each epoch"],
    "slow": ["it is slow", "one epoch takes ages", "takes hours per epoch", "GPU sits idle"],
}
CALM = ["", "does it learn at all?", "how does this look", "please check my script"]


def test_every_row_is_covered() -> None:
    assert set(SAID) == {symptom.slug for symptom in SYMPTOMS}


@pytest.mark.parametrize(
    ("slug", "text"), [(slug, text) for slug, texts in SAID.items() for text in texts]
)
def test_a_symptom_is_recognised_whatever_the_case_of_letters(slug: str, text: str) -> None:
    for spelt in (text, text.upper(), text.lower()):
        assert slug in symptoms_in(spelt)


@pytest.mark.parametrize("text", CALM)
def test_calm_words_name_no_symptom(text: str) -> None:
    assert symptoms_in(text) == ()


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("finance data, loss goes down nicely", "loss-nan"),
        ("banana classifier", "loss-nan"),
        ("slower learning rate than usual, but good", "loss-explodes"),
        ("zoom call audio", "out-of-memory"),
    ],
)
def test_a_word_inside_another_is_not_the_symptom(text: str, slug: str) -> None:
    assert slug not in symptoms_in(text)


def test_symptoms_come_in_the_order_of_the_table_and_once() -> None:
    found = symptoms_in("it is slow, crashes, and the loss is nan nan nan")
    order = [symptom.slug for symptom in SYMPTOMS]
    assert list(found) == sorted(set(found), key=order.index)
    assert {"loss-nan", "crash", "slow"} <= set(found)
