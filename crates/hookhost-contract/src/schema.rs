//! JSON Schemas of the files that people write and of the decision that programs read.

use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use crate::{Decision, FixtureFile, Manifest, PolicyFile, ProjectConfig};

/// Every schema with the name of its file in `schemas/`.
pub fn all() -> Vec<(&'static str, Schema)> {
    vec![
        ("hook.schema.json", without_null(of_what_is_read::<Manifest>())),
        ("amodal.schema.json", of_what_is_read::<ProjectConfig>()),
        ("policy.schema.json", without_null(of_what_is_read::<PolicyFile>())),
        ("fixture.schema.json", of_what_is_read::<FixtureFile>()),
        ("decision.schema.json", of_what_is_written::<Decision>()),
    ]
}

/// What hookhost accepts: a key with a default may be left out.
fn of_what_is_read<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_deserialize().into_generator().into_root_schema_for::<T>()
}

/// A key of a manifest or a policy may be left out; `null` is no value for it.
fn without_null(mut schema: Schema) -> Schema {
    fn strip(schema: &mut Schema) {
        if let Some(Value::Array(types)) = schema.get_mut("type") {
            types.retain(|kind| kind != "null");
            if let [one] = types.as_slice() {
                let one = one.clone();
                schema.insert("type".to_owned(), one);
            }
        }
        if let Some(Value::Array(choices)) = schema.get_mut("anyOf") {
            choices.retain(|choice| choice.get("type") != Some(&Value::from("null")));
        }
        transform_subschemas(&mut strip, schema);
    }
    strip(&mut schema);
    schema
}

/// What hookhost prints: a program may rely on a key that is always there.
fn of_what_is_written<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}
