//! Which file an `import` means, and its source.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use deno_ast::MediaType;
use deno_core::url::Url;
use deno_core::{
    ModuleLoadOptions, ModuleLoadReferrer, ModuleLoadResponse, ModuleLoader, ModuleResolveResponse, ModuleSource,
    ModuleSourceCode, ModuleSpecifier, ModuleType, RequestedModuleType, ResolutionKind,
};
use deno_error::{JsErrorBox, JsErrorClass};

use super::fence::Fence;
use super::loaded::Loaded;
use super::node_modules::NodeModules;
use super::typescript;
use crate::coverage::SourceText;
use crate::error::shown;

/// A module is code that somebody wrote or bundled; what is larger is something else.
const MODULE_BYTES: u64 = 32 << 20;

/// What a realm can load beside ES modules.
pub(crate) trait Dialect {
    /// The module that is built into Node under this name: `node:fs`, or `fs`.
    ///
    /// # Errors
    /// Why there is none here.
    fn builtin(&self, specifier: &str) -> Result<Url, String>;

    /// The ES module that stands for a CommonJS one.
    fn common_js(&self, specifier: &Url, source: &str) -> Result<String, JsErrorBox>;

    /// True for the source text of a CommonJS module, where neither the file's name nor its package says what it is.
    fn is_common_js(&self, specifier: &Url, source: &str) -> bool;

    /// The source map of a file that was loaded in another way than by `import`.
    fn source_map(&self, _specifier: &str) -> Option<Vec<u8>> {
        None
    }

    /// The ES module that stands for a JSON file which is imported without an attribute, if that may be.
    fn plain_json(&self, source: &str) -> Option<String>;
}

/// ES modules, and nothing else.
pub(crate) struct EsModules;

impl Dialect for EsModules {
    fn builtin(&self, _specifier: &str) -> Result<Url, String> {
        Err("it is built into Node, and this hook runs in the web tier; the cargo feature `node` of hookhost runs it in \
             the Node tier"
            .to_owned())
    }

    fn common_js(&self, _specifier: &Url, _source: &str) -> Result<String, JsErrorBox> {
        Err(JsErrorBox::type_error(
            "it is a CommonJS module, and this hook runs in the web tier; write it as an ES module (export instead of \
             module.exports), or use the Node tier (cargo feature `node` of hookhost)",
        ))
    }

    /// Only what could not run as it is: there is nothing else to run it with.
    fn is_common_js(&self, specifier: &Url, source: &str) -> bool {
        typescript::speaks_common_js(source) && typescript::is_script(specifier, source).unwrap_or(false)
    }

    fn plain_json(&self, _source: &str) -> Option<String> {
        None
    }
}

/// The module loader of every realm.
pub(crate) struct HookModules<D> {
    folder: PathBuf,
    fence: Fence,
    node_modules: NodeModules,
    dialect: D,
    source_maps: RefCell<HashMap<String, Vec<u8>>>,
    loaded: Arc<Loaded>,
}

impl<D: Dialect> HookModules<D> {
    /// Loads the modules of the hook in `folder`, from packages too.
    /// What is read is noted in `loaded`.
    pub(crate) fn new(folder: &Path, node_modules: NodeModules, dialect: D, loaded: Arc<Loaded>) -> Rc<Self> {
        let fence = node_modules.fence().clone();
        let folder = folder.to_owned();
        Rc::new(Self { folder, fence, node_modules, dialect, source_maps: RefCell::default(), loaded })
    }

    fn resolve(&self, specifier: &str, referrer: &str) -> Result<Url, JsErrorBox> {
        let importer = || self.importer(referrer);
        if NodeModules::is_node_builtin(specifier) {
            return self.dialect.builtin(specifier).map_err(|why| {
                JsErrorBox::type_error(format!("cannot import `{specifier}` from {}: {why}", importer()))
            });
        }
        let is_path = ["./", "../", "/"].iter().any(|start| specifier.starts_with(start))
            || specifier == "."
            || specifier == "..";
        let base = Url::parse(referrer).ok();
        if is_path {
            let base = base.ok_or_else(|| JsErrorBox::type_error(format!("cannot resolve `{specifier}`: no base")))?;
            let url = base.join(specifier).map_err(|error| {
                JsErrorBox::type_error(format!("cannot import `{specifier}` from {}: {error}", importer()))
            })?;
            return Ok(if is_typescript(&base) { self.as_bundlers_write(url) } else { url });
        }
        match Url::parse(specifier) {
            Ok(url) if url.scheme() == "file" => return Ok(url),
            // A Windows path, `c:\x`, is no URL either.
            Ok(url) => {
                return Err(JsErrorBox::type_error(format!(
                    "cannot import `{specifier}` from {}: modules are files, and `{}:` is none; copy it beside the \
                     hook or install it as a package",
                    importer(),
                    url.scheme()
                )));
            }
            Err(_) => {}
        }
        let base = base.ok_or_else(|| JsErrorBox::type_error(format!("cannot resolve `{specifier}`: no base")))?;
        self.node_modules.resolve(specifier, &base).map_err(|error| {
            JsErrorBox::type_error(format!("cannot import `{specifier}` from {}: {error}", importer()))
        })
    }

