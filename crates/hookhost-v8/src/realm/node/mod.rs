//! The Node realm: what Node has, from Deno's own crates.

mod children;
mod common_js;
mod compile;
mod descriptors;
mod files;
mod log_file;
mod messages;
mod ops;
mod permissions;

use std::fs::File;
use std::sync::Arc;

use deno_core::error::{CoreError, CoreErrorKind};
use deno_core::url::Url;
use deno_core::{Extension, ExtensionFileSource, JsRuntime, ascii_str, ascii_str_include};
use deno_error::JsErrorBox;
use deno_io::{Stdio, StdioPipe};
use deno_node::NodeExtInitServices;
use deno_runtime::worker::{MainWorker, WorkerOptions, WorkerServiceOptions};
use deno_runtime::{BootstrapOptions, FeatureChecker, UNSTABLE_FEATURES};

use self::common_js::NodeDialect;
use self::files::MostBytes;
use self::ops::{ProcessEnv, hookhost_node};
use super::extensions::{self, with_script};
use super::{Realm, RealmSetup, RunningRealm};
use crate::modules::fence::Fence;
use crate::modules::loader::HookModules;
use crate::modules::node_modules::{Conditions, FoldersUpwards, InNodeModules, NodeModules};
use crate::turn::Rescue;

/// What holds in `exports` and `imports` of packages, as in Node.
const NODE: Conditions =
    Conditions { import: &["node", "import", "module-sync"], require: &["node", "require", "module-sync"] };

/// Deno leaves this accessor out, Node has it.
const PROTO: &str = "unsafe-proto";

/// A sink and a source that are always empty.
const NOTHING: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };

/// The Node realm.
pub(crate) struct NodeRealm;

impl Realm for NodeRealm {
    fn absent(&self) -> &'static [&'static str] {
        &[]
    }

    fn rescue(&self) -> Option<Rescue> {
        children::killer()
    }

    fn start(&self, setup: RealmSetup<'_>) -> Result<Box<dyn RunningRealm>, CoreError> {
        let fence = Fence::new(setup.permissions.files_under.as_deref());
        let node_modules = NodeModules::new(fence.clone(), &NODE);
        let dialect = NodeDialect::new(&node_modules, setup.loaded.clone());
        let services = WorkerServiceOptions::<InNodeModules, FoldersUpwards, Fence> {
            node_services: Some(NodeExtInitServices {
                node_require_loader: dialect.require_loader(),
                node_resolver: node_modules.resolver().clone(),
                pkg_json_resolver: node_modules.package_json().clone(),
                sys: fence,
            }),
            module_loader: HookModules::new(setup.folder, node_modules, dialect, setup.loaded),
            permissions: permissions::container(setup.permissions),
            blob_store: setup.blobs,
            fs: Arc::new(deno_fs::RealFs),
            broadcast_channel: Default::default(),
            deno_rt_native_addon_loader: None,
            feature_checker: feature_checker(),
            npm_process_state_provider: None,
            root_cert_store_provider: None,
            fetch_dns_resolver: Default::default(),
            shared_array_buffer_store: None,
            compiled_wasm_module_store: None,
            v8_code_cache: None,
            bundle_provider: None,
        };
        let options = WorkerOptions {
            bootstrap: bootstrap(),
            extensions: vec![
                with_scripts(hookhost_node::init(
                    ProcessEnv::new(setup.process_env.clone()),
                    MostBytes::new(setup.most_bytes),
                )),
                extensions::hook(Some(setup.host.clone())),
            ],
            startup_snapshot: deno_snapshots::CLI_SNAPSHOT,
            residual_lazy_js_sources: deno_snapshots::RESIDUAL_LAZY_JS,
            residual_lazy_esm_sources: deno_snapshots::RESIDUAL_LAZY_ESM,
            create_params: Some(setup.params),
            stdio: stdio().map_err(|error| CoreErrorKind::JsBox(JsErrorBox::from_err(error)).into_box())?,
            ..Default::default()
        };
        let mut worker = MainWorker::bootstrap_from_options(&program()?, services, options);
        log_file::install(&worker.js_runtime, setup.host);
        worker.js_runtime.execute_script(
            "[hookhost]",
            format!(
                "(() => {{ const {{ start }} = globalThis.__hookhostNode; delete globalThis.__hookhostNode; start({}); }})()",
                setup.most_bytes
            ),
        )?;
        Ok(Box::new(worker))
    }
}

impl RunningRealm for MainWorker {
    fn js(&mut self) -> &mut JsRuntime {
        &mut self.js_runtime
    }
}

/// The scripts of this realm.
fn with_scripts(extension: Extension) -> Extension {
    let mut extension =
        with_script(extension, "ext:hookhost_node/node_globals.js", ascii_str_include!("../../../js/node_globals.js"));
    extension
        .esm_files
        .to_mut()
        .push(ExtensionFileSource::new("ext:hookhost_node/node_ops.js", ascii_str_include!("../../../js/node_ops.js")));
    extension.esm_files.to_mut().push(ExtensionFileSource::new(
        "ext:hookhost_node/node_handles.js",
        ascii_str_include!("../../../js/node_handles.js"),
    ));
    // Run as Deno's own scripts are that are loaded later, it sees what they get.
    extension.lazy_loaded_js_files.to_mut().push(ExtensionFileSource::new(
        "ext:hookhost_node/captured_core.js",
        ascii_str!("(function () { return __bootstrap.core; })()"),
    ));
    extension
}

/// What is unstable in Deno is refused by its own permissions, or allowed. By default, the process would end.
fn feature_checker() -> Arc<FeatureChecker> {
    let mut features = FeatureChecker::default();
    features.set_exit_cb(Box::new(|_, _| {}));
    Arc::new(features)
}

fn bootstrap() -> BootstrapOptions {
    let proto = UNSTABLE_FEATURES.iter().find(|feature| feature.name == PROTO).map(|feature| feature.id);
    BootstrapOptions {
        user_agent: concat!("hookhost/", env!("CARGO_PKG_VERSION")).to_owned(),
        unstable_features: proto.into_iter().collect(),
        // Otherwise arguments for Node become arguments for Deno where a hook starts a process.
        is_standalone: true,
        has_node_modules_dir: true,
        disable_offscreen_canvas: true,
        ..Default::default()
    }
}

/// `process.argv[1]`: the program that runs is the host, and never the hook.
fn program() -> Result<Url, CoreError> {
    let path = std::env::current_exe().ok();
    path.and_then(|path| Url::from_file_path(path).ok())
        .map_or_else(|| Url::parse("file:///hookhost"), Ok)
        .map_err(|error| CoreErrorKind::JsBox(JsErrorBox::generic(error.to_string())).into_box())
}

/// What is read from stdin, and where the output of children goes that inherit: nothing. What the hook itself prints goes
/// another way.
fn stdio() -> std::io::Result<Stdio> {
    let sink = || File::options().write(true).open(NOTHING).map(StdioPipe::file);
    Ok(Stdio { stdin: StdioPipe::file(File::open(NOTHING)?), stdout: sink()?, stderr: sink()? })
}
