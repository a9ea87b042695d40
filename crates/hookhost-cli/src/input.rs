//! JSON that the user hands over: read whole, and refused with its place.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use hookhost::parse_json;
use serde_json::Value;

use crate::output::Problem;

/// Nobody writes such a payload or store by hand; what is larger is no JSON, or never ends.
const MAX_BYTES: u64 = 64 << 20;

/// Reads a JSON file, or standard input for `-`. `what` names it in messages.
pub(crate) fn json(path: &Path, what: &str) -> Result<Value, Problem> {
    let (name, bytes) = if path.as_os_str() == "-" {
        ("standard input".to_owned(), read(io::stdin().lock()))
    } else {
        (format!("`{}`", path.display()), File::open(path).and_then(read))
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
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Problem::usage(format!("the {what} in {name} is larger than {} MiB", MAX_BYTES >> 20)));
    }
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        Problem::usage(format!("the {what} in {name} is not UTF-8 text (at byte {})", error.valid_up_to()))
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(Problem::usage(format!("the {what} in {name} is empty: write a JSON object")));
    }
    parse_json(text).map_err(|error| Problem::usage(format!("the {what} in {name} is not JSON: {error}")))
}

fn read(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
