# One word a job. Every target that runs our code needs `.venv`, which `make setup` builds.

PYTHON ?= python3
# Unless somebody chose one, the fastest build of that version: tools/interpreter.py says why.
FOR_VENV = $(if $(filter file,$(origin PYTHON)),$$($(PYTHON) tools/interpreter.py),$(PYTHON))
VENV := .venv
BIN := $(VENV)/bin
# The tested versions of what users install, where there are some for this Python.
LOCKED = $$($(BIN)/python -c "import pathlib, sys; \
	lock = 'locks/python-%d.%d.txt' % sys.version_info[:2]; \
	print('--constraint ' + lock if pathlib.Path(lock).exists() else '')")
PYTEST := $(BIN)/python -m pytest
ONCE ?=
NODES ?=
SCOPE ?=
JARS ?=
TARGET ?= messages
SECONDS ?= 60
SEEDS ?= 1000
SELECTION ?= hour
JOBS ?= $(shell $(PYTHON) -c "import os; print(os.cpu_count())")

.PHONY: help setup pypy run cluster check fix generate test quick packages interop interop-setup kafka-tests spark spark-setup pipeline explore simulate \
	fuzz soak bench conform locks release release-setup docs site-test clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

$(VENV)/.installed: pyproject.toml
	@test -x $(BIN)/python || $(FOR_VENV) -m venv $(VENV)
	@echo "installing metaquorum and its tools into $(VENV) (about a minute the first time)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check $(LOCKED) --editable '.[dev]'
	@$(BIN)/python -m compileall -q src  # an editable install leaves it to the first start
	@touch $@

$(VENV)/.installed-interop: $(VENV)/.installed
	@echo "installing the other clients and the bench's peers into $(VENV)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check $(LOCKED) --editable '.[dev,interop,bench]'
	@touch $@

$(VENV)/.installed-spark: $(VENV)/.installed
	@echo "installing Spark into $(VENV) (about 500 MB)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check $(LOCKED) --editable '.[dev,spark]'
	@touch $@

$(VENV)/.installed-release: $(VENV)/.installed
	@echo "installing what builds and checks packages into $(VENV)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check $(LOCKED) --editable '.[dev,release]'
	@touch $@

$(VENV)/.installed-fuzz: $(VENV)/.installed
	@echo "installing the coverage-guided fuzzer into $(VENV)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check $(LOCKED) --editable '.[fuzz]'
	@touch $@

$(VENV)/.installed-docs: $(VENV)/.installed
	@echo "installing what builds and opens the site into $(VENV)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check $(LOCKED) --editable '.[dev,docs]'
	@touch $@

setup: $(VENV)/.installed ## install everything into .venv

pypy: setup ## servers on PyPy commit twice as much: .venv-pypy/bin/metaquorum (PYPY=... takes another one)
	@$(BIN)/python -m tools.pypy

run: setup ## format a node, start it, show its status, tail its log (ONCE=1: stop by itself; NODES=3)
	@ONCE=$(ONCE) NODES=$(NODES) $(BIN)/python -m tools.run

cluster: setup ## three brokers of the real Kafka on three controllers, clients at work, the leader killed (ONCE=1)
	@ONCE=$(ONCE) $(BIN)/python -m tools.run_brokers

check: setup ## formatting, lint, types, import contracts, drift of generated code; never writes
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache > /dev/null || $(BIN)/lint-imports --no-cache
	$(BIN)/python -m codegen --check
	$(PYTEST) tests/conventions

fix: setup ## format and mend what lint can mend
	$(BIN)/ruff format --quiet .
	$(BIN)/ruff check --fix --quiet .

generate: setup ## schemas -> src/metaquorum/wire/generated; rules and dashboards -> deploy
	$(BIN)/python -m codegen

test: setup ## everything quick, on all cores: about six minutes on two
	$(PYTEST) -n auto -m "not soak" tests

