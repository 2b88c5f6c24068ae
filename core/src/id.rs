//! Identifiers computed offline: SHA3-256 over constants, content, creator and context. The same input always gives
//! the same identifier, and nothing is asked over a network.
//!
//! A low-entropy identity ("Ana Horvat", "patient") can be guessed from its identifier by trying names. For people, put
//! a random value into `context` and keep it.

use crate::domain::{Domain, Label, Row};
pub(crate) use crate::encoding::check_label;
use crate::encoding::json::MAX_INTEGER;
use crate::encoding::{check_unambiguous, hex_newtype};
use crate::error::{Error, Problem};
use crate::hash::{HashFunction, Sha3_256, Sha3_512};
use crate::secret::is_same;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use zeroize::Zeroizing;

hex_newtype! {
    /// An identity: 32 bytes, 64 hexadecimal characters. Made by [`Domain::identity_id`] or read from a record.
    IdentityId, 32, "identity_id"
}

hex_newtype! {
    /// A vault record's identifier: 32 bytes, 64 hexadecimal characters.
    VaultId, 32, "vault_id"
}

hex_newtype! {
    /// What a signature is over (`sadrzaj_hash`): SHA3-256 bound to the signer's identity. 64 hexadecimal characters. A
    /// record's own says what was signed; what a verifier expects is [`HashedContent`].
    ContentHash, 32, "sadrzaj_hash"
}

hex_newtype! {
    /// A threshold session's identifier: 32 drawn bytes, 64 hexadecimal characters.
    SessionId, 32, "session_id"
}

hex_newtype! {
    /// SHA3-512 over a message that a quorum signs: 64 bytes, 128 hexadecimal characters.
    MessageHash, 64, "message_hash"
}

hex_newtype! {
    /// A threshold session bound to one message: 32 bytes, 64 hexadecimal characters.
    ThresholdBinding, 32, "binding"
}

impl MessageHash {
    /// The hash of a message.
    #[must_use]
    pub fn of(message: &[u8]) -> Self {
        Self::from_bytes(Sha3_512::digest(message))
    }
}

impl Domain {
    /// The general identifier of `content` by `creator` in `context`.
    ///
    /// `SHA3-256(P::<content>::<creator>::<context>::S)`. The content is any bytes; creator and context are text, may
    /// be empty, contain no `::` and do not begin with `:`, so that no two inputs share one identifier. No Unicode
    /// normalisation is applied.
    ///
    /// ```
    /// use dualseal::Domain;
    ///
    /// let id = Domain::default().identity_id(b"deed 17", "land registry", "Split")?;
    /// assert_eq!(id.to_hex().len(), 64);
    /// assert!(Domain::default().identity_id(b"deed 17", "a::b", "").is_err());
    /// # Ok::<(), dualseal::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Problem::Ambiguous`] for `creator` or `context`.
    pub fn identity_id(&self, content: &[u8], creator: &str, context: &str) -> Result<IdentityId, Error> {
        let mut hasher = self.identity_hasher(creator, context)?;
        hasher.update(content);
        Ok(hasher.finish())
    }

