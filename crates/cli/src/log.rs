//! The log of a run on standard error, for those who work on the tool: `SELVEDGE_LOG=explore=debug`.
//!
//! Guarantees: without the variable no subscriber is installed; a filter that cannot be read is an error of usage. There
//! is no event for a single instruction; the level `trace` is not compiled into release builds.

use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::fmt::time::uptime;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::{Layer, fmt, registry};

use crate::failure::Failure;

/// What is logged: targets with levels, as in `solver=debug,explore=info`, or one level for all.
const VARIABLE: &str = "SELVEDGE_LOG";

/// Whether the user wants a log, which a live line would garble.
pub(crate) fn is_wanted() -> bool {
    std::env::var_os(VARIABLE).is_some_and(|filter| !filter.is_empty())
}

/// Starts the log, if one is wanted. The end of a phase says how long it took.
pub(crate) fn start() -> Result<(), Failure> {
    if !is_wanted() {
        return Ok(());
    }
    let text = std::env::var(VARIABLE).map_err(|error| wrong(&error.to_string()))?;
    let filter: Targets = text.parse().map_err(|error| wrong(&format!("{error}")))?;
    let lines = fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .with_timer(uptime())
        .with_span_events(FmtSpan::CLOSE)
        .with_filter(filter);
    tracing::subscriber::set_global_default(registry().with(lines)).map_err(|error| wrong(&error.to_string()))
}

fn wrong(why: &str) -> Failure {
    Failure::new(format!("{VARIABLE} cannot be used: {why}"))
        .help("name targets with levels, as in `explore=debug,solver=info`; see docs/flags.md")
}
