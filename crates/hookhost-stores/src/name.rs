//! Names of stores, which come from hooks.

use hookhost_contract::{StoreError, suggest};

/// A store that is not there is a mistake in a name, and must not look like a row that is not there.
pub(crate) fn no_such_store<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> StoreError {
    StoreError(match suggest(name, known) {
        Some(name) => format!("there is no store of this name; did you mean `{name}`?"),
        None => "there is no store of this name".to_owned(),
    })
}
