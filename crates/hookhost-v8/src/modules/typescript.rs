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

/// The parser goes down with every nesting of the code, and generated code nests deeply. This much address space is
/// used only as far as it is needed.
const PARSER_STACK: usize = 256 << 20;
/// Brackets inside brackets, beyond what any generator writes and well within that stack.
const DEEPEST: usize = 2000;

/// Strips the types of one module.
pub(crate) fn strip(
    specifier: &ModuleSpecifier,
    source: String,
    media_type: MediaType,
) -> Result<Stripped, JsErrorBox> {
    if is_too_deep(&source) {
        return Err(JsErrorBox::new("SyntaxError", format!("its brackets nest more than {DEEPEST} deep")));
    }
    stacker::grow(PARSER_STACK, || {
        let parsed = deno_ast::parse_module(params(specifier, source, media_type)).map_err(|error| {
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
    })
}

/// True for source text without `import` and `export` that uses CommonJS's words.
pub(crate) fn is_common_js(specifier: &ModuleSpecifier, source: &str) -> bool {
    // Parsing is for the few files that look like it. What nests too deeply is left to V8, which says so.
    if !["require(", "module.exports", "exports."].iter().any(|word| source.contains(word)) || is_too_deep(source) {
        return false;
    }
    stacker::grow(PARSER_STACK, || {
        deno_ast::parse_program(params(specifier, source.to_owned(), MediaType::JavaScript))
            .is_ok_and(|program| program.compute_is_script())
    })
}

fn params(specifier: &ModuleSpecifier, source: String, media_type: MediaType) -> ParseParams {
    ParseParams {
        specifier: specifier.clone(),
        text: source.into(),
        media_type,
        capture_tokens: false,
        scope_analysis: false,
        maybe_syntax: None,
    }
}

/// Counts brackets wherever they stand: inside a text they nest no deeper than people can read.
fn is_too_deep(source: &str) -> bool {
    let mut depth = 0_usize;
    source.bytes().any(|byte| {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > DEEPEST
    })
}
