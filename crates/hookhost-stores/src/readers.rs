//! Threads that read, so that a hook's own thread never does.
//!
//! ```text
//!   hook's thread                 the store's own threads
//!   Reading (a receiver) <------- reader 1..n: takes reads from the queue, one at a time
//!                        <------- clock: fails a read whose time is up, queued or under way
//! ```
//!
//! What is polled on the hook's thread only waits for a message. A reader that is stuck in the operating system holds
//! nobody for longer than the timeout: the clock answers in its place.

use std::collections::VecDeque;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use std::{io, thread};

use hookhost_contract::StoreError;
use tokio::sync::oneshot;

/// A few threads, each with a `W` of its own, such as a connection.
pub(crate) struct Readers<W> {
    shared: Arc<Shared<W>>,
    timeout: Duration,
}

/// When a read has to end.
pub(crate) struct Stop {
    given_up: AtomicBool,
    deadline: Instant,
}

impl Stop {
    /// Whether nobody waits for the answer any more.
    #[cfg(any(test, feature = "sqlite"))]
    pub(crate) fn now(&self) -> bool {
        self.given_up.load(Ordering::Relaxed) || self.time_left().is_zero()
    }

    /// How long the read may still take.
    pub(crate) fn time_left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
}

/// Whoever waits for a read. The first answer counts.
trait Waiting: Send + Sync {
    fn fail(&self, error: StoreError);
}

struct Reply<T>(Mutex<Option<oneshot::Sender<Result<T, StoreError>>>>);

impl<T> Reply<T> {
    fn send(&self, answer: Result<T, StoreError>) {
        if let Some(sender) = lock(&self.0).take() {
            // Nobody waits any more: then nobody misses the answer.
            let _ = sender.send(answer);
        }
    }
}

impl<T: Send> Waiting for Reply<T> {
    fn fail(&self, error: StoreError) {
        self.send(Err(error));
    }
}

struct Job<W> {
    store: String,
    stop: Arc<Stop>,
    waiting: Arc<dyn Waiting>,
    run: Run<W>,
}

/// Reads with a reader's `W`, and sends the answer.
type Run<W> = Box<dyn FnOnce(&mut W, &Arc<Stop>) + Send>;

/// A read that a reader has taken from the queue.
struct UnderWay {
    store: String,
    stop: Arc<Stop>,
    waiting: Arc<dyn Waiting>,
}

struct State<W> {
    queue: VecDeque<Job<W>>,
    /// One place for each reader.
    under_way: Vec<Option<UnderWay>>,
    /// The clock sleeps until somebody wakes it.
    clock_is_idle: bool,
    closed: bool,
}

struct Shared<W> {
    state: Mutex<State<W>>,
    /// For the readers: there is work, or the end.
    work: Condvar,
    /// For the clock: there is a deadline, or the end.
    time: Condvar,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<W: 'static> Readers<W> {
    /// Starts `threads` readers. Each makes its `W` itself, again if a read has panicked.
    ///
    /// # Errors
    /// The operating system gives no thread.
    pub(crate) fn start(
        threads: usize,
        timeout: Duration,
        make: impl Fn() -> W + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let state = State {
            queue: VecDeque::new(),
            under_way: (0..threads).map(|_| None).collect(),
            clock_is_idle: false,
            closed: false,
        };
        let shared = Arc::new(Shared { state: Mutex::new(state), work: Condvar::new(), time: Condvar::new() });
        // Made before the threads: when one of them cannot be started, dropping this ends the others.
        let readers = Self { shared, timeout };
        let make = Arc::new(make);
        for place in 0..threads {
            let (shared, make) = (readers.shared.clone(), make.clone());
            thread::Builder::new()
                .name("hookhost-store".to_owned())
                .spawn(move || shared.read_until_closed(place, &*make))?;
        }
        let shared = readers.shared.clone();
        thread::Builder::new().name("hookhost-store-clock".to_owned()).spawn(move || shared.watch_the_time(timeout))?;
        Ok(readers)
    }

