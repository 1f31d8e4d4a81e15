"""Secrets and the home path are held back; hashes, numbers and names stay."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from diagnoser.llm.redaction import MARK, Redactor

HOME = Path("/home/ada")
ENVIRON = {"CLUSTER_TOKEN": "plain-words-secret", "EDITOR": "vim", "SHORT_KEY": "abc"}
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3In0.abc-DEF_123456"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\nabcdefgh\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("AKIAIOSFODNN7EXAMPLE", MARK),
        ("AIzaSyA1234567890abcdefghijklmnopqrstuv", MARK),
        ("key sk-proj-abc123DEF456ghi789JKL", f"key {MARK}"),
        ("Incorrect API key provided: sk-abcd****wxyz.", f"Incorrect API key provided: {MARK}."),
        ("hf_abcdefghijklmnopqrstuv", MARK),
        ("ghp_abcdefghijklmnopqrstuvwxyz0123", MARK),
        ("github_pat_11ABCDEFG0abcdefghij_xyz", MARK),
        ("glpat-abcdefghij0123456789", MARK),
        ("xoxb-1234567890-abcdef", MARK),
        (JWT, MARK),
        ("Authorization: Bearer abcdefghijklmnop", f"Authorization: Bearer {MARK}"),
        ("postgres://me:pw@db:5432/x", f"postgres://{MARK}@db:5432/x"),
        ("git+https://0123456789abcdef0123@host/r", f"git+https://{MARK}@host/r"),
        ("AccountKey=abcdefghijklmnopqrstuvwx==;", f"AccountKey={MARK};"),
        ("export WANDB_API_KEY=0123456789abcdef0123", f"export WANDB_API_KEY={MARK}"),
        ("DB_PASSWORD=hunter2", f"DB_PASSWORD={MARK}"),
        ("HF_TOKEN = 'abcdefgh1'", f"HF_TOKEN = '{MARK}'"),
        ('os.environ["MY_SECRET"] = "open sesame"', f'os.environ["MY_SECRET"] = "{MARK}"'),
        ('{"api_key": "abcdef"}', f'{{"api_key": "{MARK}"}}'),
        ('login(token="abcd1234efgh")', f'login(token="{MARK}")'),
        ("--api-key abcdef --lr 3", f"--api-key {MARK} --lr 3"),
        ("the value plain-words-secret was printed", f"the value {MARK} was printed"),
        (f"a\n{PEM}\nb", f"a\n{MARK}\n{MARK}\n{MARK}\n{MARK}\nb"),
        ("/home/ada/project/train.py", "~/project/train.py"),
        ("open('/home/ada')", "open('~')"),
        ("/home/grace/data.csv", "~/data.csv"),
    ],
)
def test_what_is_held_back(text: str, left: str) -> None:
    redactor = Redactor(ENVIRON, HOME)
    assert redactor(text) == left
    assert sum(redactor.counts.values()) == 1


@pytest.mark.parametrize(
    "text",
    [
        "commit e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        'model = "TheBloke/Mistral-7B-Instruct-v0.2-GGUF"',
        'name = "c2VudGVuY2UtdHJhbnNmb3JtZXJz"',
        "loss 0.123456789012345678901234567890",
        'pad_token = "<pad>"',
        'PAD_TOKEN = "[PAD-0001]"',
        "MAX_TOKENS = 20480000",
        "max_tokens=512",
        "tokens: torch.Tensor",
        'key = "fc1.weight"',
        "attention(query, key=keys, value=v)",
        "for key, value in state.items():",
        "def forward(self, query, key, value):",
        'token = batch["token"]',
        "API_KEY = os.environ['WANDB_API_KEY']",
        "password = getpass.getpass()",
        "secret = None",
        "monkey = 'banana123'",
        "self.token_embedding = nn.Embedding(100, 10)",
        "sk-learn and task-specific heads",
        "https://example.org/a?b=c",
        "https://user@host/x",
        "/home_made/ada",
        "abc",
        "vim",
    ],
)
def test_what_stays(text: str) -> None:
    redactor = Redactor(ENVIRON, HOME)
    assert redactor(text) == text
    assert not redactor.counts


def test_lines_keep_their_numbers() -> None:
    text = f"one\nKEYS = '''\n{PEM}\n'''\nlast"
    assert Redactor({}, HOME)(text).splitlines()[-1] == "last"
    assert len(Redactor({}, HOME)(text).splitlines()) == len(text.splitlines())


def test_doing_it_twice_changes_nothing_more() -> None:
    redactor = Redactor(ENVIRON, HOME)
    text = "\n".join([JWT, PEM, "DB_PASSWORD=hunter2", "postgres://me:pw@db/x", "/home/ada/x"])
    once = redactor(text)
    counts = dict(redactor.counts)
    assert redactor(once) == once
    assert dict(redactor.counts) == counts


@pytest.mark.parametrize(
    "piece", ["a", "a_", "key=", "-----BEGIN PRIVATE KEY-----", "eyJ.", "://a:"]
)
def test_long_texts_take_no_long_time(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    began = time.process_time()
    Redactor({}, HOME)(text)
    assert time.process_time() - began < 5
