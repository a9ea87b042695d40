//! Reading whole files. What Deno reads at once lies in memory that is the host's until it is handed over, and some files
//! have no end.

use std::borrow::Cow;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use deno_core::{BufMutView, OpState, ResourceId, op2};
use deno_error::JsErrorBox;
use deno_fs::{FileSystemRc, OpenOptions};
use deno_io::FdTable;
use deno_io::fs::File;
use deno_permissions::PermissionsContainer;

/// How much is read in one go, in bytes.
const CHUNK: usize = 1 << 20;

/// EBADF, on every system that there is.
const BAD_FILE: i32 = 9;

/// How large a file may be that is read as a whole, in bytes.
pub(super) struct MostBytes(pub(super) usize);

#[op2]
#[buffer]
pub(super) fn op_hookhost_read_file_sync(
    state: &mut OpState,
    #[string] path: &str,
    #[smi] flags: Option<i32>,
) -> Result<Vec<u8>, JsErrorBox> {
    let options = options(flags);
    let path = state.borrow::<PermissionsContainer>().check_open(
        Cow::Borrowed(Path::new(path)),
        options.access_kind(),
        Some("fs.readFileSync"),
    );
    let path = path.map_err(JsErrorBox::from_err)?;
    let file = state.borrow::<FileSystemRc>().open_sync(&path, options);
    let file = file.map_err(JsErrorBox::from_err)?;
    read_sync(file, state.borrow::<MostBytes>().0, &path)
}

#[op2]
#[buffer]
pub(super) async fn op_hookhost_read_file(
    state: Rc<RefCell<OpState>>,
    #[string] path: String,
    #[smi] _cancel: Option<ResourceId>,
    #[smi] flags: Option<i32>,
) -> Result<Vec<u8>, JsErrorBox> {
    let options = options(flags);
    let (files, most, path) = {
        let state = state.borrow();
        let path = state.borrow::<PermissionsContainer>().check_open(
            Cow::Owned(PathBuf::from(path)),
            options.access_kind(),
            Some("fs.readFile"),
        );
        let path = path.map_err(JsErrorBox::from_err)?;
        (state.borrow::<FileSystemRc>().clone(), state.borrow::<MostBytes>().0, path)
    };
    let file = files.open_async(path.as_owned(), options).await.map_err(JsErrorBox::from_err)?;
    read(file, most, &path).await
}

#[op2]
#[buffer]
pub(super) fn op_hookhost_read_open_file_sync(state: &mut OpState, #[smi] number: i32) -> Result<Vec<u8>, JsErrorBox> {
    let file = open_file(state, number)?;
    read_sync(file, state.borrow::<MostBytes>().0, Path::new("the file"))
}

#[op2]
#[buffer]
pub(super) async fn op_hookhost_read_open_file(
    state: Rc<RefCell<OpState>>,
    #[smi] number: i32,
) -> Result<Vec<u8>, JsErrorBox> {
    let (file, most) = {
        let state = state.borrow();
        (open_file(&state, number)?, state.borrow::<MostBytes>().0)
    };
    read(file, most, Path::new("the file")).await
}

fn options(flags: Option<i32>) -> OpenOptions {
    flags.map_or_else(OpenOptions::read, OpenOptions::from)
}

pub(super) fn open_file(state: &OpState, number: i32) -> Result<Rc<dyn File>, JsErrorBox> {
    let file = state.borrow::<FdTable>().get(number).cloned();
    file.ok_or_else(|| JsErrorBox::from_err(std::io::Error::from_raw_os_error(BAD_FILE)))
}

fn read_sync(file: Rc<dyn File>, most: usize, path: &Path) -> Result<Vec<u8>, JsErrorBox> {
    let mut bytes = Vec::new();
    loop {
        let before = bytes.len();
        bytes.resize(before + CHUNK, 0);
        let read = file.clone().read_sync(&mut bytes[before..]).map_err(JsErrorBox::from_err)?;
        bytes.truncate(before + read);
        if read == 0 {
            return Ok(bytes);
        }
        within(bytes.len(), most, path)?;
    }
}

async fn read(file: Rc<dyn File>, most: usize, path: &Path) -> Result<Vec<u8>, JsErrorBox> {
    let mut bytes = Vec::new();
    loop {
        let chunk = file.clone().read_byob(BufMutView::new(CHUNK)).await;
        let (read, view) = chunk.map_err(JsErrorBox::from_err)?;
        if read == 0 {
            return Ok(bytes);
        }
        bytes.extend_from_slice(&view[..read]);
        within(bytes.len(), most, path)?;
    }
}

fn within(length: usize, most: usize, path: &Path) -> Result<(), JsErrorBox> {
    if length <= most {
        return Ok(());
    }
    Err(JsErrorBox::range_error(format!(
        "{} is larger than the {} MiB that the hook may hold; read it in pieces",
        path.display(),
        most >> 20
    )))
}
