//! The two ways out: an answer on stdout with its exit code, or a problem on stderr with its own.

use std::io::{self, IsTerminal, Write};

use hookhost::exit;

use crate::args::Format;
use crate::style;

/// An answer.
pub(crate) struct Outcome {
    pub(crate) text: String,
    pub(crate) code: u8,
}

impl Outcome {
    /// An answer as pretty JSON.
    pub(crate) fn json(value: &impl serde::Serialize, code: u8) -> Result<Self, Problem> {
        let mut text = serde_json::to_string_pretty(value).map_err(|error| Problem::failed(error.to_string()))?;
        text.push('\n');
        Ok(Self { text, code })
    }
}

/// Why there is no answer.
pub(crate) struct Problem {
    pub(crate) message: String,
    pub(crate) code: u8,
}

impl Problem {
    /// The command or its input was not understood.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: exit::USAGE }
    }

    /// The project or the machine is at fault.
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: exit::FAILED }
    }
}

/// Prints an answer: for people with colours on a terminal only, for programs byte by byte. A reader that has gone away
/// is no failure.
pub(crate) fn print(text: &str, format: Format) -> io::Result<()> {
    let mut out: Box<dyn Write> = match format {
        Format::Human => Box::new(anstream::stdout().lock()),
        Format::Json => Box::new(io::stdout().lock()),
    };
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Prints a problem. If even that cannot be written, the exit code still says it. A program that reads JSON finds it on
/// stdout too.
pub(crate) fn complain(problem: &Problem, format: Format) {
    if format == Format::Json {
        let _ = print(&format!("{}\n", serde_json::json!({ "error": problem.message })), format);
    }
    let _ = writeln!(anstream::stderr(), "{} {}", style::paint(style::BAD, "error:"), problem.message);
}

/// Prints something to look at beside the answer.
pub(crate) fn warn(message: &str) {
    let _ = writeln!(anstream::stderr(), "{} {message}", style::paint(style::WARN, "warning:"));
}

/// Tells of something that was done beside the answer.
pub(crate) fn note(message: &str) {
    let _ = writeln!(anstream::stderr(), "{} {message}", style::paint(style::NOTE, "note:"));
}

/// Says what is being done, on a terminal only: elsewhere nobody waits.
pub(crate) fn progress(message: &str) {
    let stderr = io::stderr();
    if stderr.is_terminal() {
        let _ = writeln!(anstream::stderr(), "{}", style::paint(style::DIM, message));
    }
}

/// Prints text beside the answer, as it is.
pub(crate) fn tell(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Prints what is wrong beside the answer.
pub(crate) fn complain_of(message: &str) {
    let _ = writeln!(anstream::stderr(), "{} {message}", style::paint(style::BAD, "error:"));
}
