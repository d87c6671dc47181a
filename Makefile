# The commands of the project. `make help` lists those that contributors need; these run the others.

SHELL = /bin/sh
BUILD = build
# The release is for users, packages and measurements. Contributors run the debug program, which takes a third of the time to build,
# in the folder of the tests, so that `make run` and `make test` share one build.
KEYTURN = .build/release/keyturn
DEBUG = .build/tests/debug/keyturn
BENCH = .build/release/Bench
# The numbers of accounts for `make bench`. Fewer take less time: make bench SIZES='1 100 1000'
SIZES = 1 100 1000
PYTHON = $(BUILD)/venv/bin/python
SWIFT_SOURCES = Package.swift Sources Tests
# The maximum size of the program in bytes: installed, and compressed with xz.
MOST_BYTES = 32000000
MOST_BYTES_XZ = 10000000
SHELL_SCRIPTS = scripts/install-dependencies scripts/make-venv scripts/make-packages scripts/test-packages scripts/test-sources scripts/bare-system scripts/prepare-install scripts/package-version scripts/sanitize scripts/test-reproducible \
	scripts/fuzz scripts/api-documentation .ci/run

# The release contains the Swift runtime, so that it needs no toolchain. lld, because GNU ld warns about mktemp in Foundation's
# archive. The C shims (Package.swift) and the linking are hardened; Swift checks its own bounds. Packed relocations are a hundredth of the size
# and faster to apply. A program exports no symbols. STATIC has only the C++ library, for the Swift runtime. icf folds identical
# functions. Frame pointers would be a twentieth of the size, for backtraces that a program without symbols doesn't write.
# scripts/link-inputs omits 34 MB of locale data and the tables for C++ exceptions.
STATIC = $(BUILD)/static
PACKAGES = $(BUILD)/packages
SBOM = $(BUILD)/keyturn.cdx.json
LINKED = --configuration release --static-swift-stdlib --disable-local-rpath --omit-frame-pointers -Xswiftc -use-ld=lld \
	-Xswiftc "-L$(CURDIR)/$(STATIC)" \
	-Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now -Xlinker -z -Xlinker noexecstack \
	-Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic -Xlinker --no-eh-frame-hdr -Xlinker --icf=all -Xlinker -O2 \
	-Xlinker "$$(scripts/link-inputs $(STATIC) || echo link-inputs-failed)" \
	-Xcc -fstack-protector-strong -Xcc "-ffile-prefix-map=$(CURDIR)=." -Xswiftc -gnone
RELEASE = $(LINKED) -Xlinker --strip-all

# Compiles the targets for size (Package.swift).
export KEYTURN_PROGRAM = 1

# Without index and debug information a build of the tests takes half as long. `swift test` has both. In a folder of its own, so
# that tests and release can be built at once: most of the release's build uses one processor.
TESTS = --scratch-path .build/tests --enable-swift-testing --disable-xctest --disable-index-store -debug-info-format none
# The tests that `make test` runs (default: all): make test FILTER=ScreenTests
FILTER =
# All tests at once would make each step of a server in a test wait for a turn behind thousands.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH = 8

# The program that the end-to-end tests run.
TESTED = $(CURDIR)/$(DEBUG)
END_TO_END = KEYTURN='$(TESTED)' $(PYTHON) scripts/run-journeys Tests/EndToEnd
FIELD = KEYTURN='$(TESTED)' PYTHONPATH=Tests/EndToEnd $(PYTHON) scripts/run-journeys Tests/Field

# The tests that write a page when they record.
RECORDED = ManualPageTests|CommandsTests|ConformanceTests|KnownCauseTests|ConsoleTests.DocumentPictureTests

# Seconds of `make fuzz` for each target, and the targets (default: all).
FUZZ_SECONDS = 60
FUZZ_TARGETS =
# Minutes of `make soak`.
SOAK_MINUTES = 60

# Where `make install` puts the files. DESTDIR is the root for building a package.
PREFIX = /usr/local
DESTDIR =
PROGRAM = $(KEYTURN)
ZSH_COMPLETIONS = $(PREFIX)/share/zsh/site-functions
SCHEME = msauth.org.keyturn.app
SHARE = $(PREFIX)/share
# The program in the desktop entry and the unit, in quotes only if needed, as xdg-open doesn't support them.
QUOTED = $(if $(word 2,$(PREFIX)),"$(PREFIX)/bin/keyturn",$(PREFIX)/bin/keyturn)

.PHONY: run test sanitize fuzz nightly torture tortures leaks soak e2e end-to-end field e2e-release test-every smoke guarded check style documents size api-coverage pictures \
	bench instructions record-instructions format clean help release static debug-program test-program venv api-documentation install install-files uninstall packages test-packages test-sources release-check docs