    /// Has a reader run `read`, which should end soon once [`Stop::now`] says so. `store` is for messages.
    pub(crate) fn read<T: Send + 'static>(
        &self,
        store: &str,
        read: impl FnOnce(&mut W, &Arc<Stop>) -> Result<T, StoreError> + Send + 'static,
    ) -> Reading<T> {
        let (sender, receiver) = oneshot::channel();
        let reply = Arc::new(Reply(Mutex::new(Some(sender))));
        let stop = Arc::new(Stop { given_up: AtomicBool::new(false), deadline: deadline(self.timeout) });
        let job = Job {
            store: store.to_owned(),
            stop: stop.clone(),
            waiting: reply.clone(),
            run: Box::new(move |worker, stop| reply.send(read(worker, stop))),
        };
        let mut state = lock(&self.shared.state);
        state.queue.push_back(job);
        self.shared.work.notify_one();
        // Deadlines only grow, so a clock that waits for one of them wakes early enough.
        if state.clock_is_idle {
            self.shared.time.notify_one();
        }
        Reading { receiver, stop }
    }
}

impl<W> Drop for Readers<W> {
    /// Ends the threads as soon as each can. Waiting for them could mean waiting for one that is stuck.
    fn drop(&mut self) {
        let mut state = lock(&self.shared.state);
        state.closed = true;
        state.queue.clear();
        for read in state.under_way.iter().flatten() {
            read.stop.given_up.store(true, Ordering::Relaxed);
        }
        self.shared.work.notify_all();
        self.shared.time.notify_all();
    }
}

impl<W> Shared<W> {
    fn read_until_closed(&self, place: usize, make: &dyn Fn() -> W) {
        let mut worker = make();
        while let Some(job) = self.next_job(place) {
            // A read that panics fails; the reader lives on, but what it read with is in an unknown state.
            if catch_unwind(AssertUnwindSafe(|| (job.run)(&mut worker, &job.stop))).is_err() {
                job.waiting
                    .fail(StoreError(format!("the read of `{}` panicked: this is a fault of hookhost", job.store)));
                worker = make();
            }
            lock(&self.state).under_way[place] = None;
        }
    }

