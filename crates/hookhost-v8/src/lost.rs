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
//! The functions of Deno that a hook calls may panic: there are a thousand of them, and some take for granted what a hook
//! can change. The panic hook tells, and another thread takes the hook over at once. Then the panic unwinds and gives back on
//! that way what it holds. Where it comes to Rust's own code, the thread ends by itself. Where it comes to V8, it cannot go
//! further, and Rust ends the process with the signal SIGABRT: on the thread of a hook that has panicked, the handler of that
//! signal does not return, and the thread stays there. It must not stay in the panic hook: everybody who sets another one
//! would wait.

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
    /// Another thread has taken the hook over: this one must not end the process.
    static LOST: Cell<bool> = const { Cell::new(false) };
    /// What runs now may panic, and that is caught.
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
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
        // The panic that has cost the hook its thread was told of.
        if aborts::ARE_HELD_BACK && LOST.get() && panic.payload_as_str() == Some(CANNOT_UNWIND) {
            return;
        }
        others(panic);
        if !EXPECTED.get() {
            give_up(|| Loss::Panic(panic.to_string()));
        }
    }));
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
    LOST.set(true);
    if catch_unwind(AssertUnwindSafe(|| act(why()))).is_err() {
        tracing::error!(target: "hookhost::engine", "the host panicked when it lost a hook's thread");
    }
    true
}

/// What may panic without costing the hook its thread, such as a store or a subscriber of events of the host's.
pub(crate) fn expecting_panics<T>(work: impl FnOnce() -> T) -> thread::Result<T> {
    let before = EXPECTED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    EXPECTED.set(before);
    done
}

/// What the host's own code does on this thread, or what it said when it panicked.
pub(crate) fn of_the_host<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    expecting_panics(work).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "it panicked".to_owned())
    })
}

/// The signal with which a process ends itself.
#[cfg(unix)]
#[allow(unsafe_code, reason = "the handler of a signal")]
mod aborts {
    use std::ffi::{c_int, c_void};
    use std::sync::OnceLock;

    use nix::libc::siginfo_t;
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, raise, sigaction};
    use nix::unistd::{getpid, pause};

    use super::LOST;

    pub(super) const ARE_HELD_BACK: bool = true;

    /// The handler that was there before.
    static OTHER: OnceLock<SigHandler> = OnceLock::new();

    pub(super) fn hear() {
        let action = SigAction::new(SigHandler::SigAction(aborting), SaFlags::SA_SIGINFO, SigSet::empty());
        // SAFETY: the handler reads variables that need no lock, and calls what handlers may call.
        if let Ok(before) = unsafe { sigaction(Signal::SIGABRT, &action) } {
            let _ = OTHER.set(before.handler());
        }
    }

    extern "C" fn aborting(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
        // SAFETY: the system passes it, and a signal that a process sends has a sender.
        let is_own = unsafe { info.as_ref().is_some_and(|info| info.si_pid() == getpid().as_raw()) };
        while is_own && LOST.get() {
            pause();
        }
        match OTHER.get() {
            Some(SigHandler::Handler(other)) => other(signal),
            Some(SigHandler::SigAction(other)) => other(signal, info, context),
            Some(SigHandler::SigIgn) => {}
            Some(SigHandler::SigDfl) | None => {
                let default = SigAction::new(SigHandler::SigDfl, SaFlags::empty(), SigSet::empty());
                // SAFETY: no handler is set. The signal is blocked until this one returns, and ends the process then.
                let _ = unsafe { sigaction(Signal::SIGABRT, &default) };
                let _ = raise(Signal::SIGABRT);
            }
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
