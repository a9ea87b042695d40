//! Makes the V8 snapshot of the web realm, so that the binary carries every script it needs and starts fast.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use deno_core::snapshot::{CreateSnapshotOptions, create_snapshot};
use deno_core::{ModuleCodeString, ModuleName, SourceMapData};
use deno_error::JsErrorBox;

#[allow(dead_code, reason = "at build time nothing calls the ops")]
#[path = "src/ops.rs"]
mod ops;

#[path = "src/realm/extensions.rs"]
mod extensions;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let out = PathBuf::from(std::env::var("OUT_DIR")?).join("web_realm.snapshot");
    // As it is now, not as it was when this program was compiled.
    let manifest_dir = std::env::var("CARGO_MANIFEST_DIR")?.leak();
    let snapshot = create_snapshot(
        CreateSnapshotOptions {
            cargo_manifest_dir: manifest_dir,
            startup_snapshot: None,
            extensions: extensions::web(None, deno_web::BlobStore::default_arc()),
            extension_transpiler: Some(Rc::new(strip_types)),
            with_runtime_cb: None,
            skip_op_registration: false,
        },
        None,
    )?;
    std::fs::write(&out, &snapshot.output)?;
    for file in snapshot.files_loaded_during_snapshot {
        println!("cargo:rerun-if-changed={}", file.display());
    }
    for file in ["build.rs", "src/ops.rs", "src/realm/extensions.rs"] {
        println!("cargo:rerun-if-changed={file}");
    }
    Ok(())
}

/// Some of Deno's extension scripts are TypeScript.
fn strip_types(
    name: ModuleName,
    source: ModuleCodeString,
) -> Result<(ModuleCodeString, Option<SourceMapData>), JsErrorBox> {
    let media_type = deno_ast::MediaType::from_path(Path::new(name.as_str()));
    if media_type != deno_ast::MediaType::TypeScript {
        return Ok((source, None));
    }
    let failed = |error: &dyn std::fmt::Display| JsErrorBox::generic(format!("{}: {error}", name.as_str()));
    let parsed = deno_ast::parse_module(deno_ast::ParseParams {
        specifier: deno_core::url::Url::parse(&name).map_err(|error| failed(&error))?,
        text: source.as_str().into(),
        media_type,
        capture_tokens: false,
        scope_analysis: false,
        maybe_syntax: None,
    })
    .map_err(|error| failed(&error))?;
    let stripped = parsed
        .transpile(
            &deno_ast::TranspileOptions {
                imports_not_used_as_values: deno_ast::ImportsNotUsedAsValues::Remove,
                ..Default::default()
            },
            &deno_ast::TranspileModuleOptions::default(),
            &deno_ast::EmitOptions { source_map: deno_ast::SourceMapOption::None, ..Default::default() },
        )
        .map_err(|error| failed(&error))?;
    Ok((stripped.into_source().text.into(), None))
}
