//! Random number generators that misbehave, and one that repeats itself.

use core::convert::Infallible;
use core::fmt;
use dualseal::rand_core::{TryCryptoRng, TryRng};

/// Gives the same byte for ever. With 0, a generator that is broken in a way that can be noticed.
#[derive(Clone, Copy, Debug)]
pub struct Constant(pub u8);

impl TryRng for Constant {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(u32::from_le_bytes([self.0; 4]))
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(u64::from_le_bytes([self.0; 8]))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        bytes.fill(self.0);
        Ok(())
    }
}

impl TryCryptoRng for Constant {}

/// Gives the bytes that it was made with, once.
#[derive(Clone, Debug)]
pub struct Given<'a>(pub &'a [u8]);

impl TryRng for Given<'_> {
    type Error = Exhausted;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes).map(|()| u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes).map(|()| u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        let (now, later) = self.0.split_at_checked(bytes.len()).ok_or(Exhausted)?;
        bytes.copy_from_slice(now);
        self.0 = later;
        Ok(())
    }
}

impl TryCryptoRng for Given<'_> {}

/// Fails whenever it is asked.
pub type Failing = Given<'static>;

/// A generator that always fails.
pub const FAILING: Failing = Given(&[]);

/// What [`Given`] says when it has nothing left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted;

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no bytes left")
    }
}

impl core::error::Error for Exhausted {}
