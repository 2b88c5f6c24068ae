//! The krunica: an append-only chain of entries, each holding the hash of the one before it.
//!
//! A chain alone is unkeyed: it shows that an entry in its middle was altered, never that its end was cut off or that
//! all of it was written anew.

mod chain;
mod check;
mod head;
mod ignored;
mod lines;
mod portion;

pub use chain::Krunica;
pub use check::Checker;
pub(crate) use check::Links;
pub use head::{Appended, Head, TreeHead};
pub use ignored::{Ignored, IgnoredEntry, IgnoredReason};
pub use lines::JsonLines;
pub(crate) use portion::Portion;

use crate::encoding::binary::{self, Binary, Fields, Kind};
use crate::encoding::record::{self, record};
use crate::encoding::time::Timestamp;
use crate::encoding::{hex, hex_newtype};
use crate::error::{Error, Problem};
use crate::hash::{HashFunction, Sha3_256, Sha3_512};
use crate::id::IdentityId;
use crate::tree::TreeHash;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

hex_newtype! {
    /// A SHA3-512 of the chain (`h`, `prev`, `svjedok_hash`): 64 bytes, 128 hexadecimal characters.
    ChainHash, 64, "h"
}

hex_newtype! {
    /// The short handle of an entry: SHA3-256 over the 128 characters of its `h`. 64 hexadecimal characters.
    KrunicaHash, 32, "krunica_hash"
}

impl ChainHash {
    /// 128 zeros: what the first entry has for `prev`, and the top of an empty chain.
    pub const ZERO: Self = Self::from_bytes([0; 64]);

    /// The short handle of the entry that has this hash.
    pub(crate) fn krunica_hash(&self) -> KrunicaHash {
        let mut hash = Sha3_256::default();
        hex::encode_public_to(self.as_bytes(), |digits| hash.update(digits));
        KrunicaHash::from_bytes(hash.finish())
    }
}

/// The bytes of a leaf with a `seq` of 20 digits, more than a chain comes to.
const LONGEST_LEAF: usize = 194;

/// The bytes of the binary form's fields before the message: seq, identity, link, time, hash, length.
const BEFORE_MESSAGE: usize = 8 + 32 + 64 + 8 + 64 + 4;

/// Bytes of a message that is copied beside what is hashed with it.
const COPIED: usize = 512;