    /// As [`identity_id`](Self::identity_id) of many, in their order. `input` gives the content, creator and context of
    /// one.
    pub(crate) fn identity_ids<T>(
        &self,
        items: &[T],
        input: impl Fn(&T) -> (&[u8], &str, &str),
    ) -> Vec<Result<IdentityId, Error>> {
        // Mostly all have the same creator and context: what follows the contents is checked and written once.
        let mut tails: Vec<(&str, &str)> = Vec::new();
        let of_item = |item| {
            let (_, creator, context) = input(item);
            // In constant time: what stands beside it in a batch may be another's, and a context a secret.
            let is_last = |(of_last, in_last): &(&str, &str)| {
                let same = is_same(of_last.as_bytes(), creator.as_bytes());
                bool::from(same & is_same(in_last.as_bytes(), context.as_bytes()))
            };
            if !tails.last().is_some_and(is_last) {
                tails.push((creator, context));
            }
            tails.len().saturating_sub(1)
        };
        let tail_of: Vec<usize> = items.iter().map(of_item).collect();
        let check = |(creator, context): &(&str, &str)| {
            check_unambiguous("creator", creator)?;
            check_unambiguous("context", context)
        };
        let checked: Vec<Result<(), Error>> = tails.iter().map(check).collect();
        let no_id = |tail: usize| match checked.get(tail) {
            Some(Err(error)) => Err(Error::clone(error)),
            _ => Ok(IdentityId::from_bytes([0; 32])),
        };
        let mut ids: Vec<_> = tail_of.iter().map(|tail| no_id(*tail)).collect();

        let head = [self.prefix(Row::Identifier), "::"].concat();
        let parts = |(creator, context)| ["::", creator, "::", context, "::", self.suffix(Row::Identifier)];
        let length = tails.iter().copied().flat_map(parts).map(str::len).sum();
        // Room for all of them: what moves as it grows leaves a copy behind, and a context may be somebody's secret.
        let mut text = Zeroizing::new(Vec::with_capacity(length));
        let append = |tail| {
            let begin = text.len();
            for part in parts(tail) {
                text.extend_from_slice(part.as_bytes());
            }
            begin..text.len()
        };
        let places: Vec<_> = tails.iter().copied().map(append).collect();
        let messages = items.iter().zip(&tail_of).map(|(item, tail)| {
            let tail = places.get(*tail).and_then(|place| text.get(place.clone()));
            [head.as_bytes(), input(item).0, tail.unwrap_or_default()].into_iter()
        });
        // What is refused is hashed like the rest, for nothing.
        Sha3_256::digest_many(messages, |index, digest| {
            if let Some(Ok(id)) = ids.get_mut(index) {
                *id = IdentityId::from_bytes(digest);
            }
        });
        ids
    }

    /// As [`identity_id`](Self::identity_id), for content that comes in parts.
    ///
    /// # Errors
    /// [`Problem::Ambiguous`] for `creator` or `context`.
    pub fn identity_hasher<'a>(&'a self, creator: &'a str, context: &'a str) -> Result<IdentityHasher<'a>, Error> {
        check_unambiguous("creator", creator)?;
        check_unambiguous("context", context)?;
        Ok(IdentityHasher::new(self, creator, context))
    }

    /// The general identifier without the rules on creator and context, for identifiers issued elsewhere before.
    /// Different inputs can share one; [`lint`] finds them.
    #[must_use]
    pub fn legacy_identity_id(&self, content: &[u8], creator: &str, context: &str) -> IdentityId {
        let mut hasher = IdentityHasher::new(self, creator, context);
        hasher.update(content);
        hasher.finish()
    }

    /// The vault identifier of a payload at position `seq` of its ledger.
    ///
    /// `SHA3-256(P::<payload_hex>::<creator>::<context>::<seq>::S)` with the vault row's constants; `seq` is at most
    /// 2^53-1. The rules are those of [`identity_id`](Self::identity_id).
    ///
    /// # Errors
    /// [`Problem::Ambiguous`] for `creator` or `context`, [`Problem::Range`] for `seq`.
    pub fn vault_id(&self, payload: &[u8], creator: &str, context: &str, seq: u64) -> Result<VaultId, Error> {
        let mut hasher = self.vault_hasher(creator, context, seq)?;
        hasher.update(payload);
        Ok(hasher.finish())
    }

    /// As [`vault_id`](Self::vault_id), for a payload that comes in parts.
    ///
    /// # Errors
    /// As [`vault_id`](Self::vault_id).
    pub fn vault_hasher<'a>(&'a self, creator: &'a str, context: &'a str, seq: u64) -> Result<VaultHasher<'a>, Error> {
        check_unambiguous("creator", creator)?;
        check_unambiguous("context", context)?;
        if seq > MAX_INTEGER.unsigned_abs() {
            return Err(Error::malformed("seq", Problem::Range));
        }
        Ok(VaultHasher::new(self, creator, context, seq))
    }

    /// The vault identifier without any rule, for identifiers issued elsewhere before.
    #[must_use]
    pub fn legacy_vault_id(&self, payload: &[u8], creator: &str, context: &str, seq: u64) -> VaultId {
        let mut hasher = VaultHasher::new(self, creator, context, seq);
        hasher.update(payload);
        hasher.finish()
    }

    /// Hashes content for a signature by `identity_id`, in parts, for content of any size.
    ///
    /// `SHA3-256(P::<CONTENT>::<identity_id>::S ‖ content)` with the signature row's constants.
    ///
    /// ```
    /// use dualseal::Domain;
    ///
    /// let domain = Domain::default();
    /// let id = domain.identity_id(b"", "ana", "")?;
    /// let mut hasher = domain.content_hasher(&id);
    /// hasher.update(b"first part, ");
    /// hasher.update(b"second part");
    /// assert_eq!(hasher.finish(), domain.content_hash(&id, b"first part, second part"));
    /// # Ok::<(), dualseal::Error>(())
    /// ```
    #[must_use]
    pub fn content_hasher(&self, identity_id: &IdentityId) -> ContentHasher {
        let mut hash = Sha3_256::default();
        let label = self.label(Label::SignatureContent);
        hash.update(self.join(Row::Signature, &[label, &identity_id.to_hex()]).as_bytes());
        ContentHasher { identity_id: *identity_id, hash }
    }

    /// As [`content_hasher`](Self::content_hasher), for content in memory.
    #[must_use]
    pub fn content_hash(&self, identity_id: &IdentityId, content: &[u8]) -> HashedContent {
        let mut hasher = self.content_hasher(identity_id);
        hasher.update(content);
        hasher.finish()
    }

    /// Binds a threshold session to a message: `SHA3-256(P::<BINDING>::<session_id>::<message_hash>::S)` with the
    /// threshold row's constants.
    #[must_use]
    pub fn threshold_binding(&self, session_id: &SessionId, message: &MessageHash) -> ThresholdBinding {
        let label = self.label(Label::ThresholdBinding);
        let text = self.join(Row::Threshold, &[label, &session_id.to_hex(), &message.to_hex()]);
        ThresholdBinding::from_bytes(Sha3_256::digest(text.as_bytes()))
    }
}