.DEFAULT_GOAL = help

## run      build keyturn and open it on its built-in authority (without a terminal: perform one sign-in)
run: debug-program
	@exec $(DEBUG) demo

## test     run the tests (FILTER=ScreenTests for some)
test:
	@scripts/install-dependencies build test
	@swift test --quiet --parallel $(TESTS) $(if $(FILTER),--filter '$(FILTER)')

# Run the tests under the address, undefined behaviour and thread sanitizers (in two separate builds)
sanitize:
	@scripts/install-dependencies build test
	@scripts/sanitize address
	@scripts/sanitize thread

# Fuzz every parser of untrusted input (FUZZ_SECONDS=60 each; FUZZ_TARGETS='jwt json' for some)
fuzz:
	@scripts/install-dependencies build
	@KEYTURN_FUZZING=1 swift build --quiet --configuration release --sanitize=fuzzer --sanitize=address \
		-Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld --scratch-path .build/fuzz --product fuzz
	@FUZZ_SECONDS=$(FUZZ_SECONDS) scripts/fuzz .build/fuzz/release/fuzz $(BUILD)/fuzz $(FUZZ_TARGETS)

## nightly  what takes too long for every change: CONTRIBUTING has the list
nightly: SOAK_MINUTES = 5
nightly: test-every e2e-release leaks instructions fuzz sanitize torture soak guarded reproducible

# Run the end-to-end tests with a program that aborts when it requests locale data that the release lacks
guarded: static venv
	@scripts/install-dependencies e2e
	@mkdir -p $(BUILD)/guarded
	@clang -c -std=c23 -O2 -DKEYTURN_WRAP -I Tests/CLocaleGuard/include -o $(BUILD)/guarded/guard.o Tests/CLocaleGuard/CLocaleGuard.c
	@swift build --quiet $(RELEASE) -Xlinker "$(CURDIR)/$(BUILD)/guarded/guard.o" \
		-Xlinker --wrap=swift_udata_open -Xlinker --wrap=swift_udata_openChoice --product keyturn
	@mv $(KEYTURN) $(BUILD)/guarded/keyturn
	@$(MAKE) --no-print-directory TESTED='$(CURDIR)/$(BUILD)/guarded/keyturn' end-to-end

# Simulate faults around store and program, and count losses (FAULT='clock jumps' TIMES=10 for one fault)
torture: tortures
	@KEYTURN='$(CURDIR)/$(KEYTURN)' $(PYTHON) Tests/Rough/torture.py .build/release/torture docs/reliability.md '$(FAULT)' '$(TIMES)'

# Sign in a thousand times in one process; fail on growth or an undetected planted leak
leaks: release venv
	@scripts/install-dependencies rough callgrind
	@swift build --quiet $(RELEASE) --product soak
	@KEYTURN='$(CURDIR)/$(KEYTURN)' $(PYTHON) -m unittest discover --quiet --start-directory Tests/Rough
	@KEYTURN='$(CURDIR)/$(KEYTURN)' $(PYTHON) Tests/Rough/leaks.py .build/release/soak

# Run four processes on one cache for an hour, with an authority that misbehaves (SOAK_MINUTES=5 for less)
soak: tortures
	@KEYTURN='$(CURDIR)/$(KEYTURN)' $(PYTHON) Tests/Rough/soak.py .build/release/soak $(SOAK_MINUTES) docs/reliability.md

tortures: release venv
	@scripts/install-dependencies test rough
	@swift build --quiet $(RELEASE) --product torture
	@swift build --quiet $(RELEASE) --product soak

debug-program:
	@scripts/install-dependencies build
	@test -x $(DEBUG) || echo "Building keyturn. The first time takes one to two minutes."
	@swift build --quiet $(TESTS) --product keyturn

test-program:
	@scripts/install-dependencies build test
	@swift build --quiet --build-tests $(TESTS)

## e2e      test the real program in tmux and Chromium, also with foreign OpenID providers
e2e: debug-program venv
	@scripts/install-dependencies e2e
	@swift build --quiet $(TESTS) --product SignedRequest
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target end-to-end field

# All combinations of which a landing tests a share
e2e-release guarded test-every: export KEYTURN_EVERY = 1

test-every: test

# The same as e2e with the release
e2e-release: release venv
	@scripts/install-dependencies e2e
	@swift build --quiet $(RELEASE) --product SignedRequest
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target TESTED='$(CURDIR)/$(KEYTURN)' end-to-end field

## smoke    test what only the release has: its linking, data, size and speed
smoke: release venv
	@scripts/install-dependencies e2e
	@cd Tests/EndToEnd && PYTHONPATH=../Field KEYTURN='$(CURDIR)/$(KEYTURN)' '$(CURDIR)/$(PYTHON)' smoke.py
	@$(MAKE) --no-print-directory size

