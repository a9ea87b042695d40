//! What the global `fetch` may reach.

use std::sync::Arc;

use deno_core::JsRuntime;
use deno_permissions::{Permissions, PermissionsContainer, PermissionsOptions, RuntimePermissionDescriptorParser};
use sys_traits::impls::RealSys;

/// Permits the network and nothing else: a hook that fetches `file:` URLs is refused.
pub(crate) fn permit(runtime: &JsRuntime) {
    let parser = Arc::new(RuntimePermissionDescriptorParser::new(RealSys));
    let permissions = Permissions::from_options(
        parser.as_ref(),
        // An empty list is every host. Nobody is at a terminal to be prompted.
        &PermissionsOptions { allow_net: Some(Vec::new()), prompt: false, ..Default::default() },
    )
    .unwrap_or_else(|_| Permissions::none_without_prompt());
    runtime.op_state().borrow_mut().put(PermissionsContainer::new(parser, permissions));
}
