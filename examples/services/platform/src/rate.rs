//! How often one client may ask, where anybody may: a bucket of tokens for each, in this process.
//!
//! | file | what it is |
//! |---|---|
//! | `client` | who asks: the peer, or whom a trusted proxy names |
//! | `buckets` | the buckets, of which there is a bounded number |

mod buckets;
mod client;

pub use client::{Client, Peer};

use crate::access::Level;
use crate::config::RateConfig;
use crate::problem::{Problem, kinds};
use crate::web::{Matched, Web};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use buckets::Buckets;
use ipnet::IpNet;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Instant;

/// Whoever asks for a token or about one may be guessing.
const TOKENS: &str = "/api/v1/auth/";

/// The limiter.
#[derive(Debug)]
pub(crate) struct Rate {
    buckets: Option<Buckets>,
    proxies: Vec<IpNet>,
    since: Instant,
}

impl Rate {
    pub(crate) fn new(config: &RateConfig, proxies: &[IpNet]) -> Self {
        let buckets = config.enabled.then(|| Buckets::new(config.per_second, config.burst));
        Self { buckets, proxies: proxies.to_vec(), since: Instant::now() }
    }

    fn take(&self, request: &Request) -> Result<(), Problem> {
        let Some(buckets) = &self.buckets else { return Ok(()) };
        let limited = match request.extensions().get::<Matched>() {
            Some(Matched(row)) => row.level == Level::Public || row.path.starts_with(TOKENS),
            None => true,
        };
        if !limited {
            return Ok(());
        }
        let peer = request.extensions().get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip());
        let client = Client::of(peer, request.headers(), &self.proxies);
        let now = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        buckets.take(client, now).map_err(|seconds| Problem::new(&kinds::RATE).retry_after(seconds))
    }
}

/// Refuses what comes too often, and what would change a service that is only read.
pub(crate) async fn layer(State(web): State<Arc<Web>>, request: Request, next: Next) -> Response {
    if let Err(problem) = web.rate.take(&request) {
        return problem.into_response();
    }
    let writes = request.extensions().get::<Matched>().is_some_and(|Matched(row)| row.writes);
    if web.read_only && writes {
        return Problem::new(&kinds::READ_ONLY).retry_after(60).into_response();
    }
    next.run(request).await
}
