//! TypeScript to JavaScript, with a source map, so that errors carry the author's own lines.

use deno_ast::{
    EmitOptions, ImportsNotUsedAsValues, MediaType, ParseParams, SourceMapOption, TranspileModuleOptions,
    TranspileOptions,
};
use deno_core::ModuleSpecifier;
use deno_error::JsErrorBox;

/// A module without its types.
pub(crate) struct Stripped {
    pub(crate) code: String,
    pub(crate) source_map: Option<Vec<u8>>,
}

/// Strips the types of one module.
pub(crate) fn strip(
    specifier: &ModuleSpecifier,
    source: String,
    media_type: MediaType,
) -> Result<Stripped, JsErrorBox> {
    let parsed = deno_ast::parse_module(ParseParams {
        specifier: specifier.clone(),
        text: source.into(),
        media_type,
        capture_tokens: false,
        scope_analysis: false,
        maybe_syntax: None,
    })
    .map_err(|error| {
        let place = error.display_position();
        let message = format!("{} at {}:{}", error.kind().msg(), place.line_number, place.column_number);
        JsErrorBox::new("SyntaxError", message)
    })?;
    let emitted = parsed
        .transpile(
            // What is imported only as a type is not there at run time.
            &TranspileOptions { imports_not_used_as_values: ImportsNotUsedAsValues::Remove, ..Default::default() },
            &TranspileModuleOptions::default(),
            &EmitOptions { source_map: SourceMapOption::Separate, inline_sources: true, ..Default::default() },
        )
        .map_err(|error| JsErrorBox::new("SyntaxError", error.to_string()))?
        .into_source();
    Ok(Stripped { code: emitted.text, source_map: emitted.source_map.map(String::into_bytes) })
}

/// True for source text without `import` and `export` that uses CommonJS's words.
pub(crate) fn is_common_js(specifier: &ModuleSpecifier, source: &str) -> bool {
    // Parsing is for the few files that look like it.
    if !["require(", "module.exports", "exports."].iter().any(|word| source.contains(word)) {
        return false;
    }
    deno_ast::parse_program(ParseParams {
        specifier: specifier.clone(),
        text: source.into(),
        media_type: MediaType::JavaScript,
        capture_tokens: false,
        scope_analysis: false,
        maybe_syntax: None,
    })
    .is_ok_and(|program| program.compute_is_script())
}