/// Computes a general identifier from content that comes in parts.
#[derive(Clone, Debug)]
pub struct IdentityHasher<'a> {
    hash: Sha3_256,
    tail: [&'a str; 3],
}

impl<'a> IdentityHasher<'a> {
    fn new(domain: &'a Domain, creator: &'a str, context: &'a str) -> Self {
        Self { hash: begin(domain, Row::Identifier), tail: [creator, context, domain.suffix(Row::Identifier)] }
    }

    /// Takes the next part of the content.
    pub fn update(&mut self, content: &[u8]) {
        self.hash.update(content);
    }

    /// The identifier of all parts.
    #[must_use]
    pub fn finish(mut self) -> IdentityId {
        end(&mut self.hash, self.tail);
        IdentityId::from_bytes(self.hash.finish())
    }
}

/// Computes a vault identifier from a payload that comes in parts.
#[derive(Clone, Debug)]
pub struct VaultHasher<'a> {
    domain: &'a Domain,
    payload: PayloadHash,
    creator: &'a str,
    context: &'a str,
    seq: u64,
}

impl<'a> VaultHasher<'a> {
    fn new(domain: &'a Domain, creator: &'a str, context: &'a str, seq: u64) -> Self {
        Self { domain, payload: PayloadHash::new(domain), creator, context, seq }
    }

    /// Takes the next part of the payload (its bytes; the hexadecimal of the formula is made here).
    pub fn update(&mut self, payload: &[u8]) {
        self.payload.update(payload);
    }

    /// The identifier of all parts.
    #[must_use]
    pub fn finish(self) -> VaultId {
        self.payload.vault_id(self.domain, self.creator, self.context, self.seq)
    }
}

/// A vault identifier up to its payload: a vault learns the rest when the payload has been read.
#[derive(Clone, Debug)]
pub(crate) struct PayloadHash(Sha3_256);

impl PayloadHash {
    pub(crate) fn new(domain: &Domain) -> Self {
        Self(begin(domain, Row::Vault))
    }

    pub(crate) fn update(&mut self, payload: &[u8]) {
        in_digits(payload, |_, digits| self.0.update(digits));
    }

    /// As [`update`](Self::update), and the payload itself goes into another hash.
    pub(crate) fn update_with(&mut self, other: &mut Sha3_256, payload: &[u8]) {
        in_digits(payload, |bytes, digits| Sha3_256::update_both((other, bytes), (&mut self.0, digits)));
    }

    /// The texts obey the rules of [`Domain::vault_id`], or are a legacy identifier's.
    pub(crate) fn vault_id(mut self, domain: &Domain, creator: &str, context: &str, seq: u64) -> VaultId {
        end(&mut self.0, [creator, context, &seq.to_string(), domain.suffix(Row::Vault)]);
        VaultId::from_bytes(self.0.finish())
    }
}

/// Computes what a signature is over, from content that comes in parts.
#[derive(Clone, Debug)]
pub struct ContentHasher {
    identity_id: IdentityId,
    hash: Sha3_256,
}

