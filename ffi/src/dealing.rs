//! Dealings: shares that can be checked, because the dealer published commitments to them.

use crate::args::{Out, json, required};
use crate::domain::Domain;
use crate::failure::{Failure, guard, release};
use crate::secret::{ByField, Field, FieldValue, Secret, field, map_field, on_field};
use crate::shares::{HealthOut, Indices, Shares};
use crate::status::StatusValue;
use dualseal_core::SystemRng;
use dualseal_core::field::{Fp521, Gf2_256};
use dualseal_core::shamir::{self, Dealt, Index, Reconstructed, Repaired, Threshold};
use std::ffi::c_char;

/// What a dealer publishes about one set of shares. Never changes; threads may share it.
#[derive(Debug)]
pub struct Dealing(ByField<shamir::Dealing<Fp521>, shamir::Dealing<Gf2_256>>);

/// Does something over the one field of a dealing and of shares.
macro_rules! on_both {
    ($dealing:expr, $shares:expr, ($d:ident, $s:ident, $wrap:ident) => $body:expr) => {
        match (&$dealing.0, &$shares.0) {
            (ByField::Fp521($d), ByField::Fp521($s)) => {
                use ByField::Fp521 as $wrap;
                $body
            }
            (ByField::Gf2_256($d), ByField::Gf2_256($s)) => {
                use ByField::Gf2_256 as $wrap;
                $body
            }
            _ => return Err(Failure::unknown_value("shares")),
        }
    };
}

/// Deals `n` shares of a secret, of which any `k` give it. The dealing is published; the shares go to their holders,
/// one each, and nowhere else.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_dealing_deal(
    domain: Option<&Domain>,
    secret: Option<&Secret>,
    k: u64,
    n: u64,
    dealing: *mut *mut Dealing,
    shares: *mut *mut Shares,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (domain, secret) = (required("domain", domain)?, required("secret", secret)?);
        let (dealing, out) = (Out::new("dealing", dealing)?, Out::new("shares", shares)?);
        let threshold = Threshold::new(k, n)?;
        let dealt = map_field!(&*secret.0, secret => {
            shamir::Dealing::deal(&domain.0, secret, threshold, &mut SystemRng)?
        });
        match dealt {
            ByField::Fp521(Dealt { dealing: record, shares, .. }) => {
                dealing.handle(Dealing(ByField::Fp521(record)));
                out.handle(Shares(ByField::Fp521(shares)));
            }
            ByField::Gf2_256(Dealt { dealing: record, shares, .. }) => {
                dealing.handle(Dealing(ByField::Gf2_256(record)));
                out.handle(Shares(ByField::Gf2_256(shares)));
            }
        }
        Ok(())
    })
}

/// Reads a dealing over a field. The domain is the one that it was made under.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_dealing_from_json(
    domain: Option<&Domain>,
    field: FieldValue,
    dealing_json: *const c_char,
    dealing: *mut *mut Dealing,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?;
        let (text, out) = (json("dealing_json", dealing_json)?, Out::new("dealing", dealing)?);
        out.handle(Dealing(match self::field(field)? {
            Field::Fp521 => ByField::Fp521(shamir::Dealing::from_json(&domain.0, text)?),
            Field::Gf2_256 => ByField::Gf2_256(shamir::Dealing::from_json(&domain.0, text)?),
        }));
        Ok(())
    })
}

/// The dealing as JSON: what is published.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_dealing_to_json(
    dealing: Option<&Dealing>,
    dealing_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let dealing = required("dealing", dealing)?;
        Out::new("dealing_json", dealing_json)?.text(&on_field!(&dealing.0, dealing => dealing.to_json()));
        Ok(())
    })
}

/// Rebuilds the secret. `culprits` are the indices of the shares that are not what the dealer committed to, ascending,
/// to be freed with `dualseal_bytes_free`; they took no part. Of a refusal, `dualseal_error_culprits` names them.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_dealing_reconstruct(
    dealing: Option<&Dealing>,
    shares: Option<&Shares>,
    secret: *mut *mut Secret,
    culprits: *mut *mut u8,
    culprits_len: *mut usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (dealing, shares) = (required("dealing", dealing)?, required("shares", shares)?);
        let (out, culprits) = (Out::new("secret", secret)?, Indices::culprits(culprits, culprits_len)?);
        on_both!(dealing, shares, (dealing, shares, Of) => {
            let Reconstructed { secret, culprits: found } = shamir::reconstruct(dealing, shares)?;
            out.handle(Secret::new(Of(secret)));
            culprits.set(&found);
        });
        Ok(())
    })
}

