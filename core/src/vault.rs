//! The nine-layer vault: records that show whether a document, its place in a ledger or anything said about it was
//! changed, and who could open it.
//!
//! | layer | what it is | made by | checked |
//! |---|---|---|---|
//! | L0 | hash chain of the ledger | SHA3-256 over the stored bytes and the hash before | always |
//! | L1 | what the network's perimeter reported | the caller | never: it is recorded |
//! | L2 | session integrity | HMAC-SHA256 with a drawn tag | with the master |
//! | L3 | baseline of the stored bytes | SHA3-256 | always |
//! | L4 | tier of the writer | Ed25519, strict | with the keys that the verifier holds |
//! | L5 | dual seal over the block of all others | HMAC-SHA3-512 and ML-DSA-65 | always; its HMAC with the master |
//! | L6 | short handle of the chain entry | SHA3-256 | under a checkpoint |
//! | L7 | honeypot fragment | HMAC-SHA3-256, an ML-DSA seed that works | with the master |
//! | L8 | entry in the append-only chain | the [`krunica`](crate::krunica) | under a checkpoint |
//!
//! The layers hide nothing. Whoever may read the stored bytes of a record that is not encrypted reads the document;
//! [`Encryption::Stream`] encrypts it first, under a secret of its own, and every layer then works on what is stored.
//!
//! [`VaultSealer`] makes records, and stores nothing. [`VaultVerifier`] checks a record against the hash of its stored
//! bytes ([`StoredHash`]) under the policy [`Public`] or [`Operator`]. [`unseal`] needs what the operator's policy
//! gave. [`LedgerCheck`] checks a whole ledger as a stream. [`VaultSealer::erase`] records that a document's secret and
//! shards were destroyed.
//!
//! ```
//! use dualseal::key::Unprepared;
//! use dualseal::vault::{Encryption, Standing, LedgerHead, LedgerId, Destination, Public, StoredHash, TierPolicy};
//! use dualseal::vault::{VaultMaster, VaultSealer, VaultVerifier};
//! use dualseal::{Domain, Head, KeyRing, SigningKey, SystemRng, VerdictKind};
//!
//! let domain = Domain::default();
//! let ana = domain.identity_id(b"", "ana", "")?;
//! let (master, key) = (VaultMaster::generate(&domain, &mut SystemRng)?, SigningKey::generate(&mut SystemRng)?);
//! let ledger = LedgerHead::new(&LedgerId::draw(&mut SystemRng)?);
//! let time = "2026-11-21T09:00:00.000Z".parse()?;
//! let destination = Destination { ledger: &ledger, head: &Head::EMPTY, note: "", time };
//!
//! let vault = VaultSealer::new(&master, &ana, &key);
//! let (sealed, stored) = vault.seal(b"one contract", "CONTRACT", Encryption::Stream, &destination, &mut SystemRng)?;
//!
//! let ring = KeyRing::pinned(&ana, key.public_key().clone());
//! let verifier = VaultVerifier::new(&domain, &ring, &Unprepared);
//! let policy = Public { tiers: TierPolicy::any() };
//! let stored = StoredHash::of(&domain, &stored);
//! let report = verifier.verify(sealed.record, &stored, &ana, &policy, Standing::default());
//! assert_eq!(report.verdict().kind(), VerdictKind::Valid);
//! println!("{report}");
//! # Ok::<(), dualseal::Error>(())
//! ```

mod dealer;
mod entry;
mod erasure;
mod io;
mod keys;
mod layers;
mod record;
mod sealing;
mod stored;
mod trace;
mod unseal;
mod verifier;

pub use crate::error::Layer;
pub use entry::claims_record;
pub use erasure::{ErasedSplits, Erasure, SealedErasure};
pub(crate) use erasure::{erased_vault, is_erasure};
#[cfg(feature = "std")]
pub use io::{IoError, unseal_to};
pub use keys::{KeyId, VaultMaster};
pub use record::{
    Encryption, Fragment, Header, LayerHash, LedgerHead, LedgerId, SessionMac, SessionTag, Tier, VaultRecord,
};
pub use sealing::{Destination, Enclosed, Sealed, Sealing, Unplaced, VaultSealer};
pub use stored::{StoredHash, StoredHasher};
pub use trace::{trace, trace_decoy};
pub use unseal::{Document, Provisional, Unsealed, Unsealer, unseal};
pub use verifier::{
    Erasable, LayerFailure, LedgerCheck, LedgerSummary, LocatedLedger, Operator, OperatorRecord, Public, Standing,
    TierKeys, TierPolicy, Unchecked, VaultOutcome, VaultPolicy, VaultReport, VaultVerifier,
};
