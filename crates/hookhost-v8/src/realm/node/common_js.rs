//! CommonJS: an ES module in its place for `import`, and what `require` reads.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use deno_ast::{MediaType, ModuleExportsAndReExports, ParseParams};
use deno_core::url::Url;
use deno_core::{FastString, OpState, op2};
use deno_error::JsErrorBox;
use deno_node::{NodeRequireLoader, default_resolve_require_node_module_paths};
use deno_permissions::PermissionsContainer;
use deno_resolver::cjs::{CjsTracker, IsCjsResolutionMode};
use futures::FutureExt;
use node_resolver::DenoIsBuiltInNodeModuleChecker;
use node_resolver::analyze::{
    CjsAnalysis, CjsAnalysisExports, CjsCodeAnalyzer, CjsModuleExportAnalyzer, EsmAnalysisMode, NodeCodeTranslator,
    NodeCodeTranslatorMode,
};
use node_resolver::errors::PackageJsonLoadError;

use crate::coverage::SourceText;
use crate::modules::fence::Fence;
use crate::modules::loaded::Loaded;
use crate::modules::loader::{Dialect, read};
use crate::modules::node_modules::{FoldersUpwards, InNodeModules, NodeModules};
use crate::modules::parser::{self, As};
use crate::modules::typescript;

type Translator = NodeCodeTranslator<Exports, InNodeModules, DenoIsBuiltInNodeModuleChecker, FoldersUpwards, Fence>;

/// What Node loads beside ES modules.
pub(super) struct NodeDialect {
    translator: Translator,
    files: Files,
    folders: FoldersUpwards,
    tracker: Rc<CjsTracker<InNodeModules, Fence>>,
}

impl NodeDialect {
    pub(super) fn new(node_modules: &NodeModules, loaded: Arc<Loaded>) -> Self {
        let fence = node_modules.fence();
        let files = Files { fence: fence.clone(), source_maps: Arc::default(), loaded };
        let analyzer = CjsModuleExportAnalyzer::new(
            Exports { files: files.clone() },
            InNodeModules,
            node_modules.resolver().clone(),
            node_modules.folders().clone(),
            node_modules.package_json().clone(),
            fence.clone(),
        );
        let tracker = CjsTracker::new(
            InNodeModules,
            node_modules.package_json().clone(),
            IsCjsResolutionMode::ImplicitTypeCommonJs,
            Vec::new(),
        );
        Self {
            translator: NodeCodeTranslator::new(Arc::new(analyzer), NodeCodeTranslatorMode::ModuleLoader),
            files,
            folders: node_modules.folders().clone(),
            tracker: Rc::new(tracker),
        }
    }

    /// What `require` loads with.
    pub(super) fn require_loader(&self) -> Rc<dyn NodeRequireLoader> {
        Rc::new(Require {
            files: self.files.clone(),
            folders: self.folders.clone(),
            tracker: self.tracker.clone(),
            asked: RefCell::default(),
        })
    }
}

impl Dialect for NodeDialect {
    fn builtin(&self, specifier: &str) -> Result<Url, String> {
        let name = specifier.strip_prefix("node:").unwrap_or(specifier);
        if !NodeModules::is_builtin_name(name) {
            return Err("there is no module of that name in Node".to_owned());
        }
        Url::parse(&format!("node:{name}")).map_err(|error| error.to_string())
    }

    fn common_js(&self, specifier: &Url, source: &str) -> Result<String, JsErrorBox> {
        // Nothing in it waits: what it reads are files.
        self.translator
            .translate_cjs_to_esm(specifier, Some(Cow::Borrowed(source)))
            .now_or_never()
            .ok_or_else(|| JsErrorBox::generic("its exports cannot be read at once"))?
            .map(Cow::into_owned)
            .map_err(JsErrorBox::from_err)
    }

    fn source_map(&self, specifier: &str) -> Option<Vec<u8>> {
        self.files.source_maps.lock().unwrap_or_else(PoisonError::into_inner).get(specifier).cloned()
    }

    fn is_common_js(&self, specifier: &Url, source: &str) -> bool {
        typescript::is_script(specifier, source)
            .unwrap_or_else(|| typescript::speaks_common_js(source) && !typescript::speaks_es_modules(source))
    }

    /// A text for JSON.parse, and no literal: in a literal, `__proto__` is no key.
    fn plain_json(&self, source: &str) -> Option<String> {
        let text = serde_json::to_string(source).ok()?;
        Some(format!("export default JSON.parse({text});"))
    }
}

