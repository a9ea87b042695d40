//! From what V8 says of an error to what a hook's author can use.

use std::path::Path;

use deno_core::error::{CoreError, CoreErrorKind, JsError, JsStackFrame};
use deno_core::url::Url;
use hookhost_contract::{Failure, FailureCause};

use crate::realm::Tier;

/// An engine that could not be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The operating system refused a thread.
    #[error("could not start a thread for the hooks: {0}; raise the process's thread limit")]
    Thread(#[from] std::io::Error),
    /// The Node tier is asked for, and is not part of this build.
    #[error("this build has no Node tier: enable the cargo feature `node` of hookhost, or choose the web tier")]
    NoNode,
    /// There are hooks of the other tier.
    #[error(
        "this process has hooks in the {other} tier, and V8 cannot have some in the {tier} tier beside them: use one tier in a \
         process"
    )]
    AnotherTier {
        /// The tier of those hooks.
        other: Tier,
        /// The one that is asked for.
        tier: Tier,
    },
}

/// Messages are cut here: an error is there to be read.
const MESSAGE_BYTES: usize = 4096;

/// A failure out of an error that the hook's code threw. `absent` are the globals of Node that its realm does not have.
pub(crate) fn thrown(cause: FailureCause, error: &JsError, folder: &Path, absent: &[&str]) -> Failure {
    let mut message = message(error);
    let mut at = place(error, folder);
    if let Some((what, place)) = syntax_place(&message, folder) {
        message = what.to_owned();
        at = Some(place);
    }
    if let Some(name) = missing_global(&message)
        && absent.contains(&name)
    {
        message.push_str(
            "; it is part of Node, and this hook runs in the web tier; the cargo feature `node` of hookhost runs it in the \
             Node tier",
        );
    }
    Failure::new(cause, message).at(at)
}

/// The name in V8's words about a global that is not there.
fn missing_global(message: &str) -> Option<&str> {
    message.strip_prefix("ReferenceError: ")?.strip_suffix(" is not defined")
}

/// A failure out of whatever went wrong while the hook was loaded.
pub(crate) fn load_failed(error: &CoreError, folder: &Path, absent: &[&str]) -> Failure {
    match error.as_kind() {
        CoreErrorKind::Js(error) => thrown(FailureCause::LoadFailed, error, folder, absent),
        other => Failure::new(FailureCause::LoadFailed, cut(other.to_string())),
    }
}

/// How many causes of an error are told.
const CAUSES: usize = 3;

/// The error and its causes: what is the matter is often in the last of them (`fetch failed`).
fn message(error: &JsError) -> String {
    let causes = std::iter::successors(error.cause.as_deref(), |cause| cause.cause.as_deref());
    let mut message = own_message(error).to_owned();
    for cause in causes.take(CAUSES) {
        let cause = own_message(cause);
        // Some repeat their cause in their own words, and an error may be its own cause.
        if !message.contains(cause) {
            message = format!("{message}; caused by {cause}");
        }
    }
    cut(in_our_words(message))
}

/// Deno tells of its flags where something is not permitted. Here it is the capabilities of the hook that count.
fn in_our_words(message: String) -> String {
    let Some((before, flag)) = message.split_once(", run again with the --allow-") else { return message };
    let (flag, after) = flag.split_once(" flag").unwrap_or((flag, ""));
    let advice = match flag {
        "net" => "the sandbox grants it with the capability `network`, and to the hosts of `allowNet` if there are any",
        "read" => "the sandbox lets this hook read files in its own package only",
        "ffi" => "no hook may load native code",
        "all" => "a hook cannot open special files",
        _ => "the sandbox grants it to no hook",
    };
    format!("{before}: {advice}{after}")
}

fn own_message(error: &JsError) -> &str {
    let text = error.exception_message.strip_prefix("Uncaught ").unwrap_or(&error.exception_message);
    let text = text.strip_prefix("(in promise) ").unwrap_or(text);
    match text.strip_prefix("SyntaxError: ") {
        // From an ES module that was required: the message is all of the error, with its stack.
        Some(inner) if inner.starts_with("SyntaxError: ") => inner.split("\n    at ").next().unwrap_or(inner),
        _ => text,
    }
}

