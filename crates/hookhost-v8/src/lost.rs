//! What happens when V8 gives up, or Deno's Rust code below it.
//!
//! Where V8 needs memory that it cannot do without and does not get, it ends the process: when the heap is full in spite
//! of everything, or when one of its built-ins wants something larger than V8 can have
//! (`'x'.repeat(2 ** 28).split('')`). It says so first, on the thread in question, and ends the process when it is told
//! to go on. So it is not told: that thread stays where it is, for as long as the process lives, with its isolate and
//! all locks of its own. Another thread takes the hook over.
//!
//! Only what V8 itself calls no matter of security is held back: nothing is wrong with memory then. Any other fault that V8
//! finds in itself still ends the process, since it may mean that memory is no longer what it should be. So does a fault
//! on one of V8's own threads, which compile and collect garbage: no hook can be told from another there.
//!
//! The functions of Deno that V8 calls may panic: there are a thousand of them, and some take for granted what a hook can
//! change. A panic unwinds to where V8 called Rust, gives back on that way what it holds, and cannot go further: Rust says
//! so through the panic hook, and then ends the process with the signal SIGABRT. What that signal finds on the thread of a
//! hook that has said so stays there too. It must not stay in the panic hook: everybody who sets another one would wait.
//! Where frames that Rust cannot unwind lie right above the panic, there is no second one, and the signal comes at once.

use std::cell::Cell;
use std::ffi::c_char;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::thread;

use deno_core::v8;

/// Why a thread is lost.
pub(crate) enum Loss {
    /// V8 could not get the memory that it needed: the words say for what.
    Memory(&'static str),
    /// A panic, with its message and place.
    Panic(String),
}

type OnLoss = Box<dyn FnOnce(Loss)>;

thread_local! {
    static ON_LOSS: Cell<Option<OnLoss>> = const { Cell::new(None) };
    /// The panic that unwinds this thread, or did last.
    static PANIC: Cell<Option<String>> = const { Cell::new(None) };
    /// This thread is lost: the process is about to be ended by it, and must not be.
    static LOST: Cell<bool> = const { Cell::new(false) };
}

/// Sets what is done when this thread is lost. It must not touch the isolate.
pub(crate) fn on_loss(act: impl FnOnce(Loss) + 'static) {
    ON_LOSS.set(Some(Box::new(act)));
}

/// The thread comes to its end in peace.
pub(crate) fn safe() {
    ON_LOSS.take();
}

/// To be called once, after V8's platform was made and before there are isolates.
pub(crate) fn watch_process() {
    v8::V8::set_fatal_error_handler(|_file: &str, _line: i32, _message: &str| ON_LOSS.set(None));
    last_words::hear(given_up);
    aborts::hear();
    let others = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        let cannot_unwind = panic.payload_as_str() == Some(CANNOT_UNWIND);
        if aborts::ARE_HELD_BACK && cannot_unwind && give_up(|| Loss::Panic(last_panic())) {
            return;
        }
        others(panic);
        if !cannot_unwind {
            PANIC.set(Some(panic.to_string()));
        }
    }));
}

/// What the panic that unwinds this thread has said.
fn last_panic() -> String {
    PANIC.take().unwrap_or_else(|| "a panic".to_owned())
}

/// How Rust words that a panic has come to a function that C calls.
const CANNOT_UNWIND: &str = "panic in a function that cannot unwind";

/// To be called for each isolate, on its own thread.
pub(crate) fn watch_isolate(isolate: &mut v8::Isolate) {
    isolate.set_oom_error_handler(out_of_memory);
}

/// V8 prints its stack as the last thing before it ends the process. Where it is a fault of its own, the handler above was
/// called before that, and nothing is left to do here.
extern "C" fn given_up() {
    lose(|| Loss::Memory("it asked for something larger than V8 can have, such as one giant array"));
}

extern "C" fn out_of_memory(_location: *const c_char, _details: &v8::OomDetails) {
    lose(|| Loss::Memory("V8 could not get the memory that it needed"));
}

/// Returns only if the thread is not one of ours, or is being lost already: V8 then ends the process.
fn lose(why: impl FnOnce() -> Loss) {
    if give_up(why) {
        loop {
            thread::park();
        }
    }
}

/// Says that this thread is lost. False if it is not one of ours, or has said so already.
fn give_up(why: impl FnOnce() -> Loss) -> bool {
    let Some(act) = ON_LOSS.take() else { return false };
    if catch_unwind(AssertUnwindSafe(|| act(why()))).is_err() {
        tracing::error!(target: "hookhost::engine", "the host panicked when it lost a hook's thread");
    }
    LOST.set(true);
    true
}

/// What the host's own code does on this thread, such as a store or a subscriber of events, a panic included: below V8 it
/// would cost the hook its thread.
pub(crate) fn of_the_host<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "it panicked".to_owned())
    })
}

/// The signal with which a process ends itself. Where a handler returns, it goes on to do so.
#[cfg(unix)]
#[allow(unsafe_code, reason = "the handler of a signal")]
mod aborts {
    use std::ffi::c_int;
    use std::sync::OnceLock;
    use std::thread;

    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

    use super::{LOST, Loss, give_up, last_panic};

    pub(super) const ARE_HELD_BACK: bool = true;

    /// The handler that was there before.
    static OTHER: OnceLock<SigHandler> = OnceLock::new();

    pub(super) fn hear() {
        // On the stack of the thread: the one for signals is small.
        let action = SigAction::new(SigHandler::Handler(aborting), SaFlags::empty(), SigSet::empty());
        // SAFETY: on a thread that is not lost, the handler only reads variables of its own. It does more where that thread
        // panics: then it is Rust that has raised the signal, from its own code, and all that is left to it is to end.
        if let Ok(before) = unsafe { sigaction(Signal::SIGABRT, &action) } {
            let _ = OTHER.set(before.handler());
        }
    }

    extern "C" fn aborting(signal: c_int) {
        let cannot_begin_to_unwind = || thread::panicking() && give_up(|| Loss::Panic(last_panic()));
        if LOST.get() || cannot_begin_to_unwind() {
            loop {
                nix::unistd::pause();
            }
        }
        if let Some(SigHandler::Handler(other)) = OTHER.get() {
            other(signal);
        }
    }
}

/// There is no such signal: a panic below V8 ends the process.
#[cfg(not(unix))]
mod aborts {
    pub(super) const ARE_HELD_BACK: bool = false;

    pub(super) fn hear() {}
}

/// V8 has a public handler for faults of its own and one for a full heap, but none for an array that is too large. This is
/// the only function that it calls on that way; it is public in V8's C++ and has no binding.
#[cfg(not(windows))]
#[allow(unsafe_code, reason = "a function of V8 without a binding")]
mod last_words {
    unsafe extern "C" {
        /// `v8::base::SetPrintStackTrace(void (*)())`
        #[link_name = "_ZN2v84base18SetPrintStackTraceEPFvvE"]
        fn set_print_stack_trace(print: extern "C" fn());
    }

    pub(super) fn hear(print: extern "C" fn()) {
        // SAFETY: it stores the pointer, in a plain variable, while no isolate exists yet.
        unsafe { set_print_stack_trace(print) }
    }
}

/// The name of the function is another one there: an array that is too large ends the process.
#[cfg(windows)]
mod last_words {
    pub(super) fn hear(_print: extern "C" fn()) {}
}
