"""`python -m diagnoser` is the same as the command `diagnoser`."""

from __future__ import annotations

from diagnoser.cli.main import main

if __name__ == "__main__":
    main()
