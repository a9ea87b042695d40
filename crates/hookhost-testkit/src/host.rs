//! A host as fixtures want it.

use std::collections::BTreeMap;
use std::path::Path;

use hookhost::{HookHost, HookHostError, JsonObject};
use hookhost_loader::LoadedFixture;
use serde_json::Value;

use crate::run::TestOptions;
use crate::store::Exchangeable;

/// What has to be the same for two fixtures to share a host.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HostSettings {
    pub(crate) env: BTreeMap<String, String>,
    /// What is laid over the configs of hooks, by their names.
    pub(crate) config: JsonObject,
    /// Without one, hooks have no `ctx.store`.
    pub(crate) has_store: bool,
}

impl HostSettings {
    pub(crate) fn of(fixture: &LoadedFixture, options: &TestOptions) -> Self {
        let mut env = options.env.clone();
        env.extend(fixture.fixture.env.clone());
        let config = match (&fixture.fixture.config, &fixture.fixture.hook) {
            (None, _) => JsonObject::new(),
            (Some(config), None) => config.clone(),
            (Some(config), Some(hook)) => JsonObject::from_iter([(hook.clone(), Value::Object(config.clone()))]),
        };
        let has_store = options.store.is_some() || fixture.steps.iter().any(|step| step.call.stores.is_some());
        Self { env, config, has_store }
    }

    /// Starts these hooks of a project, which find `store`.
    pub(crate) async fn start(
        &self,
        project: &Path,
        hooks: &[String],
        store: &Exchangeable,
        options: &TestOptions,
    ) -> Result<HookHost, HookHostError> {
        let mut builder =
            HookHost::builder().project(project).sandbox(options.sandbox).tier(options.tier).only_hooks(hooks);
        for (name, value) in &self.env {
            builder = builder.env_var(name, value);
        }
        for (hook, config) in &self.config {
            if let Value::Object(config) = config {
                builder = builder.hook_config(hook, config.clone());
            }
        }
        if self.has_store {
            builder = builder.store(store.clone());
        }
        if let Some(coverage) = &options.coverage {
            builder = builder.coverage(coverage.clone());
        }
        builder.build().await
    }
}