# Side by side: both wait more than they compute.
end-to-end:
	@$(END_TO_END)

field:
	@$(FIELD)
	@KEYTURN='$(TESTED)' $(PYTHON) -m unittest discover --start-directory Tests/Interop --verbose

# Fail when the program is larger than 32,000,000 bytes, or 10,000,000 with xz
size: release
	@scripts/install-dependencies check
	@bytes=$$(stat --format=%s $(KEYTURN)) && compressed=$$(xz --stdout $(KEYTURN) | wc --bytes) && \
		echo "keyturn has $$bytes bytes, $$compressed with xz." && \
		if [ $$bytes -gt $(MOST_BYTES) ] || [ $$compressed -gt $(MOST_BYTES_XZ) ]; then \
			echo "The limits are $(MOST_BYTES), and $(MOST_BYTES_XZ) with xz." >&2; exit 1; fi

## check    homes of facts, format, shell scripts, warnings as errors, coverage of the API, manual
check: test-program
	@scripts/install-dependencies check python
	@$(MAKE) --no-print-directory style documents

style:
	@scripts/measure-house --check
	@swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)
	@shellcheck --external-sources $(SHELL_SCRIPTS)
	@bash -n Resources/completions/keyturn.bash
	@shellcheck --shell=bash Resources/completions/keyturn.bash

