//! The command line's words.

mod serve;

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use hookhost::{Point, Sandbox, Tier};

use self::serve::{SERVE_HELP, TOKEN_HELP};
pub(crate) use self::serve::{Serve, Token};

const EXIT_CODES: &str = "\
Exit codes:
  0  fine; `run` decided allow, modify or inject
  1  `check` has findings, or the project is broken
  2  the command or its input was not understood
  3  `run` decided ask
  4  `run` decided block";

/// Runs an AI agent's JavaScript hooks and merges their answers into one decision.
#[derive(Debug, Parser)]
#[command(name = "hookhost", version, after_help = EXIT_CODES, propagate_version = true)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The tier in which hooks written for Node run unchanged, where this program has it.
const DEFAULT_TIER: Tier = if cfg!(feature = "node") { Tier::Node } else { Tier::Web };

/// What every command takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Global {
    /// The project's folder: it has hooks/, and perhaps amodal.json [default: .]
    #[arg(long, global = true, value_name = "DIR")]
    project: Option<PathBuf>,
    /// How the answer is printed
    #[arg(long, global = true, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
    /// What the capabilities in hook.json mean: advisory, they state intent; enforced, a hook fails without the one it
    /// needs
    #[arg(long, global = true, value_name = "SANDBOX", default_value_t = Sandbox::Advisory, value_parser = sandboxes())]
    pub(crate) sandbox: Sandbox,
    /// What hooks find around them: web, what a service worker has; node, what Node has too
    #[arg(long, global = true, value_name = "TIER", default_value_t = DEFAULT_TIER,
        value_parser = tiers())]
    pub(crate) tier: Tier,
    /// Log to stderr: off, error, warn, info, debug, trace [default: off; for serve info]
    #[arg(long, global = true, value_name = "LEVEL", value_parser = ["off", "error", "warn", "info", "debug", "trace"],
        hide_possible_values = true)]
    pub(crate) log: Option<String>,
}

impl Global {
    /// The project's folder.
    pub(crate) fn project(&self) -> &Path {
        self.named_project().unwrap_or(Path::new("."))
    }

    /// The same, if the command line names it.
    pub(crate) fn named_project(&self) -> Option<&Path> {
        self.project.as_deref()
    }
}

/// How an answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Human,
    /// For programs
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Look for mistakes in the project's hooks
    Check(Check),
    /// List the project's hooks, in the order in which they are called
    List,
    /// Ask the hooks about one call and print their decision
    #[command(after_help = RUN_HELP)]
    Run(Run),
    /// Run fixtures: calls of the hooks, and what must come of them
    #[command(after_help = TEST_HELP)]
    Test(Test),
    /// Measure how long each hook takes, on its own fixtures
    #[command(after_help = BENCH_HELP)]
    Bench(Bench),
    /// Watch the project: reload each hook that changes, and run its fixtures again
    #[command(after_help = DEV_HELP)]
    Dev(Dev),
    /// Write a new hook: folder, manifest, handler with types, and fixtures that pass
    #[command(after_help = NEW_HELP)]
    New(New),
    /// Write the types and schemas that editors complete hooks with: hookhost.d.ts and schemas/
    Types,
    /// Talk to a model whose tools the project's hooks guard
    #[command(after_help = CHAT_HELP)]
    Chat(Chat),
    /// Answer over HTTP: inspect, test, decide, and a page for people
    #[command(after_help = SERVE_HELP)]
    Serve(Serve),
    /// Make a token for `serve`
    #[command(after_help = TOKEN_HELP)]
    Token(Token),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example, for bash:\n  hookhost completions bash > ~/.local/share/bash-completion/completions/hookhost"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// What `check` takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    /// Only what a deployment refuses: local folders whose hook.json is invalid or that have no handler. No hook is
    /// started, and packages are not judged
    #[arg(long)]
    pub(crate) strict: bool,
}

const RUN_HELP: &str = r#"Payloads, by point:
  preInput     {"text": "...", "source": "chat"}
  preToolUse   {"toolName": "...", "args": {}}
  postToolUse  {"toolName": "...", "args": {}, "result": {}, "isError": false}
  preOutput    {"text": "...", "channels": ["chat"]}
  postTurn     {"text": "...", "toolCalls": [], "usage": {}}

