//! Vault shards: a vault secret among nodes, each share with an identifier that binds all of it and a seal of its own.
//!
//! Shards are pulled by the nodes that hold them. A node URL is a label; nothing here dials it. m shards rebuild the
//! secret anywhere: the gate before every operation is access control, not cryptography, and nodes check for themselves
//! before they let a shard go ([`Shard::release`]). Refreshing and changing the threshold protect only while fewer than
//! m shards of every earlier splitting survive.
//!
//! ```
//! use dualseal::ed25519::Ed25519SigningKey;
//! use dualseal::presence::{EnrolledKeys, Nonce, Presence, PresenceProof};
//! use dualseal::reader::{ChainReader, TrustedHead};
//! use dualseal::secret::Secret;
//! use dualseal::shamir::DrawnSecret;
//! use dualseal::shard::{Arguments, Dealer, KnownSplit, Operation, Rebuilding, Recipient, ShardKey};
//! use dualseal::{Domain, Head, SystemRng, Timestamp};
//!
//! let (domain, now, expiry) = (Domain::default(), Timestamp::MIN, "1970-01-01T00:01:00.000Z".parse()?);
//! let owner = domain.identity_id(b"", "ana", "")?;
//! let vault_id = domain.vault_id(b"stored bytes", &owner.to_hex(), "CONTRACT", 0)?;
//! let key = ShardKey::derive(&domain, &Secret::random(&mut SystemRng)?, &owner);
//!
//! // The secret that encrypts the vault, among three nodes of which two rebuild it.
//! let secret = DrawnSecret::draw(&mut SystemRng)?;
//! let nodes = ["https://a.example", "https://b.example", "https://c.example"].map(String::from);
//! // Of the secret of a vault record: `Dealer::new(&record, &master, 2, &nodes)`.
//! let dealer = Dealer::without_record(&domain, &key, &vault_id, &owner, 2, &nodes);
//! let prepared = dealer.prepare(&secret, None, &mut SystemRng)?;
//! let shards = prepared.shards;
//! shards[0].verify(&domain, &key)?;
//!
//! // When each node said that it holds its own, the split comes into force.
//! let held: Vec<_> = shards.iter().map(|shard| *shard.shard_id()).collect();
//! let mut reader = ChainReader::new(&domain, &TrustedHead::beginning()).up_to(&Head::EMPTY);
//! let watched = reader.own_splits(&key, &vault_id)?;
//! let splits = reader.finish()?.take(watched)?;
//! let committed = prepared.preparation.commit(&held, None, &splits, now)?;
//! assert_eq!(committed.entry.seq(), 0);
//!
//! // The service that rebuilds asks for two of them, and Ana shows that she is there, for exactly this.
//! let phone = Ed25519SigningKey::generate(&mut SystemRng)?;
//! let mut enrolled = EnrolledKeys::new();
//! enrolled.enrol(&owner, phone.public_key())?;
//! let recipient = Recipient::of_key(b"the service's public key");
//! let here = Rebuilding {
//!     domain: &domain,
//!     key: &key,
//!     vault_id: &vault_id,
//!     identity_id: &owner,
//!     in_force: None,
//!     recipient: &recipient,
//! };
//! let wanted = [*shards[1].shard_id(), *shards[2].shard_id()];
//! let request = here.request(Operation::Rebuild, &Arguments::default(), shards[1].split_id(), &wanted)?;
//! let nonce = Nonce::draw(&mut SystemRng)?;
//! let proof = PresenceProof::sign(&domain, &request, &nonce, expiry, &phone);
//!
//! // Each node decides for itself, and spends the nonce for itself; then the service does.
//! for place in 0..3 {
//!     let mut unused = true;
//!     let mut gate = Presence {
//!         verifier: &enrolled,
//!         proofs: std::slice::from_ref(&proof),
//!         nonce,
//!         expiry,
//!         required: 1,
//!         consume: &mut |_| std::mem::replace(&mut unused, false),
//!     };
//!     if let Some(shard) = shards[1..].get(place) {
//!         shard.release(&domain, &request, &recipient, KnownSplit::NoChain, &mut gate, now)?;
//!     } else {
//!         let rebuilt = here.rebuild(&request, &shards[1..], &mut gate, now)?;
//!         assert_eq!(rebuilt.secret.to_bytes(), secret.to_bytes());
//!         assert!(here.rebuild(&request, &shards[1..], &mut gate, now).is_err(), "the nonce is used");
//!     }
//! }
//! # Ok::<(), dualseal::Error>(())
//! ```

mod gate;
mod in_force;
mod message;
mod rebuild;
mod record;
mod release;
mod split;
mod splits;

pub use crate::shamir::SplitId;
pub(crate) use gate::ShardIds;
pub use gate::{Arguments, ArgumentsHash, Gate, Operation, Recipient, Request, ShardId};
pub use in_force::{CoveredSplits, OwnSplits, SplitInForce};
pub use rebuild::{LostShard, Rebuilding, RebuiltSecret, RepairedShard};
pub(crate) use record::other_request;
pub use record::{Shard, ShardAnchor, ShardKey, verify_shard_seal};
pub use release::KnownSplit;
pub use split::{Dealer, Preparation, Prepared};
pub use splits::{FoundSplit, Splits};
