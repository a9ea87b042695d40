# Thin recipes over `cargo xtask`; `cargo xtask --help` says more.

_list:
    @just --list

# `hookhost` at work, once for each kind of decision
demo:
    cargo xtask demo

# Every test, or those that ARGS pick
test *ARGS:
    cargo xtask test -- {{ ARGS }}

# Formatting, generated files, clippy
check:
    cargo xtask check

# What CI runs
ci:
    .ci/run

# Write schemas/
gen:
    cargo xtask gen
