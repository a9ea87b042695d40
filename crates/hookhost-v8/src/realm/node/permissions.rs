//! What the hook may do, in Deno's terms. Deno's ops ask before each thing they do.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use deno_permissions::{
    AllowRunDescriptorParseResult, DenyRunDescriptor, EnvDescriptor, EnvDescriptorParseError, FfiDescriptor,
    ImportDescriptor, NetDescriptor, NetDescriptorParseError, PathQueryDescriptor, PathResolveError,
    PermissionDescriptorParser, Permissions as DenoPermissions, PermissionsContainer, PermissionsOptions,
    ReadDescriptor, RunDescriptorParseError, RunQueryDescriptor, RuntimePermissionDescriptorParser,
    SpecialFilePathQueryDescriptor, SysDescriptor, SysDescriptorParseError, WriteDescriptor,
};
use sys_traits::impls::RealSys;

use crate::permissions::Permissions;
use crate::realm::fetch::hosts;

/// What a sandboxed hook may ask of the machine. Nothing that names it or its network; the home folder may tell the user's
/// name, and too many programs ask for it at load.
const SYSTEM: [&str; 6] = ["cpus", "homedir", "loadavg", "osRelease", "osUptime", "systemMemoryInfo"];

/// The permissions of one hook. Nobody is ever asked: what is not granted is denied.
pub(super) fn container(permissions: &Permissions) -> PermissionsContainer {
    let plain = Arc::new(RuntimePermissionDescriptorParser::new(RealSys));
    let Some(folder) = &permissions.files_under else {
        let mut everything = PermissionsOptions { prompt: false, ..Default::default() };
        // An empty list is everything.
        for list in [
            &mut everything.allow_env,
            &mut everything.allow_read,
            &mut everything.allow_run,
            &mut everything.allow_sys,
            &mut everything.allow_write,
        ] {
            *list = Some(Vec::new());
        }
        everything.allow_net = hosts(permissions);
        return PermissionsContainer::new(plain.clone(), made(plain.as_ref(), &everything));
    };
    let parser = Arc::new(RealPaths { plain: RuntimePermissionDescriptorParser::new(RealSys) });
    let options = PermissionsOptions {
        // The environment is the hook's own: see `ops`. What is not in it cannot be read.
        allow_env: Some(Vec::new()),
        allow_read: Some(vec![real(folder).to_string_lossy().into_owned()]),
        allow_sys: Some(SYSTEM.map(str::to_owned).into()),
        allow_net: hosts(permissions),
        prompt: false,
        ..Default::default()
    };
    let granted = made(parser.as_ref(), &options);
    PermissionsContainer::new(parser, granted)
}

fn made(parser: &dyn PermissionDescriptorParser, options: &PermissionsOptions) -> DenoPermissions {
    DenoPermissions::from_options(parser, options).unwrap_or_else(|error| {
        tracing::error!(target: "hookhost::engine", error = error.to_string(), "a hook gets no permissions at all");
        DenoPermissions::none_without_prompt()
    })
}

/// Symbolic links resolved, as far as the path exists. Whatever is wrong with the rest of it is not told to whoever may not
/// read it.
fn real(path: &Path) -> PathBuf {
    path.ancestors()
        .find_map(|there| Some(std::fs::canonicalize(there).ok()?.join(path.strip_prefix(there).ok()?)))
        .unwrap_or_else(|| path.to_owned())
}

/// Asks for where a file really is: Deno grants what a path says, and a link in a hook's folder may lead out of it.
#[derive(Debug)]
struct RealPaths {
    plain: RuntimePermissionDescriptorParser<RealSys>,
}

impl PermissionDescriptorParser for RealPaths {
    fn parse_path_query<'a>(&self, path: Cow<'a, Path>) -> Result<PathQueryDescriptor<'a>, PathResolveError> {
        let absolute = std::path::absolute(&path).map_err(PathResolveError::CwdResolve)?;
        let real = real(&absolute);
        let query = self.plain.parse_path_query(Cow::Owned(real))?;
        // What is refused is named as the hook named it. Where a link leads is for those who may follow it.
        Ok(query.with_requested(absolute.to_string_lossy().into_owned()))
    }

    fn parse_read_descriptor(&self, text: &str) -> Result<ReadDescriptor, PathResolveError> {
        self.plain.parse_read_descriptor(text)
    }

    fn parse_write_descriptor(&self, text: &str) -> Result<WriteDescriptor, PathResolveError> {
        self.plain.parse_write_descriptor(text)
    }

    fn parse_net_descriptor(&self, text: &str) -> Result<NetDescriptor, NetDescriptorParseError> {
        self.plain.parse_net_descriptor(text)
    }

    fn parse_import_descriptor(&self, text: &str) -> Result<ImportDescriptor, NetDescriptorParseError> {
        self.plain.parse_import_descriptor(text)
    }

    fn parse_env_descriptor(&self, text: &str) -> Result<EnvDescriptor, EnvDescriptorParseError> {
        self.plain.parse_env_descriptor(text)
    }

    fn parse_sys_descriptor(&self, text: &str) -> Result<SysDescriptor, SysDescriptorParseError> {
        self.plain.parse_sys_descriptor(text)
    }

    fn parse_allow_run_descriptor(&self, text: &str) -> Result<AllowRunDescriptorParseResult, RunDescriptorParseError> {
        self.plain.parse_allow_run_descriptor(text)
    }

    fn parse_deny_run_descriptor(&self, text: &str) -> Result<DenyRunDescriptor, PathResolveError> {
        self.plain.parse_deny_run_descriptor(text)
    }

    fn parse_ffi_descriptor(&self, text: &str) -> Result<FfiDescriptor, PathResolveError> {
        self.plain.parse_ffi_descriptor(text)
    }

    fn parse_special_file_descriptor<'a>(
        &self,
        path: PathQueryDescriptor<'a>,
    ) -> Result<SpecialFilePathQueryDescriptor<'a>, PathResolveError> {
        self.plain.parse_special_file_descriptor(path)
    }

    fn parse_net_query(&self, text: &str) -> Result<NetDescriptor, NetDescriptorParseError> {
        self.plain.parse_net_query(text)
    }

    fn parse_run_query<'a>(&self, requested: &'a str) -> Result<RunQueryDescriptor<'a>, RunDescriptorParseError> {
        self.plain.parse_run_query(requested)
    }
}
