//! How many signatures this thread verified and how many public keys it hashed, for tests of the work that is done in
//! each case.
#![cfg(all(test, feature = "std", feature = "getrandom"))]

use core::cell::Cell;

std::thread_local! {
    static VERIFIED: Cell<usize> = const { Cell::new(0) };
    static HASHED: Cell<usize> = const { Cell::new(0) };
}

pub(super) fn count_verified() {
    VERIFIED.set(VERIFIED.get() + 1);
}

pub(super) fn count_hashed() {
    HASHED.set(HASHED.get() + 1);
}

/// The verifications that `of` takes.
pub(crate) fn of(of: impl FnOnce()) -> usize {
    let before = VERIFIED.get();
    of();
    VERIFIED.get() - before
}

/// The public keys that `of` hashes.
pub(crate) fn hashed(of: impl FnOnce()) -> usize {
    let before = HASHED.get();
    of();
    HASHED.get() - before
}
