//! Colours. They are always written, and taken out again where the output is no terminal.

use anstyle::{AnsiColor, Color, Style};
use comfy_table::{ColumnConstraint, ContentArrangement, Table, Width, presets};
use hookhost::Action;

pub(crate) const GOOD: Style = colour(AnsiColor::Green);
pub(crate) const WARN: Style = colour(AnsiColor::Yellow);
pub(crate) const BAD: Style = colour(AnsiColor::Red).bold();
pub(crate) const NOTE: Style = colour(AnsiColor::Cyan);
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const STRONG: Style = Style::new().bold();

const fn colour(colour: AnsiColor) -> Style {
    Style::new().fg_color(Some(Color::Ansi(colour)))
}

/// The text in the style.
pub(crate) fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// The style of an action.
pub(crate) fn of_action(action: Action) -> Style {
    match action {
        Action::Allow => GOOD,
        Action::Modify | Action::Inject => NOTE,
        Action::Ask => WARN,
        Action::Block => BAD,
    }
}

/// A table without lines, as wide as the terminal at most. Where there is no terminal, lines are as long as they are.
pub(crate) fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(header.iter().map(|title| paint(DIM, title)));
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    // Wrapping is for the last column, which holds sentences.
    let last = header.len().saturating_sub(1);
    for column in table.column_iter_mut().take(last) {
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
    if let Some(column) = table.column_mut(last) {
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(20)));
    }
    table
}

/// The table's lines, each indented by two blanks and without blanks at its end.
pub(crate) fn lines(table: &Table) -> String {
    table.lines().map(|line| format!("  {}\n", line.trim_end())).collect()
}
