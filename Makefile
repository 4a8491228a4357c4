# make app    installs what is missing and opens Headlight on http://localhost:8501 (PORT=)
# make desktop  the same in a window of its own, which ends the server when it is closed
# make test   installs what is missing and runs everything that CI runs
# make setup  the common first step of a developer; quick when nothing changed
# make lint   the static checks alone
# make bench  the peers and us side by side, in some minutes (BENCH='training --size tiny')
PYTHON ?= python3
PORT ?= 8501
VENV ?= .venv
BIN := $(VENV)/bin
RUN_STAMP := $(VENV)/.installed-run
DEV_STAMP := $(VENV)/.installed-dev

.PHONY: app desktop setup test lint check browser bench

# Its welcome hidden, Streamlit advertises nothing of its own over the page, either.
app: $(RUN_STAMP)
	@echo "Headlight: http://localhost:$(PORT) or http://127.0.0.1:$(PORT)"
	$(BIN)/streamlit run app.py --server.port $(PORT) --logger.hideWelcomeMessage true --server.headless $(if $(or $(CI),$(SSH_CONNECTION)),true,false)

desktop: $(RUN_STAMP)
	$(BIN)/python -m viz desktop

setup: $(DEV_STAMP)

test: setup lint browser check

lint: $(DEV_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# One thread a process: the numbers are the same, and small machines stay usable.
check: $(DEV_STAMP)
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -m "not e2e" -n auto
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -m e2e

browser: $(DEV_STAMP)
	$(BIN)/python tests/e2e/browser.py

bench: $(DEV_STAMP)
	$(BIN)/python -m tests.bench $(BENCH)

# Stamps are keyed on the files that name the requirements: no change, no work.
# On Linux, plain torch brings its CUDA libraries (some GB); a machine without a GPU may
# point pip at a CPU build by pip's own settings, the version stays the pinned one.
$(RUN_STAMP): requirements.txt | $(BIN)/python
	@echo "Installing what is missing (torch and more, some GB): this takes a minute or more, in silence."
	$(BIN)/python -m pip install --disable-pip-version-check -q -r requirements.txt
	@touch $@

$(DEV_STAMP): requirements.txt requirements-dev.txt | $(BIN)/python
	@echo "Installing what is missing (torch and more, some GB): this takes a minute or more, in silence."
	$(BIN)/python -m pip install --disable-pip-version-check -q -r requirements-dev.txt
	@touch $(RUN_STAMP) $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Headlight needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>/dev/null || echo missing)."; \
	  echo "Name another: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "This Python cannot make a virtual environment."; \
	  echo "On Debian or Ubuntu: sudo apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
