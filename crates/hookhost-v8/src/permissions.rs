//! What a hook may reach beside its payload.

use std::path::PathBuf;

use hookhost_contract::CallContext;

/// What a hook may reach beside its payload and its `ctx`. It has no default: who starts a hook says it.
///
/// One begins with [`Permissions::everything`] or [`Permissions::only_files_under`] and changes what is to be otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Permissions {
    /// `fetch`, and Node's modules that reach the network. Without it, they are there and each use of them is rejected.
    pub network: bool,
    /// The hosts that the network is for, each `name` or `name:port`, a name perhaps with `*.` before it. `None`: every
    /// host. An empty list: none.
    pub hosts: Option<Vec<String>>,
    /// `ctx.env`. Without it, reading it throws, and its values never reach the isolate.
    pub env: bool,
    /// The folder, an absolute path, that modules, JSON, package.json files and source maps may be read from. What a
    /// package.json in it names as a dependency may be read too, where it is installed in a `node_modules` folder
    /// above. In the Node tier, it is also what `node:fs` may read, and then nothing may be written, no program
    /// started, and no native code loaded. `None`: everything of that, everywhere.
    pub files_under: Option<PathBuf>,
}

impl Permissions {
    /// The network, the environment, and every file; in the Node tier, to write files and to start programs too.
    pub fn everything() -> Self {
        Self { network: true, hosts: None, env: true, files_under: None }
    }

    /// No network, no environment, and only the files under this folder, an absolute path.
    pub fn only_files_under(folder: impl Into<PathBuf>) -> Self {
        Self { network: false, hosts: None, env: false, files_under: Some(folder.into()) }
    }

    /// Sets [`Permissions::network`].
    pub fn network(mut self, network: bool) -> Self {
        self.network = network;
        self
    }

    /// Sets [`Permissions::hosts`].
    pub fn hosts(mut self, hosts: Option<Vec<String>>) -> Self {
        self.hosts = hosts;
        self
    }

    /// Sets [`Permissions::env`].
    pub fn env(mut self, env: bool) -> Self {
        self.env = env;
        self
    }

    /// The data of `ctx`, as text, without what the hook may not see.
    pub(crate) fn context_text(&self, context: &CallContext) -> serde_json::Result<String> {
        if self.env || context.env.is_empty() {
            return serde_json::to_string(context);
        }
        serde_json::to_string(&CallContext { env: Default::default(), ..context.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_crosses_only_with_the_permission() {
        let env = [("TOKEN".to_owned(), "s3cret".to_owned())].into();
        let context = CallContext { env, scope_id: Some("scope".to_owned()), ..CallContext::default() };
        let text = |env| Permissions::everything().env(env).context_text(&context).unwrap();
        assert_eq!(text(true), r#"{"env":{"TOKEN":"s3cret"},"scopeId":"scope"}"#);
        assert_eq!(text(false), r#"{"env":{},"scopeId":"scope"}"#);
    }
}
