//! A statement that is to be signed: whole, or in parts of which a beginning is kept.

use super::{Mu, PublicKey};

/// What a key signs.
pub(crate) enum Statement<'a> {
    /// In memory.
    Whole(&'a [u8]),
    /// What came in parts, for the key that signs it.
    #[cfg_attr(not(feature = "libcrux"), allow(dead_code, reason = "of the feature `libcrux`: what was kept"))]
    Parts(&'a Mu, &'a Kept),
}

impl Statement<'_> {
    /// The message representative.
    pub(super) fn mu(&self, key: &PublicKey) -> Mu {
        match self {
            Self::Whole(statement) => Mu::of(key, statement),
            Self::Parts(mu, _) => (*mu).clone(),
        }
    }

    /// The statement, where it is short enough to be signed whole.
    #[cfg(feature = "libcrux")]
    pub(super) fn short(&self) -> Option<&[u8]> {
        match self {
            Self::Whole(statement) => Some(*statement).filter(|statement| statement.len() <= kept::LONGEST),
            Self::Parts(_, kept) => kept.whole(),
        }
    }
}

#[cfg(feature = "libcrux")]
mod kept {
    use alloc::vec::Vec;
    use zeroize::Zeroizing;

    /// Bytes of the longest statement that is signed whole. The time of hashing it once more is then still small beside
    /// what is gained.
    pub(in crate::mldsa) const LONGEST: usize = 1 << 16;

    /// What is made room for at first: the statement of a short payload's seal.
    const SHORT: usize = 1 << 12;

    /// A statement that comes in parts, as long as it is short: what signs takes it whole.
    pub(crate) struct Kept(Option<Zeroizing<Vec<u8>>>);

    impl Kept {
        /// For what is not to be signed.
        pub(crate) fn nothing() -> Self {
            Self(None)
        }

        pub(crate) fn begin() -> Self {
            Self(Some(Zeroizing::new(Vec::with_capacity(SHORT))))
        }

        pub(crate) fn push(&mut self, part: &[u8]) {
            let Some(kept) = &mut self.0 else { return };
            let length = kept.len().saturating_add(part.len());
            if length > LONGEST {
                self.0 = None;
                return;
            }
            if length > kept.capacity() {
                // A list that moves as it grows leaves what it had behind.
                let mut longer = Zeroizing::new(Vec::with_capacity(length.next_power_of_two()));
                longer.extend_from_slice(kept);
                *kept = longer;
            }
            kept.extend_from_slice(part);
        }

        pub(super) fn whole(&self) -> Option<&[u8]> {
            self.0.as_deref().map(Vec::as_slice)
        }
    }
}

#[cfg(not(feature = "libcrux"))]
mod kept {
    /// Nothing: what signs takes a message representative.
    pub(crate) struct Kept;

    impl Kept {
        pub(crate) fn nothing() -> Self {
            Self
        }

        pub(crate) fn begin() -> Self {
            Self
        }

        #[allow(clippy::unused_self, reason = "with the feature `libcrux` it keeps the part")]
        pub(crate) fn push(&mut self, _: &[u8]) {}
    }
}

pub(crate) use kept::Kept;

#[cfg(all(test, feature = "libcrux"))]
mod tests {
    use super::kept::{Kept, LONGEST};
    use alloc::vec::Vec;

    #[test]
    fn what_is_short_is_kept_whole() {
        let text: Vec<u8> = (0..=u8::MAX).cycle().take(LONGEST + 1).collect();
        for (length, part) in
            [(0, 1), (1, 1), (4095, 7), (4097, 4096), (9000, 100), (LONGEST, 2048), (LONGEST, LONGEST)]
        {
            let mut kept = Kept::begin();
            text[..length].chunks(part).for_each(|part| kept.push(part));
            assert_eq!(kept.whole(), Some(&text[..length]), "{length} by {part}");
            kept.push(&[]);
            assert!(kept.whole().is_some());
            kept.push(&text[length..]);
            assert_eq!(kept.whole().is_some(), length == 0 && text.len() <= LONGEST, "{length} by {part}");
        }
        let mut nothing = Kept::nothing();
        nothing.push(b"a part");
        assert_eq!(nothing.whole(), None);
    }

    #[test]
    fn what_became_too_long_stays_forgotten() {
        let mut kept = Kept::begin();
        kept.push(&alloc::vec![0; LONGEST]);
        kept.push(&[0; 2]);
        kept.push(b"short");
        assert_eq!(kept.whole(), None);
    }
}
