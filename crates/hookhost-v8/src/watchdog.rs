//! One thread that looks at the clock for every hook.
//!
//! Running JavaScript cannot look at the clock itself, and a future that polls it cannot either while it polls. So a
//! thread of its own keeps the deadlines in order, sleeps until the next, and tells its owner that the time has come.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Something with a deadline.
pub(crate) trait Deadline: Send + Sync {
    /// The time has come. Returns when to look again, if that is needed.
    ///
    /// Called on the watchdog's thread, which every hook of the engine shares: it must be short.
    fn passed(&self) -> Option<Instant>;
}

/// The queue of deadlines, ordered by time, then by registration.
#[derive(Default)]
struct Queue {
    entries: BTreeMap<Key, Arc<dyn Deadline>>,
    registered: u64,
    /// The deadline that is being told that its time has come, by its number, unless its registration was dropped.
    telling: Option<u64>,
    stopped: bool,
}

type Key = (Instant, u64);

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

impl Shared {
    /// The queue stays usable whatever happened to another holder of the lock.
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The watchdog. Dropping it ends its thread.
pub(crate) struct Watchdog {
    shared: Arc<Shared>,
}

impl Watchdog {
    /// Starts the thread.
    pub(crate) fn start() -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let on_thread = shared.clone();
        std::thread::Builder::new().name("hookhost-watchdog".to_owned()).spawn(move || watch(&on_thread))?;
        Ok(Self { shared })
    }

    /// Calls `deadline` once `at` has passed, unless the registration is dropped before.
    pub(crate) fn register(&self, at: Instant, deadline: Arc<dyn Deadline>) -> Registration {
        Registration { key: self.enqueue(at, deadline), shared: self.shared.clone() }
    }

    /// The same without a registration: `deadline` stays until it needs no further look.
    pub(crate) fn tell(&self, at: Instant, deadline: Arc<dyn Deadline>) {
        self.enqueue(at, deadline);
    }

    fn enqueue(&self, at: Instant, deadline: Arc<dyn Deadline>) -> Key {
        let mut queue = self.shared.queue();
        queue.registered += 1;
        let key = (at, queue.registered);
        let first = queue.entries.first_key_value().is_none_or(|(first, _)| key < *first);
        queue.entries.insert(key, deadline);
        drop(queue);
        if first {
            self.shared.changed.notify_one();
        }
        key
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.queue().stopped = true;
        self.shared.changed.notify_one();
    }
}

/// A deadline in the queue. Dropping it takes it out.
pub(crate) struct Registration {
    key: Key,
    shared: Arc<Shared>,
}

impl Drop for Registration {
    fn drop(&mut self) {
        // One that was looked at again stands under a later time, with the same number.
        let mut queue = self.shared.queue();
        if queue.entries.remove(&self.key).is_none() {
            let number = self.key.1;
            queue.entries.retain(|(_, other), _| *other != number);
            queue.telling = queue.telling.filter(|other| *other != number);
        }
    }
}

fn watch(shared: &Shared) {
    let mut queue = shared.queue();
    while !queue.stopped {
        let now = Instant::now();
        match queue.entries.first_key_value().map(|(key, _)| *key) {
            None => queue = shared.changed.wait(queue).unwrap_or_else(PoisonError::into_inner),
            Some((at, _)) if at > now => {
                let (woken, _) = shared.changed.wait_timeout(queue, at - now).unwrap_or_else(PoisonError::into_inner);
                queue = woken;
            }
            Some(key) => {
                let Some(deadline) = queue.entries.remove(&key) else { continue };
                // The owner is told without the queue's lock: it takes locks of its own, whose holders register here.
                queue.telling = Some(key.1);
                drop(queue);
                // It wakes futures of the embedder's. If one of them panics, the other deadlines still pass.
                let again = catch_unwind(AssertUnwindSafe(|| deadline.passed())).unwrap_or_else(|_| {
                    tracing::error!(target: "hookhost::engine", "whoever waited for a hook panicked when told");
                    None
                });
                queue = shared.queue();
                if let (Some(at), Some(number)) = (again, queue.telling.take()) {
                    queue.entries.insert((at, number), deadline);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    struct Say(&'static str, mpsc::Sender<&'static str>);

    impl Deadline for Say {
        fn passed(&self) -> Option<Instant> {
            let _ = self.1.send(self.0);
            None
        }
    }

    #[test]
    fn deadlines_pass_in_order_of_time_and_dropped_ones_never() {
        let watchdog = Watchdog::start().unwrap();
        let (said, heard) = mpsc::channel();
        let now = Instant::now();
        let in_ms = |ms| now + Duration::from_millis(ms);
        let _late = watchdog.register(in_ms(60), Arc::new(Say("late", said.clone())));
        let _early = watchdog.register(in_ms(20), Arc::new(Say("early", said.clone())));
        let never = watchdog.register(in_ms(40), Arc::new(Say("never", said)));
        drop(never);
        let order: Vec<_> = heard.iter().take(2).collect();
        assert_eq!(order, ["early", "late"]);
        assert!(now.elapsed() >= Duration::from_millis(60));
        assert!(heard.try_recv().is_err());
    }

    struct Again(Mutex<u32>, mpsc::Sender<u32>);

    impl Deadline for Again {
        fn passed(&self) -> Option<Instant> {
            let mut times = self.0.lock().unwrap();
            *times += 1;
            let _ = self.1.send(*times);
            (*times < 3).then(|| Instant::now() + Duration::from_millis(1))
        }
    }

    #[test]
    fn a_deadline_can_ask_to_be_looked_at_again() {
        let watchdog = Watchdog::start().unwrap();
        let (said, heard) = mpsc::channel();
        let registration = watchdog.register(Instant::now(), Arc::new(Again(Mutex::new(0), said)));
        assert_eq!(heard.iter().take(3).collect::<Vec<_>>(), [1, 2, 3]);
        drop(registration);
        assert!(watchdog.shared.queue().entries.is_empty());
    }
}
