//! Reading whole files. What Deno reads at once lies in memory that is the host's until it is handed over, and some files
//! have no end.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
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

/// EBADF, or what Windows calls so.
const BAD_FILE: i32 = if cfg!(windows) { 6 } else { 9 };

/// How much may lie in the host while files are read as a whole, in bytes, and how much of that is under way.
#[derive(Clone)]
pub(super) struct MostBytes {
    limit: usize,
    under_way: Rc<Cell<usize>>,
}

impl MostBytes {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, under_way: Rc::default() }
    }
}

/// A file that is being read.
struct Reading {
    bytes: Vec<u8>,
    most: MostBytes,
    counted: usize,
}

impl Reading {
    fn new(most: MostBytes) -> Self {
        Self { bytes: Vec::new(), most, counted: 0 }
    }

    /// Room for the next piece, if there is any.
    fn room(&mut self, path: &Path) -> Result<(), JsErrorBox> {
        let under_way = self.most.under_way.get() + CHUNK;
        if under_way > self.most.limit + CHUNK {
            return Err(JsErrorBox::range_error(format!(
                "{} is larger than the {} MiB that the hook may hold; read it in pieces",
                path.display(),
                self.most.limit >> 20
            )));
        }
        self.counted += CHUNK;
        self.most.under_way.set(under_way);
        Ok(())
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.most.under_way.set(self.most.under_way.get() - self.counted);
    }
}

#[op2]
#[buffer]
pub(super) fn op_hookhost_read_file_sync(
    state: &mut OpState,
    #[string] path: &str,
    #[smi] flags: Option<i32>,
) -> Result<Vec<u8>, JsErrorBox> {
    read_path(state, path, flags, "fs.readFileSync")
}

/// Reads a file on behalf of `name`.
pub(super) fn read_path(
    state: &mut OpState,
    path: &str,
    flags: Option<i32>,
    name: &str,
) -> Result<Vec<u8>, JsErrorBox> {
    let options = options(flags);
    let permissions = state.borrow::<PermissionsContainer>();
    let path = permissions.check_open(Cow::Borrowed(Path::new(path)), options.access_kind(), Some(name));
    let path = path.map_err(JsErrorBox::from_err)?;
    let file = state.borrow::<FileSystemRc>().open_sync(&path, options).map_err(JsErrorBox::from_err)?;
    read_sync(file, state.borrow::<MostBytes>().clone(), &path)
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
        (state.borrow::<FileSystemRc>().clone(), state.borrow::<MostBytes>().clone(), path)
    };
    let file = files.open_async(path.as_owned(), options).await.map_err(JsErrorBox::from_err)?;
    read(file, most, &path).await
}

#[op2]
#[buffer]
pub(super) fn op_hookhost_read_open_file_sync(state: &mut OpState, #[smi] number: i32) -> Result<Vec<u8>, JsErrorBox> {
    let file = open_file(state, number)?;
    read_sync(file, state.borrow::<MostBytes>().clone(), Path::new("the file"))
}

#[op2]
#[buffer]
pub(super) async fn op_hookhost_read_open_file(
    state: Rc<RefCell<OpState>>,
    #[smi] number: i32,
) -> Result<Vec<u8>, JsErrorBox> {
    let (file, most) = {
        let state = state.borrow();
        (open_file(&state, number)?, state.borrow::<MostBytes>().clone())
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

fn read_sync(file: Rc<dyn File>, most: MostBytes, path: &Path) -> Result<Vec<u8>, JsErrorBox> {
    let mut reading = Reading::new(most);
    loop {
        let before = reading.bytes.len();
        reading.room(path)?;
        reading.bytes.resize(before + CHUNK, 0);
        let read = file.clone().read_sync(&mut reading.bytes[before..]).map_err(JsErrorBox::from_err)?;
        reading.bytes.truncate(before + read);
        if read == 0 {
            return Ok(std::mem::take(&mut reading.bytes));
        }
    }
}

async fn read(file: Rc<dyn File>, most: MostBytes, path: &Path) -> Result<Vec<u8>, JsErrorBox> {
    let mut reading = Reading::new(most);
    loop {
        reading.room(path)?;
        let chunk = file.clone().read_byob(BufMutView::new(CHUNK)).await;
        let (read, view) = chunk.map_err(JsErrorBox::from_err)?;
        if read == 0 {
            return Ok(std::mem::take(&mut reading.bytes));
        }
        reading.bytes.extend_from_slice(&view[..read]);
    }
}
