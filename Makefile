# The two commands a person needs are `make demo` and `make test`; CI runs the latter and nothing else.

CARGO ?= cargo
TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)

.PHONY: help setup build demo test fmt clean
.DEFAULT_GOAL := help

help:
	@echo 'make demo   build Selvedge and let it find the bugs in examples/'
	@echo 'make test   format, lints, repository rules and all tests'
	@echo 'make build  build the release binary'
	@echo 'make setup  install missing system packages (the others do that first)'

setup:
	@./scripts/setup.sh

build: setup
	$(CARGO) build --release --locked --package selvedge

demo: build
	@./scripts/demo.sh $(TARGET_DIR)/release/selvedge

test: setup
	$(CARGO) fmt --all --check
	$(CARGO) xtask tidy
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(CARGO) xtask test

fmt:
	$(CARGO) fmt --all

clean:
	$(CARGO) clean
