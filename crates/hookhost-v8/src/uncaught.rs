//! What was thrown where nobody catches it: in a function that Rust has called without asking what came of it, as Deno
//! does where a socket is connected or closed. V8 prints it on the standard output of the process, unless it is heard.

use deno_core::{JsRuntime, v8};

use crate::error::cut;
use crate::ops::Host;

/// To be called for each isolate, on its own thread, when its host can be asked.
#[allow(unsafe_code, reason = "what V8 calls has no scope")]
pub(crate) fn hear(isolate: &mut v8::Isolate) {
    extern "C" fn uncaught(message: v8::Local<'_, v8::Message>, _error: v8::Local<'_, v8::Value>) {
        // SAFETY: V8 calls this on the thread of the isolate that the message belongs to, and within its context.
        v8::callback_scope!(unsafe scope, message);
        // V8 has made it by now.
        let text = message.get(scope).to_rust_string_lossy(scope);
        let state = JsRuntime::op_state_from(scope);
        // Deno may be at work with it.
        let Ok(state) = state.try_borrow() else { return };
        if let Some(host) = state.try_borrow::<Host>() {
            let text = text.strip_prefix("Uncaught ").unwrap_or(&text).to_owned();
            host.log(0, format!("uncaught error: {}", cut(text)));
        }
    }
    isolate.add_message_listener(uncaught);
}