/// Makes the lost share of this index again from others, as a list of one. `culprits` as for
/// `dualseal_dealing_reconstruct`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_dealing_repair(
    dealing: Option<&Dealing>,
    shares: Option<&Shares>,
    lost: u64,
    share: *mut *mut Shares,
    culprits: *mut *mut u8,
    culprits_len: *mut usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (dealing, shares) = (required("dealing", dealing)?, required("shares", shares)?);
        let (out, culprits) = (Out::new("share", share)?, Indices::culprits(culprits, culprits_len)?);
        let lost = Index::new(lost)?;
        on_both!(dealing, shares, (dealing, shares, Of) => {
            let Repaired { share, culprits: found } = shamir::repair(dealing, shares, lost, |share| share)?;
            out.handle(Shares(Of(vec![share])));
            culprits.set(&found);
        });
        Ok(())
    })
}

/// Deals the same secret anew with the same k and n: shares of the old and of the new set do not go together. It
/// protects only while fewer than k shares of every earlier set survive. `culprits` as for
/// `dualseal_dealing_reconstruct`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_dealing_refresh(
    dealing: Option<&Dealing>,
    shares: Option<&Shares>,
    new_dealing: *mut *mut Dealing,
    new_shares: *mut *mut Shares,
    culprits: *mut *mut u8,
    culprits_len: *mut usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (dealing, shares) = (required("dealing", dealing)?, required("shares", shares)?);
        let (record, out) = (Out::new("new_dealing", new_dealing)?, Out::new("new_shares", new_shares)?);
        let culprits = Indices::culprits(culprits, culprits_len)?;
        on_both!(dealing, shares, (dealing, shares, Of) => {
            let dealt = dealing.refresh(shares, &mut SystemRng)?;
            record.handle(Dealing(Of(dealt.dealing)));
            out.handle(Shares(Of(dealt.shares)));
            culprits.set(&dealt.culprits);
        });
        Ok(())
    })
}

/// As `dualseal_dealing_refresh`, with another `k` and `n`. Old shares keep the old k for as long as they exist.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_dealing_rethreshold(
    dealing: Option<&Dealing>,
    shares: Option<&Shares>,
    k: u64,
    n: u64,
    new_dealing: *mut *mut Dealing,
    new_shares: *mut *mut Shares,
    culprits: *mut *mut u8,
    culprits_len: *mut usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (dealing, shares) = (required("dealing", dealing)?, required("shares", shares)?);
        let (record, out) = (Out::new("new_dealing", new_dealing)?, Out::new("new_shares", new_shares)?);
        let culprits = Indices::culprits(culprits, culprits_len)?;
        let threshold = Threshold::new(k, n)?;
        on_both!(dealing, shares, (dealing, shares, Of) => {
            let dealt = dealing.rethreshold(shares, threshold, &mut SystemRng)?;
            record.handle(Dealing(Of(dealt.dealing)));
            out.handle(Shares(Of(dealt.shares)));
            culprits.set(&dealt.culprits);
        });
        Ok(())
    })
}

/// Tells which shares of the set are present, missing, invalid and foreign, without rebuilding anything: four lists of
/// indices, each ascending and to be freed with `dualseal_bytes_free`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_dealing_health(
    dealing: Option<&Dealing>,
    shares: Option<&Shares>,
    present: *mut *mut u8,
    present_len: *mut usize,
    missing: *mut *mut u8,
    missing_len: *mut usize,
    invalid: *mut *mut u8,
    invalid_len: *mut usize,
    foreign: *mut *mut u8,
    foreign_len: *mut usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (dealing, shares) = (required("dealing", dealing)?, required("shares", shares)?);
        let (present, missing) = ((present, present_len), (missing, missing_len));
        let out = HealthOut::new(present, missing, (invalid, invalid_len), (foreign, foreign_len))?;
        let health = match (&dealing.0, &shares.0) {
            (ByField::Fp521(dealing), ByField::Fp521(shares)) => shamir::health(dealing, shares),
            (ByField::Gf2_256(dealing), ByField::Gf2_256(shares)) => shamir::health(dealing, shares),
            _ => return Err(Failure::unknown_value("shares")),
        };
        out.set(&health);
        Ok(())
    })
}

/// Frees a dealing. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_dealing_free(dealing: Option<Box<Dealing>>) {
    release(|| drop(dealing));
}
