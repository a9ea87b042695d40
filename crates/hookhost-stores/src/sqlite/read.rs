//! The two reads.

use hookhost_contract::{JsonObject, Row, StoreError};
use rusqlite::types::Value as Bound;
use rusqlite::{Connection, params_from_iter};

use super::connection::Trouble;
use super::relation::{Column, Relation};
use super::value;
use crate::filter::fits;
use crate::found::Found;
use crate::readers::Stop;
use crate::table::{Fields, column, quoted};

/// How many fields of a filter SQLite is asked about. A hook can send thousands, and SQLite has limits of its own.
const MOST_CONDITIONS: usize = 16;

/// The rows whose key is `key`: more than one, if nothing keeps them unique.
pub(super) fn get(connection: &Connection, relation: &Relation, key: &str, stop: &Stop) -> Result<Found, Trouble> {
    let column = quoted(&relation.key);
    let mut sql = format!("{} WHERE {column} = ?", relation.selected());
    let mut bound = vec![Bound::Text(key.to_owned())];
    // A column without a declared type may hold the number, which no text equals.
    if let Ok(number) = key.parse::<i64>() {
        sql.push_str(&format!(" OR {column} = ?"));
        bound.push(Bound::Integer(number));
    }
    run(connection, relation, &sql, bound, Some(key), &JsonObject::new(), stop)
}

/// The rows that fit.
pub(super) fn query(
    connection: &Connection,
    relation: &Relation,
    filter: &JsonObject,
    stop: &Stop,
) -> Result<Found, Trouble> {
    // A field without a column is in no row.
    if let Fields::Columns(columns) = &relation.fields
        && filter.keys().any(|field| column(columns, field).is_none())
    {
        return Ok(Found::default());
    }
    let (conditions, bound) = conditions(&relation.fields, filter);
    let narrowed = match &*conditions {
        [] => relation.selected(),
        some => format!("{} WHERE {}", relation.selected(), some.join(" AND ")),
    };
    match run(connection, relation, &narrowed, bound, None, filter, stop) {
        // SQLite does not say which row it is. Read without its help, the row is named; or SQLite takes for malformed
        // what is none of the rows that fit.
        Err(Trouble::Sqlite(error)) if error.to_string().contains("malformed JSON") => {
            run(connection, relation, &relation.selected(), Vec::new(), None, filter, stop)
        }
        answer => answer,
    }
}

fn conditions(fields: &Fields<Column>, filter: &JsonObject) -> (Vec<String>, Vec<Bound>) {
    let conditions = filter.iter().filter_map(|(field, wanted)| match fields {
        Fields::Json(column) => value::json_condition(column, field, wanted),
        Fields::Columns(columns) => column(columns, field).and_then(|column| value::condition(column, wanted)),
    });
    let (sql, bound): (Vec<_>, Vec<_>) = conditions.take(MOST_CONDITIONS).unzip();
    (sql, bound.into_iter().flatten().collect())
}

fn run(
    connection: &Connection,
    relation: &Relation,
    sql: &str,
    bound: Vec<Bound>,
    wanted: Option<&str>,
    filter: &JsonObject,
    stop: &Stop,
) -> Result<Found, Trouble> {
    let mut found = Found::default();
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params_from_iter(bound))?;
    while let Some(held) = rows.next()? {
        // What happens between two rows is not SQLite's, so SQLite does not stop it.
        if stop.now() {
            return Err(Trouble::TooSlow);
        }
        let key = value::key(held.get_ref(0)?)?;
        // The column may compare texts in its own way.
        if wanted.is_some() && wanted != key.as_deref() {
            continue;
        }
        let row = row(&relation.fields, held).map_err(|error| match error {
            Trouble::Store(StoreError(what)) => {
                Trouble::Store(StoreError(format!("the row `{}`: {what}", key.as_deref().unwrap_or("NULL"))))
            }
            other => other,
        })?;
        if fits(&row, filter) {
            found.add(key.unwrap_or_default(), row)?;
        }
    }
    Ok(found)
}

/// The row behind its key.
fn row(fields: &Fields<Column>, held: &rusqlite::Row<'_>) -> Result<Row, Trouble> {
    match fields {
        Fields::Json(column) => Ok(value::row(column, held.get_ref(1)?)?),
        Fields::Columns(columns) => {
            let mut row = Row::new();
            for (n, (field, column)) in columns.iter().enumerate() {
                row.insert(field.clone(), value::json(column, held.get_ref(n + 1)?)?);
            }
            Ok(row)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::super::Settings;
    use super::*;
    use crate::Table;

    /// How SQLite would look for the rows that fit.
    fn plan(connection: &Connection, store: &str, filter: serde_json::Value) -> String {
        let settings = Settings {
            path: "app.db".into(),
            read_timeout: crate::DEFAULT_READ_TIMEOUT,
            key: "key".to_owned(),
            value: "value".to_owned(),
            tables: BTreeMap::from([("members".to_owned(), Table::new("member").key("id"))]),
            only_mapped_tables: false,
        };
        let Ok(relation) = Relation::find(connection, &settings, store) else { panic!("no table for {store}") };
        let (conditions, bound) = conditions(&relation.fields, filter.as_object().unwrap());
        let sql = format!("EXPLAIN QUERY PLAN {} WHERE {}", relation.selected(), conditions.join(" AND "));
        connection.query_row(&sql, params_from_iter(bound), |row| row.get("detail")).unwrap()
    }

    #[test]
    fn an_index_is_used() {
        let connection = Connection::open_in_memory().unwrap();
        let create = "CREATE TABLE member (id INTEGER PRIMARY KEY, role TEXT); CREATE INDEX by_role ON member (role)";
        connection.execute_batch(create).unwrap();
        let plan = plan(&connection, "members", json!({ "role": "admin" }));
        assert!(plan.starts_with("SEARCH held USING COVERING INDEX by_role"), "{plan}");
    }
}
