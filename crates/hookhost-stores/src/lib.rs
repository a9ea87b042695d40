//! The data that hooks with `store:read` may look up through `ctx.store`.
//!
//! ```
//! use hookhost_contract::Store;
//! use hookhost_stores::MemoryStore;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let json = serde_json::json!({ "members": { "u1": { "role": "admin" }, "u2": { "role": "clerk" } } });
//! let store = MemoryStore::from_json(&json)?;
//! assert_eq!(store.get("members", "u1").await?.unwrap()["role"], "admin");
//!
//! let filter = serde_json::json!({ "role": "clerk" });
//! assert_eq!(store.query("members", filter.as_object().unwrap()).await?.len(), 1);
//! # Ok(())
//! # }
//! ```
//!
//! | store | for | feature |
//! |---|---|---|
//! | [`MemoryStore`] | tests and small fixed data | |
//!
//! All of them agree on what equals what, and none reads on the thread of the hook that asks.

#![forbid(unsafe_code)]

mod filter;
mod memory;
mod shape;

pub use memory::MemoryStore;
pub use shape::ShapeError;
