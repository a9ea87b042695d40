//! What a hook finds around it: the globals and the modules it can load.
//!
//! A realm makes the isolate; everything else (the thread, the deadlines, the heap limit, how a hook is loaded and
//! called) is the same for every realm.

mod extensions;
#[cfg(feature = "fetch")]
mod fetch;
#[cfg(feature = "node")]
mod node;
mod web;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use deno_core::JsRuntime;
use deno_core::error::CoreError;
use deno_core::v8::CreateParams;

use web::WebRealm;

use crate::error::EngineError;
use crate::memory::CountedBlobs;
use crate::modules::loaded::Loaded;
use crate::ops::Host;
use crate::permissions::Permissions;
use crate::turn::Rescue;

/// What hooks find around them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Tier {
    /// The default: what a service worker has, and ES modules from disk.
    #[default]
    Web,
    /// The above, and what Node has: `node:` modules, CommonJS, `process`, `Buffer`. Needs the cargo feature `node`.
    Node,
}

impl Tier {
    /// The name, as a command line writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Web => "web",
            Self::Node => "node",
        }
    }

    /// The realm of this tier.
    ///
    /// # Errors
    /// It is not part of this build.
    pub(crate) fn realm(self) -> Result<Box<dyn Realm>, EngineError> {
        match self {
            Self::Web => Ok(Box::new(WebRealm)),
            #[cfg(feature = "node")]
            Self::Node => Ok(Box::new(node::NodeRealm)),
            #[cfg(not(feature = "node"))]
            Self::Node => Err(EngineError::NoNode),
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that names no tier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no tier `{0}`; there are `web` and `node`")]
pub struct UnknownTier(String);

impl FromStr for Tier {
    type Err = UnknownTier;

    fn from_str(name: &str) -> Result<Self, UnknownTier> {
        [Self::Web, Self::Node]
            .into_iter()
            .find(|tier| tier.as_str() == name)
            .ok_or_else(|| UnknownTier(name.to_owned()))
    }
}

/// What a realm needs to make an isolate for one hook.
pub(crate) struct RealmSetup<'a> {
    /// The hook's folder, from which its modules are found.
    pub(crate) folder: &'a Path,
    /// What it may reach.
    pub(crate) permissions: &'a Permissions,
    /// What `process.env` holds, where there is a `process`.
    #[allow(dead_code, reason = "for the Node realm alone")]
    pub(crate) process_env: &'a BTreeMap<String, String>,
    /// What the ops of `js/hook.js` talk to.
    pub(crate) host: Host,
    /// Where the bytes of its blobs lie.
    pub(crate) blobs: Arc<CountedBlobs>,
    /// How much the hook may hold outside of the heap, in bytes.
    #[allow(dead_code, reason = "for the Node realm alone")]
    pub(crate) most_bytes: usize,
    /// Where it is noted what is loaded.
    pub(crate) loaded: Arc<Loaded>,
    /// Heap limits and the like.
    pub(crate) params: CreateParams,
}

/// A kind of environment for hooks.
pub(crate) trait Realm: Send + Sync {
    /// The globals of Node that a hook does not find here.
    fn absent(&self) -> &'static [&'static str];

    /// What ends that which the calling thread may wait for outside of V8, such as a child process. It is called when a
    /// hook does not heed a kill, on another thread.
    fn rescue(&self) -> Option<Rescue> {
        None
    }

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
