//! TypeScript to JavaScript, with a source map, so that errors carry the author's own lines.

use std::path::{Path, PathBuf};

use deno_ast::{
    EmitOptions, Globals, ImportsNotUsedAsValues, MediaType, ProgramRef, SourceMap, SourceMapOption, TranspileOptions,
    swc::ast::Program,
};
use deno_core::ModuleSpecifier;
use deno_error::JsErrorBox;

use super::parser::{self, As, Parsed};
use crate::lost;

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
    on_a_stack(|| {
        let parsed = parser::parse(specifier, &source, media_type, As::Module)?;
        transpile(specifier, source, parsed)
    })
    .map_err(|message| JsErrorBox::new("SyntaxError", message))
}

fn transpile(specifier: &ModuleSpecifier, source: String, parsed: Parsed) -> Result<Stripped, String> {
    let Parsed { program, comments, diagnostics } = parsed;
    let options = TranspileOptions {
        // What is imported only as a type is not there at run time.
        imports_not_used_as_values: ImportsNotUsedAsValues::Remove,
        jsx: None,
        ..Default::default()
    };
    let source_map = SourceMap::single(specifier.clone(), source);
    let program = Globals::default()
        .with(|marks| {
            deno_ast::fold_program(program, &options, &source_map, &comments, marks, Box::new(diagnostics.iter()))
        })
        .map_err(|error| error.to_string())?;
    let options = EmitOptions { source_map: SourceMapOption::Separate, inline_sources: true, ..Default::default() };
    let emitted = deno_ast::emit(ProgramRef::from(&program), &comments, &source_map, &options)
        .map_err(|error| error.to_string())?;
    Ok(Stripped { code: emitted.text, source_map: emitted.source_map.map(String::into_bytes) })
}

/// The files that a relative path in TypeScript may stand for where there is no such file, the likeliest first.
pub(crate) fn written_for(path: &Path) -> Vec<PathBuf> {
    let with = |ends: &[&str]| ends.iter().map(|end| path.with_extension(end)).collect::<Vec<_>>();
    let mut files = match path.extension().and_then(|end| end.to_str()) {
        Some("js") => with(&["ts"]),
        Some("mjs") => with(&["mts"]),
        Some("cjs") => with(&["cts"]),
        _ => Vec::new(),
    };
    // `./rules.config` has an end that is none.
    let name = path.file_name().unwrap_or_default();
    for end in ["ts", "mts", "js", "mjs", "json"] {
        let mut longer = name.to_owned();
        longer.push(".");
        longer.push(end);
        files.push(path.with_file_name(longer));
    }
    files.extend(["index.ts", "index.js"].map(|index| path.join(index)));
    files
}

/// True for source text that uses CommonJS's words.
pub(crate) fn speaks_common_js(source: &str) -> bool {
    ["require(", "module.exports", "exports."].iter().any(|word| source.contains(word))
}

/// True for source text with `import` or `export` where a bundler or a person writes them.
#[allow(dead_code, reason = "for the Node realm alone")]
pub(crate) fn speaks_es_modules(source: &str) -> bool {
    source.starts_with("import") || ["\nimport ", "\nexport ", "export{"].iter().any(|word| source.contains(word))
}

/// True for source text without `import` and `export`. `None`: it cannot be parsed here, since it nests too deeply for
/// instance.
pub(crate) fn is_script(specifier: &ModuleSpecifier, source: &str) -> Option<bool> {
    on_a_stack(|| {
        let parsed = parser::parse(specifier, source, MediaType::JavaScript, As::Program)?;
        Ok(matches!(parsed.program, Program::Script(_)))
    })
    .ok()
}

/// swc checks itself in builds with assertions, and some nonsense fails that. It is as broken as what it does not parse.
pub(crate) fn on_a_stack<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    stacker::grow(parser::STACK, || lost::expecting_panics(work))
        .unwrap_or_else(|_| Err("the parser cannot make sense of it".to_owned()))
}
