//! End-to-end tests of the workspace live in `tests/`; this library is empty.
