//! Signing with k shares.

use super::in_force::SessionInForce;
use super::rebuilt::Rebuilt;
use super::result::{QuorumFailure, QuorumResult, QuorumSignature, Statement, ThresholdResult};
use super::session::SessionKind;
use super::share::SessionShare;
use super::witness::witness_message;
use crate::encoding::time::Timestamp;
use crate::error::{Error, Rejected};
use crate::hash::HmacSha3_512;
use crate::id::{IdentityId, MessageHash};
use crate::krunica::{Appended, Entry, Head, Ignored};
use crate::mldsa::{self, Hedge, sealed::Sign};
use crate::shamir::{Index, SplitId};
use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;
use rand_core::TryCryptoRng;

/// A result with its chain entry and the head after it: stored together, or none of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuorumSigned {
    /// The result.
    pub result: QuorumResult,
    /// The entry: `w3` whoever asked, `poruka` names the binding of session and message.
    pub entry: Entry,
    /// The head after the entry.
    pub head: Head,
    /// The numbers of the shares that hold and are not on the others' polynomial, as
    /// [`Reconstructed::misdealt`](crate::shamir::Reconstructed::misdealt). The result does not name them: whoever
    /// holds them did nothing wrong.
    pub misdealt: Vec<Index>,
    /// The split of the shares that signed: that of the generation in force.
    pub split_id: SplitId,
    /// The entries of the session that count for nothing, forged generations included. They blame nobody.
    pub ignored: Ignored,
}

/// Why there is no signature, as an error and as the record on the wire. Nothing was appended.
#[derive(Clone, Debug)]
pub struct QuorumRefusal {
    /// The error.
    pub error: Error,
    /// The result with `ok: false`.
    pub result: ThresholdResult,
}

impl fmt::Display for QuorumRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl core::error::Error for QuorumRefusal {}

impl From<Box<QuorumRefusal>> for Error {
    fn from(refusal: Box<QuorumRefusal>) -> Self {
        refusal.error
    }
}

impl SessionInForce {
    /// Signs a message with k shares, for whoever asks; who has a ring asks it of the quorum's key first
    /// ([`current`](Self::current)). The entry is appended after the secret stands and before it
    /// signs. ML-DSA signatures are hedged with fresh randomness.
    ///
    /// # Errors
    /// A [`QuorumRefusal`]: as [`reconstruct`](crate::shamir::reconstruct) for the shares, naming culprits;
    /// [`Error::Randomness`]; [`Misuse::CounterExhausted`](crate::error::Misuse::CounterExhausted).
    #[allow(clippy::too_many_arguments, reason = "what a signature depends on is all there is to it")]
    pub fn sign<R: TryCryptoRng + ?Sized>(
        &self,
        message: &MessageHash,
        requester: &IdentityId,
        shares: &[SessionShare],
        head: &Head,
        time: Timestamp,
        rng: &mut R,
    ) -> Result<QuorumSigned, Box<QuorumRefusal>> {
        let refuse = |error: Error, culprits: Vec<Index>| {
            let (requester, algorithm, reason) = (*requester, self.founder().algorithm(), error.to_string());
            let failure = QuorumFailure { requester, algorithm, time, reason, culprits };
            Box::new(QuorumRefusal { error, result: ThresholdResult::Failed(failure) })
        };
        match self.reconstruct(shares) {
            Ok(rebuilt) => self
                .sign_rebuilt(message, requester, &rebuilt, head, time, rng)
                .map_err(|error| refuse(error, rebuilt.culprits.clone())),
            Err(error) => {
                let culprits = match &error {
                    Error::Rejected(Rejected::Sharing(fault)) => fault.culprits.as_slice(),
                    _ => &[],
                };
                let culprits = culprits.iter().filter_map(|index| Index::new((*index).into()).ok()).collect();
                Err(refuse(error, culprits))
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "as in `sign`")]
    fn sign_rebuilt<R: TryCryptoRng + ?Sized>(
        &self,
        message: &MessageHash,
        requester: &IdentityId,
        Rebuilt { generation, secret, culprits, misdealt, ignored }: &Rebuilt<'_>,
        head: &Head,
        time: Timestamp,
        rng: &mut R,
    ) -> Result<QuorumSigned, Error> {
        let session = self.founder();
        let domain = self.domain();
        let binding = domain.threshold_binding(session.session_id(), message);
        let Appended { entry, head } = head.append_own(requester, &witness_message(domain, &binding), time)?;
        let krunica_hash = entry.krunica_hash();
        let statement = Statement {
            algorithm: session.algorithm(),
            session_id: session.session_id(),
            binding: &binding,
            requester,
            witness: entry.hash(),
            krunica_hash: &krunica_hash,
            time,
            culprits,
        };
        let statement = statement.text(domain);
        let signature = match session.kind() {
            SessionKind::Hmac => {
                let mut mac = HmacSha3_512::new(secret.to_bytes().as_slice());
                mac.update(statement.as_bytes());
                QuorumSignature::Hmac(mac.finish())
            }
            SessionKind::MlDsa65 { .. } => {
                let statement = mldsa::Statement::Whole(statement.as_bytes());
                QuorumSignature::MlDsa65(self.key(secret)?.sign_statement(&statement, &Hedge::draw(rng)?)?)
            }
        };
        let (witness, culprits) = (*entry.hash(), culprits.clone());
        let result = QuorumResult { signature, witness, requester: *requester, krunica_hash, time, culprits };
        let (split_id, misdealt, ignored) = (generation.session.split_id, misdealt.clone(), ignored.clone());
        Ok(QuorumSigned { result, entry, head, misdealt, split_id, ignored })
    }
}
