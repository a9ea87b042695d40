//! What the global `fetch` may reach.

use std::sync::Arc;

use deno_core::JsRuntime;
use deno_permissions::{
    Permissions as DenoPermissions, PermissionsContainer, PermissionsOptions, RuntimePermissionDescriptorParser,
};
use sys_traits::impls::RealSys;

use crate::permissions::Permissions;

/// Gives an isolate its permissions.
pub(crate) fn permit(runtime: &JsRuntime, permissions: &Permissions) {
    runtime.op_state().borrow_mut().put(container(permissions));
}

/// The network, or not even that, and nothing else: a hook that fetches `file:` URLs is refused.
///
/// Without the network, `js/hook.js` puts another function in the place of `fetch`, which says what to do. This holds
/// where somebody finds a way around that.
fn container(permissions: &Permissions) -> PermissionsContainer {
    let parser = Arc::new(RuntimePermissionDescriptorParser::new(RealSys));
    let granted = DenoPermissions::from_options(
        parser.as_ref(),
        // Nobody is at a terminal to be prompted.
        &PermissionsOptions { allow_net: hosts(permissions), prompt: false, ..Default::default() },
    )
    .unwrap_or_else(|_| DenoPermissions::none_without_prompt());
    PermissionsContainer::new(parser, granted)
}

/// The hosts, as Deno takes them: an empty list is every host.
pub(crate) fn hosts(permissions: &Permissions) -> Option<Vec<String>> {
    let mut hosts = permissions.hosts.clone();
    if hosts.as_ref().is_some_and(Vec::is_empty) {
        return None;
    }
    permissions.network.then(|| hosts.take().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_hosts_is_the_network_there_is() {
        let url = |text: &str| text.parse().unwrap();
        let container = |hosts: &[&str]| {
            let hosts = hosts.iter().map(|&host| host.to_owned()).collect();
            container(&Permissions::everything().hosts(Some(hosts)))
        };
        let mut some = container(&["example.com", "127.0.0.1:8080"]);
        assert!(some.check_net_url(&url("https://example.com/"), "fetch()").is_ok());
        assert!(some.check_net_url(&url("http://127.0.0.1:8080/"), "fetch()").is_ok());
        assert!(some.check_net_url(&url("http://127.0.0.1:8081/"), "fetch()").is_err());
        assert!(some.check_net_url(&url("https://example.org/"), "fetch()").is_err());
        assert!(container(&[]).check_net_url(&url("https://example.com/"), "fetch()").is_err());
        assert!(container(&["not a host"]).check_net_url(&url("https://example.com/"), "fetch()").is_err());
    }

    #[test]
    fn only_the_network_is_permitted_and_only_when_it_is() {
        let url = "https://example.com/".parse().unwrap();
        let permissions = |network| container(&Permissions::everything().network(network));
        assert!(permissions(true).check_net_url(&url, "fetch()").is_ok());
        assert!(permissions(false).check_net_url(&url, "fetch()").is_err());
        for network in [true, false] {
            assert!(permissions(network).check_read_all("test").is_err());
            assert!(permissions(network).check_env("HOME").is_err());
            assert!(permissions(network).check_run_all("test").is_err());
        }
    }
}
