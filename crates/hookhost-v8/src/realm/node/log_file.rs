//! Standard output and standard error of a hook: its log.

use std::borrow::Cow;
use std::fs;
use std::io::{self, SeekFrom};
use std::path::Path;
use std::process::Stdio;
use std::rc::Rc;

use deno_core::{BufMutView, BufView, JsRuntime, ResourceHandleFd, WriteOutcome};
use deno_io::FdTable;
use deno_io::fs::{File, FileResource, FsError, FsResult, FsStat};

use super::NOTHING;
use crate::ops::Host;

/// Puts the log in the place of both. `process.stdout` and `console` do not come here: they know which call it is.
pub(super) fn install(runtime: &JsRuntime, host: Host) {
    let state = runtime.op_state();
    let mut state = state.borrow_mut();
    for (number, name) in [(1, "stdout"), (2, "stderr")] {
        let file: Rc<dyn File> = Rc::new(LogFile { host: host.clone() });
        let table = state.borrow_mut::<FdTable>();
        table.remove(number);
        table.register(number, file.clone());
        state.resource_table.replace(number as u32, FileResource::new(file, name.to_owned()));
    }
}

/// A file of which each write is a line of the log.
struct LogFile {
    host: Host,
}

impl LogFile {
    fn print(&self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        let line = text.strip_suffix('\n').unwrap_or(&text);
        if !line.is_empty() {
            self.host.print(line.to_owned());
        }
    }
}

fn nothing() -> io::Result<fs::File> {
    fs::File::options().read(true).write(true).open(NOTHING)
}

// Written as a stream is: what makes no sense for one is not supported.
#[async_trait::async_trait(?Send)]
impl File for LogFile {
    fn maybe_path(&self) -> Option<&Path> {
        None
    }

    fn write_sync(self: Rc<Self>, bytes: &[u8]) -> FsResult<usize> {
        self.print(bytes);
        Ok(bytes.len())
    }

    async fn write(self: Rc<Self>, view: BufView) -> FsResult<WriteOutcome> {
        self.print(&view);
        Ok(WriteOutcome::Full { nwritten: view.len() })
    }

    fn write_all_sync(self: Rc<Self>, bytes: &[u8]) -> FsResult<()> {
        self.print(bytes);
        Ok(())
    }

    async fn write_all(self: Rc<Self>, view: BufView) -> FsResult<()> {
        self.print(&view);
        Ok(())
    }

    fn write_at_sync(self: Rc<Self>, bytes: &[u8], _position: u64) -> FsResult<usize> {
        self.write_sync(bytes)
    }

    fn stat_sync(self: Rc<Self>) -> FsResult<FsStat> {
        Ok(FsStat::from_std(nothing()?.metadata()?))
    }

    async fn stat_async(self: Rc<Self>) -> FsResult<FsStat> {
        self.stat_sync()
    }

    fn as_stdio(self: Rc<Self>) -> FsResult<Stdio> {
        Ok(nothing()?.into())
    }

    fn backing_fd(self: Rc<Self>) -> Option<ResourceHandleFd> {
        None
    }

    fn try_clone_inner(self: Rc<Self>) -> FsResult<Rc<dyn File>> {
        Ok(self)
    }

    fn sync_sync(self: Rc<Self>) -> FsResult<()> {
        Ok(())
    }

    async fn sync_async(self: Rc<Self>) -> FsResult<()> {
        Ok(())
    }

    fn datasync_sync(self: Rc<Self>) -> FsResult<()> {
        Ok(())
    }

    async fn datasync_async(self: Rc<Self>) -> FsResult<()> {
        Ok(())
    }

    fn read_sync(self: Rc<Self>, _bytes: &mut [u8]) -> FsResult<usize> {
        Err(FsError::NotSupported)
    }

    async fn read_byob(self: Rc<Self>, _view: BufMutView) -> FsResult<(usize, BufMutView)> {
        Err(FsError::NotSupported)
    }

    fn read_all_sync(self: Rc<Self>) -> FsResult<Cow<'static, [u8]>> {
        Err(FsError::NotSupported)
    }

    async fn read_all_async(self: Rc<Self>) -> FsResult<Cow<'static, [u8]>> {
        Err(FsError::NotSupported)
    }

    fn read_at_sync(self: Rc<Self>, _bytes: &mut [u8], _position: u64) -> FsResult<usize> {
        Err(FsError::NotSupported)
    }

    async fn read_at_async(self: Rc<Self>, _view: BufMutView, _position: u64) -> FsResult<(usize, BufMutView)> {
        Err(FsError::NotSupported)
    }

    fn chmod_sync(self: Rc<Self>, _mode: u32) -> FsResult<()> {
        Err(FsError::NotSupported)
    }

    async fn chmod_async(self: Rc<Self>, _mode: u32) -> FsResult<()> {
        Err(FsError::NotSupported)
    }

    fn chown_sync(self: Rc<Self>, _user: Option<u32>, _group: Option<u32>) -> FsResult<()> {
        Err(FsError::NotSupported)
    }

    async fn chown_async(self: Rc<Self>, _user: Option<u32>, _group: Option<u32>) -> FsResult<()> {
        Err(FsError::NotSupported)
    }

    fn seek_sync(self: Rc<Self>, _to: SeekFrom) -> FsResult<u64> {
        Err(FsError::NotSupported)
    }

    async fn seek_async(self: Rc<Self>, _to: SeekFrom) -> FsResult<u64> {
        Err(FsError::NotSupported)
    }

    fn lock_sync(self: Rc<Self>, _exclusive: bool) -> FsResult<()> {
        Err(FsError::NotSupported)
    }

    async fn lock_async(self: Rc<Self>, _exclusive: bool) -> FsResult<()> {
        Err(FsError::NotSupported)
    }

    fn try_lock_sync(self: Rc<Self>, _exclusive: bool) -> FsResult<bool> {
        Err(FsError::NotSupported)
    }

    async fn try_lock_async(self: Rc<Self>, _exclusive: bool) -> FsResult<bool> {
        Err(FsError::NotSupported)
    }

    fn unlock_sync(self: Rc<Self>) -> FsResult<()> {
        Err(FsError::NotSupported)
    }

    async fn unlock_async(self: Rc<Self>) -> FsResult<()> {
        Err(FsError::NotSupported)
    }

    fn truncate_sync(self: Rc<Self>, _length: u64) -> FsResult<()> {
        Err(FsError::NotSupported)
    }

    async fn truncate_async(self: Rc<Self>, _length: u64) -> FsResult<()> {
        Err(FsError::NotSupported)
    }

    fn utime_sync(self: Rc<Self>, _read: i64, _read_nanos: u32, _written: i64, _written_nanos: u32) -> FsResult<()> {
        Err(FsError::NotSupported)
    }

    async fn utime_async(
        self: Rc<Self>,
        _read: i64,
        _read_nanos: u32,
        _written: i64,
        _written_nanos: u32,
    ) -> FsResult<()> {
        Err(FsError::NotSupported)
    }
}
