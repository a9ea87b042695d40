//! JSON Schemas of the files that people write and of the decision that programs read.

use schemars::{Schema, schema_for};

use crate::{Decision, Fixture, Manifest, ProjectConfig};

/// Every schema with the name of its file in `schemas/`.
pub fn all() -> Vec<(&'static str, Schema)> {
    vec![
        ("hook.schema.json", schema_for!(Manifest)),
        ("amodal.schema.json", schema_for!(ProjectConfig)),
        ("fixture.schema.json", schema_for!(Fixture)),
        ("decision.schema.json", schema_for!(Decision)),
    ]
}
