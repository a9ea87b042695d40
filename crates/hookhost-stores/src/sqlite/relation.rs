//! Which table a store is.

use hookhost_contract::StoreError;
use rusqlite::{Connection, OptionalExtension};

use super::Settings;
use super::connection::Trouble;
use super::value::Declared;
use crate::Table;
use crate::name::no_such_store;
use crate::table::{Fields, quoted};

/// A table or view that is a store.
pub(super) struct Relation {
    /// Its name.
    pub(super) table: String,
    /// The name of its key column.
    pub(super) key: String,
    pub(super) fields: Fields<Column>,
}

/// A column that is read.
#[derive(Clone)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) declared: Declared,
}

impl Relation {
    /// The table of the store `store`, a name that comes from a hook.
    pub(super) fn find(connection: &Connection, settings: &Settings, store: &str) -> Result<Self, Trouble> {
        if let Some(table) = settings.tables.get(store) {
            return Self::mapped(connection, settings, table);
        }
        let columns = match settings.only_mapped_tables || !exists(connection, store)? {
            true => Vec::new(),
            false => columns(connection, store)?,
        };
        let has = |name: &str| columns.iter().any(|(column, _)| column == name);
        if !has(&settings.key) || !has(&settings.value) {
            let known = known(connection, settings);
            return Err(no_such_store(store, known.iter().map(String::as_str)).into());
        }
        let value = Column { name: settings.value.clone(), declared: Declared::Json };
        Ok(Self { table: store.to_owned(), key: settings.key.clone(), fields: Fields::Json(value) })
    }

    fn mapped(connection: &Connection, settings: &Settings, table: &Table) -> Result<Self, Trouble> {
        let name = &table.name;
        if !exists(connection, name)? {
            return Err(StoreError(format!("there is no table `{name}`: correct its name, or create it")).into());
        }
        let columns = columns(connection, name)?.into_iter().map(|(name, declared)| {
            let column = Column { declared: Declared::read(&declared), name: name.clone() };
            (name, column)
        });
        let (key, fields) = table.mapped(&settings.key, &columns.collect::<Vec<_>>())?;
        Ok(Self { table: name.clone(), key: key.name, fields })
    }

    /// What is read of a row, which is called `held`: its key, then its columns.
    pub(super) fn selected(&self) -> String {
        let columns = match &self.fields {
            Fields::Json(value) => vec![quoted(&value.name)],
            Fields::Columns(columns) => columns.iter().map(|(_, column)| quoted(&column.name)).collect(),
        };
        let list: Vec<_> = std::iter::once(quoted(&self.key)).chain(columns).collect();
        format!("SELECT {} FROM main.{} AS held", list.join(", "), quoted(&self.table))
    }
}

/// Whether the database has a table or a view of exactly this name. SQLite's own tables do not count.
fn exists(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    let mut statement = connection.prepare_cached(
        "SELECT 1 FROM main.sqlite_schema WHERE type IN ('table', 'view') AND name = ?1 AND substr(name, 1, 7) <> 'sqlite_'",
    )?;
    Ok(statement.query_row([name], |_| Ok(())).optional()?.is_some())
}

/// The columns of a table, with their declared types.
fn columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<(String, String)>> {
    // Hidden are the parameters of virtual tables.
    let mut statement =
        connection.prepare_cached("SELECT name, type FROM pragma_table_xinfo(?1, 'main') WHERE hidden <> 1")?;
    statement.query_map([table], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

/// The names of all stores, to say what may have been meant. Where they cannot be told, nothing was.
fn known(connection: &Connection, settings: &Settings) -> Vec<String> {
    let mut known: Vec<String> = settings.tables.keys().cloned().collect();
    if !settings.only_mapped_tables {
        let tables = || -> rusqlite::Result<Vec<String>> {
            let mut statement = connection.prepare_cached(
                "SELECT name FROM main.sqlite_schema AS t WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' AND \
                 (SELECT count(*) FROM pragma_table_xinfo(t.name, 'main') WHERE name IN (?1, ?2) AND hidden <> 1) = 2",
            )?;
            statement.query_map([&settings.key, &settings.value], |row| row.get(0))?.collect()
        };
        known.extend(tables().unwrap_or_default());
    }
    known
}
