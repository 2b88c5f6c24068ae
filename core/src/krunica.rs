//! The krunica: an append-only chain of entries, each holding the hash of the one before it.
//!
//! A chain alone is unkeyed: it shows that an entry in its middle was altered, never that its end was cut off or that
//! all of it was written anew.

mod chain;
mod check;
mod ignored;
mod lines;

pub use chain::Krunica;
pub use check::Checker;
pub use ignored::{Ignored, IgnoredEntry, IgnoredReason};
pub use lines::JsonLines;

use crate::domain::Domain;
use crate::encoding::json::MAX_INTEGER;
use crate::encoding::record::{self, record};
use crate::encoding::time::Timestamp;
use crate::encoding::{hex, hex_newtype};
use crate::error::{Error, Misuse};
use crate::hash::{HashFunction, Sha3_256, Sha3_512};
use crate::id::IdentityId;
use alloc::string::{String, ToString};

hex_newtype! {
    /// A SHA3-512 of the chain (`h`, `prev`, `svjedok_hash`, a time hash): 64 bytes, 128 hexadecimal characters.
    ChainHash, 64, "h"
}

hex_newtype! {
    /// The short handle of an entry: SHA3-256 over the 128 characters of its `h`. 64 hexadecimal characters.
    KrunicaHash, 32, "krunica_hash"
}

impl ChainHash {
    /// 128 zeros: what the first entry has for `prev`, and the time hash of an empty chain.
    pub const ZERO: Self = Self::from_bytes([0; 64]);

    /// The short handle of the entry that has this hash.
    pub(crate) fn krunica_hash(&self) -> KrunicaHash {
        let mut hash = Sha3_256::default();
        hex::encode_in_pieces(self.as_bytes(), |digits| hash.update(digits));
        KrunicaHash::from_bytes(hash.finish())
    }
}

/// One entry: `{h, poruka, prev, t, w3}`, and `seq` where it travels alone.
///
/// `h = SHA3-512(<w3>|<poruka>|<prev>|<seq>)`. The hash does not cover the time; the running time hash of the [`Head`]
/// does. An `Entry` that was read is well-formed; whether its hash holds is for the [`Checker`] to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    seq: u64,
    line: Line,
}

/// An entry within a chain, where the position is the `seq`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    identity_id: IdentityId,
    message: String,
    prev: ChainHash,
    time: Timestamp,
    hash: ChainHash,
}

record! {
    |line: Line| "entry" {
        "h" hash: ChainHash,
        "poruka" message: String,
        "prev" prev: ChainHash,
        "t" time: Timestamp,
        "w3" identity_id: IdentityId,
    }
}

record! {
    |entry: Entry| "entry" {
        "h" hash: ChainHash = entry.line.hash,
        "poruka" message: String = entry.line.message,
        "prev" prev: ChainHash = entry.line.prev,
        "seq" seq: u64,
        "t" time: Timestamp = entry.line.time,
        "w3" identity_id: IdentityId = entry.line.identity_id,
    } => {
        Ok(Self { seq, line: Line { identity_id, message, prev, time, hash } })
    }
}

impl Entry {
    /// The position in the chain, from 0.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// The identity that the entry is about (`w3`).
    #[must_use]
    pub fn identity_id(&self) -> &IdentityId {
        &self.line.identity_id
    }

    /// The message (`poruka`).
    #[must_use]
    pub fn message(&self) -> &str {
        &self.line.message
    }

    /// The hash of the entry before (`prev`).
    #[must_use]
    pub fn prev(&self) -> &ChainHash {
        &self.line.prev
    }

    /// The time that the appender gave (`t`). No evidence by itself.
    #[must_use]
    pub fn time(&self) -> Timestamp {
        self.line.time
    }

    /// The entry's hash (`h`).
    #[must_use]
    pub fn hash(&self) -> &ChainHash {
        &self.line.hash
    }

    /// The short handle that records carry (`krunica_hash`).
    #[must_use]
    pub fn krunica_hash(&self) -> KrunicaHash {
        self.line.hash.krunica_hash()
    }

    /// The entry as a line of a chain file: canonical JSON without `seq`, and LF.
    #[must_use]
    pub fn to_json_line(&self) -> String {
        let mut line = record::to_json::<Line>(&self.line);
        line.push('\n');
        line
    }

    /// The entry alone, with its `seq`, as canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Self>(self)
    }

    /// Reads an entry that travels alone.
    ///
    /// # Errors
    /// Names the member that is missing, unknown or of the wrong form.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }

    /// Whether `h` is the hash of the other members.
    pub(crate) fn hash_holds(&self) -> bool {
        Self::compute_hash(self.seq, self.identity_id(), self.message(), self.prev()) == *self.hash()
    }

    /// `SHA3-512(<w3>|<poruka>|<prev>|<seq>)`. The fixed grammars of the other three make a `|` in the message
    /// harmless.
    fn compute_hash(seq: u64, identity_id: &IdentityId, message: &str, prev: &ChainHash) -> ChainHash {
        let mut text = Hashed(Sha3_512::default());
        text.hex(identity_id.as_bytes());
        text.bar();
        text.0.update(message.as_bytes());
        text.bar();
        text.hex(prev.as_bytes());
        text.bar();
        text.decimal(seq);
        ChainHash::from_bytes(text.0.finish())
    }
}

