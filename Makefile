# `make help` lists the targets. The build itself is CMake's (CMakePresets.json); this file puts the
# setup before it.

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
FUZZ_RUNS ?= 0
SOAK_MINUTES ?= 60
JOBS ?= $(shell nproc)

SOURCES = $(shell find include src cli tests bench -name '*.cc' -o -name '*.h' 2>/dev/null)

# $(call configure,PRESET): quiet unless it fails, as it runs every time.
define configure
	@mkdir -p build
	@cmake --preset $(1) -DSEMVEIL_WERROR=$(if $(CI),ON,OFF) -DSEMVEIL_DATA="$(SEMVEIL_DATA)" \
	  > build/configure-$(1).log 2>&1 || { cat build/configure-$(1).log; exit 1; }
endef

# $(call test_python,TESTS): without the program's environment, which has other packages.
define test_python
	@PYTHONPATH=build/python PYTHONDONTWRITEBYTECODE=1 \
	  .venv-python/bin/python -m pytest -q -p no:cacheprovider $(1)
endef

.PHONY: help setup demo build python wheel demo-python test test-quick torture canaries soak bench \
        format lint analyze fuzz asan tsan install clean

help:
	@echo 'make demo      build, then a guided tour'
	@echo 'make build     build/release/semveil; installs missing Debian packages first'
	@echo 'make python    build/python, where `import semveil` finds the package for Python'
	@echo 'make wheel     dist/semveil-*.whl for Python 3.10 and later, and the source distribution'
	@echo 'make demo-python  install the wheel into a fresh environment, run the first example'
	@echo 'make test      build and run every test'
	@echo 'make test-quick  without those that are slow, or run the program'
	@echo 'make torture   let every system call of mask, fit and apply fail, and kill them at each'
	@echo 'make bench     measure speed and memory'
	@echo 'make asan      every test under the address and undefined-behaviour sanitizers'
	@echo 'make tsan      every test under the thread sanitizer'
	@echo 'make canaries  search every output of every method for texts that must not leave'
	@echo 'make soak      mask, audit and apply for SOAK_MINUTES (now $(SOAK_MINUTES)); memory must not grow'
	@echo 'make fuzz      fuzz parsers and the whole way for FUZZ_SECONDS each (now $(FUZZ_SECONDS)); again'
	@echo '               until all have made FUZZ_RUNS runs'
	@echo 'make lint      formatting and clang-tidy; of some files: LINT="src/a.cc tests/b.cc",'
	@echo '               of what changed since a revision, committed or not: SINCE=REVISION'
	@echo 'make analyze   the static analyzer and slow checks, of src and cli; LINT and SINCE as for lint'
	@echo 'make format    format the sources'
	@echo 'make install   install below PREFIX (now $(PREFIX)); the folder can be moved'
	@echo 'make clean     remove build/'

setup:
	@scripts/setup

build: setup
	$(call configure,release)
	@cmake --build --preset release

# The program alone: tests take most of a build.
demo: setup
	$(call configure,release)
	@cmake --build --preset release --target semveil
	@scripts/demo

# The binding alone is compiled, for the system's Python. Try it: PYTHONPATH=build/python
# .venv-python/bin/python
python: build
	@scripts/setup python
	@cmake -S python -B build/python -G Ninja -DPython_EXECUTABLE="$(CURDIR)/.venv-python/bin/python" \
	  > build/configure-python.log 2>&1 || { cat build/configure-python.log; exit 1; }
	@cmake --build build/python

wheel: build
	@scripts/setup python
	@.venv-python/bin/python scripts/wheel

demo-python: wheel
	@.venv-python/bin/python scripts/demo-python

test: build python
	@scripts/setup test
	@ctest --preset release
	$(call test_python,python/tests -m "not thorough")

# Without the slow suites: for the time between two edits.
test-quick: setup
	$(call configure,release)
	@cmake --build --preset release --target semveil_tests semveil_extension_tests semveil_arrow_tests
	@ctest --preset quick

torture: build
	@scripts/torture --jobs $(JOBS)

bench: build
	@scripts/setup bench
	@cmake --build --preset release --target semveil_bench
	@bench/run

canaries soak: setup
	$(call configure,release)
	@cmake --build --preset release --target semveil
	@.venv/bin/python scripts/$@ $(if $(filter soak,$@),$(SOAK_MINUTES))

# The sanitizers find the symbolizer by PATH.
asan tsan fuzz: export PATH := /usr/lib/llvm-19/bin:$(PATH)
asan tsan:
	@scripts/setup dev
	$(call configure,$@)
	@cmake --build --preset $@
	@ctest --preset $@

# FUZZ_RUNS: go on until all targets together have made so many.
fuzz:
	@scripts/setup dev
	$(call configure,fuzz)
	@cmake --build --preset fuzz --target fuzz_targets
	@.venv/bin/python scripts/fuzz --seconds $(FUZZ_SECONDS) --runs $(FUZZ_RUNS) --jobs $(JOBS)

format:
	@scripts/setup dev
	@clang-format-19 -i $(SOURCES)

lint analyze:
	@scripts/setup dev
	$(call configure,lint)
	@scripts/lint $(if $(filter analyze,$@),--analyze) $(if $(SINCE),--since $(SINCE)) --jobs $(JOBS) $(LINT)

install: build
	@cmake --install build/release --prefix "$(abspath $(PREFIX))"

clean:
	@rm -rf build
