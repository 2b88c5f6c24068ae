//! Calls that cannot be served as they were made.

use super::catalogue::{Family, Row, catalogued};
use core::fmt;

catalogued! {
    Misuse, "":
    /// A call that cannot be served as it was made.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Misuse {
        /// A message that begins with one of the domain's prefixes and `::`: such entries are made by the library
        /// alone.
        ReservedMessage = 300, "reserved-message", "the message has a form that only the library itself appends";
        /// The ring has no current key for this identity.
        UnknownIdentity = 301, "unknown-identity", "the ring has no current key for this identity";
        /// The ring has no such key for this identity.
        UnknownKey = 302, "unknown-key", "the ring has no such key for this identity";
        /// The ring holds this public key already, in some role, for some identity.
        KnownKey = 303, "known-key", "the ring already holds this public key";
        /// The identity has a current key; a new one takes its place by rotation.
        HasCurrentKey = 304, "has-current-key", "the identity already has a current key; rotate it instead";
        /// The state of a decoy key cannot be changed.
        DecoyState = 305, "decoy-state", "the state of a decoy key cannot be changed";
        /// A ring that is not its operator's own, such as a pinned key or a public ring, cannot be changed or stored.
        PinnedRing = 306, "pinned-ring", "only an operator's own ring can be changed or stored";
        /// The chain head given is not after the last retirement of this identity.
        StaleHead = 307, "stale-head", "the chain head is not after the identity's last rotation";
        /// A counter would pass 2^53-1.
        CounterExhausted = 308, "counter-exhausted", "a counter would pass 2^53-1";
        /// Two constants of a domain that must differ are equal.
        SharedConstants = 309, "shared-constants", "two domain constants that must differ are equal";
        /// A signature was made that the key's own public key does not accept, and was not given out: the expanded key
        /// is unfit, or the machine made a mistake.
        UnfitKey = 310, "unfit-key", "a signature was made that the public key of its own key does not accept";
        /// The chain, checkpoint or ring belongs to another origin.
        OtherOrigin = 311, "other-origin", "the chain, checkpoint or ring belongs to another origin";
        /// A payload that begins with the vault or shard prefix and `::`: such seals are made by the library alone.
        ReservedPayload = 312, "reserved-payload", "the payload has a form that only the library itself seals";
        /// A seal key of a legacy length makes no seals.
        LegacySealKey = 313, "legacy-seal-key", "a seal key of a legacy length makes no seals";
        /// A gate that asks for no proof of presence.
        NoProofsRequired = 314, "no-proofs-required", "a gate must ask for at least one proof of presence";
        /// A list of shards that is empty.
        NoShards = 315, "no-shards", "no shards were given";
        /// A dealer for another vault or identity than the one that is rebuilt.
        OtherVault = 316, "other-vault", "it is of another vault, identity, key or session";
        /// Content that was hashed for another identity than the one that signs.
        OtherSigner = 317, "other-signer", "the content was hashed for another identity";
        /// A stream has at most 2^32 chunks.
        StreamTooLong = 320, "stream-too-long", "a stream has at most 2^32 chunks";
        /// A stream that was refused, or has ended, takes nothing more.
        StreamEnded = 321, "stream-ended", "the stream was refused or has ended, and takes nothing more";
        /// A type of vault record that only the library itself makes.
        ReservedType = 330, "reserved-type", "records of this type are made by the library alone";
        /// A vault record that is not encrypted cannot be erased.
        NotEncrypted = 331, "not-encrypted", "a record that is not encrypted cannot be erased";
        /// A record of another ledger, identity or master, or one that comes after the head; the places of another
        /// ledger.
        ForeignLedger = 332, "foreign-ledger",
            "the record or its places are of another ledger, identity or master, or come after the head";
        /// A tier above public can only be asked for with a table of keys.
        NoTierKeys = 333, "no-tier-keys", "a tier above public can only be asked for with a table of keys";
        /// An encrypted record opens with its vault secret only.
        NoVaultSecret = 334, "no-vault-secret", "an encrypted record opens with its vault secret only";
        /// The record does not say that another one was erased.
        NotErasure = 335, "not-erasure", "the record does not say that another one was erased";
        /// The operator's check takes places that were found with the master.
        UnverifiedPlaces = 336, "unverified-places",
            "the operator's check takes places that were found with the master";
        /// The walk for the splits of a vault began after the record's entry, for committing one after the chain's
        /// start, or ended at another head than the one that is extended.
        UnreadChain = 337, "unread-chain",
            "the splits were not read from where they must be, up to the head that is extended";
        /// A reader that began after what is to be shown, whose watchers were attached after its first entry, or whose
        /// end was named after them or twice.
        LateStart = 340, "late-start", "the reader began after what is to be shown";
        /// What is proven to others is read under a checkpoint, and what is appended to up to the caller's own head.
        NoEnd = 341, "no-end", "the reader was given no checkpoint or head to end at";
        /// What another reader watched for, or what was taken before.
        OtherReader = 342, "other-reader", "this reader has no such proof to give";
        /// A ring that was not held against the chain, or followed past its entries, up to the head at which it is
        /// changed, stored or stated.
        StaleRing = 343, "stale-ring", "the ring was not followed to the chain head";
        /// Evidence of what a decoy signed: outsiders would read it as a pass.
        DecoyKey = 344, "decoy-key", "the key is a decoy, and no evidence is made of what it signs";
        /// A key that is not the identity's current one in the ring, or is not valid there: what it signs counts for
        /// nothing.
        NotCurrent = 345, "not-current", "the key is not the identity's current and valid one in the ring";
    }
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().text)
    }
}
