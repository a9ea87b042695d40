//! JSON that the user hands over: read whole, and refused with its place.

use std::io::{ErrorKind, Read};
use std::path::Path;

use serde_json::Value;

use crate::output::Problem;

/// Reads a JSON file, or standard input for `-`. `what` names it in messages.
pub(crate) fn json(path: &Path, what: &str) -> Result<Value, Problem> {
    let (name, bytes) = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes);
        ("standard input".to_owned(), read)
    } else {
        (format!("`{}`", path.display()), std::fs::read(path))
    };
    let bytes = bytes.map_err(|error| {
        Problem::usage(match error.kind() {
            ErrorKind::NotFound => {
                format!("the {what} {name} does not exist: give a JSON file, or - for standard input")
            }
            ErrorKind::IsADirectory => format!("the {what} {name} is a folder: give a JSON file in it"),
            _ => format!("cannot read the {what} from {name}: {error}"),
        })
    })?;
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        Problem::usage(format!("the {what} in {name} is not UTF-8 text (at byte {})", error.valid_up_to()))
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(Problem::usage(format!("the {what} in {name} is empty: write a JSON object")));
    }
    serde_json::from_str(text).map_err(|error| Problem::usage(format!("the {what} in {name} is not JSON: {error}")))
}
