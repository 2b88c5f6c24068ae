//! One drawn secret, shared 3 of 5 over one field: what shares give that are bad, old, lost, or too few.

use dualseal::error::Misuse;
use dualseal::field::Field;
use dualseal::shamir::{
    Dealing, DrawnSecret, Index, Reconstructed, Share, Threshold, reconstruct, reconstruct_unanchored, repair,
};
use dualseal::{Domain, Error, SystemRng};
use dualseal_examples::report::Report;
use dualseal_examples::words::duration;
use dualseal_examples::{Fallible, timed};

/// A secret, and what shares gave back of it.
pub(crate) struct Shared<F: Field> {
    /// The field, for people.
    pub(crate) field: &'static str,
    /// The secret that was shared.
    pub(crate) secret: DrawnSecret<F>,
    /// Rebuilt while one share was corrupted.
    pub(crate) beside_a_culprit: DrawnSecret<F>,
    /// Rebuilt from shares that were dealt anew.
    pub(crate) refreshed: DrawnSecret<F>,
    /// What three shares give without the dealer's commitments, one of them corrupted: the bytes of some element.
    pub(crate) unchecked: Vec<u8>,
}

/// Deals, corrupts, refreshes and repairs.
pub(crate) fn tell<F: Field>(field: &'static str, domain: &Domain, report: &mut Report) -> Fallible<Shared<F>> {
    println!("A drawn secret, shared 3 of 5 over the field of {field}:");
    let secret = DrawnSecret::<F>::draw(&mut SystemRng)?;
    let (dealt, dealing) = timed(|| Dealing::deal(domain, &secret, Threshold::new(3, 5)?, &mut SystemRng));
    let dealt = dealt?;
    let (rebuilt, rebuilding) = timed(|| reconstruct(&dealt.dealing, &pick(&dealt.shares, &[5, 1, 3])?));
    println!("  dealt in {}, rebuilt in {}", duration(dealing), duration(rebuilding));
    gives("three good shares", &secret, rebuilt?, &[], report);

    let mut shares = pick(&dealt.shares, &[1, 2, 3, 4])?;
    shares[1] = corrupted(&shares[1])?;
    let beside = reconstruct(&dealt.dealing, &shares)?;
    let beside_a_culprit = gives("share 2 corrupted, one to spare", &secret, beside, &[2], report);
    let unchecked = reconstruct_unanchored(3, &shares[..3])?.to_bytes().as_ref().to_vec();

    let bad = |error: &str, culprits: &str| format!("{error} usable shares, 3 are needed; bad shares: {culprits}");
    let short = reconstruct(&dealt.dealing, &shares[..3]);
    report.refused("share 2 corrupted, none to spare", short, &bad("2", "2"));
    shares[3] = corrupted(&shares[3])?;
    shares[0] = corrupted(&shares[0])?;
    report.refused("two bad shares too many", reconstruct(&dealt.dealing, &shares), &bad("1", "1, 2, 4"));
    let two = reconstruct(&dealt.dealing, &pick(&dealt.shares, &[4, 5])?);
    report.refused("two shares", two, "2 usable shares, 3 are needed");
    let twice = reconstruct(&dealt.dealing, &pick(&dealt.shares, &[1, 2, 1])?);
    report.refused("a share that is there twice", twice, "2 usable shares, 3 are needed");

    let lost = Index::new(5)?;
    let again = repair(&dealt.dealing, &pick(&dealt.shares, &[1, 2, 3])?, lost, |share| share)?;
    let same = again.share.to_hex() == dealt.shares[4].to_hex();
    report.line("share 5 lost, and made again from three", if same { "the same share" } else { "another share" }, same);

    let anew = dealt.dealing.refresh(&pick(&dealt.shares, &[1, 2, 3])?, &mut SystemRng)?;
    let refreshed = reconstruct(&anew.dealing, &pick(&anew.shares, &[2, 4, 5])?)?;
    let refreshed = gives("dealt anew: three new shares", &secret, refreshed, &[], report);
    let mut mixed = pick(&anew.shares, &[2, 3])?;
    mixed.extend(pick(&dealt.shares, &[1])?);
    report.refused("dealt anew: an old share among new ones", reconstruct(&anew.dealing, &mixed), &bad("2", "1"));
    println!();
    Ok(Shared { field, secret, beside_a_culprit, refreshed, unchecked })
}

/// Notes whether shares gave the secret, and named these culprits.
fn gives<F: Field>(
    name: &str,
    secret: &DrawnSecret<F>,
    Reconstructed { secret: rebuilt, culprits, .. }: Reconstructed<F>,
    expected: &[u8],
    report: &mut Report,
) -> DrawnSecret<F> {
    let culprits: Vec<u8> = culprits.into_iter().map(Index::get).collect();
    let right = rebuilt.to_bytes().as_ref() == secret.to_bytes().as_ref();
    let named = if culprits.is_empty() { String::new() } else { format!("; bad shares: {culprits:?}") };
    let seen = format!("{}{named}", if right { "the secret" } else { "another secret" });
    report.line(name, &seen, right && culprits == expected);
    rebuilt
}

/// Copies of the shares with these numbers.
fn pick<F: Field>(shares: &[Share<F>], numbers: &[u64]) -> Result<Vec<Share<F>>, Error> {
    let copy = |number: &u64| {
        let index = Index::new(*number)?;
        let share = shares.iter().find(|share| share.index() == index).ok_or(Error::from(Misuse::NoShards))?;
        Share::from_hex(index, &share.to_hex())
    };
    numbers.iter().map(copy).collect()
}

/// The same share with its last bit flipped.
fn corrupted<F: Field>(share: &Share<F>) -> Result<Share<F>, Error> {
    let mut value = share.to_bytes();
    if let Some(last) = value.as_mut().last_mut() {
        *last ^= 1;
    }
    Share::from_bytes(share.index(), value.as_ref())
}
