VENV := .venv
PYTHON ?= python3
SYMPTOM := the loss jumps around and never settles

.PHONY: demo test lint clean

demo: $(VENV)/.installed
	$(VENV)/bin/diagnoser ask "$(SYMPTOM)" examples/demo/train.py

test: $(VENV)/.installed-dev lint
	$(VENV)/bin/pytest -n 2

lint: $(VENV)/.installed-dev
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch $@

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