    fn next_job(&self, place: usize) -> Option<Job<W>> {
        let mut state = lock(&self.state);
        loop {
            if state.closed {
                return None;
            }
            match state.queue.pop_front() {
                Some(job) if job.stop.given_up.load(Ordering::Relaxed) => {}
                Some(job) => {
                    let (store, stop, waiting) = (job.store.clone(), job.stop.clone(), job.waiting.clone());
                    state.under_way[place] = Some(UnderWay { store, stop, waiting });
                    return Some(job);
                }
                None => state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn watch_the_time(&self, timeout: Duration) {
        let mut state = lock(&self.state);
        while !state.closed {
            let mut late = Vec::new();
            while state.queue.front().is_some_and(|job| job.stop.time_left().is_zero()) {
                late.extend(state.queue.pop_front().map(|job| (job.store, job.waiting)));
            }
            for place in &mut state.under_way {
                if let Some(read) = place.take_if(|read| read.stop.time_left().is_zero()) {
                    late.push((read.store, read.waiting));
                }
            }
            if !late.is_empty() {
                drop(state);
                for (store, waiting) in late {
                    waiting.fail(too_slow(&store, timeout));
                }
                state = lock(&self.state);
                continue;
            }
            let under_way = state.under_way.iter().flatten().map(|read| &read.stop);
            let next = state.queue.front().map(|job| &job.stop).into_iter().chain(under_way);
            let next = next.map(|stop| stop.time_left()).min();
            state.clock_is_idle = next.is_none();
            state = match next {
                None => self.time.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(next) => self.time.wait_timeout(state, next).unwrap_or_else(PoisonError::into_inner).0,
            };
            state.clock_is_idle = false;
        }
    }
}

/// When a read that begins now has to have ended.
pub(crate) fn deadline(timeout: Duration) -> Instant {
    let now = Instant::now();
    // A timeout that no clock can hold is no timeout; a year is none either.
    now.checked_add(timeout).unwrap_or(now + Duration::from_secs(365 * 24 * 60 * 60))
}

/// What a read fails with whose time is up.
pub(crate) fn too_slow(store: &str, timeout: Duration) -> StoreError {
    StoreError(format!(
        "no answer from `{store}` within {timeout:?}: filter by fields that have an index, or raise the store's read timeout"
    ))
}

/// What a read fails with when its store has no threads any more.
pub(crate) fn ended(store: &str) -> StoreError {
    StoreError(format!("the store behind `{store}` was closed during the read: keep it as long as it is read"))
}

/// Waits for the answer to a read. Dropping it ends the read.
pub(crate) struct Reading<T> {
    receiver: oneshot::Receiver<Result<T, StoreError>>,
    stop: Arc<Stop>,
}

impl<T> Future for Reading<T> {
    /// `None` if the store has ended.
    type Output = Option<Result<T, StoreError>>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.receiver).poll(cx).map(Result::ok)
    }
}

impl<T> Drop for Reading<T> {
    fn drop(&mut self) {
        self.stop.given_up.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    const LONG: Duration = Duration::from_secs(600);

    #[tokio::test]
    async fn a_stuck_reader_holds_nobody_for_longer_than_the_timeout() {
        let readers = Readers::start(1, Duration::from_millis(50), || ()).unwrap();
        let (release, released) = mpsc::channel::<()>();
        let stuck = readers.read("members", move |(), _| {
            let _ = released.recv();
            Ok(())
        });
        let queued = readers.read("members", |(), _| Ok(()));
        let message = "no answer from `members` within 50ms: filter by fields that have an index, \
                       or raise the store's read timeout";
        assert_eq!(stuck.await.unwrap().unwrap_err().to_string(), message);
        assert_eq!(queued.await.unwrap().unwrap_err().to_string(), message);
        assert!(lock(&readers.shared.state).queue.is_empty(), "what is late does not stay in the queue");
        release.send(()).unwrap();
        // It may take the reader some time to come back: until it has, reads are late.
        while readers.read("members", |(), _| Ok(())).await.unwrap().is_err() {}
    }

    #[tokio::test]
    async fn who_gives_up_ends_the_read() {
        let readers = Readers::start(1, LONG, || ()).unwrap();
        let (started, has_started) = mpsc::channel();
        let given_up = readers.read("members", move |(), stop| {
            let _ = started.send(());
            while !stop.now() {
                thread::yield_now();
            }
            Ok(())
        });
        has_started.recv().unwrap();
        drop(given_up);
        assert_eq!(readers.read("members", |(), _| Ok(7)).await, Some(Ok(7)));
    }

    #[tokio::test]
    async fn what_nobody_waits_for_is_not_begun() {
        let readers = Readers::start(1, LONG, || ()).unwrap();
        let (release, released) = mpsc::channel::<()>();
        let first = readers.read("members", move |(), _| {
            let _ = released.recv();
            Ok(())
        });
        let (begun, has_begun) = mpsc::channel();
        drop(readers.read("members", move |(), _| {
            let _ = begun.send(());
            Ok(())
        }));
        release.send(()).unwrap();
        first.await.unwrap().unwrap();
        readers.read("members", |(), _| Ok(())).await.unwrap().unwrap();
        assert!(has_begun.try_recv().is_err());
    }

    #[tokio::test]
    async fn a_read_that_panics_fails_and_the_next_one_starts_afresh() {
        let readers = Readers::start(1, LONG, || 1).unwrap();
        let failed = readers.read("members", |number, _| -> Result<(), StoreError> {
            *number = 2;
            panic!("on purpose")
        });
        let error = failed.await.unwrap().unwrap_err();
        assert_eq!(error.to_string(), "the read of `members` panicked: this is a fault of hookhost");
        assert_eq!(readers.read("members", |number, _| Ok(*number)).await, Some(Ok(1)));
    }

    #[tokio::test]
    async fn the_threads_end_with_the_store() {
        // Each reader's `W` holds one, so that it shows when the threads are gone.
        let held = Arc::new(());
        let readers = {
            let held = held.clone();
            Readers::start(3, LONG, move || held.clone()).unwrap()
        };
        let open = readers.read("members", |_, stop| {
            while !stop.now() {
                thread::yield_now();
            }
            Ok(())
        });
        drop(readers);
        // Either it was under way and ended, or it was never begun.
        assert!(matches!(open.await, None | Some(Ok(()))));
        while Arc::strong_count(&held) > 1 {
            thread::yield_now();
        }
    }
}
