//! A chain under one checkpoint.

use super::error::ChainError;
use super::text::portions;
use dualseal::checkpoint::{AgreedChain, Checkpoint};
use dualseal::reader::{ChainReader, Proofs, StatedRing, TrustedHead, Watched};
use dualseal::{Domain, Error, Verified};
use std::io::Read;

/// A reader of a whole chain under a checkpoint.
///
/// # Errors
/// As [`ChainReader::under`].
pub fn under<'a>(domain: &Domain, checkpoint: &Verified<Checkpoint>) -> Result<ChainReader<'a>, Error> {
    ChainReader::new(domain, &TrustedHead::beginning()).under(checkpoint)
}

/// Reads a chain to its end, past whatever is watched for.
///
/// # Errors
/// As [`entries`](super::entries); [`ChainError::Chain`] for the first entry that does not hold, and for a chain that
/// does not agree with the reader's checkpoint.
pub fn read(chain: impl Read, mut reader: ChainReader<'_>) -> Result<Proofs, ChainError> {
    portions(chain, |texts| reader.push_json_all(texts.iter().copied(), |_, _| Ok(())))?;
    reader.finish().map_err(ChainError::Chain)
}

/// The same for one proof.
///
/// # Errors
/// As [`read()`]; [`ChainError::Asked`] for what is not watched for, and [`ChainError::Chain`] for what the chain does
/// not show.
pub fn read_for<'a, T: 'static>(
    chain: impl Read,
    mut reader: ChainReader<'a>,
    watch: impl FnOnce(&mut ChainReader<'a>) -> Result<Watched<T>, Error>,
) -> Result<T, ChainError> {
    let watched = watch(&mut reader).map_err(ChainError::Asked)?;
    read(chain, reader)?.take(watched).map_err(ChainError::Chain)
}

/// A chain that agrees with a checkpoint: all that the checkpoint covers is in it as it was signed.
///
/// # Errors
/// As [`read()`]; [`ChainError::Asked`] for a checkpoint of another domain.
pub fn agree(domain: &Domain, chain: impl Read, checkpoint: &Verified<Checkpoint>) -> Result<AgreedChain, ChainError> {
    agreed(&read(chain, under(domain, checkpoint).map_err(ChainError::Asked)?)?)
}

/// What was read under a checkpoint.
///
/// # Errors
/// [`ChainError::NoCheckpoint`].
pub fn agreed(proofs: &Proofs) -> Result<AgreedChain, ChainError> {
    proofs.agreed().cloned().ok_or(ChainError::NoCheckpoint)
}

/// As [`agree`], for a stranger, who has no ring key: some entry states the ring that the checkpoint states.
///
/// # Errors
/// As [`agree`]; [`ChainError::FalseRing`].
pub fn agree_stating(
    domain: &Domain,
    chain: impl Read,
    checkpoint: &Verified<Checkpoint>,
) -> Result<(AgreedChain, StatedRing), ChainError> {
    let mut reader = under(domain, checkpoint).map_err(ChainError::Asked)?;
    let watched = reader.stated_ring().map_err(ChainError::Asked)?;
    let mut proofs = read(chain, reader)?;
    let stated = stated(&mut proofs, watched)?;
    Ok((agreed(&proofs)?, stated))
}

/// The ring that a checkpoint states, where its chain has it.
///
/// # Errors
/// [`ChainError::FalseRing`].
pub fn stated(proofs: &mut Proofs, watched: Watched<StatedRing>) -> Result<StatedRing, ChainError> {
    proofs.take(watched).map_err(ChainError::FalseRing)
}
