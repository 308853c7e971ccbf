# `make help` lists the targets. A fresh machine needs Python 3.11 to 3.13, make, git and a package
# registry; everything else is installed into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --no-input --no-compile
# Compiled after the installation, by all cores: pip compiles one file at a time.
COMPILE := $(BIN)/python -m compileall -qq -j 0 $(VENV)/lib || true
DEMO_ARGS ?=
TEST_ARGS ?=
BENCH ?= index_sample
BENCH_ARGS ?=

# What pip installs as torch, before everything else: TORCH=torch for the newest (CUDA) build, or
# TORCH="torch --index-url https://download.pytorch.org/whl/cpu" for a CPU build on Linux.
# A choice once made is kept in .venv/torch until another is given.
ifeq ($(origin TORCH),undefined)
TORCH := $(or $(shell cat $(VENV)/torch 2>/dev/null),torch==2.13.0)
endif

.DEFAULT_GOAL := help
.PHONY: help demo test check bench audit clean FORCE

help: ## list the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1	/' | expand -t 10

demo: $(VENV)/installed ## install, index the 5,000 newest sample records, open the search page
	$(BIN)/bioglot demo $(DEMO_ARGS)

test: $(VENV)/installed-dev ## install and run the tests; what cannot run here is skipped with its reason
	$(BIN)/python -m pytest -q -rs $(TEST_ARGS)

check: $(VENV)/installed-dev ## lint, formatting, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/installed-dev ## run benchmarks/$(BENCH).py with $(BENCH_ARGS)
	$(BIN)/python benchmarks/$(BENCH).py $(BENCH_ARGS)

audit: $(VENV)/installed ## compare what is installed with known vulnerabilities
	@test -x $(VENV)/audit/bin/pip-audit || { $(PYTHON) -m venv $(VENV)/audit && \
		$(VENV)/audit/bin/pip install --quiet --disable-pip-version-check pip-audit; }
	$(VENV)/audit/bin/pip-audit --path "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"

clean: ## remove the environment and the tools' caches; libraries and data stay
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find app indexer models tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || \
		{ echo "$(PYTHON) is not Python 3.11 to 3.13: give one with make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# The recipe always runs and touches the file only when the choice of torch is new.
$(VENV)/torch: FORCE | $(BIN)/python
	@test "$$(cat $@ 2>/dev/null)" = '$(TORCH)' || { \
		echo 'installing $(TORCH)'; $(INSTALL) $(TORCH) && echo '$(TORCH)' > $@; }

$(VENV)/installed: pyproject.toml $(VENV)/torch
	@echo 'installing bioglot'
	@$(INSTALL) --editable .
	@$(COMPILE)
	@touch $@

$(VENV)/installed-dev: pyproject.toml $(VENV)/torch
	@echo 'installing bioglot with its development tools'
	@$(INSTALL) --editable '.[dev]'
	@$(COMPILE)
	@touch $(VENV)/installed $@
