//! Which table a store is.

use hookhost_contract::StoreError;
use tokio_postgres::types::Type;

use super::Settings;
use super::condition::Kind;
use super::connection::{Connection, Parameter};
use super::read::{Trouble, text};
use crate::Table;
use crate::name::no_such_store;
use crate::table::{Fields, quoted};

/// A table or view that is a store.
pub(super) struct Relation {
    /// Its name with its schema, as SQL takes it.
    table: String,
    pub(super) key: Column,
    pub(super) fields: Fields<Column>,
}

/// A column that is read.
#[derive(Clone)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// Every table, view and foreign table that a hook may see, with the types of its columns. A domain counts as the type
/// below it. `$2` is the schema, or NULL for the search path.
const COLUMNS: &str = "\
    SELECT n.nspname::text, a.attname::text, \
        CASE WHEN t.typtype = 'e' THEN 'enum' WHEN tn.nspname = 'pg_catalog' THEN t.typname::text ELSE '' END \
    FROM pg_catalog.pg_class c \
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
    JOIN pg_catalog.pg_type d ON d.oid = a.atttypid \
    JOIN pg_catalog.pg_type t ON t.oid = CASE d.typtype WHEN 'd' THEN d.typbasetype ELSE d.oid END \
    JOIN pg_catalog.pg_namespace tn ON tn.oid = t.typnamespace \
    WHERE c.relname::text = $1 AND c.relkind IN ('r', 'v', 'm', 'p', 'f') \
        AND n.nspname::text <> 'information_schema' AND left(n.nspname::text, 3) <> 'pg_' \
        AND CASE WHEN $2 IS NULL THEN pg_catalog.pg_table_is_visible(c.oid) ELSE n.nspname::text = $2 END \
    ORDER BY a.attnum";

/// The names of the tables that are a store as they are: those with both columns. `$3` is as `$2` above.
const STORES: &str = "\
    SELECT c.relname::text \
    FROM pg_catalog.pg_class c \
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
    WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') \
        AND n.nspname::text <> 'information_schema' AND left(n.nspname::text, 3) <> 'pg_' \
        AND CASE WHEN $3 IS NULL THEN pg_catalog.pg_table_is_visible(c.oid) ELSE n.nspname::text = $3 END \
        AND (SELECT count(*) FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 \
            AND NOT a.attisdropped AND a.attname::text IN ($1, $2)) = 2 \
    LIMIT 1000";

impl Relation {
    /// The table of the store `store`, a name that comes from a hook.
    pub(super) async fn find(connection: &mut Connection, settings: &Settings, store: &str) -> Result<Self, Trouble> {
        if let Some(table) = settings.tables.get(store) {
            return Self::mapped(connection, settings, table).await;
        }
        // A NUL can be sent nowhere, and is in no name.
        let (schema, columns) = match settings.only_mapped_tables || store.contains('\0') {
            true => Default::default(),
            false => columns(connection, store, settings.schema.as_deref()).await?,
        };
        let column = |name: &str| columns.iter().find(|column| column.name == name).cloned();
        match (column(&settings.key), column(&settings.value)) {
            (Some(key), Some(value)) if value.kind.holds_json() => {
                let table = format!("{}.{}", quoted(&schema), quoted(store));
                Ok(Self { table, key, fields: Fields::Json(value) })
            }
            _ => {
                let known = known(connection, settings).await?;
                Err(no_such_store(store, known.iter().map(String::as_str)).into())
            }
        }
    }

    async fn mapped(connection: &mut Connection, settings: &Settings, table: &Table) -> Result<Self, Trouble> {
        let name = &table.name;
        let schema = table.schema.as_ref().or(settings.schema.as_ref());
        let (schema, columns) = columns(connection, name, schema.map(String::as_str)).await?;
        if schema.is_empty() {
            let message = format!("there is no table `{name}`: correct its name or its schema, or create it");
            return Err(StoreError(message).into());
        }
        let columns: Vec<_> = columns.into_iter().map(|column| (column.name.clone(), column)).collect();
        let (key, fields) = table.mapped(&settings.key, &columns)?;
        Ok(Self { table: format!("{}.{}", quoted(&schema), quoted(name)), key, fields })
    }

    /// What is read of a row, all as text: its key, then its columns as JSON.
    pub(super) fn selected(&self) -> String {
        let columns = match &self.fields {
            Fields::Json(value) => vec![format!("{}::text", quoted(&value.name))],
            Fields::Columns(columns) => {
                columns.iter().map(|(_, column)| format!("to_jsonb({})::text", quoted(&column.name))).collect()
            }
        };
        let key = format!("{}::text", quoted(&self.key.name));
        let list: Vec<_> = std::iter::once(key).chain(columns).collect();
        format!("SELECT {} FROM {}", list.join(", "), self.table)
    }
}

/// The schema and the columns of a table. Without a table, there are none.
async fn columns(
    connection: &mut Connection,
    table: &str,
    schema: Option<&str>,
) -> Result<(String, Vec<Column>), Trouble> {
    let parameters = vec![parameter(Some(table)), parameter(schema)];
    let mut found = (String::new(), Vec::new());
    let rows = connection.rows(COLUMNS, parameters, |row| {
        found.0 = text(&row, 0)?.unwrap_or_default().to_owned();
        let name = text(&row, 1)?.unwrap_or_default().to_owned();
        found.1.push(Column { name, kind: Kind::of(text(&row, 2)?.unwrap_or_default()) });
        Ok(())
    });
    rows.await?;
    Ok(found)
}

/// The names of all stores, to say what may have been meant.
async fn known(connection: &mut Connection, settings: &Settings) -> Result<Vec<String>, Trouble> {
    let mut known: Vec<String> = settings.tables.keys().cloned().collect();
    if !settings.only_mapped_tables {
        let parameters = [Some(&settings.key), Some(&settings.value), settings.schema.as_ref()];
        let parameters = parameters.map(|name| parameter(name.map(String::as_str))).into();
        let rows = connection.rows(STORES, parameters, |row| {
            known.extend(text(&row, 0)?.map(str::to_owned));
            Ok(())
        });
        rows.await?;
    }
    Ok(known)
}

fn parameter(name: Option<&str>) -> (Parameter, Type) {
    (Parameter(name.map(str::to_owned)), Type::TEXT)
}
