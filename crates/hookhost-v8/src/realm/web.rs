//! The web realm: what a service worker has, and ES modules from disk.

use deno_core::error::CoreError;
use deno_core::{JsRuntime, RuntimeOptions};

use super::extensions;
use super::{Realm, RealmSetup, RunningRealm};
use crate::modules::fence::Fence;
use crate::modules::loader::{EsModules, HookModules};
use crate::modules::node_modules::{NO_NODE, NodeModules};

/// Made by build.rs. The binary needs nothing else to start a realm, wherever it runs.
static SNAPSHOT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/web_realm.snapshot"));

/// The web realm.
pub(crate) struct WebRealm;

impl Realm for WebRealm {
    fn absent(&self) -> &'static [&'static str] {
        &[
            "Buffer",
            "__dirname",
            "__filename",
            "clearImmediate",
            "exports",
            "global",
            "module",
            "process",
            "require",
            "setImmediate",
        ]
    }

    fn start(&self, setup: RealmSetup<'_>) -> Result<Box<dyn RunningRealm>, CoreError> {
        let modules = NodeModules::new(Fence::new(setup.permissions.files_under.as_deref()), &NO_NODE);
        let mut runtime = JsRuntime::try_new(RuntimeOptions {
            startup_snapshot: Some(SNAPSHOT),
            extensions: extensions::web(Some(setup.host), setup.blobs),
            module_loader: Some(HookModules::new(setup.folder, modules, EsModules, setup.loaded)),
            create_params: Some(setup.params),
            ..Default::default()
        })?;
        // Deno's scripts have what they need of it.
        runtime.execute_script(
            "[hookhost]",
            "delete globalThis.Deno; delete globalThis.__bootstrap; delete globalThis.bootstrap;",
        )?;
        #[cfg(feature = "fetch")]
        super::fetch::permit(&runtime, setup.permissions);
        Ok(Box::new(runtime))
    }
}

impl RunningRealm for JsRuntime {
    fn js(&mut self) -> &mut JsRuntime {
        self
    }
}
