//! What fixtures cover, for people.

use std::fmt::Write;

use hookhost_testkit::{CoverageReport, Share};

use crate::plain::plain;
use crate::style::{self, paint};

/// From so many percent on, a number is good; from so many on, it is not bad.
const GOOD: f64 = 90.0;
const FAIR: f64 = 70.0;

/// How many runs of missed lines are named.
const MOST: usize = 8;

/// A table with a line for each file.
pub(crate) fn coverage(report: &CoverageReport) -> String {
    let mut text = String::new();
    let mut table = style::table(&["coverage", "lines", "functions", "not run"]);
    for file in &report.files {
        let mut missed = file.missed.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
        if file.missed.len() > MOST {
            let _ = write!(missed, " and {} more", file.missed.len() - MOST);
        }
        let missed = if missed.is_empty() { String::new() } else { format!("line {missed}") };
        table.add_row([plain(&file.file, ""), share(file.lines), share(file.functions), paint(style::DIM, missed)]);
    }
    table.add_row([paint(style::STRONG, "all"), share(report.lines), share(report.functions), String::new()]);
    let _ = write!(text, "\n{}", style::lines(&table));
    text
}

fn share(share: Share) -> String {
    let style = match share.percent {
        percent if percent >= GOOD => style::GOOD,
        percent if percent >= FAIR => style::WARN,
        _ => style::BAD,
    };
    paint(style, format!("{:.1} % of {}", shown_percent(share.percent), share.of))
}

/// Rounded down to a tenth: what is not whole must not look so.
pub(crate) fn shown_percent(percent: f64) -> f64 {
    (percent * 10.0).floor() / 10.0
}
