//! Dealings: shares that can be checked, because the dealer published commitments to them.

use crate::args::{Out, Text, read, required};
use crate::call_error::CallError;
use crate::domain::Domain;
use crate::guard::guard;
use crate::list::{array, faults, health, list};
use crate::sharing::secret::{ByField, Drawn, Field, FieldValue, Secret, field, on_field};
use crate::status::StatusValue;
use dualseal_core::SystemRng;
use dualseal_core::field::{self as fields, Fp521, Gf2_256};
use dualseal_core::shamir::{self, Dealt, Index, Reconstructed, Share, Threshold};
use std::ffi::c_char;
use zeroize::Zeroizing;

/// A field of this library, and how a secret of it is told from one of the other.
trait Known: fields::Field {
    fn wrap(secret: shamir::DrawnSecret<Self>) -> Drawn;
}

impl Known for Fp521 {
    fn wrap(secret: shamir::DrawnSecret<Self>) -> Drawn {
        ByField::Fp521(secret)
    }
}

impl Known for Gf2_256 {
    fn wrap(secret: shamir::DrawnSecret<Self>) -> Drawn {
        ByField::Gf2_256(secret)
    }
}

/// A dealing with shares, as they came.
struct Given<F: Known> {
    dealing: shamir::Dealing<F>,
    shares: Vec<Share<F>>,
}

impl<F: Known> Given<F> {
    fn read(
        domain: *const Domain,
        (dealing, dealing_len): Text,
        (shares, shares_len): Text,
    ) -> Result<Self, CallError> {
        let domain = required("domain", domain)?;
        let dealing = read("dealing_json", dealing, dealing_len, |text| shamir::Dealing::from_json(&domain.0, text))?;
        Ok(Self { dealing, shares: list(("shares_json", shares, shares_len), Share::from_pair_json)? })
    }
}

/// Does the same with a dealing and shares of either field.
macro_rules! given {
    ($field:expr, $domain:expr, $dealing:expr, $shares:expr, $given:ident => $body:expr) => {
        match self::field($field)? {
            Field::Fp521 => {
                let $given = Given::<Fp521>::read($domain, $dealing, $shares)?;
                $body
            }
            Field::Gf2_256 => {
                let $given = Given::<Gf2_256>::read($domain, $dealing, $shares)?;
                $body
            }
        }
    };
}

fn shares_text<F: Known>(shares: &[Share<F>]) -> Zeroizing<String> {
    array(shares.iter().map(Share::to_pair_json))
}

/// Where a new dealing goes.
struct Places {
    dealing: Out<*mut c_char>,
    shares: Out<*mut c_char>,
    faults: Out<*mut c_char>,
}

impl Places {
    fn new(
        new_dealing_json: *mut *mut c_char,
        new_shares_json: *mut *mut c_char,
        faults_json: *mut *mut c_char,
    ) -> Result<Self, CallError> {
        Ok(Self {
            dealing: Out::new("new_dealing_json", new_dealing_json)?,
            shares: Out::new("new_shares_json", new_shares_json)?,
            faults: Out::new("faults_json", faults_json)?,
        })
    }

    fn set<F: Known>(self, dealt: &Dealt<F>) {
        self.dealing.text(&dealt.dealing.to_json());
        self.shares.text(&shares_text(&dealt.shares));
        self.faults.text(&faults(&dealt.culprits, &dealt.misdealt));
    }
}

/// Deals `n` shares of a secret, of which any `k` give it. The dealing is published. The shares are a list of pairs
/// `[index, value in hexadecimal]`, which go to their holders, one each, and nowhere else.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_dealing_deal(
    domain: *const Domain,
    secret: *const Secret,
    k: u32,
    n: u32,
    dealing_json: *mut *mut c_char,
    shares_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (domain, secret) = (required("domain", domain)?, required("secret", secret)?);
        let (dealing, shares) = (Out::new("dealing_json", dealing_json)?, Out::new("shares_json", shares_json)?);
        let threshold = Threshold::new(k.into(), n.into())?;
        on_field!(&*secret.0, secret => {
            let dealt = shamir::Dealing::deal(&domain.0, secret, threshold, &mut SystemRng)?;
            dealing.text(&dealt.dealing.to_json());
            shares.text(&shares_text(&dealt.shares));
        });
        Ok(())
    })
}