quick: setup ## the fastest part of it, under twenty seconds
	$(PYTEST) -m "not soak and not slow" tests/unit

release-setup: $(VENV)/.installed-release

packages: release-setup ## wheel and sdist outside the checkout, and an upgrade from an older wheel and back
	$(PYTEST) -n auto --dist loadfile -m "not soak" --timeout=600 -v tests/packages

locks: release-setup ## locks/: the newest versions that pyproject.toml allows, for each Python
	@$(BIN)/python -m tools.locks

release: release-setup ## build twice, compare, check, list what would be published: build/release
	@$(BIN)/python -m tools.release

interop-setup: $(VENV)/.installed-interop

interop: interop-setup ## the real clients and the real Kafka (Java 17, Maven, kcat)
	$(PYTEST) -n auto --dist loadfile --no-loadscope-reorder -m "not soak and not alone" --timeout=600 tests/interop
	$(PYTEST) -m "alone and not soak" --timeout=600 tests/interop

kafka-tests: setup ## Kafka's own integration tests on our controllers, what fits an hour (SELECTION=ci, hour, all)
	@$(BIN)/python -m tools.kafka_tests run --selection $(SELECTION)

spark-setup: $(VENV)/.installed-spark

spark: spark-setup ## the data source, its tables and the pipeline on a local Spark (Java 17)
	$(PYTEST) -n auto --dist loadfile -m "not soak" --timeout=300 tests/spark

pipeline: spark-setup ## a cluster of the real Kafka, its log as tables, and a page: build/pipeline/report.html
	@$(BIN)/python -m tools.run_pipeline

explore: setup ## exhaust one scope of the explorer: make explore SCOPE=name
	$(BIN)/python -m metaquorum.testing.explorer $(SCOPE) --deep

simulate: setup ## a thousand seeds of thirty simulated seconds, a quarter with brokers, and long runs (SEEDS=, JOBS=)
	$(BIN)/python -m metaquorum.testing.simulator --seeds $(SEEDS) --jobs $(JOBS) --save build/failures
	$(BIN)/python -m metaquorum.testing.simulator --hours 2 --seeds 4 --brokers 4 --jobs $(JOBS) --save build/failures

fuzz: $(VENV)/.installed-fuzz ## one target for a while: make fuzz TARGET=messages SECONDS=60
	$(BIN)/python -m metaquorum.testing.fuzz $(TARGET) --seconds $(SECONDS)

soak: interop-setup spark-setup release-setup $(VENV)/.installed-fuzz ## the long runs
	$(PYTEST) --timeout=3600 -m soak tests tests/interop tests/packages tests/spark
	$(BIN)/python -m tools.kafka_tests run --selection all --times 2

conform: interop-setup ## compare our schemas with the definitions inside Kafka's own jars
	$(BIN)/python -m tools.kafka conform

bench: interop-setup spark-setup ## what we measure, each beside a peer in the same run
	$(BIN)/python tools/bench/codec.py
	$(BIN)/python tools/bench/batch.py
	$(BIN)/python tools/bench/start.py
	$(BIN)/python tools/bench/failover.py
	$(BIN)/python tools/bench/commit.py
	$(BIN)/python tools/bench/serve.py
	$(BIN)/python tools/bench/kip630.py
	-$(BIN)/python tools/bench/simulate.py
	-$(BIN)/python tools/bench/topics.py
	-$(BIN)/python tools/bench/mixed_commit.py
	-$(BIN)/python tools/bench/snapshot.py
	-$(BIN)/python tools/bench/recovery.py
	-$(BIN)/python tools/bench/pipeline.py

docs: $(VENV)/.installed-docs ## the documentation as a site, every link checked: build/site/index.html
	@$(BIN)/python -m tools.site

site-test: docs ## open the site in Chromium; run the shell blocks of README and docs/how-to
	$(PYTEST) -n auto --timeout=240 tests/site

clean: ## forget built things, keep .venv
	rm -rf build .mypy_cache .ruff_cache .hypothesis
