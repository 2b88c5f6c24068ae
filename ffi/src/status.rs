//! Statuses: the numbers of verdicts and errors, the same in every language and never reused.

use std::ffi::{CStr, c_char};

/// What a function returns: a member of [`Status`].
pub type StatusValue = i32;

/// What a function returns. 0 alone is success; for a verification it means Valid and nothing less.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Done; for a verification: every check held, with a valid key.
    Valid = 0,
    /// Verdict: a check failed, or the key in the record is not one of its identity.
    Invalid = 1,
    /// Verdict: the key is revoked; nothing else counts.
    Revoked = 2,
    /// Verdict: the key is suspended; the record is neither confirmed nor rejected.
    Suspended = 3,
    /// Verdict: every check held, with a honeypot key. It authorises nothing: somebody signs with a stolen secret.
    Decoy = 4,
    /// Malformed: not as long as it must be.
    Length = 100,
    /// Malformed: not lowercase hexadecimal.
    Hex = 101,
    /// Malformed: not UTF-8.
    Utf8 = 102,
    /// Malformed: contains `::` or begins with `:`.
    Ambiguous = 103,
    /// Malformed: contains a control character.
    Control = 104,
    /// Malformed: not a time of the form 2026-11-21T09:00:00.000Z.
    Timestamp = 105,
    /// Malformed: outside the documented range.
    Range = 106,
    /// Malformed: none of the known values.
    UnknownValue = 107,
    /// Malformed: a JSON member is missing.
    MissingMember = 108,
    /// Malformed: a JSON member that is not part of the record.
    UnknownMember = 109,
    /// Malformed: two JSON members of one object have the same name.
    DuplicateMember = 110,
    /// Malformed: another JSON type than the documented one.
    WrongType = 111,
    /// Malformed: not JSON.
    JsonSyntax = 112,
    /// Malformed: JSON nested deeper than 32.
    JsonDepth = 113,
    /// Malformed: a JSON number that is not an integer within 2^53-1.
    JsonNumber = 114,
    /// Malformed: a lone surrogate in a JSON string.
    JsonSurrogate = 115,
    /// Malformed: a byte order mark before the JSON.
    JsonByteOrderMark = 116,
    /// Malformed: not the DER of an ML-DSA-65 key.
    Der = 117,
    /// Malformed: not PEM with the right label.
    Pem = 118,
    /// Malformed: all bytes are zero.
    AllZero = 119,
    /// Malformed: an expanded key with coefficients out of range.
    KeyCoefficients = 120,
    /// Malformed: an expanded key that does not match its own public key.
    KeyHash = 121,
    /// Malformed: not a valid domain constant.
    Constant = 122,
    /// Malformed: items are not in the documented order.
    Order = 123,
    /// Malformed: the same item twice.
    Repeated = 124,
    /// Malformed: a number that is not below its field's modulus.
    NotCanonical = 130,
    /// Malformed: does not begin as an encrypted stream does.
    StreamHeader = 131,
    /// Rejected chain: an entry does not have exactly the members of an entry.
    ChainMembers = 200,
    /// Rejected chain: an entry does not name the one before it.
    ChainPrev = 201,
    /// Rejected chain: a member of an entry does not have its form, or a lone entry says another position.
    ChainFormat = 202,
    /// Rejected chain: an entry was altered.
    ChainHash = 203,
    /// Rejected chain: entries that a checkpoint covers are missing at its end.
    ChainTruncated = 204,
    /// Rejected chain: another chain than the one a checkpoint was signed over.
    ChainRewritten = 205,
    /// Rejected chain: other times than those a checkpoint was signed over.
    ChainRetimed = 206,
    /// Rejected ring: its chain holds a later change.
    RingRollback = 207,
    /// Rejected ring: not the one that its chain vouches for.
    RingForged = 208,
    /// Rejected shares: too few of them are usable.
    TooFewShares = 210,
    /// Rejected shares: they are the dealer's, and what they give is not.
    DealerFault = 211,
    /// Rejected shares: without commitments, more are wrong than can be corrected.
    TooManyErrors = 212,
    /// Rejected shares: some belong to another set.
    MixedShares = 213,
    /// Rejected stream: encrypted under another key, or for another use.
    StreamKey = 216,
    /// Rejected stream: changed, moved or cut off. The error's index is the chunk's.
    StreamChunk = 217,
    /// Rejected presence: the challenge has expired.
    PresenceExpired = 220,
    /// Rejected presence: the challenge expires more than 300 seconds from now.
    PresenceTooFar = 221,
    /// Rejected presence: fewer good proofs by different keys than required.
    PresenceTooFew = 222,
    /// Rejected presence: the nonce was used before.
    PresenceNonceUsed = 223,
    /// Rejected session: no entry of it stands in the chain below the checkpoint.
    SessionAbsent = 230,
    /// Rejected session: the record of one of its entries was not given. The error's index is the entry's.
    SessionRecord = 231,
    /// Rejected session: a later record differs in what never changes.
    SessionChanged = 232,
    /// Rejected session: its anchor is not the pinned one.
    SessionAnchor = 233,
    /// Rejected session: the rebuilt secret is not the seed of its public key.
    SessionKey = 234,
    /// Rejected session: of the other kind, with a public key or without.
    SessionKind = 235,
    /// Rejected result: not what this session made of this message.
    SessionResult = 236,
    /// Rejected share that was made again: not committed to for this custodian.
    ShareNotCommitted = 237,
    /// Rejected shard: its seal does not hold.
    ShardSeal = 240,
    /// Rejected shard: its members do not give its identifier.
    ShardIdentifier = 241,
    /// Rejected shards: some are of another vault or splitting.
    MixedShards = 242,
    /// Rejected shards: of a splitting that was superseded.
    SupersededSplit = 243,
    /// Rejected vault: no splitting of it stands in the chain below the checkpoint.
    NoSplit = 244,
    /// Rejected vault: the stored bytes are not those that were verified.
    StoredChanged = 250,
    /// Rejected ledger: a record that the chain vouches for is missing or is another one. The error's index is its
    /// place in the ledger, as for those below.
    LedgerTruncated = 251,
    /// Rejected ledger: one place was given to two records. The error's index is where the second of them came; of two
    /// chain entries, it is their place.
    LedgerFork = 252,
    /// Rejected ledger: a record does not hold. The error's field is the layer that caught it.
    LedgerRecord = 253,
    /// Rejected ledger: a record of another one.
    OtherLedger = 254,
    /// Rejected ledger: the ring does not hold the decoy key of a record.
    MissingDecoy = 255,
    /// Rejected ledger: a chain entry begins as a vault record's and has not its form. The error's index is the
    /// entry's.
    LedgerEntry = 256,
    /// Misuse: a message of a form that the library alone appends.
    ReservedMessage = 300,
    /// Misuse: the ring has no current key for this identity.
    UnknownIdentity = 301,
    /// Misuse: the ring has no such key for this identity.
    UnknownKey = 302,
    /// Misuse: the ring already holds this public key.
    KnownKey = 303,
    /// Misuse: the identity has a current key, which a rotation would replace.
    HasCurrentKey = 304,
    /// Misuse: the state of a decoy key cannot be changed.
    DecoyState = 305,
    /// Misuse: a pinned key cannot be changed or exported.
    PinnedRing = 306,
    /// Misuse: the chain head is not after the identity's last rotation.
    StaleHead = 307,
    /// Misuse: a counter would pass 2^53-1.
    CounterExhausted = 308,
    /// Misuse: two domain constants that must differ are equal.
    SharedConstants = 309,
    /// Misuse: the expanded key makes no signature that its own public key accepts.
    UnfitKey = 310,
    /// Misuse: the chain, checkpoint or ring belongs to another origin.
    OtherOrigin = 311,
    /// Misuse: a payload of a form that the library alone seals.
    ReservedPayload = 312,
    /// Misuse: a seal key of a legacy length makes no seals.
    LegacySealKey = 313,
    /// Misuse: a presence policy that asks for no proof.
    NoProofsRequired = 314,
    /// Misuse: a list of shards that is empty.
    NoShards = 315,
    /// Misuse: a dealer for another vault or identity than the one that is rebuilt.
    OtherVault = 316,
    /// Misuse: a stream has at most 2^32 chunks.
    StreamTooLong = 320,
    /// Misuse: a stream that was refused, or has ended, takes nothing more.
    StreamEnded = 321,
    /// Misuse: a type of vault record that the library alone makes.
    ReservedType = 330,
    /// Misuse: a vault record that is not encrypted cannot be erased.
    NotEncrypted = 331,
    /// Misuse: a record of another ledger, identity or master, or one that comes after the head.
    ForeignLedger = 332,
    /// Misuse: a tier above public asked for without a table of keys.
    NoTierKeys = 333,
    /// Misuse: an encrypted record opens with its vault secret only.
    NoVaultSecret = 334,
    /// Misuse: the record does not say that another one was erased.
    NotErasure = 335,
    /// The system's random number generator failed; nothing was made.
    Randomness = 400,
    /// C only: an argument is NULL that must not be. The error's field names it.
    NullArgument = 900,
    /// C only: the library panicked, which is a defect of it. Free the call's handles and use them no more.
    Panic = 901,
    /// C only: a buffer does not have the length that its output has, or a length is impossible.
    BufferLength = 902,
    /// C only: the key was read in the expanded form and has no seed.
    NoSeed = 903,
    /// C only: the verdict is not `DUALSEAL_STATUS_DECOY`.
    NotADecoy = 904,
    /// C only: the entry was not asked for, or does not stand in the chain below the checkpoint.
    NotLocated = 905,
    /// C only: layer A of a seal was checked alone, which gives no verdict.
    NoVerdict = 906,
    /// C only: the report is not Valid, or not under the operator's policy, where that is needed.
    NotVerified = 907,
    /// C only: a quorum's key was kept beyond the call that it was lent to.
    KeyKept = 908,
    /// C only: a file could not be read. The error's field is the argument that names it, and `dualseal_error_os` the
    /// system's number.
    FileRead = 909,
    /// C only: a file could not be written, as above. `dualseal_error_os` is 0 for one that must not be replaced: the
    /// other file of the call, a device, a pipe, a folder or a link.
    FileWrite = 910,
    /// C only: a file was written and has its name, and only its folder could not be forced to the disk: when the power
    /// goes, the name may be that of what was there before. What the call makes was made.
    FileNotForced = 911,
}