/// Rebuilds the secret. The domain and the field are those that it was dealt under. `faults_json` is
/// `{"culprits","misdealt"}`, two lists of indices, each ascending: of the shares that are not what the dealer
/// committed to, and of those that are and do not go with the others, for which the dealer is to blame and not who sent
/// them. Neither took part. The latter are looked for where the first shares do not give the secret. Of a refusal,
/// `dualseal_error_faults` names the culprits.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_dealing_reconstruct(
    domain: *const Domain,
    field: FieldValue,
    dealing_json: *const c_char,
    dealing_json_len: usize,
    shares_json: *const c_char,
    shares_json_len: usize,
    secret: *mut *mut Secret,
    faults_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (out, wrong) = (Out::new("secret", secret)?, Out::new("faults_json", faults_json)?);
        given!(field, domain, (dealing_json, dealing_json_len), (shares_json, shares_json_len), given => {
            let Reconstructed { secret, culprits, misdealt } = shamir::reconstruct(&given.dealing, &given.shares)?;
            out.handle(Secret::new(Known::wrap(secret)));
            wrong.text(&faults(&culprits, &misdealt));
        });
        Ok(())
    })
}

/// Makes the lost share of this index again from others, as the pair `[index, value in hexadecimal]`. The rest as for
/// `dualseal_dealing_reconstruct`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_dealing_repair(
    domain: *const Domain,
    field: FieldValue,
    dealing_json: *const c_char,
    dealing_json_len: usize,
    shares_json: *const c_char,
    shares_json_len: usize,
    lost: u32,
    share_json: *mut *mut c_char,
    faults_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (out, wrong) = (Out::new("share_json", share_json)?, Out::new("faults_json", faults_json)?);
        let lost = Index::new(lost.into())?;
        given!(field, domain, (dealing_json, dealing_json_len), (shares_json, shares_json_len), given => {
            let repaired = shamir::repair(&given.dealing, &given.shares, lost, |share| share)?;
            out.text(&repaired.share.to_pair_json());
            wrong.text(&faults(&repaired.culprits, &repaired.misdealt));
        });
        Ok(())
    })
}

/// Deals the same secret anew: shares of the old and of the new set do not go together. With 0 for `k` and for `n` both
/// stay what they are, so that no slip lowers them. It protects only while fewer than k shares of every earlier set
/// survive: old shares keep the old k for as long as they exist. The rest as for `dualseal_dealing_reconstruct`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_dealing_renew(
    domain: *const Domain,
    field: FieldValue,
    dealing_json: *const c_char,
    dealing_json_len: usize,
    shares_json: *const c_char,
    shares_json_len: usize,
    k: u32,
    n: u32,
    new_dealing_json: *mut *mut c_char,
    new_shares_json: *mut *mut c_char,
    faults_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let places = Places::new(new_dealing_json, new_shares_json, faults_json)?;
        let threshold = if (k, n) == (0, 0) { None } else { Some(Threshold::new(k.into(), n.into())?) };
        given!(field, domain, (dealing_json, dealing_json_len), (shares_json, shares_json_len), given => {
            places.set(&match threshold {
                None => given.dealing.refresh(&given.shares, &mut SystemRng)?,
                Some(threshold) => given.dealing.rethreshold(&given.shares, threshold, &mut SystemRng)?,
            });
        });
        Ok(())
    })
}

/// Tells which shares of the set are present, missing, invalid and foreign, without rebuilding anything, as JSON:
/// `{"foreign","invalid","missing","present"}`, four lists of indices, each ascending.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_dealing_health(
    domain: *const Domain,
    field: FieldValue,
    dealing_json: *const c_char,
    dealing_json_len: usize,
    shares_json: *const c_char,
    shares_json_len: usize,
    health_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let out = Out::new("health_json", health_json)?;
        given!(field, domain, (dealing_json, dealing_json_len), (shares_json, shares_json_len), given => {
            out.text(&health(&shamir::health(&given.dealing, &given.shares)));
        });
        Ok(())
    })
}