/// Content at hand, hashed for the identity that signs it or is expected to have signed it: a signer signs it, and a
/// verifier compares both with the record.
///
/// ```
/// use dualseal::Domain;
///
/// let domain = Domain::default();
/// let ana = domain.identity_id(b"", "ana", "")?;
/// assert_eq!(*domain.content_hash(&ana, b"one contract").identity_id(), ana);
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashedContent {
    identity_id: IdentityId,
    hash: ContentHash,
}

impl HashedContent {
    /// Content that was hashed elsewhere, by [`Domain::content_hash`] for this identity. Of a record that is verified,
    /// its own two members would be compared with themselves.
    #[must_use]
    pub fn from_parts(identity_id: &IdentityId, hash: ContentHash) -> Self {
        Self { identity_id: *identity_id, hash }
    }

    /// Whose signature it is for.
    #[must_use]
    pub fn identity_id(&self) -> &IdentityId {
        &self.identity_id
    }

    /// The hash (`sadrzaj_hash`).
    #[must_use]
    pub fn hash(&self) -> &ContentHash {
        &self.hash
    }

    /// The hash as 64 hexadecimal characters.
    #[must_use]
    pub fn to_hex(&self) -> String {
        self.hash.to_hex()
    }
}

impl ContentHasher {
    /// Takes the next part of the content.
    pub fn update(&mut self, content: &[u8]) {
        self.hash.update(content);
    }

    /// All parts, hashed for the identity.
    #[must_use]
    pub fn finish(mut self) -> HashedContent {
        HashedContent { identity_id: self.identity_id, hash: ContentHash::from_bytes(self.hash.finish()) }
    }
}

macro_rules! writer {
    ($hasher:ty) => {
        /// For `std::io::copy` from a reader.
        #[cfg(feature = "std")]
        impl std::io::Write for $hasher {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                self.update(bytes);
                Ok(bytes.len())
            }

            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
    };
}

writer!(ContentHasher);
writer!(IdentityHasher<'_>);
writer!(VaultHasher<'_>);

/// A stored input that does not meet the rules of [`Domain::identity_id`]: another input may share its identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ambiguity {
    /// The position of the input in the list.
    pub index: usize,
    /// `creator` or `context`.
    pub field: &'static str,
}

/// Says which of a list of stored (creator, context) pairs are ambiguous, both fields of each.
///
/// ```
/// use dualseal::id::lint;
///
/// let found = lint([("ana", "2026"), ("ana::b", ":x")]);
/// assert_eq!(found.len(), 2);
/// assert_eq!((found[0].index, found[0].field), (1, "creator"));
/// ```
pub fn lint<'a>(inputs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<Ambiguity> {
    let mut found = Vec::new();
    for (index, (creator, context)) in inputs.into_iter().enumerate() {
        for (field, text) in [("creator", creator), ("context", context)] {
            if check_unambiguous(field, text).is_err() {
                found.push(Ambiguity { index, field });
            }
        }
    }
    found
}

/// Each kilobyte of a payload with its hexadecimal.
fn in_digits(payload: &[u8], mut each: impl FnMut(&[u8], &[u8])) {
    let mut digits = [0; 2048];
    for chunk in payload.chunks(1024) {
        // The buffer holds two digits for each byte of a chunk, so this cannot fail.
        each(chunk, base16ct::lower::encode(chunk, &mut digits).unwrap_or_default());
    }
}

fn begin(domain: &Domain, row: Row) -> Sha3_256 {
    let mut hash = Sha3_256::default();
    hash.update(domain.prefix(row).as_bytes());
    hash.update(b"::");
    hash
}

fn end<const N: usize>(hash: &mut Sha3_256, parts: [&str; N]) {
    for part in parts {
        hash.update(b"::");
        hash.update(part.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use crate::Domain;
    use alloc::string::String;
    use alloc::vec::Vec;
    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        /// Wherever creators and contexts change, and whichever are refused.
        #[test]
        fn many_identifiers_are_those_of_each(
            items in vec((vec(any::<u8>(), 0..300), "[ab]{0,2}|a::b|:a", "[ab]{0,2}|a::b"), 0..40),
        ) {
            let domain = Domain::default();
            let each = |(content, creator, context): &(Vec<u8>, String, String)| {
                domain.identity_id(content, creator, context)
            };
            let many = domain.identity_ids(&items, |(content, creator, context)| (content, creator, context));
            prop_assert_eq!(many, items.iter().map(each).collect::<Vec<_>>());
        }
    }
}
