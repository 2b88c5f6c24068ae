//! Many records or seals made at once: all of them, or none.

use super::{Progress, Threads, run};
use crate::encoding::time::Timestamp;
use crate::error::Error;
use crate::id::HashedContent;
use crate::krunica::{Appended, Head};
use crate::mldsa::Hedge;
use crate::seal::{DualSeal, Sealer};
use crate::signature::{Signed, Signer};
use alloc::vec::Vec;
use rand_core::TryCryptoRng;

/// Signs many contents, whose entries stand one behind the other from `head` on; see [`Signer::sign`]. They are stored
/// together, with the head after the last.
///
/// ```
/// use dualseal::batch::{Threads, sign_contents};
/// use dualseal::{Domain, Head, Signer, SigningKey, SystemRng, Timestamp};
///
/// let (domain, key) = (Domain::new("ACME")?, SigningKey::generate(&mut SystemRng)?);
/// let ana = domain.identity_id(b"", "ana", "")?;
/// let (signer, time) = (Signer::new(&domain, &ana, &key), "2026-11-21T09:00:00.000Z".parse::<Timestamp>()?);
/// let contents = ["deed 17", "deed 18"].map(|deed| signer.content_hash(deed.as_bytes()));
/// let signed =
///     sign_contents(&signer, &contents, &Head::EMPTY, time, &mut SystemRng, Threads::all(), &mut |_| {})?;
/// assert_eq!(signed[1].entry.seq(), 1);
/// assert_eq!(signed[1].head.size(), 2);
/// # Ok::<(), dualseal::Error>(())
/// ```
///
/// # Errors
/// As [`Signer::sign`], of the first that fails; none is made then.
pub fn sign_contents<R: TryCryptoRng + ?Sized>(
    signer: &Signer<'_>,
    contents: &[HashedContent],
    head: &Head,
    time: Timestamp,
    rng: &mut R,
    threads: Threads,
    progress: &mut dyn FnMut(Progress),
) -> Result<Vec<Signed>, Error> {
    let (mut placed, mut head) = (Vec::with_capacity(contents.len()), head.clone());
    for content in contents {
        let (unsigned, Appended { entry, head: after }) = signer.place(content, &head, time)?;
        placed.push((unsigned, entry, after.clone(), Hedge::draw(rng)?));
        head = after;
    }
    let signed = run(placed, threads, progress, |(unsigned, entry, head, hedge)| {
        Ok(Signed { record: signer.sign_placed(unsigned, &hedge)?, entry, head })
    });
    signed.into_iter().collect()
}

/// Makes a dual seal over each of many payloads; see [`Sealer::seal`].
///
/// # Errors
/// As [`Sealer::seal`], of the first that fails; none is made then.
pub fn seal_payloads<R: TryCryptoRng + ?Sized>(
    sealer: &Sealer<'_>,
    payloads: &[&[u8]],
    rng: &mut R,
    threads: Threads,
    progress: &mut dyn FnMut(Progress),
) -> Result<Vec<DualSeal>, Error> {
    let hedged = payloads.iter().map(|payload| Ok((*payload, Hedge::draw(rng)?)));
    let hedged = hedged.collect::<Result<_, Error>>()?;
    let seals = run(hedged, threads, progress, |(payload, hedge)| sealer.seal_hedged(payload, &hedge));
    seals.into_iter().collect()
}
