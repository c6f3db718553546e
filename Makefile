# The commands of this tree; each one sets up what it needs, so any of them works first on a fresh machine.
.DEFAULT_GOAL := help
JOBS ?= $(shell nproc)
SOURCES = git ls-files --cached --others --exclude-standard -- 'headrace/*.h' 'headrace/*.cc' 'include/*.h'

.PHONY: help setup models demo build test format format-check tidy headers deps-check asan fuzz bench oracle clean

help:  ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup:  ## install what is missing: packages, plugins, Python clients
	@tools/setup.sh

demo: build  ## train on real digits, evaluate, predict one image
	@tools/demo.sh

build: setup  ## set up and build everything into build/
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset release -j $(JOBS)

models: setup  ## fetch the weights that tests compare with (700 MB)
	@tools/setup.sh models

test: build models  ## build, then run every test
	@ctest --preset release -j $(JOBS)

format: setup  ## format every source file in place
	@$(SOURCES) | xargs clang-format-19 -i

format-check: setup  ## fail if a file is not formatted
	@$(SOURCES) | xargs clang-format-19 --dry-run --Werror

tidy: build  ## clang-tidy on what changed since origin/main (BASE=commit, or BASE=all)
	@tools/tidy.py $(BASE)

headers: setup  ## compile every header alone
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset headers -j $(JOBS)

deps-check:  ## hold includes, module names and READMEs against DEPS
	@python3 tools/check_deps.py

asan: setup  ## build with sanitizers into build-asan/ and run the tests
	@cmake --preset asan --log-level=WARNING
	@cmake --build --preset asan -j $(JOBS)
	@ctest --preset asan -j $(JOBS)

fuzz: setup  ## run every fuzzer for FUZZ_SECONDS (default 60)
	@cmake --preset fuzz --log-level=WARNING
	@cmake --build --preset fuzz -j $(JOBS)
	@tools/fuzz.sh

bench: oracle  ## run the benchmarks, ours and the peer's side by side
	@cmake --preset bench --log-level=WARNING
	@cmake --build --preset bench -j $(JOBS)
	@tools/bench.sh

oracle: setup  ## install JAX, the reference that numbers are compared with, into .deps/oracle
	@tools/oracle.sh

clean:  ## remove the build folders; .deps/ and runs/ stay
	@rm -rf build build-asan build-fuzz
