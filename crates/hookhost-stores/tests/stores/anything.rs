//! Whatever the rows and the filter are: a database and a store in memory agree.

use hookhost_contract::{JsonObject, Row, Store};
use hookhost_stores::MemoryStore;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};

use crate::support::wait;

/// Keys and values that mean something to somebody.
const WORDS: [&str; 22] = [
    "", "a", "A", "a ", "b", "1", "01", "1.0", "1e0", "true", "null", "%", "_", "a'b", "a\"b", "a\\b", "é", "e\u{301}",
    "😀", "a\0b", "\0", "{}",
];

const FIELDS: [&str; 12] = ["a", "b", "role", "_x9", "a b", "a.b", "a\"b", "a'b", "$", "", "é", "a\0b"];

pub(crate) fn word() -> impl Strategy<Value = String> {
    prop_oneof![4 => select(&WORDS[..]).prop_map(str::to_owned), 1 => any::<String>()]
}

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => (-2_i64..3).prop_map(Value::from),
        2 => (-2_i64..3).prop_map(|whole| Value::from(whole as f64)),
        1 => select(&[0.5, -0.5, 0.1, 1e300, -1e-300, f64::MAX, f64::MIN_POSITIVE, 5e-324][..]).prop_map(Value::from),
        2 => (-2_i64..3).prop_map(|near| Value::from((1_i64 << 53) + near)),
        1 => select(&[i64::MIN, i64::MAX, i64::MAX - 1][..]).prop_map(Value::from),
        1 => select(&[u64::MAX, 1_u64 << 63, (1_u64 << 63) + 1][..]).prop_map(Value::from),
        1 => select(&[9_007_199_254_740_992.0, 9_223_372_036_854_775_808.0, 1.8446744073709552e19][..]).prop_map(Value::from),
        1 => any::<f64>().prop_filter("JSON has it", |double| double.is_finite()).prop_map(Value::from),
    ]
}

pub(crate) fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        2 => any::<bool>().prop_map(Value::from),
        4 => number(),
        4 => word().prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((select(&FIELDS[..]), inner), 0..3).prop_map(|fields| {
                Value::Object(fields.into_iter().map(|(field, value)| (field.to_owned(), value)).collect())
            }),
        ]
    })
}

fn row() -> impl Strategy<Value = Row> {
    prop::collection::vec((select(&FIELDS[..]), value()), 0..4)
        .prop_map(|fields| fields.into_iter().map(|(field, value)| (field.to_owned(), value)).collect())
}

/// Rows with different keys. Each holds its key as well, so that answers can be compared.
pub(crate) fn rows() -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::vec((word(), row()), 0..6).prop_map(|rows| {
        let named = |(key, mut row): (String, Row)| {
            row.insert("the key".to_owned(), key.clone().into());
            (key, Value::Object(row))
        };
        rows.into_iter().map(named).collect()
    })
}

/// How a filter comes from the rows: some of its fields are those of a row, so that something fits now and then.
#[derive(Debug, Clone)]
pub(crate) struct Filtering {
    row: Index,
    copied: usize,
    otherwise: Row,
    as_double: bool,
}

pub(crate) fn filtering() -> impl Strategy<Value = Filtering> {
    let otherwise = prop_oneof![2 => Just(Row::new()), 1 => row()];
    (any::<Index>(), 0_usize..3, otherwise, any::<bool>()).prop_map(|(row, copied, otherwise, as_double)| Filtering {
        row,
        copied,
        otherwise,
        as_double,
    })
}

impl Filtering {
    pub(crate) fn filter(&self, rows: &Map<String, Value>) -> JsonObject {
        let mut filter = self.otherwise.clone();
        if !rows.is_empty() {
            let row = rows.values().nth(self.row.index(rows.len())).and_then(Value::as_object).unwrap();
            let copied = row.iter().filter(|(field, _)| *field != "the key").take(self.copied);
            filter.extend(copied.map(|(field, value)| (field.clone(), self.spelled(value))));
        }
        filter
    }

    /// The same value, perhaps written in another way.
    fn spelled(&self, value: &Value) -> Value {
        match value.as_i64() {
            Some(integer) if self.as_double => (integer as f64).into(),
            _ => value.clone(),
        }
    }
}

/// The keys of the rows that fit.
pub(crate) fn keys(store: &impl Store, filter: &JsonObject) -> Result<Vec<Value>, TestCaseError> {
    let rows = wait(store.query("rows", filter)).map_err(|error| TestCaseError::fail(error.to_string()))?;
    Ok(rows.iter().map(|row| row["the key"].clone()).collect())
}

fn memory(rows: &Map<String, Value>) -> MemoryStore {
    MemoryStore::from_json(&json!({ "rows": rows })).unwrap()
}

/// As many cases as asked for, and no file about those that fail.
pub(crate) fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

/// Asks the same of `store`, which holds `rows` in its table `rows`, and of a store in memory: for rows that fit, for
/// each key, and for the key `asked`.
pub(crate) fn agrees(
    store: &impl Store,
    rows: &Map<String, Value>,
    filters: &[Filtering],
    asked: &str,
) -> Result<(), TestCaseError> {
    let memory = memory(rows);
    for filtering in filters {
        let filter = filtering.filter(rows);
        prop_assert_eq!(keys(store, &filter)?, keys(&memory, &filter)?, "{:?}", filter);
    }
    for key in rows.keys().map(String::as_str).chain([asked]) {
        let key_of = |row: Option<Row>| row.map(|row| row["the key"].clone());
        let found = wait(store.get("rows", key)).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(key_of(found), key_of(wait(memory.get("rows", key)).unwrap()), "{}", key);
    }
    Ok(())
}
