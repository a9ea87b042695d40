//! A few connections that reads share.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hookhost_contract::StoreError;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::address::Address;
use super::connection::Connection;
use super::read::{Trouble, described};

/// The connections to one server. They are made when they are needed.
pub(super) struct Pool {
    pub(super) address: Address,
    pub(super) runtime: Handle,
    /// What a new connection is told first.
    pub(super) setup: String,
    permits: Arc<Semaphore>,
    idle: Mutex<Vec<Connection>>,
}

/// A connection for one read.
pub(super) struct Lease {
    pub(super) connection: Connection,
    /// It was used before, so that the server may have ended since.
    pub(super) reused: bool,
    permit: OwnedSemaphorePermit,
}

impl Pool {
    pub(super) fn new(address: Address, connections: usize, read_timeout: Duration, runtime: Handle) -> Arc<Self> {
        // The most that the server takes is 2^31 - 1 ms, and 0 would be no limit.
        let timeout = read_timeout.as_millis().clamp(1, i32::MAX as u128);
        // Told as statements, since poolers such as PgBouncer refuse them as parameters of the connection. Servers
        // before 12 round doubles, unless they are told not to.
        let setup = format!(
            "SET default_transaction_read_only = on; SET statement_timeout = {timeout}; SET extra_float_digits = 3"
        );
        let permits = Arc::new(Semaphore::new(connections.min(Semaphore::MAX_PERMITS)));
        Arc::new(Self { address, runtime, setup, permits, idle: Mutex::default() })
    }

    /// A connection, as soon as one is free. First come, first served.
    pub(super) async fn lease(self: &Arc<Self>) -> Result<Lease, Trouble> {
        let Ok(permit) = self.permits.clone().acquire_owned().await else {
            return Err(StoreError("the store is closed".to_owned()).into());
        };
        while let Some(connection) = self.pop() {
            if connection.is_idle() {
                return Ok(Lease { connection, reused: true, permit });
            }
        }
        // The driver's own timeout is for each host, and not for what comes after it is connected.
        let config = &self.address.config;
        let hosts = config.get_hosts().len().max(config.get_hostaddrs().len()).max(1);
        let patience = config.get_connect_timeout().copied().unwrap_or(Duration::from_secs(2));
        let patience = patience.saturating_mul(u32::try_from(hosts).unwrap_or(u32::MAX));
        match timeout(patience, Connection::open(self)).await {
            Ok(Ok(connection)) => Ok(Lease { connection, reused: false, permit }),
            Ok(Err(error)) => Err(StoreError(format!("cannot connect to PostgreSQL: {}", described(&error))).into()),
            Err(_) => Err(StoreError(format!("cannot connect to PostgreSQL: no answer within {patience:?}")).into()),
        }
    }

    /// Takes a connection back.
    pub(super) fn put_back(&self, lease: Lease) {
        let Lease { connection, permit, .. } = lease;
        if connection.is_idle() {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        }
        // Only now, so that whoever gets it finds the connection.
        drop(permit);
    }

    /// Closes the connections that nobody uses: the server that they were made to is gone.
    pub(super) fn forget_idle(&self) {
        let forgotten = std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
        drop(forgotten);
    }

    fn pop(&self) -> Option<Connection> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }
}
