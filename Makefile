# make play and make test set up all they need: a virtual environment in .venv, made with PYTHON (3.11 or newer).
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NODE_BIN := node_modules/.bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: help play serve servers test unit interfaces compiled system browser proofs test-all coverage minutes snapshots \
	ledger limits counts check check-page format no-node documents bench histories rude mutants picture icons plots atlas reference \
	schema engine photographs constraints release clean

help:
	@echo "make play    play a game here and now"
	@echo "make serve   open the page: play in a browser, with a friend by link"
	@echo "make servers open it as many would: two servers on one PostgreSQL behind nginx"
	@echo "make test    run the tests that need nothing else, in a minute"
	@echo "make test-all  run all tests: also those that need a browser, PostgreSQL and nginx"
	@echo "make check   run the linters and the type checker"
	@echo "make bench   measure the speed"
	@echo "make mutants measure what the tests notice; takes half an hour"
	@echo "make release build what can be published, and try it"

# Ctrl-C is a normal way to leave (exit code 130), and make is not to report it as an error. The trap keeps the shell
# alive until Parlour has ended.
CTRL_C_IS_FINE = || { code=$$?; [ $$code -eq 130 ] || exit $$code; }

play: $(VENV)/.play
	@trap : INT; $(BIN)/parlour $(CTRL_C_IS_FINE)

serve: $(VENV)/.serve
	@trap : INT; $(BIN)/parlour serve $(ARGS) $(CTRL_C_IS_FINE)

servers: $(VENV)/.servers
	@$(BIN)/python deploy/try.py $(ARGS)

# The tests lie in layers, by what they need: CONTRIBUTING.md. Each layer writes its times to build/tests for `make minutes`.
JOBS ?= auto
PYTEST = $(BIN)/python -m pytest -n $(JOBS) --maxprocesses 8 --dist worksteal --junitxml build/tests/$@.xml

test: $(VENV)/.test
	$(PYTEST) $(ARGS)

unit interfaces: $(VENV)/.test
	$(PYTEST) tests/$@ $(ARGS)

compiled: $(VENV)/.test-all
	$(PYTEST) tests/$@ $(ARGS)

# One worker for each of two cores: these start servers and browsers of their own.
system: JOBS = 2
system: $(VENV)/.test-all
	$(PYTEST) tests/$@ $(ARGS)
	PARLOUR_TEST_DATABASE=postgresql $(BIN)/python -m pytest -n $(JOBS) --junitxml build/tests/postgresql.xml \
		tests/interfaces/store tests/interfaces/web/test_old_database.py

browser: JOBS = 2
browser: $(VENV)/.test-all
	$(PYTEST) tests/$@ $(ARGS)

# All proofs take hours. SHARE=0.1 runs a tenth of the cases, chosen by a seed that is printed.
SHARE ?= 1
proofs: JOBS = 2
proofs: $(VENV)/.test-all
	$(PYTEST) tests/$@ --share $(SHARE) $(ARGS)

test-all: unit interfaces compiled system browser
	$(MAKE) proofs SHARE=0.1
	$(MAKE) rude ARGS=--short

# Which lines of each package the quick layers run: build/coverage.json, and a column of docs/mutants.md.
coverage: $(VENV)/.mutants
	$(BIN)/python -m pytest -n $(JOBS) tests/unit tests/interfaces --cov=parlour --cov-report=json:build/coverage.json --cov-report=

# Where the minutes of the last run went, by file: docs/minutes.md.
minutes: $(VENV)/.test
	$(BIN)/python docs/make_minutes.py

# The expected wording of screens and messages, as it is now.
snapshots: $(VENV)/.test
	$(BIN)/python -m pytest -n $(JOBS) tests/unit tests/interfaces --snapshot-update

# The sentences of the rule books and the tests that prove them: docs/ledger.md.
ledger: $(VENV)/.test
	$(BIN)/python docs/make_ledger.py

check: $(VENV)/.check $(if $(shell command -v npm),check-page,no-node)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/deptry .
	$(BIN)/codespell -D - -D docs/words.txt README.md CONTRIBUTING.md CHANGELOG.md docs src

# The page's JavaScript. What checks it comes from npm and is for developers alone: the page is served as it is written.
DOCUMENTS := src/parlour/web/page/documents.d.ts
WRITE_DOCUMENTS := $(BIN)/python -m tests.support.web_schemas | $(NODE_BIN)/openapi-typescript --output $(DOCUMENTS)

check-page: node_modules/.installed $(VENV)/.test-all
	$(NODE_BIN)/biome check --error-on-warnings
	$(NODE_BIN)/tsc
	$(NODE_BIN)/tsc --project tsconfig.worker.json
	@$(WRITE_DOCUMENTS) --check >/dev/null || \
		{ echo "$(DOCUMENTS) is not what the server says now: make documents"; exit 1; }

format: node_modules/.installed $(VENV)/.check
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(NODE_BIN)/biome check --write

no-node:
	@echo "NO NODE: npm is not on the PATH, so the JavaScript of the page was not checked at all" >&2
	@[ -z "$(filter true,$(CI))$(PARLOUR_TEST_ALL)" ]

# The types of what the server says, for the page's type checker.
documents: node_modules/.installed $(VENV)/.test-all
	$(WRITE_DOCUMENTS)

# package.json has the versions. There is no lock file: npm refuses one that lacks a program of some other system.
node_modules/.installed: package.json .npmrc
	npm install --silent
	@touch $@

