//! The thread that V8 belongs to.
//!
//! On processors with memory protection keys, V8 protects its memory from every thread that does not descend from the
//! one that initialised it. So one thread initialises V8, lives as long as the process, and starts all isolate threads.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, SendError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use deno_core::JsRuntime;
use deno_core::v8::V8;

use crate::lost;

/// V8 uses about one megabyte of it; the rest is for Rust below V8, in debug builds too.
const STACK_BYTES: usize = 8 << 20;

/// Where this phase of the optimizing compiler finds a loop of few rounds inside another, it may drop the check of the
/// outer one that asks whether to go on: `while (true) new Array(1000).fill(1.5)` then cannot be ended by anyone.
///
/// One memory of WebAssembly may have 256 MiB: those that are seen are counted (`js/wasm_memory.js`), but one may be hidden
/// inside a module.
const FLAGS: &str = "--no-turboshaft-loop-unrolling --wasm-max-mem-pages=4096";

/// Of each hook, beside its own.
const BLOCKING_THREADS: usize = 4;

type Work = Box<dyn FnOnce() + Send>;

type Started = io::Result<JoinHandle<()>>;

struct Job {
    name: String,
    work: Work,
    started: Box<dyn FnOnce(Started) + Send>,
}

static JOBS: Mutex<Option<Sender<Job>>> = Mutex::new(None);

/// Starts a thread that may run isolates.
pub(crate) fn spawn(name: String, work: impl FnOnce() + Send + 'static) -> Started {
    let (started, starting) = mpsc::channel();
    spawn_then(name, work, move |thread| {
        // Whoever asked is waiting for this answer.
        let _ = started.send(thread);
    });
    starting.recv().map_err(|_| gone())?
}

/// Starts a thread that may run isolates, and does not wait for that. `started` is called with it, on V8's own thread.
pub(crate) fn spawn_then(
    name: String,
    work: impl FnOnce() + Send + 'static,
    started: impl FnOnce(Started) + Send + 'static,
) {
    let job = Job { name, work: Box::new(work), started: Box::new(started) };
    match jobs() {
        Ok(jobs) => {
            if let Err(SendError(job)) = jobs.send(job) {
                (job.started)(Err(gone()));
            }
        }
        Err(error) => (job.started)(Err(error)),
    }
}

/// The runtime of an isolate's thread. What hooks do on threads beside it (looking up host names, deriving keys) cannot be
/// ended: it is few at a time.
pub(crate) fn runtime() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(BLOCKING_THREADS)
        .thread_stack_size(STACK_BYTES)
        .build()
}

fn jobs() -> io::Result<Sender<Job>> {
    let mut jobs = JOBS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(jobs) = jobs.as_ref() {
        return Ok(jobs.clone());
    }
    let (sender, receiver) = mpsc::channel::<Job>();
    thread::Builder::new().name("hookhost-v8".to_owned()).spawn(move || {
        V8::set_flags_from_string(FLAGS);
        JsRuntime::init_platform(None);
        lost::watch_process();
        for job in receiver {
            let thread = thread::Builder::new().name(job.name).stack_size(STACK_BYTES).spawn(job.work);
            // It may call a subscriber of the embedder's. All hooks' threads come from here.
            if catch_unwind(AssertUnwindSafe(|| (job.started)(thread))).is_err() {
                tracing::error!(target: "hookhost::engine", "whoever started a hook's thread panicked");
            }
        }
    })?;
    Ok(jobs.insert(sender).clone())
}

fn gone() -> io::Error {
    io::Error::other("V8's own thread has ended")
}