/// The files of a hook as JavaScript.
#[derive(Clone)]
struct Files {
    fence: Fence,
    /// Of what was TypeScript.
    source_maps: Arc<Mutex<HashMap<String, Vec<u8>>>>,
    loaded: Arc<Loaded>,
}

impl Files {
    fn load(&self, path: &Path) -> Result<String, String> {
        let source = read(&self.fence.pass(path)?, &self.loaded)?;
        let media_type = MediaType::from_path(path);
        let specifier = Url::from_file_path(path).map_err(|()| "it is no absolute path".to_owned())?;
        if !matches!(media_type, MediaType::TypeScript | MediaType::Mts | MediaType::Cts) {
            self.loaded.given(specifier.as_str(), || SourceText { code: source.clone(), map: None });
            return Ok(source);
        }
        let stripped = typescript::strip(&specifier, source, media_type).map_err(|error| error.to_string())?;
        let text = || SourceText { code: stripped.code.clone(), map: stripped.source_map.clone() };
        self.loaded.given(specifier.as_str(), text);
        if let Some(map) = stripped.source_map {
            self.source_maps.lock().unwrap_or_else(PoisonError::into_inner).insert(specifier.into(), map);
        }
        Ok(stripped.code)
    }
}

/// What a CommonJS module exports, as far as its text tells.
struct Exports {
    files: Files,
}

#[async_trait::async_trait(?Send)]
impl CjsCodeAnalyzer for Exports {
    async fn analyze_cjs<'a>(
        &self,
        specifier: &Url,
        source: Option<Cow<'a, str>>,
        mode: EsmAnalysisMode,
    ) -> Result<CjsAnalysis<'a>, JsErrorBox> {
        let source = match source {
            Some(source) => source,
            None => {
                let path =
                    specifier.to_file_path().map_err(|()| JsErrorBox::generic(format!("{specifier} is no file")))?;
                if !is_script(&path) {
                    return Ok(CjsAnalysis::Cjs(names(Default::default())));
                }
                let code = self.files.load(&path);
                Cow::Owned(code.map_err(|error| JsErrorBox::generic(format!("{}: {error}", path.display())))?)
            }
        };
        Ok(match analyze(specifier, &source) {
            Analysis::CommonJs(found) => CjsAnalysis::Cjs(names(found)),
            Analysis::EsModule(found) => {
                CjsAnalysis::Esm(source, (mode == EsmAnalysisMode::SourceImportsAndExports).then(|| names(found)))
            }
        })
    }

    async fn analyze_cjs_member_props<'a>(
        &self,
        _specifier: &Url,
        _source: Option<Cow<'a, str>>,
        _member: &str,
    ) -> Result<Option<Vec<String>>, JsErrorBox> {
        // All names of the other module, as Node has it.
        Ok(None)
    }
}

/// JSON and addons have no exports of their own.
fn is_script(path: &Path) -> bool {
    !path.extension().is_some_and(|end| end == "json" || end == "node")
}

enum Analysis {
    CommonJs(ModuleExportsAndReExports),
    EsModule(ModuleExportsAndReExports),
}

/// What cannot be parsed has no names that are known here. V8 says what is wrong with it.
fn analyze(specifier: &Url, source: &str) -> Analysis {
    typescript::on_a_stack(|| {
        // Deno's parser has no limits of its own: a file has to pass ours first.
        parser::parse(specifier, source, MediaType::JavaScript, As::Program)?;
        let parsed = deno_ast::parse_program(ParseParams {
            specifier: specifier.clone(),
            text: source.into(),
            media_type: MediaType::JavaScript,
            capture_tokens: true,
            scope_analysis: false,
            maybe_syntax: None,
        });
        let parsed = parsed.map_err(|error| error.to_string())?;
        Ok(match parsed.compute_is_script() {
            true => Analysis::CommonJs(parsed.analyze_cjs()),
            false => Analysis::EsModule(parsed.analyze_es_runtime_exports()),
        })
    })
    .unwrap_or(Analysis::CommonJs(ModuleExportsAndReExports::default()))
}

fn names(found: ModuleExportsAndReExports) -> CjsAnalysisExports {
    CjsAnalysisExports { exports: found.exports, reexports: found.reexports, member_reexports: Vec::new() }
}

/// Where a file really is, if `require` may read it.
fn passed<'p>(fence: &Fence, path: &'p Path) -> Result<Cow<'p, Path>, JsErrorBox> {
    fence.pass(path).map_err(|why| JsErrorBox::generic(format!("cannot require {}: {why}", path.display())))
}