    /// In TypeScript, `./rules` and `./rules.js` may mean `./rules.ts`, as bundlers and compilers read it.
    fn as_bundlers_write(&self, url: Url) -> Url {
        let Ok(path) = url.to_file_path() else { return url };
        let is_file = |path: &Path| self.fence.pass(path).is_ok_and(|path| path.is_file());
        if is_file(&path) {
            return url;
        }
        let found = typescript::written_for(&path).into_iter().find(|candidate| is_file(candidate));
        let Some(Ok(mut meant)) = found.map(Url::from_file_path) else { return url };
        meant.set_query(url.query());
        meant
    }

    /// The importing file as its author knows it.
    fn importer(&self, referrer: &str) -> String {
        Url::parse(referrer)
            .ok()
            .and_then(|url| url.to_file_path().ok())
            .map_or_else(|| referrer.to_owned(), |path| shown(&path, &self.folder))
    }

    fn load(
        &self,
        specifier: &ModuleSpecifier,
        importer: Option<String>,
        requested: &RequestedModuleType,
    ) -> Result<ModuleSource, JsErrorBox> {
        let path = specifier
            .to_file_path()
            .map_err(|()| JsErrorBox::type_error(format!("`{specifier}` is no path of a file on this machine")))?;
        let what = match &importer {
            Some(importer) => format!("cannot import {} from {importer}", shown(&path, &self.folder)),
            None => format!("cannot load {}", shown(&path, &self.folder)),
        };
        let source = self.read(&path).map_err(|problem| JsErrorBox::generic(format!("{what}: {problem}")))?;
        let (code, module_type) = self.to_javascript(specifier, &path, source, &what, requested)?;
        if module_type == ModuleType::JavaScript {
            let map = || self.source_maps.borrow().get(specifier.as_str()).cloned();
            self.loaded.given(specifier.as_str(), || SourceText { code: code.clone(), map: map() });
        }
        Ok(ModuleSource::new(module_type, ModuleSourceCode::String(code.into()), specifier, None))
    }

    fn read(&self, path: &Path) -> Result<String, String> {
        read(&self.fence.pass(path)?, &self.loaded)
    }

    fn to_javascript(
        &self,
        specifier: &ModuleSpecifier,
        path: &Path,
        source: String,
        what: &str,
        requested: &RequestedModuleType,
    ) -> Result<(String, ModuleType), JsErrorBox> {
        let media_type = MediaType::from_path(path);
        match (media_type, requested) {
            (MediaType::Json, RequestedModuleType::Json) => Ok((source, ModuleType::Json)),
            (MediaType::Json, _) => match self.dialect.plain_json(&source) {
                Some(code) => Ok((code, ModuleType::JavaScript)),
                None => Err(JsErrorBox::type_error(format!(
                    "{what}: write `with {{ type: 'json' }}` after the import of a JSON file"
                ))),
            },
            (_, RequestedModuleType::Json) => Err(JsErrorBox::type_error(format!("{what}: it is not a .json file"))),
            (_, RequestedModuleType::None) => self.script(specifier, path, source, what, media_type),
            (_, RequestedModuleType::Other(name)) => Err(JsErrorBox::type_error(format!(
                "{what}: the import type `{name}` is not known here; there is `json`"
            ))),
            (_, RequestedModuleType::Text) => Err(JsErrorBox::type_error(format!(
                "{what}: the import type `text` is not known here; there is `json`"
            ))),
            (_, RequestedModuleType::Bytes) => Err(JsErrorBox::type_error(format!(
                "{what}: the import type `bytes` is not known here; there is `json`"
            ))),
        }
    }

    fn script(
        &self,
        specifier: &ModuleSpecifier,
        path: &Path,
        source: String,
        what: &str,
        media_type: MediaType,
    ) -> Result<(String, ModuleType), JsErrorBox> {
        let code = match media_type {
            MediaType::TypeScript | MediaType::Mts | MediaType::Cts => {
                let stripped = typescript::strip(specifier, source, media_type)
                    .map_err(|error| JsErrorBox::new("SyntaxError", format!("{what}: syntax error: {error}")))?;
                if let Some(map) = stripped.source_map {
                    self.source_maps.borrow_mut().insert(specifier.as_str().to_owned(), map);
                }
                stripped.code
            }
            _ => source,
        };
        // As Node does: an .mjs file is a module; a .js file is what its package says, and without a word on it, what its
        // own syntax says.
        let is_common_js = match media_type {
            MediaType::Cjs | MediaType::Cts => true,
            MediaType::JavaScript | MediaType::TypeScript | MediaType::Unknown => {
                self.is_common_js(specifier, path, &code)
            }
            _ => false,
        };
        if !is_common_js {
            return Ok((code, ModuleType::JavaScript));
        }
        let code = self
            .dialect
            .common_js(specifier, &code)
            .map_err(|error| JsErrorBox::new(error.get_class().into_owned(), format!("{what}: {error}")))?;
        Ok((code, ModuleType::JavaScript))
    }

