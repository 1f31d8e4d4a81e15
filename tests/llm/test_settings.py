"""Flags, then the environment, then the project's file, then the user's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from diagnoser.errors import InputError
from diagnoser.llm.endpoint import OFFICIAL, configured, endpoint_of
from diagnoser.settings import Settings, load_settings


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A script two folders below a pyproject.toml that sets nothing yet."""
    script = tmp_path / "project" / "src" / "train.py"
    script.parent.mkdir(parents=True)
    script.write_text("")
    return script


def write(project: Path, text: str) -> None:
    (project.parents[1] / "pyproject.toml").write_text(text)


def load(project: Path, config: str = "", **environ: str) -> Settings:
    path = project.parents[2] / "config.toml"
    path.write_text(config)
    return load_settings({}, project, environ, path)


def test_nothing_configured_is_no_model(project: Path) -> None:
    settings = load(project)
    assert settings == Settings()
    assert not configured(settings, {})


def test_each_source_outranks_the_next(project: Path) -> None:
    config = 'model = "user"\nbudget = 1\nsteps = 1\nprompt_bytes = 5000\n'
    write(project, '[tool.diagnoser]\nmodel = "project"\nbudget = 2\nsteps = 2\n')
    environ = {"DIAGNOSER_MODEL": "environment", "DIAGNOSER_BUDGET": "3"}
    path = project.parents[2] / "config.toml"
    path.write_text(config)
    found = load_settings({"model": "flag", "budget": None}, project, environ, path)
    assert found == Settings(model="flag", budget=3.0, steps=2, prompt_bytes=5000)


def test_the_nearest_project_file_with_a_table_counts(project: Path) -> None:
    write(project, "[tool.diagnoser]\nsteps = 7\n")
    (project.parent / "pyproject.toml").write_text("[tool.other]\nx = 1\n")
    assert load(project).steps == 7


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ("project", "[tool.diagnoser]\nmodle = 'x'\n"),
        ("project", "[tool.diagnoser]\napi_key = 'x'\n"),
        ("project", "[tool.diagnoser\n"),
        ("project", "[tool.diagnoser]\nbudget = -1\n"),
        ("user", "steps = 'many'\n"),
        ("user", "budget = inf\n"),
        ("environment", "DIAGNOSER_STEPS=many"),
        ("environment", "DIAGNOSER_MODLE=x"),
    ],
)
def test_what_cannot_be_used_is_an_input_error_with_advice(
    project: Path, where: str, text: str
) -> None:
    environ: dict[str, Any] = {}
    if where == "project":
        write(project, text)
    elif where == "environment":
        environ = dict([text.split("=")])
    with pytest.raises(InputError) as error:
        load(project, text if where == "user" else "", **environ)
    assert error.value.advice
    assert "\n" not in f"{error.value}{error.value.advice}"


def test_our_own_variables_and_the_key_are_no_settings(project: Path) -> None:
    assert (
        load(project, DIAGNOSER_API_KEY="k", DIAGNOSER_SEAM="s", DIAGNOSER_WARM="1") == Settings()
    )


def test_a_project_cannot_agree_to_send_to_a_host_of_its_own(project: Path) -> None:
    write(project, '[tool.diagnoser]\nbase_url = "https://elsewhere/v1"\nyes_send = true\n')
    assert not load(project).yes_send
    assert load(project, DIAGNOSER_BASE_URL="https://mine/v1").yes_send
    assert load(project, DIAGNOSER_YES_SEND="true").yes_send
    assert not load(project, "yes_send = true").yes_send, "that was for hosts of the user's own"


@pytest.mark.parametrize(
    ("settings", "environ", "there"),
    [
        (Settings(), {"OPENAI_API_KEY": "k"}, True),
        (Settings(), {"DIAGNOSER_API_KEY": "k"}, True),
        (Settings(), {"DIAGNOSER_API_KEY": " "}, False),
        (Settings(base_url="http://127.0.0.1/v1"), {}, True),
        (Settings(model="m", llm=True), {}, False),
        (Settings(llm=False), {"OPENAI_API_KEY": "k"}, False),
    ],
)
def test_a_key_or_a_base_url_makes_a_model(
    settings: Settings, environ: dict[str, str], there: bool
) -> None:
    assert configured(settings, environ) is there


def test_the_other_base_url_belongs_to_the_other_key() -> None:
    environ = {"OPENAI_BASE_URL": "https://gateway/v1", "OPENAI_API_KEY": "k"}
    assert endpoint_of(Settings(model="m"), environ).host == "gateway"
    with_ours = {**environ, "DIAGNOSER_API_KEY": "k"}
    assert endpoint_of(Settings(model="m"), with_ours).base_url == OFFICIAL


@pytest.mark.parametrize(
    ("url", "loopback"),
    [
        ("http://127.0.0.1:8080/v1", True),
        ("http://localhost/v1", True),
        ("http://[::1]:1/v1", True),
        ("http://127.9.9.9/v1", True),
        ("http://127.0.0.1.example.org/v1", False),
        ("http://localhost.example.org/v1", False),
        ("http://10.0.0.1/v1", False),
        ("https://api.openai.com/v1", False),
    ],
)
def test_loopback(url: str, loopback: bool) -> None:
    assert endpoint_of(Settings(model="m", base_url=url), {}).loopback is loopback
