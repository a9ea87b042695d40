//! One hook of a chain, and which calls it is asked about.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use hookhost_contract::{FailPolicy, JsonObject, Manifest, Mode, Point};

use crate::{BadGlob, Permit, RunHook, ToolMatcher};

/// One hook of a chain.
#[derive(Clone)]
pub struct ChainHook {
    /// The name that records and messages use.
    pub name: String,
    /// Where it is asked.
    pub points: Vec<Point>,
    /// What its failure means. Default: the point's own.
    pub fail_policy: Option<FailPolicy>,
    /// Hooks are asked in ascending order.
    pub priority: f64,
    /// Its place among the hooks that the project ordered by name; those come before all others.
    pub rank: Option<usize>,
    /// Which tools it is asked about, at the points that have one. `None`: all.
    pub matcher: Option<ToolMatcher>,
    /// Whether it decides or only watches.
    pub mode: Mode,
    /// Which answers it may give. [`ChainHook::new`] permits all of them.
    pub permit: Permit,
    /// How long one call may take.
    pub timeout: Duration,
    /// What runs it.
    pub engine: Arc<dyn RunHook>,
}

impl ChainHook {
    /// A hook as its manifest describes it. The manifest's own time limit comes before `timeout`, the host's. A `match`
    /// without any glob filters nothing.
    ///
    /// # Errors
    /// A glob of the manifest's `match` cannot be read.
    pub fn new(
        name: impl Into<String>,
        manifest: &Manifest,
        rank: Option<usize>,
        timeout: Duration,
        engine: Arc<dyn RunHook>,
    ) -> Result<Self, BadGlob> {
        let name = name.into();
        let globs = manifest.matches.as_ref().map(|matches| &matches.tool_name);
        let matcher =
            globs.filter(|globs| !globs.is_empty()).map(|globs| ToolMatcher::new(&name, globs)).transpose()?;
        Ok(Self {
            name,
            points: manifest.points.clone(),
            fail_policy: manifest.fail_policy,
            priority: manifest.priority,
            rank,
            matcher,
            mode: manifest.mode(),
            permit: Permit::everything(),
            timeout: manifest.timeout().unwrap_or(timeout),
            engine,
        })
    }

    /// What a failure of this hook means at `point`.
    pub fn fail_policy_at(&self, point: &Point) -> FailPolicy {
        self.fail_policy.unwrap_or_else(|| point.default_fail_policy())
    }

    /// Whether this hook is asked about a call: it is bound to the point, and its globs fit the tool's name. A payload
    /// that names no tool is never filtered out: a filter must not let a call slip past a guard.
    pub fn is_asked(&self, point: &Point, payload: &JsonObject) -> bool {
        self.points.contains(point)
            && match (&self.matcher, point.tool_name(payload)) {
                (Some(matcher), Some(tool_name)) => matcher.matches(tool_name),
                _ => true,
            }
    }

    pub(crate) fn order(&self, other: &Self) -> Ordering {
        call_order((self.rank, self.priority), (other.rank, other.priority))
    }
}

/// The order of a chain, for a stable sort over the order of loading: hooks that the project ranks, by rank; then the
/// others, by priority. Each hook is given as its rank and its priority.
pub fn call_order(one: (Option<usize>, f64), other: (Option<usize>, f64)) -> Ordering {
    let ranked = |(rank, _): (Option<usize>, f64)| (rank.is_none(), rank);
    // Adding zero turns -0 into 0, which `total_cmp` would put first.
    ranked(one).cmp(&ranked(other)).then_with(|| (one.1 + 0.0).total_cmp(&(other.1 + 0.0)))
}

impl fmt::Debug for ChainHook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChainHook")
            .field("name", &self.name)
            .field("points", &self.points)
            .field("fail_policy", &self.fail_policy)
            .field("priority", &self.priority)
            .field("rank", &self.rank)
            .field("mode", &self.mode)
            .field("permit", &self.permit)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}
