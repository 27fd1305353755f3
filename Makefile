# VoiceDictation: `make help` lists what can be made.
.DEFAULT_GOAL := build
.PHONY: build build-without-dependencies install uninstall deb docs docs-api release pictures run test test-all test-sanitizers \
	test-times engines torture soak model format lint clean help dependencies test-dependencies

SWIFT ?= swift
# For packages of other systems, which build in a sandbox of their own: --disable-sandbox.
SWIFTFLAGS ?=
export SWIFTFLAGS
# The files that `swift format` checks.
SOURCES := Package.swift Shared HostAgent InsertAgent Sources Tools Examples Tests
# `make run WAV=recording.wav` lets a recording speak instead of the microphone.
export WAV

build: dependencies build-without-dependencies  ## build the programs (the default)

# For packages of other systems, which name their own dependencies.
build-without-dependencies:
	$(SWIFT) build -c release $(SWIFTFLAGS) $$(packaging/make-runtime)
	@bin=$$($(SWIFT) build -c release --show-bin-path) && \
		packaging/make-runtime "$$bin/../lib/voicedictation" $$(cd "$$bin" && find "$$PWD" -maxdepth 1 -type f -perm -100 ! -name '*.*')

run: build  ## run both agents; without a display or microphone: a demonstration. WAV=file speaks a recording
	@packaging/run

test: test-dependencies  ## run the tests, with real displays, sound and recognizers. FILTER=name runs some of them
	@SWIFT="$(SWIFT)" Tests/run $(FILTER)

SANITIZERS ?= address thread

test-all: test-dependencies  ## run all tests, including the slow ones: more desktops, engines and kills, the whole model, and sanitizers
	@SWIFT="$(SWIFT)" Tests/run --all
	@$(MAKE) --no-print-directory test-sanitizers SANITIZERS="$(SANITIZERS)"

test-sanitizers: test-dependencies  ## run the tests without displays with address and thread sanitizer. SANITIZERS=thread: with one
	@for sanitizer in $(SANITIZERS); do \
		echo "With the $$sanitizer sanitizer:"; \
		SWIFT="$(SWIFT)" Tests/run --sanitizer $$sanitizer || exit 1; \
	done

test-times:  ## list the slowest tests of the last run
	@Tests/run --times

engines:  ## install the engine sherpa-onnx and its voice activity detector into your data folder
	@packaging/install-engines

# How often, and from which seed on. Without a seed, each run takes a new one.
N ?= 1000
SEED ?=

torture: test-dependencies  ## kill both agents at random instants N times. N=10000, SEED=n repeats a run
	TORTURE_CYCLES=$(N) TORTURE_SEED=$(SEED) $(SWIFT) test --filter KillTests

# How long.
MINUTES ?= 60

soak: build test-dependencies  ## dictate once a second, and check for leaks. MINUTES=60
	@$$($(SWIFT) build -c release --show-bin-path)/dictation-bench soak --minutes $(MINUTES) \
		--recording Tests/Recordings/short.wav

model: test-dependencies  ## check the model of the delivery protocol: every state that it can reach
	@docs/model/check

# `make install PREFIX=/usr DESTDIR=/tmp/package`
PREFIX ?= /usr/local
DESTDIR ?=

install:  ## install what `make build` has built. PREFIX=/usr/local, DESTDIR=
	@packaging/install --prefix "$(PREFIX)" --destdir "$(DESTDIR)"

uninstall:  ## remove it again
	@packaging/install --uninstall --prefix "$(PREFIX)" --destdir "$(DESTDIR)"

deb: build  ## make a Debian package, in .build
	@packaging/make-deb

release: build  ## build and check the release files: packages, checksums and an SBOM, in .build/packages
	@packaging/make-release

pictures: build  ## update the pictures of the README
	@packaging/make-pictures.py

docs: build  ## update the tables of docs/configuration.md from the code
	@packaging/make-docs

docs-api:  ## make the documentation of the libraries, in .build/docs-api
	@SWIFT="$(SWIFT)" packaging/make-docs-api

format:  ## format all sources
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

lint:  ## check the format of all sources
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

clean:  ## remove what was built
	$(SWIFT) package clean

dependencies:
	@packaging/install-dependencies

test-dependencies:
	@packaging/install-dependencies --test
	@packaging/install-engines
	@packaging/install-engines moonshine-tiny-en || echo "Its tests are left out." >&2

help:  ## show this list
	@awk -F ':.*## *' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
