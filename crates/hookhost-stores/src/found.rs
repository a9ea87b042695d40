//! The rows that a read has found so far.

use std::io;

use hookhost_contract::{Row, StoreError};

use crate::{MAX_BYTES, MAX_ROWS};

/// The rows of an answer, with their keys. It never grows beyond [`MAX_ROWS`] and [`MAX_BYTES`].
#[derive(Default)]
pub(crate) struct Found {
    rows: Vec<(String, Row)>,
    bytes: usize,
}

impl Found {
    /// Takes one more row.
    ///
    /// # Errors
    /// It is too much for one answer.
    pub(crate) fn add(&mut self, key: String, row: Row) -> Result<(), StoreError> {
        if self.rows.len() == MAX_ROWS {
            return Err(StoreError(format!("more than {MAX_ROWS} rows fit: filter by more fields")));
        }
        self.bytes = self.bytes.saturating_add(json_bytes(&row)?);
        if self.bytes > MAX_BYTES {
            return Err(too_large());
        }
        self.rows.push((key, row));
        Ok(())
    }

    /// The rows in the order of their keys, whatever order the store has.
    pub(crate) fn into_rows(mut self) -> Vec<Row> {
        self.rows.sort_by(|(a, _), (b, _)| a.cmp(b));
        self.rows.into_iter().map(|(_, row)| row).collect()
    }

    /// The row under `key`, or `None`.
    ///
    /// # Errors
    /// There is more than one: which of them is meant, nobody can say.
    pub(crate) fn into_row(mut self, key: &str) -> Result<Option<Row>, StoreError> {
        match self.rows.len() {
            0 | 1 => Ok(self.rows.pop().map(|(_, row)| row)),
            rows => Err(StoreError(format!("{rows} rows have the key `{key}`: make the key column unique"))),
        }
    }
}

pub(crate) fn too_large() -> StoreError {
    StoreError(format!(
        "the answer is larger than {} MiB: filter by more fields, or store less in a row",
        MAX_BYTES >> 20
    ))
}

/// How long the row is as JSON text.
fn json_bytes(row: &Row) -> Result<usize, StoreError> {
    struct Count(usize);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    serde_json::to_writer(&mut count, row).map_err(|error| StoreError(format!("a row cannot be JSON: {error}")))?;
    Ok(count.0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row(text: &str) -> Row {
        Row::from_iter([("text".to_owned(), json!(text))])
    }

    #[test]
    fn there_is_a_limit_to_rows() {
        let mut found = Found::default();
        for n in 0..MAX_ROWS {
            found.add(n.to_string(), Row::new()).unwrap();
        }
        let error = found.add("one more".to_owned(), Row::new()).unwrap_err();
        assert_eq!(error.to_string(), "more than 10000 rows fit: filter by more fields");
        assert_eq!(found.into_rows().len(), MAX_ROWS);
    }

    #[test]
    fn there_is_a_limit_to_bytes() {
        let mut found = Found::default();
        let half = MAX_BYTES / 2 - r#"{"text":""}"#.len();
        found.add("a".to_owned(), row(&"x".repeat(half))).unwrap();
        found.add("b".to_owned(), row(&"x".repeat(half))).unwrap();
        let error = found.add("c".to_owned(), Row::new()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the answer is larger than 16 MiB: filter by more fields, or store less in a row"
        );
    }

    #[test]
    fn rows_come_in_the_order_of_their_keys() {
        let mut found = Found::default();
        for key in ["b", "a", "É", "Z"] {
            found.add(key.to_owned(), row(key)).unwrap();
        }
        let keys: Vec<_> = found.into_rows().iter().map(|row| row["text"].clone()).collect();
        assert_eq!(keys, ["Z", "a", "b", "É"]);
    }

    #[test]
    fn a_key_that_two_rows_have_is_an_error() {
        let mut found = Found::default();
        found.add("u1".to_owned(), row("first")).unwrap();
        found.add("u1".to_owned(), row("second")).unwrap();
        let error = found.into_row("u1").unwrap_err();
        assert_eq!(error.to_string(), "2 rows have the key `u1`: make the key column unique");
        assert_eq!(Found::default().into_row("u1").unwrap(), None);
    }
}
