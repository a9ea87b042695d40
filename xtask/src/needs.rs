//! What a build needs that cargo does not bring.

use anyhow::Result;

use crate::workspace::Workspace;
use crate::{libclang, v8};

/// Makes sure that all of it is there, and says so only if that is news.
pub(crate) fn ensure(workspace: &Workspace) -> Result<()> {
    v8::ensure(workspace)?;
    libclang::ensure(workspace)
}
