//! What the library and the hooks log goes to stderr, so that stdout holds nothing but the answer.

use std::io::IsTerminal;

use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

use crate::args::{Args, Command, Format};

/// Ends what was begun for the log.
pub(crate) struct Logging {
    #[cfg(feature = "otel")]
    _telemetry: Option<hookhost_server::Telemetry>,
}

/// Begins to log, as the command line says. A service logs without being told: nobody sits in front of it.
pub(crate) fn start(args: &Args) -> Logging {
    let serves = matches!(args.command, Command::Serve(_));
    let level = args.global.log.as_deref().unwrap_or(if serves { "info" } else { "off" });
    let filter = EnvFilter::new(level);
    let lines = fmt::layer().with_ansi(std::io::stderr().is_terminal()).with_writer(std::io::stderr);
    let lines = match serves && args.global.format == Format::Json {
        true => lines.json().flatten_event(true).boxed(),
        false => lines.boxed(),
    };
    let subscriber = tracing_subscriber::registry().with(lines.with_filter(filter));
    #[cfg(feature = "otel")]
    {
        let telemetry = serves.then(telemetry).flatten();
        let spans = telemetry.as_ref().map(|telemetry| telemetry.layer().with_filter(EnvFilter::new("hookhost=info")));
        subscriber.with(spans).init();
        Logging { _telemetry: telemetry }
    }
    #[cfg(not(feature = "otel"))]
    {
        subscriber.init();
        Logging {}
    }
}

/// Traces are exported only where somebody says where to.
#[cfg(feature = "otel")]
fn telemetry() -> Option<hookhost_server::Telemetry> {
    let is_set = |name| std::env::var_os(name).is_some();
    if !is_set("OTEL_EXPORTER_OTLP_ENDPOINT") && !is_set("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") {
        return None;
    }
    hookhost_server::Telemetry::start().inspect_err(|error| crate::output::warn(&error.to_string())).ok()
}