/// The beginning of a text that is too long to be read.
pub(crate) fn cut(mut text: String) -> String {
    if text.len() > MESSAGE_BYTES {
        let at = (0..=MESSAGE_BYTES).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text.truncate(at);
        text.push_str("...");
    }
    text
}

/// A syntax error without its place, and the place: it may be written behind the message, since the stack only tells who
/// has loaded the file.
fn syntax_place<'m>(message: &'m str, folder: &Path) -> Option<(&'m str, String)> {
    let (what, place) = message.strip_prefix("SyntaxError: ").and(message.rsplit_once(" at file://"))?;
    let mut parts = place.rsplitn(3, ':');
    let (column, line, path) = (parts.next()?, parts.next()?, parts.next()?);
    let (line, column): (u32, u32) = (line.parse().ok()?, column.parse().ok()?);
    let path = Url::parse(&format!("file://{path}")).ok()?.to_file_path().ok()?;
    Some((what, format!("{}:{line}:{column}", shown(&path, folder))))
}

/// The first frame in the hook's own code or what it imports, never in the host's scripts.
fn place(error: &JsError, folder: &Path) -> Option<String> {
    error.frames.iter().find_map(|frame| frame_place(frame, folder))
}

fn frame_place(frame: &JsStackFrame, folder: &Path) -> Option<String> {
    let name = frame.file_name.as_deref()?;
    let mut place = match Url::parse(name) {
        Ok(url) => match url.scheme() {
            "file" => shown(&url.to_file_path().ok()?, folder),
            "ext" | "node" | "wasm" => return None,
            // The source map of a bundle may name its sources in a scheme of its own.
            _ => url.to_string(),
        },
        // CommonJS goes by the path.
        Err(_) if Path::new(name).is_absolute() => shown(Path::new(name), folder),
        Err(_) => return None,
    };
    if let Some(line) = frame.line_number {
        place.push_str(&format!(":{line}"));
        if let Some(column) = frame.column_number {
            place.push_str(&format!(":{column}"));
        }
    }
    Some(place)
}

/// A file as its author names it: from the hook's folder, with slashes; files elsewhere in full.
pub(crate) fn shown(path: &Path, folder: &Path) -> String {
    match path.strip_prefix(folder) {
        Ok(inside) if inside.as_os_str().is_empty() => ".".to_owned(),
        Ok(inside) => inside.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/"),
        Err(_) => path.display().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_permitted_is_told_in_our_words() {
        for (denos, ours) in [
            ("NotCapable: Requires net access to \"a:1\", run again with the --allow-net flag", "network"),
            ("NotCapable: Requires read access to \"/x\", run again with the --allow-read flag", "own package"),
            ("NotCapable: Requires run access to \"ls\", run again with the --allow-run flag", "no hook"),
            ("NotCapable: Requires all access to \"/dev/mem\", run again with the --allow-all flag; and", "special"),
        ] {
            let message = in_our_words(denos.to_owned());
            assert!(message.contains(ours) && !message.contains("--"), "{message}");
        }
        assert_eq!(in_our_words("run again".to_owned()), "run again");
    }

    #[test]
    fn a_syntax_error_is_where_the_file_is_wrong() {
        let place = |message| syntax_place(message, Path::new("/hooks/h"));
        let found = place("SyntaxError: no ';' at file:///hooks/h/a%20b.cjs:2:13");
        assert_eq!(found, Some(("SyntaxError: no ';'", "a b.cjs:2:13".to_owned())));
        for other in [
            "SyntaxError: no",
            "SyntaxError: no at file:///hooks/h/a.cjs",
            "SyntaxError: no at file:///hooks/h/a.cjs:2:x",
            "SyntaxError: no at file:///hooks/h/a.cjs:2:",
            "TypeError: no at file:///hooks/h/a.cjs:2:13",
        ] {
            assert_eq!(place(other), None, "{other}");
        }
    }

    #[test]
    fn a_missing_global_is_named() {
        assert_eq!(missing_global("ReferenceError: process is not defined"), Some("process"));
        assert_eq!(missing_global("TypeError: process is not defined"), None);
    }
}
