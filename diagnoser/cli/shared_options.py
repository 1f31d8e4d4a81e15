"""Arguments and options that several verbs take, each written once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Target = Annotated[
    str | None,
    typer.Argument(
        help="A script. Its arguments follow `--`; without TARGET a command follows `--`."
    ),
]
Steps = Annotated[
    int | None, typer.Option(metavar="N", help="Steps that are watched closely; 200 by default.")
]
Python = Annotated[
    str | None, typer.Option(metavar="PATH", help="The interpreter that runs the script.")
]
Cwd = Annotated[
    Path | None, typer.Option(metavar="DIR", help="The folder in which the script starts.")
]
Env = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="Set a variable for the script; repeatable."),
]
Seed = Annotated[int | None, typer.Option(metavar="N", help="Force this seed in each run.")]
InPlace = Annotated[
    bool, typer.Option("--in-place", help="Run without the copy-on-write view of your files.")
]
NoNetwork = Annotated[bool, typer.Option("--no-network", help="Run the script without network.")]
Llm = Annotated[
    bool | None, typer.Option("--llm/--no-llm", help="Ask a language model always, or never.")
]
Model = Annotated[str | None, typer.Option(metavar="NAME", help="The model's name.")]
BaseUrl = Annotated[str | None, typer.Option(metavar="URL", help="Its OpenAI-compatible endpoint.")]
YesSend = Annotated[bool, typer.Option("--yes-send", help="Agree to what is sent to the model.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress on standard error.")]
NoColor = Annotated[bool, typer.Option("--no-color", help="No colours.")]