documents:
	@scripts/api-coverage --check
	@scripts/api-documentation $(BUILD)/api
	@mandoc -T lint -W warning Resources/man/*.1

## docs     write the pages and pictures that the sources determine: keys, manual, conformance, causes, API coverage, pictures
docs:
	@KEYTURN_RECORD=1 $(MAKE) --no-print-directory test FILTER='$(RECORDED)' >/dev/null 2>&1 || true
	@$(MAKE) --no-print-directory api-coverage pictures
	@git diff --stat docs Resources

# Write docs/api-coverage.md: the available symbols of MSAL's API, from the compiler's list
api-coverage:
	@scripts/install-dependencies build python
	@swift build --quiet $(TESTS)
	@scripts/api-coverage

# Build the library's documentation with DocC in build/api; a warning is an error
api-documentation:
	@scripts/install-dependencies build
	@swift build --quiet $(TESTS)
	@scripts/api-documentation $(BUILD)/api

# Record the pictures of scenarios. The others show golden screens, and DocumentPictureTests records them
pictures: release
	@for name in plain-sign-in consent-declined step-up; do $(KEYTURN) demo $$name --record docs/screens/walk-$$name.svg --size 80x24 --replace || exit; done
	@for name in plain-sign-in outage; do $(KEYTURN) demo $$name --diagram svg >docs/screens/flow-$$name.svg || exit; done
	@sed --regexp-extended --in-place 's/:[0-9]{5}\b/:43097/g' docs/screens/walk-*.svg docs/screens/flow-*.svg

## bench    compare speed and size with other programs; print the figures and write docs/performance.md
bench: release venv
	@scripts/install-dependencies bench
	@swift build --quiet $(RELEASE) --product Bench
	@$(PYTHON) Benchmarks/bench.py $(KEYTURN) $(BENCH) docs/performance.md docs/performance.svg $(SIZES)

# Count the instructions of the hot paths; fail at 5 % above the recorded counts
instructions: static
	@scripts/install-dependencies build callgrind
	@swift build --quiet $(RELEASE) --product Bench
	@Benchmarks/instructions.py $(BENCH)

# Record the current instruction counts
record-instructions: static
	@scripts/install-dependencies build callgrind
	@swift build --quiet $(RELEASE) --product Bench
	@Benchmarks/instructions.py --record $(BENCH)

## install  install the release in PREFIX (default: /usr/local), under DESTDIR: make install PREFIX=$HOME/.local
install:
	@scripts/prepare-install $(KEYTURN) "$(DESTDIR)$(PREFIX)"
	@$(MAKE) --no-print-directory install-files

install-files:
	@install -D --mode=755 "$(PROGRAM)" "$(DESTDIR)$(PREFIX)/bin/keyturn"
	@install -D --mode=644 --target-directory="$(DESTDIR)$(SHARE)/man/man1" Resources/man/*.1
	@install -D --mode=644 Resources/completions/keyturn.bash "$(DESTDIR)$(SHARE)/bash-completion/completions/keyturn"
	@install -D --mode=644 Resources/completions/_keyturn "$(DESTDIR)$(ZSH_COMPLETIONS)/_keyturn"
	@install -D --mode=644 Resources/completions/keyturn.fish "$(DESTDIR)$(SHARE)/fish/vendor_completions.d/keyturn.fish"
	@install -D --mode=644 Resources/Info.plist "$(DESTDIR)$(SHARE)/keyturn/Info.plist"
	@install -D --mode=644 --target-directory="$(DESTDIR)$(SHARE)/keyturn" docs/config.schema.json docs/output.schema.json
	@install -D --mode=644 --target-directory="$(DESTDIR)$(SHARE)/doc/keyturn" README.md CHANGELOG.md CONTRIBUTING.md LICENSE
	@install -D --mode=644 --target-directory="$(DESTDIR)$(SHARE)/doc/keyturn/docs" docs/*.md docs/*.json docs/*.svg docs/SignIn.swift
	@install -D --mode=644 --target-directory="$(DESTDIR)$(SHARE)/doc/keyturn/docs/decisions" docs/decisions/*.md
	@install -D --mode=644 --target-directory="$(DESTDIR)$(SHARE)/doc/keyturn/docs/screens" docs/screens/*
	@install -D --mode=644 Resources/url-handler.desktop "$(DESTDIR)$(SHARE)/applications/keyturn-$(SCHEME).desktop"
	@install -D --mode=644 Resources/keyturn-watch.service "$(DESTDIR)$(SHARE)/systemd/user/keyturn-watch.service"
	@sed --in-place 's|@PROGRAM@|$(QUOTED)|; s|@SCHEME@|$(SCHEME)|' \
		"$(DESTDIR)$(SHARE)/applications/keyturn-$(SCHEME).desktop" "$(DESTDIR)$(SHARE)/systemd/user/keyturn-watch.service"
	@echo "Installed $(DESTDIR)$(PREFIX)/bin/keyturn"

# Remove the files of make install
uninstall:
	@rm -f "$(DESTDIR)$(PREFIX)/bin/keyturn" "$(DESTDIR)$(SHARE)"/man/man1/keyturn.1 "$(DESTDIR)$(SHARE)"/man/man1/keyturn-*.1 \
		"$(DESTDIR)$(SHARE)/bash-completion/completions/keyturn" "$(DESTDIR)$(ZSH_COMPLETIONS)/_keyturn" \
		"$(DESTDIR)$(SHARE)/fish/vendor_completions.d/keyturn.fish" \
		"$(DESTDIR)$(SHARE)/applications/keyturn-$(SCHEME).desktop" \
		"$(DESTDIR)$(SHARE)/systemd/user/keyturn-watch.service"
	@rm -rf "$(DESTDIR)$(SHARE)/keyturn" "$(DESTDIR)$(SHARE)/doc/keyturn"
	@echo "Removed keyturn from $(DESTDIR)$(PREFIX)"

## packages  make a .deb, .rpm, Arch package, tarball and container image in build/packages (as root)
packages: release venv
	@scripts/install-dependencies package
	@scripts/make-packages $(KEYTURN) $(STATIC)/archives $(PYTHON) $(PACKAGES)

# Write the bill of materials (CycloneDX) to build/keyturn.cdx.json, and validate it
sbom: release venv
	@$(PYTHON) scripts/make-sbom $(KEYTURN) $(STATIC)/archives $(SBOM)

# Build the release in two folders, and compare the bytes
reproducible:
	@scripts/test-reproducible $(BUILD)/reproducible

# Build, run and install the sources in bare systems (as root)
test-sources:
	@scripts/install-dependencies package
	@scripts/test-sources $(BUILD)/systems bookworm trixie

# Install each package in a bare system, sign in there, and remove it (as root)
test-packages: packages
	@scripts/test-packages $(PACKAGES) $(BUILD)/systems

## release-check  everything that a release needs; its packages and their checksums are in build/packages (as root, hours)
release-check:
	@for step in check test e2e smoke test-sources test-packages nightly; do \
		$(MAKE) --no-print-directory $$step SOAK_MINUTES=$(SOAK_MINUTES) || exit 1; done
	@cat $(PACKAGES)/SHA256SUMS

## format   format the Swift files
format:
	@swift format --in-place --parallel --recursive $(SWIFT_SOURCES)

# Remove all build output
clean:
	@rm -rf .build $(BUILD)

## help     list the commands
help:
	@sed -n 's/^## /make /p' Makefile

release: static
	@test -x $(KEYTURN) || echo "Building the release of keyturn. The first time takes three to six minutes."
	@swift build --quiet $(RELEASE) -Xlinker "--print-archive-stats=$(CURDIR)/$(STATIC)/archives" --product keyturn

static:
	@scripts/install-dependencies build
	@mkdir -p $(STATIC)
	@ln -sf "$$(g++ -print-file-name=libstdc++.a)" $(STATIC)/

venv:
	@scripts/install-dependencies python
	@scripts/make-venv $(BUILD)/venv
