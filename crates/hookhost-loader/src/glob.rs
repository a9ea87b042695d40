//! Globs for tool names, one at a time.

use globset::{Glob, GlobBuilder};

use crate::text::shown;

/// Tool names are short, and so are globs for them. Longer ones could not be compiled together.
const MAX_GLOB_BYTES: usize = 256;

/// The glob, or what is wrong with it.
pub(crate) fn compile(glob: &str) -> Result<Glob, String> {
    if glob.len() > MAX_GLOB_BYTES {
        return Err(format!("a glob may have {MAX_GLOB_BYTES} bytes"));
    }
    if glob.is_empty() {
        return Err("an empty glob fits no tool: remove it".to_owned());
    }
    // Tool names are not paths: a slash in one is a character like any other.
    let compiled =
        GlobBuilder::new(glob).literal_separator(false).backslash_escape(true).empty_alternates(true).build();
    compiled.map_err(|error| format!("`{}` is not a glob: {}", shown(glob), error.kind()))
}
