//! What the web realm is made of. The build script compiles this file too: the order in the snapshot and the order at
//! run time are the same because this is the only list.

use std::borrow::Cow;
use std::sync::Arc;

use deno_core::{Extension, ExtensionFileSource, FastStaticString, ascii_str_include};
use deno_web::BlobStoreTrait;

use crate::ops::{Host, hookhost_hook};

deno_core::extension!(
    hookhost_web,
    deps = [deno_webidl, deno_web, deno_crypto],
    esm_entry_point = "ext:hookhost_web/web_globals.js",
);

#[cfg(feature = "fetch")]
deno_core::extension!(
    hookhost_fetch,
    deps = [deno_fetch, hookhost_web],
    esm_entry_point = "ext:hookhost_fetch/web_fetch.js",
);

/// Every extension of the web realm, in order.
pub(crate) fn web(host: Option<Host>, blobs: Arc<dyn BlobStoreTrait>) -> Vec<Extension> {
    let mut extensions = vec![
        deno_webidl::deno_webidl::init(),
        deno_web::deno_web::init(blobs, None, false, deno_web::InMemoryBroadcastChannel::default()),
        deno_crypto::deno_crypto::init(None),
    ];
    #[cfg(feature = "fetch")]
    extensions.extend([
        deno_telemetry::deno_telemetry::init(),
        deno_net::deno_net::init(None, None),
        deno_fetch::deno_fetch::init(deno_fetch::Options {
            user_agent: concat!("hookhost/", env!("CARGO_PKG_VERSION")).to_owned(),
            ..Default::default()
        }),
    ]);
    extensions.push(with_script(
        hookhost_web::init(),
        "ext:hookhost_web/web_globals.js",
        ascii_str_include!("../../js/web_globals.js"),
    ));
    #[cfg(feature = "fetch")]
    extensions.push(with_script(
        hookhost_fetch::init(),
        "ext:hookhost_fetch/web_fetch.js",
        ascii_str_include!("../../js/web_fetch.js"),
    ));
    extensions.push(hook(host));
    extensions
}

/// The extension that loads and calls the hook, the last one of every realm.
pub(crate) fn hook(host: Option<Host>) -> Extension {
    let mut hook =
        with_script(hookhost_hook::init(host), "ext:hookhost_hook/hook.js", ascii_str_include!("../../js/hook.js"));
    hook.esm_files.to_mut().extend([
        ExtensionFileSource::new(
            "ext:hookhost_hook/limited_globals.js",
            ascii_str_include!("../../js/limited_globals.js"),
        ),
        ExtensionFileSource::new("ext:hookhost_hook/wasm_memory.js", ascii_str_include!("../../js/wasm_memory.js")),
        ExtensionFileSource::new("ext:hookhost_hook/wasm_types.js", ascii_str_include!("../../js/wasm_types.js")),
    ]);
    hook
}

/// Gives an extension its script as text. The macro would give it a path, as it was when the build script was compiled,
/// and a checkout that has moved since would make its snapshot from the scripts of the former place.
pub(crate) fn with_script(mut extension: Extension, specifier: &'static str, script: FastStaticString) -> Extension {
    extension.esm_files = Cow::Owned(vec![ExtensionFileSource::new(specifier, script)]);
    extension
}
