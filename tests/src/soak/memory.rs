//! What the process uses, and whether that grows.

use std::time::Duration;

/// How much of the soak, on each side of a mark, is looked at to say what was used there.
const WINDOW: f64 = 0.1;

/// What the process used at one time.
#[derive(Debug, Clone, Copy)]
struct Sample {
    at: Duration,
    resident: usize,
    threads: Option<usize>,
}

/// What the process used from the start on.
#[derive(Default)]
pub(super) struct Samples {
    all: Vec<Sample>,
}

/// Memory at three times, in bytes, and threads.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Memory {
    /// Resident at the start, with the long-lived host built.
    pub start: usize,
    /// Resident after the first quarter: the median around that time.
    pub quarter: usize,
    /// Resident at the end: the median of the last part.
    pub end: usize,
    /// Threads after the first quarter and at the end, where the system tells.
    pub threads: Option<(usize, usize)>,
}

impl Memory {
    /// Growth of the resident memory since the first quarter, in percent.
    pub fn growth(&self) -> f64 {
        (self.end as f64 / self.quarter.max(1) as f64 - 1.0) * 100.0
    }
}

impl Samples {
    /// Looks at what is used now, `at` after the start.
    pub(super) fn take(&mut self, at: Duration) {
        let Some(usage) = memory_stats::memory_stats() else { return };
        self.all.push(Sample { at, resident: usage.physical_mem, threads: threads() });
    }

    /// The last that was taken, in bytes.
    pub(super) fn last(&self) -> usize {
        self.all.last().map_or(0, |sample| sample.resident)
    }

    /// Sums up a soak that took `whole`, after a warm-up of `warm_up`.
    ///
    /// Neither the warm-up nor the first quarter counts: until then V8 compiles what is used often, heaps grow to the size
    /// at which they are collected, the allocator gets the memory that it will keep, and every hook has been broken and
    /// rebuilt. After that the curve is level and jagged, since a heap is full now and then. So neither a single sample
    /// nor the highest one says anything, and the medians of many are compared.
    ///
    /// glibc gives each thread that finds the others busy an arena of its own, up to eight for each processor, and each
    /// arena keeps what it once got. Where threads come and go, that alone takes minutes to level out, and hides what the
    /// program does. So `cargo xtask soak` allows two arenas.
    pub(super) fn sum_up(&self, warm_up: Duration, whole: Duration) -> Memory {
        let from_to = |from: f64, to: f64| {
            let (from, to) = (warm_up + whole.mul_f64(from), warm_up + whole.mul_f64(to));
            self.all.iter().filter(move |sample| sample.at >= from && sample.at <= to)
        };
        let around = |mark: f64| from_to(mark - WINDOW, mark + WINDOW);
        let last = || from_to(1.0 - 2.0 * WINDOW, 2.0);
        Memory {
            start: self.all.first().map_or(0, |sample| sample.resident),
            quarter: median(around(0.25).map(|sample| sample.resident)),
            end: median(last().map(|sample| sample.resident)),
            threads: threads().map(|_| {
                (
                    median(around(0.25).filter_map(|sample| sample.threads)),
                    median(last().filter_map(|sample| sample.threads)),
                )
            }),
        }
    }
}

/// The one in the middle; 0 of none.
fn median(values: impl Iterator<Item = usize>) -> usize {
    let mut values: Vec<_> = values.collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// The threads of this process, where the system tells: on Linux.
fn threads() -> Option<usize> {
    Some(std::fs::read_dir("/proc/self/task").ok()?.count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_medians_around_the_marks_are_compared() {
        let mut samples = Samples::default();
        let mut take = |second: u64, resident| {
            samples.all.push(Sample { at: Duration::from_secs(second), resident, threads: None });
        };
        // Whatever the warm-up does is not looked at.
        (0..20).for_each(|second| take(second, 1000 + 500 * second as usize));
        for second in 0..=100 {
            // A spike at every tenth second, and growth by half over the whole.
            let resident = if second % 10 == 5 { 100_000 } else { 1000 + second * 5 };
            take(20 + second as u64, resident);
        }
        let memory = samples.sum_up(Duration::from_secs(20), Duration::from_secs(100));
        assert_eq!((memory.start, memory.quarter, memory.end), (1000, 1135, 1455));
        assert!((memory.growth() - 28.19).abs() < 0.1, "{}", memory.growth());
    }

    #[test]
    fn nothing_measured_is_no_growth_to_report() {
        let memory = Samples::default().sum_up(Duration::ZERO, Duration::from_secs(1));
        assert_eq!((memory.start, memory.quarter, memory.end), (0, 0, 0));
    }
}