/// A text that goes into a hash part by part: a check of a long chain allocates nothing for it.
struct Hashed(Sha3_512);

impl Hashed {
    fn hex(&mut self, bytes: &[u8]) {
        hex::encode_in_pieces(bytes, |digits| self.0.update(digits));
    }

    fn bar(&mut self) {
        self.0.update(b"|");
    }

    fn decimal(&mut self, mut number: u64) {
        // 2^64 has 20 digits.
        let mut digits = [0; 20];
        let mut first = digits.len();
        for (place, digit) in digits.iter_mut().enumerate().rev() {
            // A remainder of ten is a digit.
            *digit = b'0'.saturating_add(u8::try_from(number % 10).unwrap_or(0));
            first = place;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.0.update(digits.get(first..).unwrap_or_default());
    }
}

#[cfg(feature = "serde")]
crate::encoding::serde_through_json!(Entry);

/// Where a chain ends: all that is needed to append to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    size: u64,
    top: ChainHash,
    time_top: ChainHash,
}

impl Head {
    /// The head of an empty chain.
    pub const EMPTY: Self = Self { size: 0, top: ChainHash::ZERO, time_top: ChainHash::ZERO };

    /// A head that the caller stored. Nothing is checked here: a wrong head starts another chain.
    #[must_use]
    pub const fn from_parts(size: u64, top: ChainHash, time_top: ChainHash) -> Self {
        Self { size, top, time_top }
    }

    /// The number of entries, which is the `seq` of the next one.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The hash of the last entry; zeros when there is none.
    #[must_use]
    pub fn top(&self) -> &ChainHash {
        &self.top
    }

    /// The running time hash: `T_0` is zeros, `T_{i+1} = SHA3-512(<T_i>|<h_i>|<t_i>)`.
    #[must_use]
    pub fn time_top(&self) -> &ChainHash {
        &self.time_top
    }

    /// Makes the next entry. The caller stores the entry and the new head, both or neither, and lets no one else append
    /// in between. The domain is that of the log: the messages that only its library makes are known by its prefixes.
    ///
    /// ```
    /// use dualseal::{Domain, Head};
    ///
    /// let domain = Domain::default();
    /// let ana = domain.identity_id(b"", "ana", "")?;
    /// let one = Head::EMPTY.append(&domain, &ana, "received", "2026-11-21T09:00:00.000Z".parse()?)?;
    /// let two = one.head.append(&domain, &ana, "paid", "2026-11-22T09:00:00.000Z".parse()?)?;
    /// assert_eq!(two.entry.prev(), one.entry.hash());
    /// # Ok::<(), dualseal::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Misuse::ReservedMessage`] for a message that begins with one of the domain's prefixes and `::`;
    /// [`Misuse::CounterExhausted`] at 2^53-1 entries.
    pub fn append(
        &self,
        domain: &Domain,
        identity_id: &IdentityId,
        message: &str,
        time: Timestamp,
    ) -> Result<Appended, Error> {
        if domain.is_reserved(message) {
            return Err(Misuse::ReservedMessage.into());
        }
        self.append_own(identity_id, message, time)
    }

    /// Before an operation that costs something and then appends.
    pub(crate) fn check_room(&self) -> Result<(), Error> {
        if self.size >= MAX_INTEGER.unsigned_abs() { Err(Misuse::CounterExhausted.into()) } else { Ok(()) }
    }

    /// As [`append`](Self::append), for the messages that this library builds.
    pub(crate) fn append_own(
        &self,
        identity_id: &IdentityId,
        message: &str,
        time: Timestamp,
    ) -> Result<Appended, Error> {
        self.check_room()?;
        let hash = Entry::compute_hash(self.size, identity_id, message, &self.top);
        let line = Line { identity_id: *identity_id, message: message.to_string(), prev: self.top, time, hash };
        let entry = Entry { seq: self.size, line };
        let head = self.after(&entry);
        Ok(Appended { entry, head })
    }

    /// The head after an entry that was checked or made here.
    fn after(&self, entry: &Entry) -> Self {
        let mut text = Hashed(Sha3_512::default());
        text.hex(self.time_top.as_bytes());
        text.bar();
        text.hex(entry.hash().as_bytes());
        text.bar();
        text.0.update(&entry.time().digits());
        let time_top = ChainHash::from_bytes(text.0.finish());
        Self { size: self.size.saturating_add(1), top: *entry.hash(), time_top }
    }
}

impl Default for Head {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// An entry and the head after it, to be stored together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appended {
    /// The new entry.
    pub entry: Entry,
    /// The head after it.
    pub head: Head,
}

/// Proof that an entry stands at its place in the chain of an origin, below the size of a verified checkpoint that the
/// chain agrees with. Nothing else can make one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    origin: String,
    entry: Entry,
}

impl Located {
    /// Only a chain that agrees with a verified checkpoint gives one.
    pub(crate) fn new(origin: &str, entry: Entry) -> Self {
        Self { origin: origin.to_string(), entry }
    }

    /// The origin of the checkpoint.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The entry, with its position.
    #[must_use]
    pub fn entry(&self) -> &Entry {
        &self.entry
    }
}
