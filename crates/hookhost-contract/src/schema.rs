//! JSON Schemas of the files that people write and of the decision that programs read.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

use crate::{Decision, Fixture, Manifest, ProjectConfig};

/// Every schema with the name of its file in `schemas/`.
pub fn all() -> Vec<(&'static str, Schema)> {
    vec![
        ("hook.schema.json", of_what_is_read::<Manifest>()),
        ("amodal.schema.json", of_what_is_read::<ProjectConfig>()),
        ("fixture.schema.json", of_what_is_read::<Fixture>()),
        ("decision.schema.json", of_what_is_written::<Decision>()),
    ]
}

/// What hookhost accepts: a key with a default may be left out.
fn of_what_is_read<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_deserialize().into_generator().into_root_schema_for::<T>()
}

/// What hookhost prints: a program may rely on a key that is always there.
fn of_what_is_written<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}
