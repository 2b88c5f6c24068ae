//! The same bytes in each run.

use shake::{ExtendableOutput, Shake128, Shake128Reader, Update, XofReader};

/// SHAKE128 of a name.
pub(crate) struct Random(Shake128Reader);

impl Random {
    pub(crate) fn of(name: &str) -> Self {
        let mut hash = Shake128::default();
        hash.update(name.as_bytes());
        Self(hash.finalize_xof())
    }

    pub(crate) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.read(&mut bytes);
        bytes
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(u64::from_le_bytes(self.bytes()) % u64::try_from(end).unwrap()).unwrap()
    }
}
