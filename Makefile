# Every command of the project. `make help` lists them.

SHELL = /bin/sh
BUILD = build
KEYTURN = .build/release/keyturn
PYTHON = $(BUILD)/venv/bin/python
SWIFT_SOURCES = Package.swift Sources Tests
SHELL_SCRIPTS = scripts/install-dependencies scripts/make-venv .ci/run

# The release binary carries the Swift runtime in itself, so that it runs where no toolchain is. Foundation's static
# archive mentions mktemp, of which GNU ld warns at every link; lld, which comes with the toolchain, does not.
RELEASE = --configuration release --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker -s

.PHONY: run test sanitize torture e2e check api-coverage bench format clean help release venv
.DEFAULT_GOAL = help

## run      build the release and open keyturn on its built-in authority (without a terminal: play one sign-in)
run: release
	@exec $(KEYTURN) demo

## test     run the tests
test:
	@scripts/install-dependencies build test
	@swift test --quiet --parallel

## sanitize run the engine's and the adapters' tests under the thread sanitizer, in a build of its own
sanitize:
	@scripts/install-dependencies build test
	@swift test --quiet --sanitize=thread --scratch-path .build/thread --filter 'AuthEngineTests|LinuxAdaptersTests'

## torture  kill the token store a thousand times in each of several ways, and count what it loses
torture:
	@scripts/install-dependencies build test
	@swift build --quiet --configuration release --product torture
	@.build/release/torture

## e2e      drive the real program in tmux and Chromium, also at an OpenID provider that others wrote
e2e: release venv
	@scripts/install-dependencies e2e
	@swift build --quiet $(RELEASE) --product SignedRequest
	@$(PYTHON) -m unittest discover --start-directory Tests/EndToEnd --top-level-directory Tests/EndToEnd --verbose
	@$(PYTHON) -m unittest discover --start-directory Tests/Interop --verbose

## check    format, shell scripts, warnings as errors, import rules, coverage of the API
check:
	@scripts/install-dependencies build test check python
	@swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)
	@shellcheck $(SHELL_SCRIPTS)
	@swift build --quiet --build-tests
	@swift test --quiet --skip-build --filter ArchitectureTests
	@scripts/api-coverage --check

## api-coverage   write docs/api-coverage.md: which symbols of MSAL's API are here, by the compiler's own list
api-coverage:
	@scripts/install-dependencies build python
	@swift build --quiet
	@scripts/api-coverage

## bench    measure speed and size beside a bare C program and MSAL Python, and print the figures
bench: release venv
	@scripts/install-dependencies bench
	@$(PYTHON) Benchmarks/bench.py $(KEYTURN)

## format   rewrite the Swift files in the house's format
format:
	@swift format --in-place --parallel --recursive $(SWIFT_SOURCES)

## clean    remove everything that was built
clean:
	@rm -rf .build $(BUILD)

## help     this list
help:
	@sed -n 's/^## /make /p' Makefile

release:
	@scripts/install-dependencies build
	@test -x $(KEYTURN) || echo "Building keyturn. The first time takes a few minutes."
	@swift build --quiet $(RELEASE) --product keyturn

venv:
	@scripts/install-dependencies python
	@scripts/make-venv $(BUILD)/venv
