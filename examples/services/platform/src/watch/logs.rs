//! Lines of JSON on standard error.

use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::{SubscriberInitExt as _, TryInitError};

/// Begins to write them: those that the filter lets through, `info` unless it is given (`trustd=debug,sqlx=warn`). What
/// a panic says is not in them, for it may quote what was sent; where it was is.
///
/// # Errors
/// They are being written already.
pub fn logs(filter: Option<&str>) -> Result<(), TryInitError> {
    let filter = EnvFilter::new(filter.unwrap_or("info"));
    tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_current_span(true)
        .with_span_list(false)
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .finish()
        .try_init()?;
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        tracing::error!(target: "trustd::panic", place, "a task panicked");
    }));
    Ok(())
}
