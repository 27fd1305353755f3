# VoiceDictation: `make help` lists what can be made.
.DEFAULT_GOAL := build
.PHONY: build run test model format lint clean help dependencies test-dependencies

SWIFT ?= swift
# What `swift format` looks after.
SOURCES := Package.swift Shared HostAgent InsertAgent Sources Examples Tests
# `make run WAV=recording.wav` lets a recording speak instead of the microphone.
export WAV

build: dependencies  ## build the programs (the default)
	$(SWIFT) build -c release

run: build  ## run both agents; without a display or microphone: a demonstration. WAV=file speaks a recording
	@packaging/run

test: test-dependencies  ## run all tests, with real displays, sound and recognisers
	$(SWIFT) test

model: test-dependencies  ## check the model of the delivery protocol: every state that it can reach
	@docs/model/check

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

help:  ## show this list
	@awk -F ':.*## *' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