/// Whether there is a file (0), a folder (1) or nothing (-1): what `require` asks of every place where a module may be.
///
/// A package outside of the fence is as if it were not there. Whether a folder for packages is there is not told.
#[op2(fast)]
#[smi]
pub(super) fn op_hookhost_require_stat(state: &mut OpState, #[string] path: &str) -> Result<i32, JsErrorBox> {
    let path = Path::new(path);
    let fence = state.borrow::<Fence>();
    let real = match passed(fence, path) {
        Ok(real) => real,
        Err(_) if path.ends_with("node_modules") => return Ok(1),
        Err(_) if path.components().any(|part| part.as_os_str() == "node_modules") => return Ok(-1),
        Err(refusal) => return Err(refusal),
    };
    Ok(match std::fs::metadata(real) {
        Ok(metadata) if metadata.is_file() => 0,
        Ok(_) => 1,
        Err(_) if in_typescript(fence, path).is_some() => 0,
        Err(_) => -1,
    })
}

/// The file in TypeScript that a path means which ends in `.js`, as compilers and bundlers read it. What is installed is
/// compiled already.
fn in_typescript(fence: &Fence, path: &Path) -> Option<PathBuf> {
    let meant = path.with_extension(match path.extension()?.to_str()? {
        "js" => "ts",
        "mjs" => "mts",
        "cjs" => "cts",
        _ => return None,
    });
    let installed = path.components().any(|part| part.as_os_str() == "node_modules");
    (!installed && fence.pass(&meant).is_ok_and(|meant| meant.is_file())).then_some(meant)
}

/// Where the file that `require` has found really is.
#[op2]
#[string]
pub(super) fn op_hookhost_require_real_path(state: &mut OpState, #[string] path: &str) -> Result<String, NotFound> {
    let fence = state.borrow::<Fence>();
    let real = passed(fence, Path::new(path))?;
    let found = std::fs::canonicalize(real).or_else(|missing| match in_typescript(fence, Path::new(path)) {
        Some(meant) => std::fs::canonicalize(meant),
        None => Err(missing),
    });
    match found {
        Ok(real) => Ok(deno_path_util::strip_unc_prefix(real).to_string_lossy().into_owned()),
        // Deno would only say that there is no such file.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(NotFound::Missing(path.to_owned())),
        Err(error) => Err(NotFound::Refused(JsErrorBox::generic(format!("cannot require {path}: {error}")))),
    }
}

/// Why `require` does not load a file.
#[derive(Debug, thiserror::Error, deno_error::JsError)]
pub(super) enum NotFound {
    #[class(inherit)]
    #[error(transparent)]
    Refused(
        #[from]
        #[inherit]
        JsErrorBox,
    ),
    /// In Node's words.
    #[class(generic)]
    #[property("code" = "MODULE_NOT_FOUND")]
    #[error("Cannot find module '{0}'")]
    Missing(String),
}

/// What `require` loads with.
struct Require {
    files: Files,
    folders: FoldersUpwards,
    tracker: Rc<CjsTracker<InNodeModules, Fence>>,
    /// The folders whose dependencies are known.
    asked: RefCell<HashSet<PathBuf>>,
}

impl NodeRequireLoader for Require {
    /// Where the file really is, if it may be read.
    fn ensure_read_permission<'a>(
        &self,
        _permissions: &mut PermissionsContainer,
        path: Cow<'a, Path>,
    ) -> Result<Cow<'a, Path>, JsErrorBox> {
        Ok(Cow::Owned(passed(&self.files.fence, &path)?.into_owned()))
    }

    /// Where modules in `from` look for packages. They are told this once, before the first of them is looked for.
    fn resolve_require_node_module_paths(&self, from: &Path) -> Vec<String> {
        if self.asked.borrow_mut().insert(from.to_owned()) {
            self.folders.admit_dependencies(from);
        }
        default_resolve_require_node_module_paths(from)
    }

    fn load_text_file_lossy(&self, path: &Path) -> Result<FastString, JsErrorBox> {
        let code = self.files.load(path);
        code.map(FastString::from)
            .map_err(|error| JsErrorBox::generic(format!("cannot load {}: {error}", path.display())))
    }

    fn is_maybe_cjs(&self, specifier: &Url) -> Result<bool, PackageJsonLoadError> {
        self.tracker.is_maybe_cjs(specifier, MediaType::from_specifier(specifier))
    }

    fn is_maybe_cjs_from_require(&self, specifier: &Url) -> Result<bool, PackageJsonLoadError> {
        self.tracker.is_maybe_cjs_from_require(specifier, MediaType::from_specifier(specifier))
    }
}