/// One entry: `{h, poruka, prev, t, w3}`, and `seq` where it travels alone.
///
/// `h = SHA3-512(<w3>|<poruka>|<prev>|<seq>)`. The hash does not cover the time; the entry's leaf in the tree of the
/// [`Head`] does. An `Entry` that was read is well-formed; whether its hash holds is for the [`Checker`] to say.
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

    /// Reads an entry from a line of a chain file, which stands at this position, without its line feed. Its link
    /// to the entry before it is not looked at: [`hash_holds`](Self::hash_holds) says whether position and link are its
    /// own.
    ///
    /// # Errors
    /// As [`from_json`](Self::from_json), for the members of a line.
    pub fn from_json_line(line: &[u8], seq: u64) -> Result<Self, Error> {
        Ok(Self { seq, line: record::from_json::<Line>(line)? })
    }

    /// The binary form of the entry alone, 186 bytes and its message.
    ///
    /// ```
    /// use dualseal::{Domain, Entry, Head};
    ///
    /// let ana = Domain::default().identity_id(b"", "ana", "")?;
    /// let domain = Domain::default();
    /// let appended = Head::EMPTY.append(&domain, &ana, "hello", "2026-11-21T09:00:00.000Z".parse()?)?;
    /// let bytes = appended.entry.to_bytes()?;
    /// assert_eq!(bytes.len(), 186 + 5);
    /// assert_eq!(Entry::from_bytes(&bytes)?, appended.entry);
    /// # Ok::<(), dualseal::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Problem::Range`] of `poruka` from 4 GiB on.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let length = self.message().len();
        let counted = u32::try_from(length).map_err(|_| Error::malformed("poruka", Problem::Range))?;
        Ok(Binary::new(Kind::Entry, 0, BEFORE_MESSAGE.saturating_add(length))
            .number(self.seq)
            .bytes(self.identity_id().as_bytes())
            .bytes(self.prev().as_bytes())
            .time(self.time())
            .bytes(self.hash().as_bytes())
            .bytes(&counted.to_be_bytes())
            .bytes(self.message().as_bytes())
            .finish())
    }

    /// Reads the binary form. As with [`from_json`](Self::from_json), whether its hash holds is not looked at.
    ///
    /// # Errors
    /// Names `magic`, `kind` or `flags` that are none of an entry, and the field that is out of range or no UTF-8;
    /// [`Problem::Length`] for bytes that are too few or too many.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (Kind::Entry, flags, mut fields) = Fields::open(bytes)? else { return Err(binary::other_kind()) };
        binary::no_flags(flags)?;
        let seq = fields.number("seq")?;
        let identity_id = IdentityId::from_bytes(*fields.take()?);
        let prev = ChainHash::from_bytes(*fields.take()?);
        let time = fields.time("t")?;
        let hash = ChainHash::from_bytes(*fields.take()?);
        let message = fields.text("poruka")?.to_string();
        Ok(Self { seq, line: Line { identity_id, message, prev, time, hash } })
    }

    /// The entry's leaf in the log's tree: `{"h":…,"seq":…,"t":…}`, canonical JSON, which publishes no message and
    /// binds all of the entry.
    #[must_use]
    pub fn leaf(&self) -> String {
        let mut leaf = String::with_capacity(LONGEST_LEAF);
        self.write_leaf(|part| leaf.extend(part.iter().copied().map(char::from)));
        leaf
    }

    /// The hash of the leaf: `SHA-256(00 ‖ leaf)`.
    #[must_use]
    pub fn leaf_hash(&self) -> TreeHash {
        // After the 0 with which a leaf begins.
        let (mut text, mut end) = ([0; LONGEST_LEAF.saturating_add(1)], 1_usize);
        self.write_leaf(|part| {
            let begin = end;
            end = end.saturating_add(part.len());
            if let Some(free) = text.get_mut(begin..end) {
                free.copy_from_slice(part);
            }
        });
        TreeHash::of_begun_leaf(text.get(..end).unwrap_or_default())
    }

    /// All of it is ASCII.
    fn write_leaf(&self, mut each: impl FnMut(&[u8])) {
        each(br#"{"h":""#);
        hex::encode_public_to(self.hash().as_bytes(), &mut each);
        each(br#"","seq":"#);
        decimal(self.seq, &mut each);
        each(br#","t":""#);
        each(&self.time().digits());
        each(br#""}"#);
    }

    /// Whether the message begins with a prefix and a label: that of a form which only the library itself appends.
    pub(crate) fn begins(&self, prefix: &str, label: &str) -> bool {
        let tail = self.message().strip_prefix(prefix).and_then(|tail| tail.strip_prefix("::"));
        tail.and_then(|tail| tail.strip_prefix(label)).is_some_and(|tail| tail.starts_with("::"))
    }

    /// Whether `h` is the hash of the entry's own members, position and link included. Reading an entry does not look:
    /// one that stands alone, as the end of a chain in a store, is asked before it is believed. `h` does not cover the
    /// time.
    #[must_use]
    pub fn hash_holds(&self) -> bool {
        Self::compute_hash(self.seq, self.identity_id(), self.message(), self.prev()) == *self.hash()
    }

    /// `SHA3-512(<w3>|<poruka>|<prev>|<seq>)`. The fixed grammars of the other three make a `|` in the message
    /// harmless.
    fn compute_hash(seq: u64, identity_id: &IdentityId, message: &str, prev: &ChainHash) -> ChainHash {
        // Part by part: a check of a long chain allocates nothing for it.
        let mut hash = Sha3_512::default();
        write_before_message(identity_id, |part| hash.update(part));
        hash.update(message.as_bytes());
        write_after_message(prev, seq, |part| hash.update(part));
        ChainHash::from_bytes(hash.finish())
    }

    /// Of each of many entries whether its [hash holds](Self::hash_holds).
    pub(crate) fn hashes_hold(entries: &[Self]) -> Vec<bool> {
        let (texts, ends) = Self::hashed_texts(entries);
        let text = |from, to| texts.get(from..to).unwrap_or_default();
        let mut start = 0;
        let messages = entries.iter().zip(&ends).map(|(entry, &(middle, end))| {
            let begin = core::mem::replace(&mut start, end);
            let message = if entry.is_copied() { &[] } else { entry.message().as_bytes() };
            [text(begin, middle), message, text(middle, end)].into_iter().filter(|part| !part.is_empty())
        });
        let mut hold: Vec<bool> = entries.iter().map(|_| false).collect();
        Sha3_512::digest_many(messages, |index, digest| {
            if let (Some(holds), Some(entry)) = (hold.get_mut(index), entries.get(index)) {
                *holds = *entry.hash() == ChainHash::from_bytes(digest);
            }
        });
        hold
    }

    /// What is hashed of the entries, one after the other, but for messages that are hashed where they are; of each
    /// where such a message belongs, and where its text ends.
    fn hashed_texts(entries: &[Self]) -> (Vec<u8>, Vec<(usize, usize)>) {
        // Room for messages of a hundred bytes.
        let mut texts = Vec::with_capacity(entries.len().saturating_mul(320));
        let ends = entries.iter().map(|entry| entry.append_hashed(&mut texts)).collect();
        (texts, ends)
    }

    fn append_hashed(&self, texts: &mut Vec<u8>) -> (usize, usize) {
        write_before_message(self.identity_id(), |part| texts.extend_from_slice(part));
        if self.is_copied() {
            texts.extend_from_slice(self.message().as_bytes());
        }
        let middle = texts.len();
        write_after_message(self.prev(), self.seq, |part| texts.extend_from_slice(part));
        (middle, texts.len())
    }

    /// Whether the message is copied beside what is hashed with it, since a part takes longer to begin than to copy. A
    /// long one is not: messages have no bound, and what a check keeps of them has.
    fn is_copied(&self) -> bool {
        self.message().len() <= COPIED
    }
}

/// `<w3>|`
fn write_before_message(identity_id: &IdentityId, mut each: impl FnMut(&[u8])) {
    hex::encode_public_to(identity_id.as_bytes(), &mut each);
    each(b"|");
}

/// `|<prev>|<seq>`
fn write_after_message(prev: &ChainHash, seq: u64, mut each: impl FnMut(&[u8])) {
    each(b"|");
    hex::encode_public_to(prev.as_bytes(), &mut each);
    each(b"|");
    decimal(seq, each);
}

/// The decimal digits of a number, without allocating.
fn decimal(mut number: u64, each: impl FnOnce(&[u8])) {
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
    each(digits.get(first..).unwrap_or_default());
}

#[cfg(feature = "serde")]
crate::encoding::serde_through_json!(Entry);

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

#[cfg(test)]
mod tests {
    use super::{COPIED, Entry, Head, LONGEST_LEAF};
    use crate::Domain;
    use crate::encoding::time::Timestamp;
    use crate::tree::TreeHash;
    use alloc::string::String;
    use alloc::vec::Vec;

    /// Entries with messages of these lengths, of which every third was altered.
    fn entries(lengths: impl IntoIterator<Item = usize>) -> Vec<Entry> {
        let ana = Domain::default().identity_id(b"", "ana", "").unwrap();
        let time: Timestamp = "2026-11-23T09:00:00.000Z".parse().unwrap();
        let mut head = Head::EMPTY;
        let append = |length: usize| {
            let message: String = ('a'..='z').cycle().take(length).collect();
            let appended = head.append_own(&ana, &message, time).unwrap();
            head = appended.head;
            appended.entry
        };
        let mut entries: Vec<_> = lengths.into_iter().map(append).collect();
        for entry in entries.iter_mut().step_by(3) {
            // The last character, which of a long message is in another part of what is hashed than the first.
            let mut message = String::from(entry.message());
            message.pop();
            message.push('!');
            entry.line.message = message;
        }
        entries
    }

    #[test]
    fn many_hashes_hold_where_each_does() {
        let entries = entries((1..40).chain(COPIED - 3..COPIED + 4).chain([4 * COPIED, 3, 9 * COPIED, COPIED + 1]));
        let each: Vec<_> = entries.iter().map(Entry::hash_holds).collect();
        assert!(each.contains(&true) && each.contains(&false));
        assert_eq!(Entry::hashes_hold(&entries), each);
        for count in 0..9 {
            assert_eq!(Entry::hashes_hold(&entries[entries.len() - count..]), each[each.len() - count..], "{count}");
        }
    }

    #[test]
    fn a_leaf_is_hashed_as_it_is_written() {
        for entry in entries(0..12) {
            for seq in [entry.seq, 10, (1 << 53) - 1, u64::MAX] {
                let entry = Entry { seq, ..entry.clone() };
                assert_eq!(entry.leaf_hash(), TreeHash::of_leaf(entry.leaf().as_bytes()));
                assert_eq!(entry.leaf().len() == LONGEST_LEAF, seq == u64::MAX);
            }
        }
    }

    /// A message has no bound: what a check copies of it has.
    #[test]
    fn long_messages_are_not_copied() {
        let (texts, ends) = Entry::hashed_texts(&entries([COPIED, COPIED + 1, 100_000, 1_000_000]));
        assert_eq!(ends.last().unwrap().1, texts.len());
        assert!(texts.len() < COPIED + 4 * 220, "{}", texts.len());
    }
}
