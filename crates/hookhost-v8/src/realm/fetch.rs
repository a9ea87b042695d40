//! What the global `fetch` may reach.

use std::sync::Arc;

use deno_core::JsRuntime;
use deno_permissions::{Permissions, PermissionsContainer, PermissionsOptions, RuntimePermissionDescriptorParser};
use sys_traits::impls::RealSys;

/// Gives an isolate its permissions.
pub(crate) fn permit(runtime: &JsRuntime, network: bool) {
    runtime.op_state().borrow_mut().put(permissions(network));
}

/// The network, or not even that, and nothing else: a hook that fetches `file:` URLs is refused.
///
/// Without the network, `js/hook.js` puts another function in the place of `fetch`, which says what to do. This holds
/// where somebody finds a way around that.
fn permissions(network: bool) -> PermissionsContainer {
    let parser = Arc::new(RuntimePermissionDescriptorParser::new(RealSys));
    let permissions = Permissions::from_options(
        parser.as_ref(),
        // An empty list is every host. Nobody is at a terminal to be prompted.
        &PermissionsOptions { allow_net: network.then(Vec::new), prompt: false, ..Default::default() },
    )
    .unwrap_or_else(|_| Permissions::none_without_prompt());
    PermissionsContainer::new(parser, permissions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_network_is_permitted_and_only_when_it_is() {
        let url = "https://example.com/".parse().unwrap();
        assert!(permissions(true).check_net_url(&url, "fetch()").is_ok());
        assert!(permissions(false).check_net_url(&url, "fetch()").is_err());
        for network in [true, false] {
            assert!(permissions(network).check_read_all("test").is_err());
            assert!(permissions(network).check_env("HOME").is_err());
            assert!(permissions(network).check_run_all("test").is_err());
        }
    }
}
