//! The dealer's record, and what is done by it.

use super::secret::DrawnSecret;
use super::share::{Share, copies};
use super::{Over, ShareHealth, numbers, over};
use crate::domain::Domain;
use crate::failure::{Returned, not_pickled};
use crate::input::{index, threshold};
use crate::json::{JsonText, to_object};
use dualseal::field::{Field, Fp521, Gf2_256};
use dualseal::shamir::{self, Commitments, Threshold};
use dualseal::{Error, SystemRng};
use pyo3::prelude::*;
use pyo3::types::PyInt;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Dealing>()?;
    module.add_class::<ShareHealth>()
}

/// What the dealer publishes about one set of shares: hashes of the secret and of every share. Whoever rebuilds must
/// have it from the dealer, unaltered; it need not be kept secret.
///
/// Its methods take shares in any order and accuse by number: a culprit's share is not what the dealer committed to.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Dealing(Over<shamir::Dealing<Fp521>, shamir::Dealing<Gf2_256>>);

impl From<shamir::Dealing<Fp521>> for Dealing {
    fn from(dealing: shamir::Dealing<Fp521>) -> Self {
        Self(Over::Prime(dealing))
    }
}

impl From<shamir::Dealing<Gf2_256>> for Dealing {
    fn from(dealing: shamir::Dealing<Gf2_256>) -> Self {
        Self(Over::Binary(dealing))
    }
}

impl Dealing {
    fn threshold(&self) -> Threshold {
        over!(&self.0, dealing => dealing.threshold())
    }
}

#[pymethods]
impl Dealing {
    /// Deals n shares of a secret for the first time. They go to their holders, one each, and nowhere else.
    #[staticmethod]
    #[pyo3(signature = (domain, secret, *, k, n))]
    fn deal(
        py: Python<'_>,
        domain: &Domain,
        secret: &DrawnSecret,
        k: &Bound<'_, PyInt>,
        n: &Bound<'_, PyInt>,
    ) -> Returned<(Self, Vec<Share>)> {
        let threshold = threshold(k, n)?;
        over!(secret.shared()?, secret => {
            let dealt = py.detach(|| shamir::Dealing::deal(&domain.0, secret, threshold, &mut SystemRng))?;
            let (dealing, shares, ..) = parts(dealt);
            Ok((dealing, shares))
        })
    }

    /// Reads the JSON. The domain is the one that it was made under.
    #[staticmethod]
    #[pyo3(signature = (domain, json, /))]
    fn from_json(py: Python<'_>, domain: &Domain, json: JsonText<'_>) -> Returned<Self> {
        Ok(Self(json.read(py, |json| match shamir::Dealing::from_json(&domain.0, json) {
            // It may be of the other field, which the record says.
            Err(Error::Malformed(malformed)) if malformed.field == "algoritam" => {
                shamir::Dealing::from_json(&domain.0, json).map(Over::Binary)
            }
            read => read.map(Over::Prime),
        })?))
    }

    /// Canonical JSON.
    fn to_json(&self) -> String {
        over!(&self.0, dealing => dealing.to_json())
    }

    /// The members, by their names on the wire.
    fn to_dict<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.to_json())
    }

    /// The dealer's secret from k shares or more, the culprits, and the misdealt: the numbers of the shares that hold
    /// and do not go with the others, for which the dealer is to blame. Neither took part. The misdealt are looked for
    /// where the first shares do not give the secret. Raises SharingError.
    #[pyo3(signature = (shares, /))]
    fn reconstruct(&self, py: Python<'_>, shares: Vec<Py<Share>>) -> Returned<(DrawnSecret, Vec<u64>, Vec<u64>)> {
        over!(&self.0, dealing => {
            let shares = copies(&shares)?;
            let rebuilt = py.detach(|| shamir::reconstruct(dealing, &shares))?;
            Ok((rebuilt.secret.into(), numbers(&rebuilt.culprits), numbers(&rebuilt.misdealt)))
        })
    }

    /// A lost share, made again from k others, the culprits and the misdealt. Raises SharingError.
    #[pyo3(signature = (shares, /, *, lost))]
    fn repair(
        &self,
        py: Python<'_>,
        shares: Vec<Py<Share>>,
        lost: &Bound<'_, PyInt>,
    ) -> Returned<(Share, Vec<u64>, Vec<u64>)> {
        let lost = index(lost)?;
        over!(&self.0, dealing => {
            let shares = copies(&shares)?;
            let repaired = py.detach(|| shamir::repair(dealing, &shares, lost, |share| share))?;
            Ok((repaired.share.into(), numbers(&repaired.culprits), numbers(&repaired.misdealt)))
        })
    }

    /// Deals the same secret on a new polynomial: the new record, its shares, the culprits and the misdealt. Shares
    /// of the old and of the new set do not go together. It protects only while fewer than k shares of every earlier
    /// set survive.
    #[pyo3(signature = (shares, /))]
    fn refresh(&self, py: Python<'_>, shares: Vec<Py<Share>>) -> Returned<Dealt> {
        over!(&self.0, dealing => {
            let shares = copies(&shares)?;
            Ok(parts(py.detach(|| dealing.refresh(&shares, &mut SystemRng))?))
        })
    }

    /// As refresh, with another k and n. Old shares keep the old threshold for as long as they exist.
    #[pyo3(signature = (shares, /, *, k, n))]
    fn rethreshold(
        &self,
        py: Python<'_>,
        shares: Vec<Py<Share>>,
        k: &Bound<'_, PyInt>,
        n: &Bound<'_, PyInt>,
    ) -> Returned<Dealt> {
        let threshold = threshold(k, n)?;
        over!(&self.0, dealing => {
            let shares = copies(&shares)?;
            Ok(parts(py.detach(|| dealing.rethreshold(&shares, threshold, &mut SystemRng))?))
        })
    }

    /// Which shares are present, missing, invalid and foreign. Nothing is rebuilt.
    #[pyo3(signature = (shares, /))]
    fn health(&self, py: Python<'_>, shares: Vec<Py<Share>>) -> Returned<ShareHealth> {
        over!(&self.0, dealing => {
            let shares = copies(&shares)?;
            Ok(ShareHealth::from(&py.detach(|| shamir::health(dealing, &shares))))
        })
    }

    /// The secret's identifier, which stays the same when it is dealt again.
    #[getter]
    fn dealing_id(&self) -> String {
        over!(&self.0, dealing => dealing.dealing_id().to_hex())
    }

    /// The identifier of this set of shares.
    #[getter]
    fn split_id(&self) -> String {
        over!(&self.0, dealing => dealing.split_id().to_hex())
    }

    /// How many shares give the secret.
    #[getter]
    fn k(&self) -> u8 {
        self.threshold().k()
    }

    /// How many shares there are.
    #[getter]
    fn n(&self) -> u8 {
        self.threshold().n()
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("Dealing(dealing_id='{}', k={}, n={})", self.dealing_id(), self.k(), self.n())
    }
}

/// The new record, its shares, the culprits and the misdealt.
type Dealt = (Dealing, Vec<Share>, Vec<u64>, Vec<u64>);

fn parts<F: Field>(dealt: shamir::Dealt<F>) -> Dealt
where
    Dealing: From<shamir::Dealing<F>>,
    Share: From<shamir::Share<F>>,
{
    let shares = dealt.shares.into_iter().map(Share::from).collect();
    (dealt.dealing.into(), shares, numbers(&dealt.culprits), numbers(&dealt.misdealt))
}
