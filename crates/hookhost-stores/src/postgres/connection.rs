//! One connection.

use std::sync::{Arc, Weak};
use std::time::Duration;

use bytes::BytesMut;
use futures::{StreamExt, pin_mut};
use tokio::task::AbortHandle;
use tokio::time::timeout;
use tokio_postgres::types::{Format, IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Client, Row};

use super::pool::Pool;
use super::read::Trouble;

/// How long the server may take to hear that a read is over. One that takes longer is gone.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(1);

/// A connection, and the task that drives it.
pub(super) struct Connection {
    client: Client,
    task: AbortHandle,
    pool: Weak<Pool>,
    /// A statement is running, or its answer has not come to an end.
    under_way: bool,
}

impl Connection {
    /// Connects, and makes sure that nothing can be written and nothing runs for ever.
    pub(super) async fn open(pool: &Arc<Pool>) -> Result<Self, tokio_postgres::Error> {
        let (client, connection) = pool.address.config.connect(pool.address.tls.clone()).await?;
        // How the connection ends, the next statement says.
        let task = pool.runtime.spawn(async move { drop(connection.await) }).abort_handle();
        let connection = Self { client, task, pool: Arc::downgrade(pool), under_way: false };
        connection.client.batch_execute(&pool.setup).await?;
        Ok(connection)
    }

    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Whether another read can have it.
    pub(super) fn is_idle(&self) -> bool {
        !self.under_way && !self.is_closed()
    }

    /// Runs a statement and hands over its rows one by one. All of its columns have to be text, so that the driver need
    /// not ask the server about types.
    pub(super) async fn rows(
        &mut self,
        sql: &str,
        parameters: Vec<(Parameter, Type)>,
        mut each: impl FnMut(Row) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        self.under_way = true;
        let answer = self.client.query_typed_raw(sql, parameters).await;
        let rows = self.until_its_end(answer)?;
        pin_mut!(rows);
        while let Some(row) = rows.next().await {
            // If `each` refuses, the rest of the rows is still to come.
            each(self.until_its_end(row)?)?;
        }
        self.under_way = false;
        Ok(())
    }

    /// An error of the server's is the end of its answer.
    fn until_its_end<T>(&mut self, answer: Result<T, tokio_postgres::Error>) -> Result<T, tokio_postgres::Error> {
        if answer.as_ref().is_err_and(|error| error.as_db_error().is_some()) {
            self.under_way = false;
        }
        answer
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let task = self.task.clone();
        let Some(pool) = self.pool.upgrade().filter(|_| self.under_way && !self.is_closed()) else {
            task.abort();
            return;
        };
        // The server would go on, and notice nothing before it writes. The connection is not used again: a late request
        // to cancel could hit the next read.
        let cancel = self.client.cancel_token();
        let runtime = pool.runtime.clone();
        runtime.spawn(async move {
            let heard = timeout(CANCEL_TIMEOUT, cancel.cancel_query(pool.address.tls.clone())).await;
            task.abort();
            if !matches!(heard, Ok(Ok(()))) {
                // Then nobody is behind the others either.
                pool.forget_idle();
            }
        });
    }
}

/// A value as text. The server reads it as whatever type its place in the statement has, so that an index on a column of
/// that type can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parameter(pub(super) Option<String>);

impl ToSql for Parameter {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match &self.0 {
            None => Ok(IsNull::Yes),
            Some(text) => {
                out.extend_from_slice(text.as_bytes());
                Ok(IsNull::No)
            }
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    fn encode_format(&self, _: &Type) -> Format {
        Format::Text
    }

    to_sql_checked!();
}
