# `make report` and `make test` set everything up by themselves. PYTHON names the interpreter (3.11 or newer).
PYTHON  ?= python3
VENV    ?= .venv
BIN     := $(VENV)/bin
STAMP   := $(VENV)/.installed
PEER    := $(VENV)/.installed-peer
JOBS    ?= 2
OUT     ?= build/report.pdf
PROFILE ?= quick
ROOMS   := bounds methods toy_problems verify gpu_benchmarks report

.PHONY: report test test-slow test-peer bench lint verify clean

report: $(STAMP)
	$(BIN)/python -m report --profile $(PROFILE) --out $(OUT)

# A test that outlasts 4 minutes fails by its name, with the place where it stood. Compiled first: two workers and the commands that
# tests start would each compile the same modules, over and over where PYTHONDONTWRITEBYTECODE is set.
test: $(STAMP)
	$(BIN)/python -m compileall -q -j $(JOBS) $(ROOMS)
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile -m "not slow and not gpu and not peer" --benchmark-disable --timeout 240

test-slow: $(STAMP)
	$(BIN)/python -m pytest -n $(JOBS) -m "slow and not gpu" --benchmark-disable

# Against PEPit, an independent tool, which comes with solvers of its own: hence not in the other targets' installation.
test-peer: $(PEER)
	$(BIN)/python -m pytest -n $(JOBS) -m peer --benchmark-disable

bench: $(STAMP)
	$(BIN)/python -m pytest --benchmark-only -q -rNf --benchmark-columns=min,median,rounds

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright

verify: $(STAMP)
	$(BIN)/python -m verify --jobs $(JOBS)

clean:
	rm -rf build $(VENV)

# torch first and pinned: an unpinned one brings gigabytes of CUDA.
$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt torch
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[gpu,dev]"
	touch $@

$(PEER): $(STAMP)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[gpu,dev,peer]"
	touch $@
