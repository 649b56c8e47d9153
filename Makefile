# SPDX-License-Identifier: Apache-2.0
#
# The short way in. The real build is CMake's: see CMakePresets.json.

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 600
SOAK_SECONDS ?= 3600

sources = $(shell find $(wildcard apps bench examples experiments fuzz include python reference src studio tests) -name '*.[chi]pp')

# Programs that use threads, and the tests of theirs that the thread sanitizer watches.
space = $(subst ,, )
threaded = base evaluate soft train search learn
threaded_tests = ThreadPool|Shared|Threads|Parallel|Multitask

# What takes minutes with sanitizers; `make test` runs it.
too_long = MeansTheSame.*/(Negation|Plain|Deep)|RowsOfSeveralWords|ReproduceGqa.SetsSynthetic|AVetoedRuleIsReplaced|RulesAndLiteralsOfWide

.PHONY: help run build studio install python test check check-cuda check-format check-memory check-threads check-tidy \
  check-studio check-wheel same-answers coverage soak fuzz format clean packages-build packages-test packages-python packages-studio
.DEFAULT_GOAL := help

help: ## List what can be made
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 20

run: build ## Build, then learn what a grandparent is
	build/hri learn grandparent

build: packages-build build/release/build.ninja ## Build the release: build/hri
	cmake --build --preset release -j $(JOBS) --target hri_cli
	@ln -sfn release/bin/hri build/hri

studio: build ## Build, then open the studio on the family example
	build/hri studio examples/data/family

check-studio: build packages-studio ## Run the studio's tests in headless Chromium
	cd studio/tests && npm install --silent --no-audit --no-fund --fetch-retries 4
	cd studio/tests && HRI=$(abspath build/hri) npm test

check-wheel: packages-build packages-python packages-test ## Test a wheel beside packages of a package index
	cmake --preset release -DHRI_PYTHON=ON
	scripts/check-wheel.sh

# A first build needs no test packages; a build folder that has tests keeps them.
build/release/build.ninja:
	cmake --preset release -DHRI_TESTS=OFF

install: build ## Install program, library, headers and CMake package into PREFIX (/usr/local)
	cmake --install build/release --prefix $(abspath $(PREFIX))

python: packages-build packages-python build/release/build.ninja ## Build the Python package: PYTHONPATH=build/python
	cmake --preset release -DHRI_PYTHON=ON
	cmake --build --preset release -j $(JOBS) --target hri_python
	@ln -sfn release/python build/python

test: packages-build packages-python packages-test ## Build and run all tests
	cmake --preset release -DHRI_TESTS=ON -DHRI_PYTHON=ON
	cmake --build --preset release -j $(JOBS)
	@ln -sfn release/bin/hri build/hri
	@ln -sfn release/python build/python
	ctest --preset release -j $(JOBS)

check: check-format check-memory check-threads check-tidy ## Run every check below, and the fuzzers for 30 seconds each
	$(MAKE) fuzz FUZZ_SECONDS=30

check-cuda: ## Compile the CUDA sources, where nvcc is found
	scripts/compile-cuda.sh

check-format: packages-test ## Check the format
	@clang-format --dry-run -Werror $(sources)

# The build is unoptimised enough, and has the library's assertions too.
check-memory: packages-build packages-test ## Run the fast tests with address and undefined-behaviour sanitizers
	cmake --preset asan
	cmake --build --preset asan -j $(JOBS)
	ctest --preset asan -j $(JOBS) -E '$(too_long)'

check-threads: packages-build packages-test ## Run the tests of threads with the thread sanitizer
	cmake --preset tsan
	cmake --build --preset tsan -j $(JOBS) --target $(addprefix test_,$(threaded))
	ctest --preset tsan -j $(JOBS) -R '^($(subst $(space),|,$(threaded)))\..*($(threaded_tests))'

check-tidy: packages-build packages-test ## Run clang-tidy on public headers and all sources but the tests
	JOBS=$(JOBS) scripts/tidy.sh

fuzz: packages-build packages-test ## Run every fuzzer for FUZZ_SECONDS (600)
	cmake --preset asan -DHRI_FUZZ_SECONDS=$(FUZZ_SECONDS)
	cmake --build --preset asan -j $(JOBS) --target fuzzers
	ctest --preset fuzz -j $(JOBS)

same-answers: build packages-test ## Run all golden cases by g++ and clang, release and unoptimised, threads, ranks, locales: same bits
	cmake --preset dev
	cmake --build --preset dev -j $(JOBS) --target hri_cli
	cmake --preset clang
	cmake --build --preset clang -j $(JOBS) --target hri_cli
	tests/golden/same_answers.py --hri build/hri --other build/dev/bin/hri --other build/clang/bin/hri

coverage: packages-build packages-test ## Measure which lines the fast tests run, by room: build/coverage/report.txt
	@scripts/install-packages.sh coverage
	cmake --preset coverage
	cmake --build --preset coverage -j $(JOBS)
	LLVM_PROFILE_FILE=$(CURDIR)/build/coverage/profiles/%p-%4m.profraw ctest --preset coverage -j $(JOBS)
	scripts/coverage-by-room.py build/coverage

soak: build ## Learn, resume, judge and export random tasks for SOAK_SECONDS (3600), watching memory
	scripts/soak.py --hri build/hri --seconds $(SOAK_SECONDS)

format: packages-test ## Format the sources
	@clang-format -i $(sources)

clean: ## Remove everything that was built
	rm -rf build

packages-build:
	@scripts/install-packages.sh build

packages-python:
	@scripts/install-packages.sh python

packages-studio:
	@scripts/install-packages.sh studio
	@command -v npm >/dev/null || scripts/install-packages.sh node

packages-test:
	@scripts/install-packages.sh test
