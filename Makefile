# SPDX-License-Identifier: GPL-3.0-or-later
# The README's commands; the build itself is CMake's.

MAKEFLAGS += --no-print-directory
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
SOAKS = soak-links soak-stub soak-files soak-view soak-fuzz

.PHONY: build setup demo check builds soak $(SOAKS) bench install help clean

build:
	@command -v cmake >/dev/null || { echo "cmake is missing: make setup" >&2; exit 1; }
	@mkdir -p build
	@cmake --preset release >build/configure.log 2>&1 || { cat build/configure.log >&2; \
	    echo "make setup installs what is missing" >&2; exit 1; }
	@grep 'left out' build/configure.log || true
	@cmake --build build -j$(JOBS)

setup:
	@tools/setup

demo:
	@tools/setup demo
	@$(MAKE) build
	@examples/demo

# Both compilers' warnings are errors: gcc builds what people get, clang what the sanitizers watch.
check: builds
	@tools/suite.py check
	@echo "make check: all builds and tests passed"

builds:
	@tools/setup check
	@$(MAKE) build
	@! grep 'left out' build/configure.log
	@cmake --preset sanitize >/dev/null
	@cmake --build build-sanitize -j$(JOBS) --

# Not part of make check: a browser is large.
.PHONY: check-browser
check-browser:
	@tools/setup browser
	@$(MAKE) build
	@python3 tests/browser/check.py build

# Each ends with a table of what was counted.
soak: $(SOAKS)

$(SOAKS): soak-%: builds
	@tools/suite.py soak $*

bench:
	@tools/setup check
	@$(MAKE) build
	@cmake --build build --target bench

bench-%:
	@tools/setup check
	@$(MAKE) build
	@cmake --build build --target bench-$*

.PHONY: manual
manual: build
	@tools/manual-keys build/mprof docs/mprof.1

install: build
	@cmake --install build --prefix $(PREFIX)

clean:
	@rm -rf build build-*/

help:
	@echo "make            build mprof (and example firmware, where a cross compiler is) into build/"
	@echo "make setup      install the distribution's packages that are missing"
	@echo "make demo       mprof top on firmware in QEMU behind a real OpenOCD"
	@echo "make check      every test, with short counts"
	@echo "make check-browser   the page of mprof export in headless Chromium; pictures in build/browser/"
	@echo "make soak       every test, with full counts: $(SOAKS)"
	@echo "make bench      every benchmark; make bench-NAME for one"
	@echo "make manual     docs/mprof.1 lists the keys that the program has"
	@echo "make install    into PREFIX=$(PREFIX)"
	@echo "make clean      remove the build folders"