    fn is_common_js(&self, specifier: &ModuleSpecifier, path: &Path, source: &str) -> bool {
        match self.node_modules.package_type(path).as_deref() {
            Some("module") => false,
            Some("commonjs") if matches!(MediaType::from_path(path), MediaType::JavaScript) => true,
            _ => self.dialect.is_common_js(specifier, source),
        }
    }
}

fn is_typescript(url: &Url) -> bool {
    matches!(MediaType::from_specifier(url), MediaType::TypeScript | MediaType::Mts | MediaType::Cts)
}

/// The text of a module. That it was read is noted in `loaded`.
///
/// # Errors
/// It cannot be read, or is no text, in words.
pub(crate) fn read(path: &Path, loaded: &Loaded) -> Result<String, String> {
    let bytes = read_bytes(path).inspect_err(|_| loaded.read(path, None))?;
    loaded.read(path, Some(&bytes));
    // JavaScript may hold a NUL, in a string; it does not begin with one, as WebAssembly does.
    if bytes.first() == Some(&0) {
        return Err("it is a binary file; a module is JavaScript, TypeScript or JSON".to_owned());
    }
    let text = String::from_utf8(bytes)
        .map_err(|error| format!("it is not UTF-8 text (at byte {})", error.utf8_error().valid_up_to()))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => missing(path),
        _ => error.to_string(),
    })?;
    if metadata.is_dir() {
        return Err("it is a folder; name the file in it, for instance index.mjs".to_owned());
    }
    // A pipe could be read for ever, and nothing would end that: no JavaScript runs meanwhile.
    if !metadata.is_file() {
        return Err("it is a device or a pipe; a module is a file".to_owned());
    }
    if metadata.len() > MODULE_BYTES {
        return Err(format!("it is {} MiB long; a module may have {}", metadata.len() >> 20, MODULE_BYTES >> 20));
    }
    let mut bytes = Vec::new();
    // What says that it is empty may not be, as in /proc.
    let read = File::open(path).and_then(|file| file.take(MODULE_BYTES + 1).read_to_end(&mut bytes));
    if read.map_err(|error| error.to_string())? as u64 > MODULE_BYTES {
        return Err(format!("it is longer than {} MiB", MODULE_BYTES >> 20));
    }
    Ok(bytes)
}

/// Node wants the whole name of a file; people who use bundlers leave its end off.
fn missing(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let near = ["mjs", "js", "ts", "mts", "json"].into_iter().find_map(|end| {
        let longer = format!("{name}.{end}");
        let other = path.with_extension(end);
        if path.with_file_name(&longer).is_file() {
            Some(longer)
        } else if other != path && other.is_file() {
            Some(other.file_name()?.to_string_lossy().into_owned())
        } else {
            None
        }
    });
    match near {
        Some(near) => format!("there is no such file; did you mean `{near}`?"),
        None => "there is no such file".to_owned(),
    }
}

impl<D: Dialect> ModuleLoader for HookModules<D> {
    fn resolve(&self, specifier: &str, referrer: &str, _kind: ResolutionKind) -> ModuleResolveResponse {
        HookModules::resolve(self, specifier, referrer)
    }

    fn load(
        &self,
        specifier: &ModuleSpecifier,
        referrer: Option<&ModuleLoadReferrer>,
        options: ModuleLoadOptions,
    ) -> ModuleLoadResponse {
        let importer = referrer.map(|referrer| {
            format!(
                "{}:{}:{}",
                self.importer(referrer.specifier.as_str()),
                referrer.line_number,
                referrer.column_number
            )
        });
        ModuleLoadResponse::Sync(HookModules::load(self, specifier, importer, &options.requested_module_type))
    }

    /// A source map that a bundler wrote beside its bundle.
    fn load_external_source_map(&self, url: &str) -> Option<Cow<'_, [u8]>> {
        let path = Url::parse(url).ok()?.to_file_path().ok()?;
        self.read(&path).ok().map(|map| Cow::Owned(map.into_bytes()))
    }

    /// The author knows the sources of a bundle, whether they are there or not. The name of the bundle with the line of a
    /// source would mislead.
    fn source_map_source_exists(&self, _source: &str) -> Option<bool> {
        Some(true)
    }

    fn get_source_map(&self, file_name: &str) -> Option<Cow<'_, [u8]>> {
        let map = self.source_maps.borrow().get(file_name).cloned();
        map.or_else(|| self.dialect.source_map(file_name)).map(Cow::Owned)
    }
}
