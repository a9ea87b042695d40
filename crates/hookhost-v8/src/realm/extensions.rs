//! What the web realm is made of. The build script compiles this file too: the order in the snapshot and the order at
//! run time are the same because this is the only list.

use std::sync::Arc;

use deno_core::Extension;

use crate::ops::{Host, hookhost_hook};

deno_core::extension!(
    hookhost_web,
    deps = [deno_webidl, deno_web, deno_crypto],
    esm_entry_point = "ext:hookhost_web/web_globals.js",
    esm = [dir "js", "web_globals.js"],
);

#[cfg(feature = "fetch")]
deno_core::extension!(
    hookhost_fetch,
    deps = [deno_fetch, hookhost_web],
    esm_entry_point = "ext:hookhost_fetch/web_fetch.js",
    esm = [dir "js", "web_fetch.js"],
);

/// Every extension of the web realm, in order.
pub(crate) fn web(host: Option<Host>) -> Vec<Extension> {
    let mut extensions = vec![
        deno_webidl::deno_webidl::init(),
        deno_web::deno_web::init(
            Arc::new(deno_web::BlobStore::default()),
            None,
            false,
            deno_web::InMemoryBroadcastChannel::default(),
        ),
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
    extensions.push(hookhost_web::init());
    #[cfg(feature = "fetch")]
    extensions.push(hookhost_fetch::init());
    extensions.push(hookhost_hook::init(host));
    extensions
}
