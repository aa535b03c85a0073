# Every target makes its own virtual environment; nothing but Python 3.11 and make is needed.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: help demo test check format bench clean

help:
	@echo "make demo    set everything up and run the main job"
	@echo "make test    run the tests"
	@echo "make check   format, lint, types, import contract, then the tests"
	@echo "make format  rewrite the code in the house's format"
	@echo "make bench   run the benchmarks"

$(READY): pyproject.toml constraints.txt scripts/bootstrap
	@PYTHON=$(PYTHON) VENV=$(VENV) sh scripts/bootstrap

demo: $(READY)
	@$(BIN)/recollect demo

test: $(READY)
	$(BIN)/pytest -n auto

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n auto

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	$(BIN)/python -m bench.fusion
	$(BIN)/python -m bench.hybrid
	$(BIN)/python -m bench.service --seconds 20

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
