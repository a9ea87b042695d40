//! Tables of a program that serve as a store as they are.

use hookhost_contract::{StoreError, suggest};

use crate::OpenError;

/// A table, or a view, of a program's own that serves as a store: its columns are the fields of a row.
///
/// ```
/// use hookhost_stores::Table;
///
/// // Every column is a field:
/// let members = Table::new("member").key("user_id");
/// // Only these are, and one of them has another name:
/// let accounts = Table::new("account").key("number").column("owner").column_as("limit_cents", "limit");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub(crate) name: String,
    pub(crate) schema: Option<String>,
    pub(crate) key: Option<String>,
    /// `None` for every column.
    pub(crate) columns: Option<Vec<Column>>,
}

/// A column that becomes a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) field: String,
}

impl Table {
    /// The table of this name, exactly as the database has it. Default: its key column is named as in the other tables
    /// of the store, and every column is a field.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), schema: None, key: None, columns: None }
    }

    /// The column that `ctx.store.get` looks in. Its values should be unique: a key that two rows have is an error.
    /// Default: `key`, or what the store's builder says.
    pub fn key(mut self, column: impl Into<String>) -> Self {
        self.key = Some(column.into());
        self
    }

    /// Adds a column to the fields, under its own name. With one such call or more, the others are left out.
    pub fn column(self, name: impl Into<String>) -> Self {
        let name = name.into();
        self.column_as(name.clone(), name)
    }

    /// Adds a column to the fields, under the name `field`. With one such call or more, the others are left out.
    pub fn column_as(mut self, name: impl Into<String>, field: impl Into<String>) -> Self {
        let column = Column { name: name.into(), field: field.into() };
        self.columns.get_or_insert_default().push(column);
        self
    }

    /// The schema that the table is in, in PostgreSQL. Default: the store's. SQLite has none, and refuses it.
    pub fn schema(mut self, schema: impl Into<String>) -> Self {
        self.schema = Some(schema.into());
        self
    }

    /// The key column, `key` unless the table says another, and the columns of its fields. `columns` is what the database
    /// has.
    pub(crate) fn mapped<C: Clone>(&self, key: &str, columns: &[(String, C)]) -> Result<(C, Fields<C>), StoreError> {
        let column = |wanted: &str| match columns.iter().find(|(name, _)| name == wanted) {
            Some((_, column)) => Ok(column.clone()),
            None => Err(StoreError(match suggest(wanted, columns.iter().map(|(name, _)| &**name)) {
                Some(meant) => {
                    format!("the table `{}` has no column `{wanted}`; did you mean `{meant}`?", self.name)
                }
                None => format!("the table `{}` has no column `{wanted}`", self.name),
            })),
        };
        let fields = match &self.columns {
            None => columns.to_vec(),
            Some(chosen) => chosen
                .iter()
                .map(|chosen| Ok((chosen.field.clone(), column(&chosen.name)?)))
                .collect::<Result<_, StoreError>>()?,
        };
        Ok((column(self.key.as_deref().unwrap_or(key))?, Fields::Columns(fields)))
    }

    /// Refuses what no database could answer.
    pub(crate) fn check(&self, store: &str) -> Result<(), OpenError> {
        let columns = self.columns.as_deref().unwrap_or_default();
        for (n, column) in columns.iter().enumerate() {
            if columns[..n].iter().any(|other| other.field == column.field) {
                return Err(OpenError::Settings(format!(
                    "the table `{}` of the store `{store}` has two columns for the field `{}`: rename one with `column_as`",
                    self.name, column.field
                )));
            }
        }
        Ok(())
    }
}

/// Where the rows of a store are, once the database has been asked.
pub(crate) enum Fields<C> {
    /// The row is JSON in one column.
    Json(C),
    /// A column for each field.
    Columns(Vec<(String, C)>),
}

/// The column of a field, in a table that has one for each. `None` if the field is in no row.
pub(crate) fn column<'c, C>(columns: &'c [(String, C)], field: &str) -> Option<&'c C> {
    columns.iter().find(|(name, _)| name == field).map(|(_, column)| column)
}

/// A name as SQL takes it, whatever is in it.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_one_name() {
        assert_eq!(quoted(r#"a"; DROP TABLE members; --"#), r#""a""; DROP TABLE members; --""#);
    }

    #[test]
    fn two_columns_cannot_be_one_field() {
        let error = Table::new("member").column("name").column_as("nick", "name").check("members").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the table `member` of the store `members` has two columns for the field `name`: \
             rename one with `column_as`"
        );
    }
}
