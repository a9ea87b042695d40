//! The two reads.

use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hookhost_contract::{JsonObject, Row, StoreError, parse_json};
use serde_json::Value;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::Type;

use super::Settings;
use super::condition::{self, Condition};
use super::connection::{Connection, Parameter};
use super::pool::Pool;
use super::relation::{Column, Relation};
use crate::MAX_BYTES;
use crate::filter::fits;
use crate::found::{Found, too_large};
use crate::readers::too_slow;
use crate::table::{Fields, column};

/// How many fields of a filter the server is asked about. A hook can send thousands.
const MOST_CONDITIONS: usize = 16;

/// For how long it is remembered what a table looks like.
const REMEMBERED: Duration = Duration::from_secs(10);

/// What a read asks for.
pub(super) enum Ask {
    /// The row under a key.
    Get(String),
    /// The rows that fit.
    Query(JsonObject),
    /// Nothing, but whether the mapped tables are there.
    Check,
}

/// Why a read failed.
pub(super) enum Trouble {
    /// In words for the hook.
    Store(StoreError),
    /// In the driver's.
    Postgres(tokio_postgres::Error),
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<tokio_postgres::Error> for Trouble {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Postgres(error)
    }
}

impl Trouble {
    fn code(&self) -> Option<&SqlState> {
        match self {
            Self::Store(_) => None,
            Self::Postgres(error) => error.code(),
        }
    }

    /// The server, or the way to it, has ended. Nothing is known about the read.
    fn is_the_end_of_the_connection(&self) -> bool {
        match self {
            Self::Store(_) => false,
            Self::Postgres(error) => match error.code() {
                // 57P01 and its like: the server is told to stop, or starts.
                Some(code) => code.code().starts_with("08") || code.code().starts_with("57P"),
                None => error.is_closed() || error.source().is_some_and(|source| source.is::<std::io::Error>()),
            },
        }
    }

    /// The table is not what it was.
    fn is_about_the_table(&self) -> bool {
        self.code().is_some_and(|code| code.code().starts_with("42") && *code != SqlState::INSUFFICIENT_PRIVILEGE)
    }

    /// A parameter is no value of its column's type; or a view has met something that it cannot compute.
    fn is_about_a_value(&self) -> bool {
        self.code().is_some_and(|code| code.code().starts_with("22"))
    }
}

/// Reads from one database.
pub(super) struct Reader {
    pool: Arc<Pool>,
    pub(super) settings: Settings,
    /// What the tables look like. Only those that are there, so hooks cannot make it grow.
    relations: Mutex<HashMap<String, (Instant, Arc<Relation>)>>,
}

impl Reader {
    pub(super) fn new(pool: Arc<Pool>, settings: Settings) -> Self {
        Self { pool, settings, relations: Mutex::default() }
    }

    pub(super) async fn read(&self, store: &str, ask: &Ask) -> Result<Found, StoreError> {
        let (mut reconnected, mut looked_again) = (false, false);
        loop {
            let trouble = match self.attempt(store, ask).await {
                Ok(found) => return Ok(found),
                Err((reused, trouble)) => {
                    if reused && !reconnected && trouble.is_the_end_of_the_connection() {
                        // The server has restarted: the connections were made to the old one, this one and the others.
                        reconnected = true;
                        self.pool.forget_idle();
                        continue;
                    }
                    if !looked_again && trouble.is_about_the_table() && self.forget(store) {
                        looked_again = true;
                        continue;
                    }
                    trouble
                }
            };
            return Err(match trouble {
                Trouble::Store(error) => error,
                Trouble::Postgres(error) => match error.code() {
                    Some(code) if *code == SqlState::QUERY_CANCELED => too_slow(store, self.settings.read_timeout),
                    Some(code) if *code == SqlState::INSUFFICIENT_PRIVILEGE => StoreError(format!(
                        "PostgreSQL says: {}; grant SELECT on the table to the user of the connection",
                        described(&error)
                    )),
                    _ => StoreError(format!("PostgreSQL says: {}", described(&error))),
                },
            });
        }
    }

    /// Reads on one connection. An error comes with whether the connection was used before.
    async fn attempt(&self, store: &str, ask: &Ask) -> Result<Found, (bool, Trouble)> {
        let mut lease = self.pool.lease().await.map_err(|trouble| (false, trouble))?;
        let reused = lease.reused;
        let answer = self.ask(&mut lease.connection, store, ask).await;
        // Without its answer read to the end, it is closed instead.
        self.pool.put_back(lease);
        answer.map_err(|trouble| (reused, trouble))
    }

    async fn ask(&self, connection: &mut Connection, store: &str, ask: &Ask) -> Result<Found, Trouble> {
        match ask {
            Ask::Get(key) => {
                let relation = self.relation(connection, store).await?;
                match condition::key(&relation.key, key) {
                    Condition::Never => Ok(Found::default()),
                    condition => run(connection, &relation, vec![condition], Some(key), &JsonObject::new()).await,
                }
            }
            Ask::Query(filter) => {
                let mut relation = self.relation(connection, store).await?;
                if lacks_a_field(&relation, filter) && self.forget(store) {
                    // It may have got a column since.
                    relation = self.relation(connection, store).await?;
                }
                if lacks_a_field(&relation, filter) {
                    return Ok(Found::default());
                }
                let conditions = conditions(&relation.fields, filter);
                if conditions.contains(&Condition::Never) {
                    return Ok(Found::default());
                }
                run(connection, &relation, conditions, None, filter).await
            }
            Ask::Check => {
                for store in self.settings.tables.keys() {
                    Relation::find(connection, &self.settings, store).await.map_err(|trouble| match trouble {
                        Trouble::Store(error) => StoreError(format!("the store `{store}`: {error}")).into(),
                        other => other,
                    })?;
                }
                Ok(Found::default())
            }
        }
    }

