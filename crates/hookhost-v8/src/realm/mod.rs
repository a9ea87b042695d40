//! What a hook finds around it: the globals and the modules it can load.
//!
//! A realm makes the isolate; everything else (the thread, the deadlines, the heap limit, how a hook is loaded and
//! called) is the same for every realm.

mod extensions;
#[cfg(feature = "fetch")]
mod fetch;
mod web;

use std::path::Path;
use std::sync::Arc;

use deno_core::JsRuntime;
use deno_core::error::CoreError;
use deno_core::v8::CreateParams;

pub(crate) use web::WebRealm;

use crate::memory::CountedBlobs;
use crate::ops::Host;
use crate::permissions::Permissions;

/// What a realm needs to make an isolate for one hook.
pub(crate) struct RealmSetup<'a> {
    /// The hook's folder, from which its modules are found.
    pub(crate) folder: &'a Path,
    /// What it may reach.
    pub(crate) permissions: &'a Permissions,
    /// What the ops of `js/hook.js` talk to.
    pub(crate) host: Host,
    /// Where the bytes of its blobs lie.
    pub(crate) blobs: Arc<CountedBlobs>,
    /// Heap limits and the like.
    pub(crate) params: CreateParams,
}

/// A kind of environment for hooks.
pub(crate) trait Realm: Send + Sync {
    /// Makes an isolate with the realm's globals, its module loader, and the extension `hookhost_hook`.
    ///
    /// Called on the isolate's own thread, inside its tokio runtime.
    fn start(&self, setup: RealmSetup<'_>) -> Result<Box<dyn RunningRealm>, CoreError>;
}

/// A realm with its isolate.
pub(crate) trait RunningRealm {
    /// The isolate.
    fn js(&mut self) -> &mut JsRuntime;
}
