//! Who may call, and what they may do.

mod address;
mod credentials;
mod failures;
mod guard;
mod jwt;
mod role;
mod tokens;

pub use credentials::{CredentialError, CredentialSources};
pub(crate) use guard::{Guard, require_operate, require_use};
pub use jwt::JwtSettings;
pub(crate) use role::Identity;
pub use role::{Role, UnknownRole};
pub use tokens::{NewToken, NoRandomness};
