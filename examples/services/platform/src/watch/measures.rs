//! The page of measures, on a listener of its own.

use crate::Platform;
use crate::db::statements;
use crate::values;
use crate::web::{Web, guard};
use axum::Router;
use axum::extract::State;
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::get;
use http::header;
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use std::sync::{Arc, OnceLock};

statements! {
    /// The newest checkpoint.
    LAST = "SELECT time FROM checkpoints ORDER BY log DESC, size DESC LIMIT 1";
}

/// Seconds of a request.
const SECONDS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];
/// Callers whose work goes into one transaction.
const CALLERS: [f64; 8] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0];

/// What is measured, as Prometheus reads it.
#[derive(Clone)]
pub struct Measures(PrometheusHandle);

impl std::fmt::Debug for Measures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Measures")
    }
}

impl Measures {
    /// Begins to measure: once in a process, however often it is called.
    ///
    /// # Errors
    /// Another measures already.
    pub fn begin() -> Result<Self, BuildError> {
        static BEGUN: OnceLock<PrometheusHandle> = OnceLock::new();
        if let Some(handle) = BEGUN.get() {
            return Ok(Self(handle.clone()));
        }
        let recorder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Full("trustd_request_seconds".to_owned()), &SECONDS)?
            .set_buckets_for_metric(Matcher::Full("trustd_log_batch".to_owned()), &CALLERS)?
            .build_recorder();
        let handle = recorder.handle();
        metrics::set_global_recorder(recorder)?;
        describe();
        Ok(Self(BEGUN.get_or_init(|| handle).clone()))
    }

    /// The page.
    #[must_use]
    pub fn page(&self) -> String {
        self.0.run_upkeep();
        self.0.render()
    }
}

fn describe() {
    metrics::describe_counter!("trustd_requests_total", "Requests, by path and status");
    metrics::describe_counter!("trustd_problems_total", "Requests that were not served, by the problem's code");
    metrics::describe_counter!("trustd_audit_lost_total", "Calls that the lines of the log have, and no audit log");
    metrics::describe_counter!("trustd_audit_left_out_total", "Refused calls of anybody's that are not kept");
    metrics::describe_histogram!("trustd_request_seconds", "How long requests took");
    metrics::describe_counter!("trustd_model_calls_total", "Calls of providers of models, by provider and outcome");
    metrics::describe_counter!("trustd_model_tokens_total", "Tokens that were paid for, by provider and direction");
    metrics::describe_gauge!("trustd_connections", "Connections");
    metrics::describe_gauge!("trustd_bodies_in_flight_bytes", "Bytes of bodies that are held");
    metrics::describe_histogram!("trustd_log_batch", "Callers whose work went into one transaction of the log");
    metrics::describe_gauge!("trustd_log_waiting", "Callers whose work waits for the log's writer");
    metrics::describe_gauge!("trustd_log_entries", "Entries of the log");
    metrics::describe_gauge!("trustd_log_uncovered_entries", "Entries that no checkpoint covers");
    metrics::describe_gauge!("trustd_checkpoint_age_seconds", "Since the last checkpoint was signed");
}

/// What the page is made of.
#[derive(Clone, Debug)]
struct Sources {
    measures: Measures,
    platform: Platform,
    web: Arc<Web>,
}

/// The router of the listener that Prometheus asks: `/metrics`, and nothing else.
pub fn measures(measures: Measures, platform: Platform, web: Arc<Web>) -> Router {
    let named = from_fn_with_state(Arc::clone(&web), guard::named);
    Router::new().route("/metrics", get(page)).with_state(Sources { measures, platform, web }).layer(named)
}

#[allow(clippy::cast_precision_loss, reason = "measures are of floating point, and these are far below 2^53")]
async fn page(State(Sources { measures, platform, web }): State<Sources>) -> impl IntoResponse {
    metrics::gauge!("trustd_bodies_in_flight_bytes").set(web.limits.in_flight() as f64);
    metrics::gauge!("trustd_log_waiting").set(platform.log.waiting() as f64);
    // Where the log cannot be read its measures stay as they were, and the age of its checkpoint is missed elsewhere.
    if let Ok(state) = platform.log.state().await {
        let size = state.head().size();
        metrics::gauge!("trustd_log_entries").set(size as f64);
        if let Some(last) = state.last() {
            metrics::gauge!("trustd_log_uncovered_entries").set(size.saturating_sub(last.size) as f64);
        }
    }
    let last = platform.db.find(LAST, values![]).await.ok().flatten();
    if let Some(time) = last.and_then(|last| last.number("time").ok()) {
        let age = platform.clock.millis().saturating_sub(time).max(0);
        metrics::gauge!("trustd_checkpoint_age_seconds").set(age as f64 / 1000.0);
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], measures.page())
}
