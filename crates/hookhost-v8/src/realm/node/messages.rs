//! Messages to children, which are texts when they come here: Deno's own op goes down the stack with every level of a value,
//! on top of what the hook has used of it.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::sync::atomic::Ordering;

use deno_core::{CancelTryFuture as _, OpState, ResourceId, op2, v8};
use deno_error::JsErrorBox;
use deno_runtime::deno_process::ipc::{INITIAL_CAPACITY, IpcJsonStreamResource};

/// Sends one message, with the descriptor that goes along (-1: none). Sets the first element of `queue_ok` to false where
/// too many bytes wait to be sent.
#[op2]
pub(super) fn op_hookhost_send_text<'a>(
    scope: &mut v8::PinScope<'a, '_>,
    state: Rc<RefCell<OpState>>,
    #[smi] channel: ResourceId,
    #[string] mut text: String,
    #[smi] descriptor: i32,
    queue_ok: v8::Local<'a, v8::Array>,
) -> Result<impl Future<Output = Result<(), io::Error>> + use<>, JsErrorBox> {
    let channel = state.borrow().resource_table.get::<IpcJsonStreamResource>(channel).map_err(JsErrorBox::from_err)?;
    text.push('\n');
    let before = channel.queued_bytes.fetch_add(text.len(), Ordering::Relaxed);
    if before + text.len() > 2 * INITIAL_CAPACITY {
        let full = v8::Boolean::new(scope, false).into();
        queue_ok.set_index(scope, 0, full);
    }
    Ok(async move {
        let cancel = channel.cancel.clone();
        let message = channel.clone().write_msg_bytes(text.as_bytes(), (descriptor >= 0).then_some(descriptor));
        let sent = message.try_or_cancel(cancel).await;
        channel.queued_bytes.fetch_sub(text.len(), Ordering::Relaxed);
        sent
    })
}