const TEXTS: [(Status, &CStr); 109] = [
    (Status::Valid, c"valid"),
    (Status::Invalid, c"invalid"),
    (Status::Revoked, c"revoked"),
    (Status::Suspended, c"suspended"),
    (Status::Decoy, c"decoy"),
    (Status::Length, c"malformed: not as long as it must be"),
    (Status::Hex, c"malformed: not lowercase hexadecimal"),
    (Status::Utf8, c"malformed: not UTF-8"),
    (Status::Ambiguous, c"malformed: contains `::` or begins with `:`"),
    (Status::Control, c"malformed: contains a control character"),
    (Status::Timestamp, c"malformed: not a time of the form 2026-11-21T09:00:00.000Z"),
    (Status::Range, c"malformed: out of range"),
    (Status::UnknownValue, c"malformed: none of the known values"),
    (Status::MissingMember, c"malformed: a member is missing"),
    (Status::UnknownMember, c"malformed: unknown member"),
    (Status::DuplicateMember, c"malformed: a member appears twice"),
    (Status::WrongType, c"malformed: wrong JSON type"),
    (Status::JsonSyntax, c"malformed: not JSON"),
    (Status::JsonDepth, c"malformed: JSON nested deeper than 32"),
    (Status::JsonNumber, c"malformed: a number that is not an integer within 2^53-1"),
    (Status::JsonSurrogate, c"malformed: a lone surrogate"),
    (Status::JsonByteOrderMark, c"malformed: a byte order mark before the JSON"),
    (Status::Der, c"malformed: not the DER of an ML-DSA-65 key"),
    (Status::Pem, c"malformed: not PEM with the right label"),
    (Status::AllZero, c"malformed: all zeros"),
    (Status::KeyCoefficients, c"malformed: key coefficients out of range"),
    (Status::KeyHash, c"malformed: the key does not match its own public key"),
    (Status::Constant, c"malformed: not a valid domain constant"),
    (Status::Order, c"malformed: not in order"),
    (Status::Repeated, c"malformed: the same item twice"),
    (Status::NotCanonical, c"malformed: not below the field's modulus"),
    (Status::StreamHeader, c"malformed: does not begin as an encrypted stream does"),
    (Status::ChainMembers, c"rejected: a chain entry does not have exactly its members"),
    (Status::ChainPrev, c"rejected: a chain entry does not name the one before it"),
    (Status::ChainFormat, c"rejected: a member of a chain entry has the wrong form"),
    (Status::ChainHash, c"rejected: a chain entry was altered"),
    (Status::ChainTruncated, c"rejected: the end of the chain is missing"),
    (Status::ChainRewritten, c"rejected: the chain is another one than the checkpoint's"),
    (Status::ChainRetimed, c"rejected: the chain's times are others than the checkpoint's"),
    (Status::RingRollback, c"rejected: the ring is an old one"),
    (Status::RingForged, c"rejected: the ring is not the one that its chain vouches for"),
    (Status::TooFewShares, c"rejected: too few usable shares"),
    (Status::DealerFault, c"rejected: the shares hold, but the secret is not the dealer's"),
    (Status::TooManyErrors, c"rejected: more shares are wrong than can be corrected"),
    (Status::MixedShares, c"rejected: shares of another set are among them"),
    (Status::StreamKey, c"rejected: the stream was encrypted under another key or for another use"),
    (Status::StreamChunk, c"rejected: the stream was changed, moved or cut off"),
    (Status::PresenceExpired, c"rejected: the challenge has expired"),
    (Status::PresenceTooFar, c"rejected: the challenge expires more than 300 seconds from now"),
    (Status::PresenceTooFew, c"rejected: too few good proofs of presence"),
    (Status::PresenceNonceUsed, c"rejected: the nonce of the challenge was used before"),
    (Status::SessionAbsent, c"rejected: the chain has no entry of this session"),
    (Status::SessionRecord, c"rejected: a record of the session was not given"),
    (Status::SessionChanged, c"rejected: a later record of the session differs"),
    (Status::SessionAnchor, c"rejected: the session's anchor is not the pinned one"),
    (Status::SessionKey, c"rejected: the rebuilt secret is not the session's key"),
    (Status::SessionKind, c"rejected: the session is of the other kind"),
    (Status::SessionResult, c"rejected: the result is not what this session made"),
    (Status::ShareNotCommitted, c"rejected: the share was not committed to for this custodian"),
    (Status::ShardSeal, c"rejected: the seal of the shard does not hold"),
    (Status::ShardIdentifier, c"rejected: the shard's members do not give its identifier"),
    (Status::MixedShards, c"rejected: shards of another vault or splitting are among them"),
    (Status::SupersededSplit, c"rejected: the shards are of a superseded splitting"),
    (Status::NoSplit, c"rejected: the chain has no splitting of the vault"),
    (Status::StoredChanged, c"rejected: the stored bytes are not those that were verified"),
    (Status::LedgerTruncated, c"rejected: a record of the ledger is missing or is another one"),
    (Status::LedgerFork, c"rejected: a place of the ledger was given to two records"),
    (Status::LedgerRecord, c"rejected: a record of the ledger does not hold"),
    (Status::OtherLedger, c"rejected: a record of another ledger"),
    (Status::MissingDecoy, c"rejected: the ring does not hold the decoy key of a record"),
    (Status::LedgerEntry, c"rejected: a chain entry begins as a vault record's and is not one"),
    (Status::ReservedMessage, c"misuse: a message that only the library appends"),
    (Status::UnknownIdentity, c"misuse: the ring has no current key for this identity"),
    (Status::UnknownKey, c"misuse: the ring has no such key for this identity"),
    (Status::KnownKey, c"misuse: the ring already holds this public key"),
    (Status::HasCurrentKey, c"misuse: the identity already has a current key"),
    (Status::DecoyState, c"misuse: the state of a decoy key cannot be changed"),
    (Status::PinnedRing, c"misuse: a pinned key cannot be changed or exported"),
    (Status::StaleHead, c"misuse: the chain head is not after the last rotation"),
    (Status::CounterExhausted, c"misuse: a counter would pass 2^53-1"),
    (Status::SharedConstants, c"misuse: two domain constants that must differ are equal"),
    (Status::UnfitKey, c"misuse: the expanded key makes no signature that its public key accepts"),
    (Status::OtherOrigin, c"misuse: the chain, checkpoint or ring belongs to another origin"),
    (Status::ReservedPayload, c"misuse: a payload that only the library seals"),
    (Status::LegacySealKey, c"misuse: a seal key of a legacy length makes no seals"),
    (Status::NoProofsRequired, c"misuse: a presence policy that asks for no proof"),
    (Status::NoShards, c"misuse: no shards were given"),
    (Status::OtherVault, c"misuse: the dealer is for another vault or identity"),
    (Status::StreamTooLong, c"misuse: a stream has at most 2^32 chunks"),
    (Status::StreamEnded, c"misuse: the stream takes nothing more"),
    (Status::ReservedType, c"misuse: a type of record that only the library makes"),
    (Status::NotEncrypted, c"misuse: a record that is not encrypted cannot be erased"),
    (Status::ForeignLedger, c"misuse: a record of another ledger, identity or master, or after the head"),
    (Status::NoTierKeys, c"misuse: a tier above public without a table of keys"),
    (Status::NoVaultSecret, c"misuse: an encrypted record without its vault secret"),
    (Status::NotErasure, c"misuse: the record does not say that another was erased"),
    (Status::Randomness, c"the random number generator failed"),
    (Status::NullArgument, c"an argument is NULL"),
    (Status::Panic, c"the library panicked"),
    (Status::BufferLength, c"a buffer has the wrong length"),
    (Status::NoSeed, c"the key has no seed"),
    (Status::NotADecoy, c"the verdict is not about a decoy key"),
    (Status::NotLocated, c"the entry was not located"),
    (Status::NoVerdict, c"there is no verdict"),
    (Status::NotVerified, c"the report does not verify the record as is needed"),
    (Status::KeyKept, c"a key was kept that was only lent"),
    (Status::FileRead, c"a file could not be read"),
    (Status::FileWrite, c"a file could not be written"),
    (Status::FileNotForced, c"a file was written, and its folder could not be forced to the disk"),
];

/// What a status means, in English; `unknown status` for a number that is none. The text lives for ever.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_status_text(status: StatusValue) -> *const c_char {
    let found = TEXTS.iter().find(|(listed, _)| *listed as StatusValue == status);
    found.map_or(c"unknown status", |(_, text)| text).as_ptr()
}