Examples:
  hookhost run preToolUse --payload call.json
  echo '{"text": "hello"}' | hookhost run preInput --payload - --format json
  hookhost run preToolUse --payload call.json --hook spend-approval --store stores.json --caller user=u1

Exit codes: 0 allow, modify or inject; 3 ask; 4 block; 1 the project is broken; 2 the input was not understood."#;

/// What `run` takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Run {
    /// Where in the turn the call is made: preInput, preToolUse, postToolUse, preOutput or postTurn
    #[arg(value_name = "POINT")]
    pub(crate) point: Point,
    /// The payload, a JSON object: a file, or - for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) payload: PathBuf,
    /// Ask only this hook
    #[arg(long, value_name = "NAME")]
    pub(crate) hook: Option<String>,
    #[command(flatten)]
    pub(crate) ctx: Ctx,
    #[command(flatten)]
    pub(crate) record: Record,
}

/// Whether decisions are kept.
#[derive(Debug, clap::Args)]
pub(crate) struct Record {
    /// Keep each decision: a folder gets a fixture file for each and all of them in calls.jsonl; a name that ends in
    /// .jsonl is a file that gets a line for each
    #[arg(long, value_name = "DIR|FILE.jsonl")]
    pub(crate) record: Option<PathBuf>,
    /// Values under this key are kept as [redacted], as are those under `password`, `token`, `apiKey` and the like;
    /// repeatable
    #[arg(long, value_name = "KEY", requires = "record")]
    pub(crate) redact: Vec<String>,
}

/// What hooks find in `ctx`.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Ctx {
    /// ctx.scopeId
    #[arg(long, value_name = "ID")]
    pub(crate) scope_id: Option<String>,
    /// One entry of ctx.context; repeatable
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair)]
    pub(crate) context: Vec<(String, String)>,
    /// A field of ctx.caller: user=ID, source=NAME or org=ID; repeatable
    #[arg(long, value_name = "FIELD=VALUE", value_parser = caller_field)]
    pub(crate) caller: Vec<(CallerField, String)>,
    /// What ctx.store reads: a JSON file {"<store>": {"<key>": {row}}}, a folder of <store>.json, an SQLite database, or a
    /// PostgreSQL database postgres://...
    #[arg(long, value_name = "PATH|URL")]
    pub(crate) store: Option<PathBuf>,
    /// Expose a variable of the environment in ctx.env, or a value of its own; repeatable
    #[arg(long, value_name = "NAME[=VALUE]")]
    pub(crate) env: Vec<String>,
}

const TEST_HELP: &str = r#"A fixture, in hooks/<name>/<name>.fixture.json or anywhere else in the project:
  { "point": "preInput", "hook": "greeter", "payload": { "text": "hello" },
    "expect": { "action": "block", "reason": "a part of it, or /regex/" } }

A hook that fails is a failure of its fixture, unless `expect` says so: "failure": "threw".

Examples:
  hookhost test
  hookhost test hooks/greeter --filter "is blocked"
  hookhost test --coverage --min-coverage 90
  hookhost test --junit report.xml --github                    in CI
  hookhost test --update                                       then read the difference
  hookhost test --replay recorded/calls.jsonl

Exit codes: 0 all passed; 1 some did not, there were none, or the project is broken; 2 the input was not understood."#;

/// Which fixtures are meant, and what hooks find around them.
#[derive(Debug, clap::Args)]
pub(crate) struct Fixtures {
    /// Fixture files, or folders with some in them [default: the project's folder]. Each file belongs to the nearest
    /// project above it, unless --project names one
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Only fixtures whose `<file> > <name> (<hook>)` has this in it; or fits it, if it stands between slashes
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Option<String>,
    /// What ctx.store reads in fixtures without `stores`: as for `run`
    #[arg(long, value_name = "PATH")]
    pub(crate) store: Option<PathBuf>,
    /// Expose a variable of the environment in ctx.env, or a value of its own; repeatable
    #[arg(long, value_name = "NAME[=VALUE]")]
    pub(crate) env: Vec<String>,
}

