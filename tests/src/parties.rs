//! What the wire calls the kinds of sessions, and what their parties say of what they were dealt.

use crate::prelude::*;
use dualseal::shamir::Index;
use dualseal::threshold::{Acknowledgement, Prepared, SessionShare};
use dualseal::{Domain, Error};

/// What the wire calls the two kinds.
pub const HMAC: &str = "SHAMIR-2^521-1-HMAC-SHA3-512";
pub const MLDSA: &str = "SHAMIR-2^521-1-ML-DSA-65";

/// What every custodian says of a preparation, each beside his number.
pub fn acknowledged(domain: &Domain, prepared: &Prepared) -> Vec<(Index, Acknowledgement)> {
    let said = |share: &SessionShare| Ok((share.index(), share.acknowledge(domain, prepared.session())?));
    prepared.shares().iter().map(said).collect::<Result<_, Error>>().expect("each holds")
}