    async fn relation(&self, connection: &mut Connection, store: &str) -> Result<Arc<Relation>, Trouble> {
        let remembered = self.relations.lock().unwrap_or_else(PoisonError::into_inner).get(store).cloned();
        if let Some((_, relation)) = remembered.filter(|(since, _)| since.elapsed() < REMEMBERED) {
            return Ok(relation);
        }
        let found = Relation::find(connection, &self.settings, store).await;
        let mut relations = self.relations.lock().unwrap_or_else(PoisonError::into_inner);
        match found {
            Ok(relation) => {
                let relation = Arc::new(relation);
                relations.insert(store.to_owned(), (Instant::now(), relation.clone()));
                Ok(relation)
            }
            Err(trouble) => {
                relations.remove(store);
                Err(trouble)
            }
        }
    }

    /// Whether there was anything to forget about the table of `store`.
    fn forget(&self, store: &str) -> bool {
        self.relations.lock().unwrap_or_else(PoisonError::into_inner).remove(store).is_some()
    }
}

/// A field without a column is in no row.
fn lacks_a_field(relation: &Relation, filter: &JsonObject) -> bool {
    match &relation.fields {
        Fields::Json(_) => false,
        Fields::Columns(columns) => filter.keys().any(|field| column(columns, field).is_none()),
    }
}

fn conditions(fields: &Fields<Column>, filter: &JsonObject) -> Vec<Condition> {
    match fields {
        Fields::Json(column) => vec![condition::object(column, filter)],
        Fields::Columns(columns) => {
            let each = filter
                .iter()
                .filter_map(|(field, wanted)| column(columns, field).map(|column| condition::field(column, wanted)));
            each.filter(|condition| *condition != Condition::Any).take(MOST_CONDITIONS).collect()
        }
    }
}

async fn run(
    connection: &mut Connection,
    relation: &Relation,
    conditions: Vec<Condition>,
    wanted: Option<&str>,
    filter: &JsonObject,
) -> Result<Found, Trouble> {
    let mut sql = relation.selected();
    let mut parameters = Vec::new();
    let mut narrowed = false;
    for condition in conditions {
        let condition = match condition {
            Condition::Any | Condition::Never => continue,
            Condition::Test(sql) => sql,
            Condition::Compare(sql, text) => {
                parameters.push((Parameter(Some(text)), Type::UNKNOWN));
                format!("{sql} ${}", parameters.len())
            }
        };
        sql.push_str(if narrowed { " AND " } else { " WHERE " });
        sql.push_str(&condition);
        narrowed = true;
    }
    match collect(connection, relation, &sql, parameters, wanted, filter).await {
        // Without the conditions, only the view is left to complain.
        Err(trouble) if narrowed && trouble.is_about_a_value() => {
            collect(connection, relation, &relation.selected(), Vec::new(), wanted, filter).await
        }
        answer => answer,
    }
}

async fn collect(
    connection: &mut Connection,
    relation: &Relation,
    sql: &str,
    parameters: Vec<(Parameter, Type)>,
    wanted: Option<&str>,
    filter: &JsonObject,
) -> Result<Found, Trouble> {
    let mut found = Found::default();
    let rows = connection.rows(sql, parameters, |held| {
        let key = text(&held, 0)?;
        // The column may compare texts in its own way.
        if wanted.is_some() && wanted != key {
            return Ok(());
        }
        let named = |StoreError(what)| StoreError(format!("the row `{}`: {what}", key.unwrap_or("NULL")));
        let row = row(&relation.fields, &held).map_err(|trouble| match trouble {
            Trouble::Store(error) => named(error).into(),
            other => other,
        })?;
        if fits(&row, filter) {
            found.add(key.unwrap_or_default().to_owned(), row)?;
        }
        Ok(())
    });
    rows.await?;
    Ok(found)
}

/// The row behind its key.
fn row(fields: &Fields<Column>, held: &tokio_postgres::Row) -> Result<Row, Trouble> {
    match fields {
        Fields::Json(column) => match json(&column.name, text(held, 1)?)? {
            Value::Object(row) => Ok(row),
            _ => Err(StoreError(format!("the column `{}` is not a JSON object", column.name)).into()),
        },
        Fields::Columns(columns) => {
            let mut row = Row::new();
            for (n, (field, column)) in columns.iter().enumerate() {
                row.insert(field.clone(), json(&column.name, text(held, n + 1)?)?);
            }
            Ok(row)
        }
    }
}

fn json(column: &str, text: Option<&str>) -> Result<Value, StoreError> {
    match text {
        None => Ok(Value::Null),
        Some(text) if text.len() > MAX_BYTES => Err(too_large()),
        Some(text) => parse_json(text)
            .map_err(|error| StoreError(format!("the column `{column}` holds what is not JSON: {error}"))),
    }
}

/// A column of an answer. All that is asked for is cast to text.
pub(super) fn text(row: &tokio_postgres::Row, column: usize) -> Result<Option<&str>, Trouble> {
    Ok(row.try_get(column)?)
}

/// What the server says, or else what the driver says and why.
pub(super) fn described(error: &tokio_postgres::Error) -> String {
    if let Some(error) = error.as_db_error() {
        return format!("{} ({})", error.message(), error.code().code());
    }
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let more = error.to_string();
        // Some errors print the one below them as well.
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        source = error.source();
    }
    text
}