/// What `test` takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Test {
    #[command(flatten)]
    pub(crate) given: Fixtures,
    /// Name the fixtures that pass, too, with what their hooks logged
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// Stop at the first fixture that does not pass
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// Write what came of the calls into the fixtures that do not pass, and into those without `expect`
    #[arg(long, conflicts_with = "watch")]
    pub(crate) update: bool,
    /// Go on: run again what a change on disk touches, until ctrl-c
    #[arg(long, conflicts_with_all = ["junit", "coverage", "lcov", "min_coverage"])]
    pub(crate) watch: bool,
    /// How many files are run side by side [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) jobs: Option<usize>,
    /// Write a JUnit report, too
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Print annotations for GitHub Actions, too. There it is the default
    #[arg(long, env = "GITHUB_ACTIONS", hide_env_values = true)]
    pub(crate) github: bool,
    /// Say which lines and functions of the hooks have run, and write coverage/lcov.info
    #[arg(long)]
    pub(crate) coverage: bool,
    /// Where coverage is written as lcov; implies --coverage
    #[arg(long, value_name = "FILE")]
    pub(crate) lcov: Option<PathBuf>,
    /// Exit with 1 if a hook file has fewer of its lines covered; implies --coverage
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub(crate) min_coverage: Option<f64>,
    /// Run recorded calls, and list the decisions that have changed: the folder of `run --record`, or a *.jsonl file;
    /// repeatable
    #[arg(long, value_name = "FILE", conflicts_with_all = ["update", "paths"])]
    pub(crate) replay: Vec<PathBuf>,
}

impl Test {
    /// Recorded calls are run.
    pub(crate) fn is_replay(&self) -> bool {
        !self.replay.is_empty()
    }
}

const BENCH_HELP: &str = r#"Each hook is called alone, again and again, with the payloads of its own fixtures and of those of the whole chain at
its points. Fixtures that expect a failure are left out. Compare numbers of one machine only.

Examples:
  hookhost bench
  hookhost bench --hook pii-redactor --seconds 5 --format json

Exit codes: 0 measured; 1 there was nothing to measure, or a hook cannot be started; 2 the input was not understood."#;

/// What `bench` takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Bench {
    #[command(flatten)]
    pub(crate) given: Fixtures,
    /// Measure only this hook
    #[arg(long, value_name = "NAME")]
    pub(crate) hook: Option<String>,
    /// How long each hook is measured, in seconds
    #[arg(long, value_name = "N", default_value = "1", value_parser = seconds)]
    pub(crate) seconds: f64,
}

const DEV_HELP: &str = r#"Starts the project's hooks and watches its files. A hook that changes is started again in a fresh isolate and takes the
place of the old one; if it cannot be started, the last good version goes on answering. Then its fixtures are run.

Example:
  hookhost dev --store fixtures/stores/members.json

Ends with ctrl-c. With --format json each line of events is an object of its own."#;

/// What `dev` takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Dev {
    #[command(flatten)]
    pub(crate) given: Fixtures,
}

impl Dev {
    /// What hooks find in `ctx` beside what fixtures say.
    pub(crate) fn ctx(&self) -> Ctx {
        Ctx { store: self.given.store.clone(), env: self.given.env.clone(), ..Ctx::default() }
    }
}

const NEW_HELP: &str = r#"Writes hooks/<NAME>/ with hook.json, index.mjs or index.ts, and <NAME>.fixture.json; and hookhost.d.ts and schemas/ if the
project has none.

Examples:
  hookhost new no-force-push
  hookhost new greeter --point preInput --lang ts && hookhost test

Exit codes: 0 written; 1 a file could not be written, or the project is broken; 2 the name or a point cannot be."#;

/// What `new` takes.
#[derive(Debug, clap::Args)]
pub(crate) struct New {
    /// The hook's name, which is that of its folder
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// Where it is called: preInput, preToolUse, postToolUse, preOutput or postTurn; repeatable [default: preToolUse]
    #[arg(long = "point", value_name = "POINT")]
    pub(crate) points: Vec<Point>,
    /// js: JavaScript with types in comments; ts: TypeScript
    #[arg(long, value_enum, default_value_t = Lang::Js)]
    pub(crate) lang: Lang,
}

