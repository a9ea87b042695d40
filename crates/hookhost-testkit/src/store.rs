//! What hooks find in `ctx.store` while fixtures run.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use hookhost::{JsonObject, JsonStore, MemoryStore, Row, SqliteStore, Store, StoreError, StoreFuture, parse_json};
use hookhost_contract::FixtureStores;
use serde_json::json;

/// A store that can be exchanged while hooks hold it: each fixture brings its own.
#[derive(Clone, Default)]
pub(crate) struct Exchangeable {
    present: Arc<RwLock<Option<Arc<dyn Store>>>>,
}

impl Exchangeable {
    pub(crate) fn set(&self, store: Option<Arc<dyn Store>>) {
        *self.present.write().unwrap_or_else(PoisonError::into_inner) = store;
    }

    fn get_present(&self) -> Result<Arc<dyn Store>, StoreError> {
        let present = self.present.read().unwrap_or_else(PoisonError::into_inner).clone();
        present.ok_or_else(|| StoreError("the fixture gives no `stores`".to_owned()))
    }
}

impl Store for Exchangeable {
    fn get<'a>(&'a self, store: &'a str, key: &'a str) -> StoreFuture<'a, Option<Row>> {
        let present = self.get_present();
        Box::pin(async move { present?.get(store, key).await })
    }

    fn query<'a>(&'a self, store: &'a str, filter: &'a JsonObject) -> StoreFuture<'a, Vec<Row>> {
        let present = self.get_present();
        Box::pin(async move { present?.query(store, filter).await })
    }
}

/// Opens what `--store` names: a JSON file `{ "<store>": { "<key>": { row } } }`, a folder with a `<store>.json` for each
/// store, or an SQLite database.
///
/// # Errors
/// It does not exist, or is nothing of these, in words.
pub fn open_store(path: &Path) -> Result<Arc<dyn Store>, String> {
    if let Some(store) = open_folder_or_database(path)? {
        return Ok(store);
    }
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("`{shown}` cannot be read: {error}"))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let json = parse_json(text).map_err(|error| format!("`{shown}` is not JSON: {error}"))?;
    Ok(Arc::new(MemoryStore::from_json(&json).map_err(|error| format!("`{shown}`: {error}"))?))
}

/// Opens a folder with a `<store>.json` for each store, or an SQLite database. `None` if it is neither.
///
/// # Errors
/// It is one of these and cannot be opened, in words.
pub fn open_folder_or_database(path: &Path) -> Result<Option<Arc<dyn Store>>, String> {
    if is_sqlite(path) {
        return Ok(Some(Arc::new(SqliteStore::open(path).map_err(|error| error.to_string())?)));
    }
    if path.is_dir() {
        return Ok(Some(Arc::new(JsonStore::open(path).map_err(|error| error.to_string())?)));
    }
    Ok(None)
}

/// By its first bytes: every database of SQLite begins with them.
fn is_sqlite(path: &Path) -> bool {
    use std::io::Read;

    const MAGIC: &[u8] = b"SQLite format 3\0";
    // Only a file has first bytes that can be read twice.
    if !path.is_file() {
        return false;
    }
    let mut first = [0; 16];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok_and(|()| first == MAGIC)
}

/// Where a store is that the fixture file `file` names.
pub(crate) fn store_path(path: &str, file: &Path) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).join(path)
}

/// What a fixture says is in the store. A path is relative to the fixture file.
pub(crate) fn fixture_store(stores: &FixtureStores, file: &Path) -> Result<Arc<dyn Store>, String> {
    match stores {
        FixtureStores::Path(path) => open_store(&store_path(path, file)).map_err(|error| format!("`stores`: {error}")),
        FixtureStores::Rows(rows) => {
            Ok(Arc::new(MemoryStore::from_json(&json!(rows)).map_err(|error| format!("`stores`: {error}"))?))
        }
    }
}
