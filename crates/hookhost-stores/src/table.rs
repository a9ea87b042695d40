//! Which table of a database a store is.

/// A table that is a store.
///
/// Without any, a database has a store for each table with a column `key` and a JSON column `value`, under the table's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub(crate) name: String,
    pub(crate) key: String,
    pub(crate) rows: RowsIn,
}

/// Where a table has its rows' fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RowsIn {
    /// A JSON object in this column.
    Json(String),
    /// A column for each field; these, or all that the table has.
    Columns(Option<Vec<String>>),
}

impl Table {
    /// A table with a JSON object in one column. Default: the columns `key` and `value`.
    pub fn json(name: impl Into<String>) -> Self {
        Self { name: name.into(), key: "key".to_owned(), rows: RowsIn::Json("value".to_owned()) }
    }

    /// A table whose columns are the fields of its rows, under their own names. `key` is the column that `ctx.store.get`
    /// looks in. Default: all columns.
    pub fn mapped(name: impl Into<String>, key: impl Into<String>) -> Self {
        Self { name: name.into(), key: key.into(), rows: RowsIn::Columns(None) }
    }

    /// The column that `ctx.store.get` looks in.
    pub fn key(mut self, column: impl Into<String>) -> Self {
        self.key = column.into();
        self
    }

    /// The column with the JSON object. Makes a mapped table one with JSON.
    pub fn value(mut self, column: impl Into<String>) -> Self {
        self.rows = RowsIn::Json(column.into());
        self
    }

    /// The columns that hooks see. Makes a table with JSON a mapped one.
    pub fn columns(mut self, columns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.rows = RowsIn::Columns(Some(columns.into_iter().map(Into::into).collect()));
        self
    }
}

/// The name as SQL has it. A store's name comes from a hook, and a column's from a filter.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
