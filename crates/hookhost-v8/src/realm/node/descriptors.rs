//! File descriptors. Those of the process are the host's; a hook has what it opened itself.

use std::cell::RefCell;
use std::rc::Rc;

use deno_core::{OpState, op2};
use deno_error::JsErrorBox;
use deno_io::FdTable;
use deno_io::fs::FsError;
use deno_permissions::PermissionsContainer;

use super::files::open_file;

/// Deno's numbers for a file and for what is none of its kinds.
const FILE: u32 = 3;
const UNKNOWN: u32 = 5;

/// What a descriptor is. Deno would look at what it is in the process: a terminal or a pipe of the host's, for instance.
#[op2(fast)]
pub(super) fn op_hookhost_guess_handle_type(state: &mut OpState, number: u32) -> u32 {
    let own = i32::try_from(number).is_ok_and(|number| state.borrow::<FdTable>().contains(number));
    if own { FILE } else { UNKNOWN }
}

/// Deno asks when a file is opened, and not again. What is open for reading could still be given another mode.
fn may_change(state: &OpState, name: &str) -> Result<(), JsErrorBox> {
    state.borrow::<PermissionsContainer>().clone().check_write_all(name).map_err(JsErrorBox::from_err)
}

fn changed(result: Result<(), FsError>) -> Result<(), JsErrorBox> {
    result.map_err(JsErrorBox::from_err)
}

#[op2(fast)]
pub(super) fn op_hookhost_fchmod_sync(state: &mut OpState, number: i32, #[smi] mode: u32) -> Result<(), JsErrorBox> {
    may_change(state, "fs.fchmodSync()")?;
    changed(open_file(state, number)?.chmod_sync(mode))
}

#[op2]
pub(super) async fn op_hookhost_fchmod(
    state: Rc<RefCell<OpState>>,
    number: i32,
    #[smi] mode: u32,
) -> Result<(), JsErrorBox> {
    may_change(&state.borrow(), "fs.fchmod()")?;
    let file = open_file(&state.borrow(), number)?;
    changed(file.chmod_async(mode).await)
}

#[op2(fast)]
pub(super) fn op_hookhost_fchown_sync(
    state: &mut OpState,
    number: i32,
    #[smi] user: u32,
    #[smi] group: u32,
) -> Result<(), JsErrorBox> {
    may_change(state, "fs.fchownSync()")?;
    changed(open_file(state, number)?.chown_sync(Some(user), Some(group)))
}

#[op2]
pub(super) async fn op_hookhost_fchown(
    state: Rc<RefCell<OpState>>,
    number: i32,
    #[smi] user: u32,
    #[smi] group: u32,
) -> Result<(), JsErrorBox> {
    may_change(&state.borrow(), "fs.fchown()")?;
    let file = open_file(&state.borrow(), number)?;
    changed(file.chown_async(Some(user), Some(group)).await)
}

#[op2(fast)]
pub(super) fn op_hookhost_futimes_sync(
    state: &mut OpState,
    number: i32,
    #[number] read: i64,
    #[smi] read_nanos: u32,
    #[number] written: i64,
    #[smi] written_nanos: u32,
) -> Result<(), JsErrorBox> {
    may_change(state, "fs.futimesSync()")?;
    changed(open_file(state, number)?.utime_sync(read, read_nanos, written, written_nanos))
}

#[op2]
pub(super) async fn op_hookhost_futimes(
    state: Rc<RefCell<OpState>>,
    number: i32,
    #[number] read: i64,
    #[smi] read_nanos: u32,
    #[number] written: i64,
    #[smi] written_nanos: u32,
) -> Result<(), JsErrorBox> {
    may_change(&state.borrow(), "fs.futimes()")?;
    let file = open_file(&state.borrow(), number)?;
    changed(file.utime_async(read, read_nanos, written, written_nanos).await)
}
