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

# Good and hostile traffic at full speed; ARGS as in `--seconds 300`
soak *ARGS:
    cargo xtask soak {{ ARGS }}

# How precise a kill is, and what a looping neighbour costs
bench *ARGS:
    cargo xtask bench {{ ARGS }}
