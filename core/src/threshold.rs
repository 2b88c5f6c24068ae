//! Threshold signing: n custodians hold shares of one secret, and any k of them sign.
//!
//! There are two kinds of session. The first signs with HMAC-SHA3-512, and only k shares can verify what it signed. The
//! second shares the seed of an ML-DSA-65 key, and anybody verifies with the public key.
//!
//! The secret exists in the memory of whoever signs, for as long as signing takes. Refreshing and changing the
//! threshold protect only while fewer than k shares of every earlier splitting survive.
//!
//! ```
//! use dualseal::checkpoint::{CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
//! use dualseal::id::MessageHash;
//! use dualseal::key::Unprepared;
//! use dualseal::reader::{ChainReader, TrustedHead};
//! use dualseal::threshold::{Founding, verify_quorum};
//! use dualseal::{
//!     Domain, KeyRing, Krunica, Signer, SigningKey, SystemRng, Timestamp, VerdictKind, Verifier,
//! };
//!
//! let (domain, time) = (Domain::default(), Timestamp::MIN);
//! let board = domain.identity_id(b"board", "acme", "")?;
//! let owners = [b"ana", b"ivo", b"eva"].map(|name| domain.legacy_identity_id(name, "acme", ""));
//!
//! // Two of three found a session whose results anybody verifies.
//! let mut chain = Krunica::new();
//! let founding = Founding { domain: &domain, founder: &board, owners: &owners, k: 2, head: chain.head(), time };
//! let founded = founding.mldsa(&board, &mut SystemRng)?;
//! chain.push(founded.entry)?;
//! let founder = chain.entries()[0].krunica_hash();
//!
//! // A checkpoint covers the session's entry, whose handle the caller pinned.
//! let log = SigningKey::generate(&mut SystemRng)?;
//! let signer = CheckpointSigner::new(&domain, "acme/log", &board, &log)?;
//! let mark = HighWaterMark::first("acme/log", chain.head(), None)?;
//! let signed = signer.sign(&mark, time, &mut SystemRng)?;
//! let pins = Pins {
//!     origin: "acme/log".into(),
//!     identity_id: board,
//!     key_hash: *log.public_key().hash(),
//!     least_size: 1,
//! };
//! let checkpoint = CheckpointVerifier::new(&domain, &pins, None, &Unprepared).verify(signed).valid().expect("valid");
//! let mut reader = ChainReader::new(&domain, &TrustedHead::beginning()).under(&checkpoint)?;
//! let watched = reader.session(founded.session.session_id(), &founder)?;
//! for entry in chain.entries() {
//!     reader.push(entry)?;
//! }
//! let located = reader.finish()?.take(watched)?;
//! // A ring that was held against its chain tells whether the quorum's key was revoked, after which it authorises
//! // nothing. A pinned key, as here, tells of no revocation.
//! let dualseal::threshold::SessionKind::MlDsa65 { public_key, .. } = founded.session.kind() else { panic!() };
//! let ring = KeyRing::pinned(&board, public_key.clone());
//! let session = located.in_force(&[founded.session], &ring)?;
//!
//! // Two custodians are enough. They sign; a stranger verifies with the public key alone.
//! assert!(session.quorum(&founded.shares[1..]).reached);
//! let message = MessageHash::of(b"resolution 7");
//! let signed = session
//!     .sign(&message, &owners[0], &founded.shares[1..], chain.head(), time, &mut SystemRng)
//!     .map_err(|refusal| refusal.error)?;
//! let verdict = verify_quorum(&session, &message, signed.result, &ring, &Unprepared, None);
//! assert_eq!(verdict.kind(), VerdictKind::Valid);
//!
//! // The same key, lent for one call, makes an ordinary signature record.
//! let content = domain.content_hash(&board, b"the articles");
//! let lent = session.with_quorum_key(&founded.shares[..2], |key| {
//!     Signer::new(&domain, &board, key).sign(&content, chain.head(), time, &mut SystemRng)
//! })?;
//! let verdict = Verifier::new(&domain, &ring, &Unprepared).verify(&content, lent.given?.record, None);
//! assert_eq!((verdict.kind(), lent.culprits.len()), (VerdictKind::Valid, 0));
//! # Ok::<(), dualseal::Error>(())
//! ```

mod acknowledgement;
mod founding;
mod generation;
mod in_force;
mod located;
mod quorum;
mod rebuilt;
mod renewal;
mod result;
mod seed;
mod session;
mod share;
mod sign;
mod verify;
mod witness;

pub use acknowledgement::Acknowledgement;
pub use founding::{Founded, Founding, Renewal};
pub use in_force::{SessionAtHead, SessionInForce};
pub use located::LocatedSession;
pub use quorum::Quorum;
pub use rebuilt::Lent;
pub use renewal::{Committed, Prepared};
pub use result::{QuorumFailure, QuorumResult, ThresholdResult};
pub(crate) use session::{HmacSession, MlDsa65Session};
pub use session::{Session, SessionAnchor, SessionKind};
pub use share::SessionShare;
pub use sign::{QuorumRefusal, QuorumSigned};
pub use verify::{
    AuthenticResult, PinnedQuorum, verify_pinned_quorum, verify_pinned_quorum_as_of, verify_quorum, verify_quorum_as_of,
};

pub use crate::shamir::SplitId;