bench: $(VENV)/.test-all
	@$(PIP) install pygame # which the games that come with PettingZoo need
	$(BIN)/python bench/first_prompt.py
	$(BIN)/python bench/commands.py
	$(BIN)/python bench/step.py
	$(BIN)/python bench/solver.py
	$(BIN)/python bench/mcts.py
	$(BIN)/python bench/batch.py
	$(BIN)/python bench/agents.py
	$(BIN)/python bench/sweep.py
	$(BIN)/python bench/web.py

# Many clients, many faults, and whether what they saw is possible: docs/histories.md.
histories: $(VENV)/.test-all
	$(BIN)/python -m bench.histories $(ARGS)

# Attacks from one address, and how long another's moves take meanwhile: docs/trust.md.
rude: $(VENV)/.test-all
	$(BIN)/python bench/rude.py $(ARGS)

# How many small changes of the code the tests notice: docs/mutants.md.
mutants: $(VENV)/.mutants
	$(BIN)/python bench/mutants.py $(ARGS)

# The pictures in README and docs that are drawn from real games.
picture: $(VENV)/.test-all
	$(BIN)/python docs/draw_picture.py

# The icons of the page and the picture of its links, from icon.svg.
icons: $(VENV)/.test-all
	$(BIN)/python docs/draw_icons.py

# What the examples learn, drawn: docs/plots. Takes two or three minutes.
plots: $(VENV)/.test-all
	$(BIN)/python examples/q_learning.py --plot docs/plots/q-learning.svg
	$(BIN)/python examples/policy_gradient.py --plot docs/plots/policy-gradient.svg
	rm -rf build/logs
	$(BIN)/inspect eval parlour/double_up --model parlour/random,parlour/level:1,parlour/level:3,parlour/perfect \
		--display none --log-dir build/logs
	$(BIN)/parlour leaderboard build/logs --plot docs/plots/leaderboard.svg

# The atlas that is shipped: what every square of it is worth. Takes half an hour or less, and can be stopped and gone on with.
atlas: $(VENV)/.test-all
	$(BIN)/python docs/make_atlas.py $(ARGS)

# The stub of the public names for type checkers, the reference in docs/python.md and the tables of fields in docs/json.md
# and docs/api.md, from the docstrings and the descriptions of fields.
reference: $(VENV)/.test-all
	$(BIN)/python tools/make_stub.py
	$(BIN)/python docs/make_reference.py
	$(BIN)/python docs/make_fields.py

# The tables of limits in docs/web.md, from the constants.
limits: $(VENV)/.test
	$(BIN)/python docs/make_limits.py

# Twin classes, hand-written loops, long modules: the measures of docs/architecture.md.
counts: $(BIN)/python
	@$(BIN)/python tools/counts.py
	@$(BIN)/python tools/subset.py

# The JSON Schema of all that Parlour writes as JSON, from the source.
schema: $(VENV)/.test-all
	$(BIN)/python docs/make_schema.py

# The compiled engines that are shipped, from the rules and kernels.
engine: $(VENV)/.test-all
	$(BIN)/python -m parlour.engine.build

# The pictures of the page, taken by a real browser: Chromium has to be installed.
photographs: $(VENV)/.test-all
	$(BIN)/python docs/photograph.py

# The pinned versions, for every Python we support. It records no registry.
constraints: $(VENV)/.play
	$(PIP) install uv
	$(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --all-extras --no-header --no-annotate \
		--output-file constraints.txt pyproject.toml

# Wheel and sdist, each installed into an empty environment and tried there; nothing is published.
release: $(VENV)/.release
	.ci/release $(BIN)/python

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Parlour needs Python 3.11 or newer; say which: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
		{ rm -rf $(VENV); echo "Python cannot make a virtual environment here; on Debian: apt install python3-venv"; exit 1; }

$(VENV)/.play: $(BIN)/python pyproject.toml constraints.txt
	@echo "Setting up Parlour in $(VENV) ..."
	@$(PIP) install --constraint constraints.txt --editable .
	@touch $@

$(VENV)/.serve: $(VENV)/.play
	@echo "Setting up the server in $(VENV), which takes about half a minute ..."
	@$(PIP) install --constraint constraints.txt --editable '.[previews]'
	@touch $@

$(VENV)/.servers: $(VENV)/.play
	@echo "Setting up the servers in $(VENV), which takes about half a minute ..."
	@$(PIP) install --constraint constraints.txt --editable '.[postgres]'
	@touch $@

$(VENV)/.test: $(VENV)/.play
	@echo "Setting up the tests in $(VENV) ..."
	@$(PIP) install --constraint constraints.txt --editable '.[test]'
	@touch $@

$(VENV)/.test-all: $(VENV)/.test
	@echo "Setting up all tests in $(VENV): 1.2 GB, which takes minutes ..."
	@$(PIP) install --no-compile --constraint constraints.txt --editable '.[test-all]'
	@touch $@

$(VENV)/.check: $(VENV)/.test-all
	@$(PIP) install --constraint constraints.txt --editable '.[test-all,check]'
	@touch $@

$(VENV)/.mutants: $(VENV)/.test-all
	@$(PIP) install --constraint constraints.txt --editable '.[mutants]'
	@touch $@

$(VENV)/.release: $(VENV)/.play
	@$(PIP) install --constraint constraints.txt --editable '.[release]'
	@touch $@

clean:
	rm -rf $(VENV) node_modules build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
