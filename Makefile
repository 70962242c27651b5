# SPDX-License-Identifier: GPL-3.0-or-later
# The README's commands; the build itself is CMake's.

MAKEFLAGS += --no-print-directory
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
SOAKS = soak-links soak-stub soak-trace soak-files soak-view soak-fuzz

.PHONY: build setup demo check builds soak $(SOAKS) bench install help clean

# One line a step; the whole output is in build/configure.log and build/build.log.
BUILD = cmake --build build -j$(JOBS)

build: configure
	@tools/step "building all" build/build.log $(BUILD)

.PHONY: configure
configure:
	@command -v cmake >/dev/null || { echo "cmake is missing: make setup" >&2; exit 1; }
	@! grep -qs '^CMAKE_GENERATOR:.*=Unix Makefiles' build/CMakeCache.txt build-*/CMakeCache.txt || \
	    { echo "a build folder was made with Unix Makefiles, and Ninja is used now: make clean" >&2; exit 1; }
	@tools/step "configuring" build/configure.log cmake --preset release || \
	    { echo "make setup installs what is missing" >&2; exit 1; }
	@! grep -q 'left out' build/configure.log || echo "tests need more packages: make check installs them"

setup:
	@tools/setup

demo:
	@tools/setup demo
	@$(MAKE) configure
	@tools/step "building mprof, the test rig and one firmware" build/build.log \
	    $(BUILD) --target mprof mprof-rig firmware-cortex-m3
	@examples/demo

# Both compilers' warnings are errors: gcc builds what people get, clang what the sanitizers watch.
check: builds
	@tools/suite.py check
	@echo "make check: all builds and tests passed"

builds:
	@tools/setup check
	@$(MAKE) build
	@! grep 'left out' build/configure.log
	@tools/step "building with sanitizers" build/sanitize.log $(MAKE) sanitize

.PHONY: sanitize
sanitize:
	@cmake --preset sanitize
	@cmake --build build-sanitize -j$(JOBS)

# Not part of make check: a browser is large.
.PHONY: check-browser
check-browser:
	@tools/setup browser
	@$(MAKE) build
	@python3 tests/browser/check.py build
	@python3 tests/browser/check_firefox.py build
	@python3 tests/browser/check_speedscope.py build

# Each ends with a table of what was counted. One that fails keeps no other from being run.
soak: builds
	@tools/suite.py soak $(SOAKS:soak-%=%)

$(SOAKS): soak-%: builds
	@tools/suite.py soak $*

bench:
	@tools/setup check
	@$(MAKE) build
	@cmake --build build -j1 --target bench

bench-%:
	@tools/setup check
	@$(MAKE) build
	@cmake --build build -j1 --target bench-$*

.PHONY: manual
manual: build
	@tools/manual build/mprof docs

# The picture of the README: a real screen, whose numbers differ from run to run.
.PHONY: picture
picture: build
	@tools/picture docs/top.svg

install: build
	@cmake --install build --prefix $(PREFIX)

clean:
	@rm -rf build build-*/

help:
	@echo "make            build mprof, and the example firmware and tests that the installed tools allow, into build/"
	@echo "make setup      install the distribution's packages that are missing"
	@echo "make demo       run mprof top on firmware in QEMU under a real OpenOCD"
	@echo "make check      run every test, with short counts"
	@echo "make check-browser   test exports in headless Chromium and the Firefox Profiler; pictures in build/browser/"
	@echo "make soak       run every test, with full counts: $(SOAKS)"
	@echo "tools/steady    run every test ten times on a busy machine; tools/steady N REGEX for some"
	@echo "make bench      run every benchmark; make bench-NAME for one"
	@echo "make picture    draw docs/top.svg, the picture of the README"
	@echo "make manual     write the program's options and keys into docs/mprof-*.1"
	@echo "make install    install into PREFIX=$(PREFIX)"
	@echo "make clean      remove the build folders"
