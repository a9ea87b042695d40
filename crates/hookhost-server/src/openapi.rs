//! The service's document: paths come from the handlers, schemas from the types that go over the wire.

use std::collections::BTreeMap;

use hookhost::{Decision, Reload};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};
use utoipa::IntoResponses;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{
    ComponentsBuilder, Content, InfoBuilder, OpenApi, OpenApiBuilder, Ref, RefOr, Response, ResponseBuilder,
};

use crate::error::ErrorBody;
use crate::request::CallRequest;
use crate::routes::{Health, Inventory};

/// What the paths are put into.
pub(crate) fn frame() -> OpenApi {
    let token = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(
        "A token of the service, or a JSON Web Token. Without any token configured, the service is open to its own machine.",
    ));
    let tag = |name, description| TagBuilder::new().name(name).description(Some(description)).build();
    let mut frame = OpenApiBuilder::new()
        .info(
            InfoBuilder::new()
                .title("hookhost")
                .version(env!("CARGO_PKG_VERSION"))
                .description(Some("Runs an AI agent's JavaScript hooks and merges their answers into one decision."))
                .build(),
        )
        .tags(Some([
            tag("decide", "For chat loops"),
            tag("inspect", "For authors of hooks"),
            tag("operate", "For whoever runs the service"),
        ]))
        .build();
    frame.components =
        Some(ComponentsBuilder::new().security_scheme("token", SecurityScheme::Http(token.build())).build());
    frame
}

/// The whole document.
pub(crate) fn text(document: OpenApi) -> String {
    let mut document = serde_json::to_value(document).unwrap_or_default();
    document["components"]["schemas"] = Value::Object(schemas());
    for path in document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut()) {
        // A body that is named by reference counts as optional, and none is.
        if let Some(Value::Object(body)) = path.pointer_mut("/post/requestBody") {
            body.insert("required".to_owned(), Value::Bool(true));
        }
    }
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

/// Every type that a handler names.
fn schemas() -> Map<String, Value> {
    let settings =
        || SchemaSettings::draft2020_12().with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut read = settings().for_deserialize().into_generator();
    add::<CallRequest>(&mut read);
    let mut written = settings().for_serialize().into_generator();
    add::<Decision>(&mut written);
    add::<ErrorBody>(&mut written);
    add::<Health>(&mut written);
    add::<Inventory>(&mut written);
    add::<Reload>(&mut written);
    let mut schemas = read.take_definitions(true);
    schemas.extend(written.take_definitions(true));
    schemas
}

fn add<T: JsonSchema>(generator: &mut SchemaGenerator) {
    generator.subschema_for::<T>();
}

/// What every route answers that wants a token.
pub(crate) struct NotLetIn;

impl IntoResponses for NotLetIn {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        errors([
            (401, "No token, or an unknown one"),
            (403, "The token's role may not do this"),
            (429, "Too many wrong tokens from this address"),
        ])
    }
}

/// What every route answers that takes a call.
pub(crate) struct NotUnderstood;

impl IntoResponses for NotUnderstood {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        errors([
            (400, "The body is not JSON; line and column are told"),
            (404, "There is no hook of that name; the known ones are told"),
            (408, "The body took too long to come"),
            (413, "The body is larger than 1 MiB"),
            (415, "The body is not said to be JSON"),
            (422, "The body is JSON, and not what is expected; the key is told, and what is known in its place"),
            (500, "A bug: there is no decision"),
            (503, "Too many decisions are under way"),
        ])
    }
}

fn errors<const N: usize>(all: [(u16, &str); N]) -> BTreeMap<String, RefOr<Response>> {
    let response = |description: &str| {
        let body = Content::new(Some(Ref::from_schema_name("ErrorBody")));
        RefOr::T(ResponseBuilder::new().description(description).content("application/json", body).build())
    };
    all.into_iter().map(|(status, description)| (status.to_string(), response(description))).collect()
}