/// A language, as `--lang` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Lang {
    /// JavaScript
    Js,
    /// TypeScript
    Ts,
}

const CHAT_HELP: &str = r#"The model has the tools read_file, write_file and shell, and two that only pretend: payments__transfer and
store__submissions__set. Files are read and written in one folder only. What shell runs is not held there: it is no
sandbox of the operating system.

Examples:
  hookhost chat --script fixtures/chat/conversation.json --work /tmp/somewhere
  hookhost chat --model gpt-4.1-mini                           the key is read from OPENAI_API_KEY
  hookhost chat --model qwen3 --base-url http://localhost:11434/v1

With --format json each line on stdout is an object: {"shown": "..."} is what the user sees, {"event": "..."} what
happened, {"history": [...]} at the end what the model knows.

Exit codes: 0 ended; 1 the project is broken, or a turn could not be carried out; 2 the input was not understood."#;

/// What `chat` takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Chat {
    /// The model's name, at the endpoint
    #[arg(long, value_name = "NAME", env = "HOOKHOST_MODEL", conflicts_with = "script")]
    pub(crate) model: Option<String>,
    /// An OpenAI-compatible endpoint
    #[arg(long, value_name = "URL", env = "OPENAI_BASE_URL", default_value = "https://api.openai.com/v1")]
    pub(crate) base_url: String,
    /// The variable of the environment that holds the endpoint's key
    #[arg(long, value_name = "NAME", default_value = "OPENAI_API_KEY")]
    pub(crate) api_key_env: String,
    /// A recorded model, for a machine without one: a JSON file
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,
    /// What the model is told first
    #[arg(long, value_name = "TEXT")]
    pub(crate) system: Option<String>,
    /// The folder that the tools work in, /workspace to the model [default: a new one, which goes at the end]
    #[arg(long, value_name = "DIR")]
    pub(crate) work: Option<PathBuf>,
    /// The tool policy [default: policy.json in the project, if it is there]
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Show the answer as it comes unless a hook is bound to preOutput; without this, any hook holds it back
    #[arg(long)]
    pub(crate) stream_when_no_output_hook: bool,
    #[command(flatten)]
    pub(crate) ctx: Ctx,
    #[command(flatten)]
    pub(crate) record: Record,
}

/// A field of `ctx.caller`, as `--caller` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallerField {
    User,
    Source,
    Org,
}

fn tiers() -> impl TypedValueParser<Value = Tier> {
    let names = [Tier::Web, Tier::Node].map(Tier::as_str);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Tier>())
}

/// The words of the contract.
fn sandboxes() -> impl TypedValueParser<Value = Sandbox> {
    PossibleValuesParser::new(Sandbox::WORDS).try_map(|word| word.parse::<Sandbox>())
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|count| *count > 0).ok_or_else(|| "write a number of at least 1".to_owned())
}

fn seconds(text: &str) -> Result<f64, String> {
    let range = 0.01..=3600.0;
    text.parse()
        .ok()
        .filter(|seconds| range.contains(seconds))
        .ok_or_else(|| "write a number from 0.01 to 3600".to_owned())
}

fn percent(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|percent| (0.0..=100.0).contains(percent))
        .ok_or_else(|| "write a number from 0 to 100".to_owned())
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("write key=value".to_owned()),
    }
}

fn caller_field(text: &str) -> Result<(CallerField, String), String> {
    let advice = "write user=ID, source=NAME or org=ID";
    let (key, value) = pair(text).map_err(|_| advice.to_owned())?;
    let field = match key.as_str() {
        "user" => CallerField::User,
        "source" => CallerField::Source,
        "org" => CallerField::Org,
        _ => return Err(advice.to_owned()),
    };
    Ok((field, value))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn pairs() {
        assert_eq!(pair("a=b=c").unwrap(), ("a".to_owned(), "b=c".to_owned()));
        assert_eq!(pair("a=").unwrap(), ("a".to_owned(), String::new()));
        assert!(pair("=b").is_err());
        assert!(pair("ab").is_err());
        assert_eq!(caller_field("user=u1").unwrap(), (CallerField::User, "u1".to_owned()));
        assert!(caller_field("name=u1").is_err());
    }
}
