# SPDX-License-Identifier: GPL-3.0-or-later
# The README's commands; the build itself is CMake's.

MAKEFLAGS += --no-print-directory
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
# Real servers on a busy machine may miss a time limit: what fails is run once more, and is seen to be.
CTEST = ctest --output-on-failure -j$(JOBS) --repeat until-pass:2 --test-dir

.PHONY: build setup demo check soak bench install help clean

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

# Warnings of both compilers are errors; unit tests and some end-to-end tests run under the sanitizers too.
check:
	@tools/setup check
	@$(MAKE) build
	@! grep 'left out' build/configure.log
	@$(CTEST) build
	@$(MAKE) check-sanitize check-clang
	@echo "make check: all builds and tests passed"

.PHONY: check-sanitize check-clang
check-sanitize: TESTS = ^(unit-|system-(top|guest|screen|raw|pid|live_random)$$)
check-sanitize: FIRMWARE = -DMPROF_FIRMWARE=ON
check-clang: TESTS = ^unit-
check-clang: FIRMWARE = -DMPROF_FIRMWARE=OFF
check-sanitize check-clang: check-%:
	@cmake --preset $* $(FIRMWARE) >/dev/null
	@cmake --build build-$* -j$(JOBS) --
	@$(CTEST) build-$* -R '$(TESTS)'

# Not part of make check: a browser is large.
.PHONY: check-browser
check-browser:
	@tools/setup browser
	@$(MAKE) build
	@python3 tests/browser/check.py build

soak:
	@tools/setup check
	@$(MAKE) build
	@MPROF_SOAK=1 $(CTEST) build

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
	@echo "make soak       every test, with full counts"
	@echo "make bench      every benchmark; make bench-NAME for one"
	@echo "make manual     docs/mprof.1 lists the keys that the program has"
	@echo "make install    into PREFIX=$(PREFIX)"
	@echo "make clean      remove the build folders"
