//! `match.toolName`: which tools a hook wants to see.

use globset::{GlobBuilder, GlobMatcher};

/// Globs for tool names; one that fits is enough. `*` fits any run of characters.
#[derive(Debug, Clone)]
pub struct ToolMatcher {
    /// Each by itself: a set takes names for paths, and misses a tool called `..`.
    globs: Vec<GlobMatcher>,
}

impl ToolMatcher {
    /// Compiles the globs of the hook named `hook`.
    ///
    /// # Errors
    /// One of them is not a glob.
    pub fn new(hook: &str, globs: &[String]) -> Result<Self, BadGlob> {
        let compile = |glob: &String| {
            // Tool names are not paths: a slash in one is a character like any other.
            let compiled =
                GlobBuilder::new(glob).literal_separator(false).backslash_escape(true).empty_alternates(true).build();
            compiled.map(|glob| glob.compile_matcher()).map_err(|error| BadGlob {
                hook: hook.to_owned(),
                glob: glob.clone(),
                problem: error.kind().to_string(),
            })
        };
        Ok(Self { globs: globs.iter().map(compile).collect::<Result<_, _>>()? })
    }

    /// Whether one of the globs fits. A name beyond ASCII always does: globs count its bytes, and a guard must not miss
    /// a call because of that.
    pub fn matches(&self, tool_name: &str) -> bool {
        !tool_name.is_ascii() || self.globs.iter().any(|glob| glob.is_match(tool_name))
    }
}

/// A `match.toolName` that is not a glob.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("hook `{hook}`: `{glob}` in match.toolName is not a glob: {problem}")]
pub struct BadGlob {
    /// The hook.
    pub hook: String,
    /// The text that is not a glob.
    pub glob: String,
    /// What is wrong with it.
    pub problem: String,
}

#[cfg(test)]
mod tests {
    use super::ToolMatcher;

    fn fits(globs: &[&str], tool: &str) -> bool {
        let globs: Vec<_> = globs.iter().map(|&glob| glob.to_owned()).collect();
        ToolMatcher::new("h", &globs).unwrap().matches(tool)
    }

    #[test]
    fn a_name_beyond_ascii_is_never_filtered_out() {
        assert!(fits(&["shell_?"], "shell_\u{fc}"));
        assert!(fits(&["[!a]x"], "\u{e9}x"));
    }

    #[test]
    fn one_glob_that_fits_is_enough() {
        for (globs, tool) in [
            (&["store__*"][..], "store__submissions__set"),
            (&["*__set"], "store__submissions__set"),
            (&["shell", "store__*"], "store__x"),
            (&["{shell,exec}"], "exec"),
            (&["tool?"], "tool1"),
            (&["[st]ool"], "tool"),
            (&["*"], "mcp/server/tool"),
            (&["mcp/*"], "mcp/server/tool"),
            (&["*"], ""),
            (&["?."], ".."),
            (&["shell{,_x}"], "shell"),
        ] {
            assert!(fits(globs, tool), "{globs:?} {tool}");
        }
    }

    #[test]
    fn a_glob_fits_the_whole_name_in_its_own_case() {
        for (globs, tool) in [(&["store"][..], "store__x"), (&["Store__*"], "store__x"), (&["store__"], "my_store__")] {
            assert!(!fits(globs, tool), "{globs:?} {tool}");
        }
    }

    #[test]
    fn what_is_no_glob_is_named_with_its_hook() {
        let error = ToolMatcher::new("guard", &["shell".into(), "[".into()]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "hook `guard`: `[` in match.toolName is not a glob: unclosed character class; missing ']'"
        );
    }
}
