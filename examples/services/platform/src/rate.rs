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
use crate::web::Matched;
use axum::extract::Request;
use buckets::Buckets;
use ipnet::IpNet;
use std::net::{IpAddr, Ipv4Addr};
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

    /// Who asks.
    pub(crate) fn client(&self, request: &Request) -> Client {
        let peer = request.extensions().get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip());
        Client::of(peer, request.headers(), &self.proxies)
    }

    /// Counts a request where it is limited.
    pub(crate) fn take(&self, request: &Request) -> Result<(), Problem> {
        let Some(buckets) = &self.buckets else { return Ok(()) };
        let limited = match request.extensions().get::<Matched>() {
            Some(Matched(row)) => !row.fixed && (row.level == Level::Public || row.path.starts_with(TOKENS)),
            None => true,
        };
        if !limited {
            return Ok(());
        }
        let client = self.client(request);
        let now = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        buckets.take(client, now).map_err(|seconds| Problem::new(&kinds::RATE).retry_after(seconds))
    }
}
