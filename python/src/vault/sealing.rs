//! Sealing documents: in memory, from a file, and in parts.

use super::files::{Ends, Source, Target};
use super::master::{LedgerHead, VaultMaster};
use super::record::VaultRecord;
use super::report::VaultReport;
use crate::ed25519::Ed25519SigningKey;
use crate::enums::{encryption, tier};
use crate::failure::{Returned, not_pickled};
use crate::input::{BytesLike, locked, malformed, text};
use crate::keys::{KeyHandle, PublicKey};
use crate::krunica::{Entry, Head};
use crate::progress::{ending, lock, running};
use crate::ring::KeyRing;
use crate::shard::OwnSplits;
use crate::sharing::DrawnSecret;
use crate::time::moment;
use dualseal::ed25519;
use dualseal::error::Problem;
use dualseal::krunica::Appended;
use dualseal::shamir::SplitId;
use dualseal::vault::{self, Destination, ErasedSplits, Tier};
use dualseal::{Error, IdentityId, SystemRng, Timestamp};
use dualseal_operator::vault_file;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use self_cell::self_cell;
use std::sync::{Arc, Mutex};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<VaultSealer>()?;
    module.add_class::<Sealed>()?;
    module.add_class::<SealedErasure>()?;
    module.add_class::<Sealing>()?;
    module.add_class::<Unplaced>()
}

/// What records are made with.
#[derive(Clone)]
struct Made {
    master: Arc<vault::VaultMaster>,
    identity_id: IdentityId,
    key: KeyHandle,
    access: Option<(Tier, Arc<ed25519::Ed25519SigningKey>)>,
}

impl Made {
    fn vault(&self) -> vault::VaultSealer<'_> {
        let vault = vault::VaultSealer::new(&self.master, &self.identity_id, self.key.key());
        match &self.access {
            Some((Tier::Native, key)) => vault.native(key),
            Some((_, key)) => vault.noble(key),
            None => vault,
        }
    }
}

/// What is said instead of splits where there is no chain of them.
const NO_CHAIN: &str = "no chain";

/// The argument `splits` of an erasure.
#[derive(FromPyObject)]
enum Walked<'py> {
    #[pyo3(annotation = "OwnSplits")]
    Splits(Bound<'py, OwnSplits>),
    #[pyo3(annotation = "str")]
    Said(Bound<'py, PyString>),
}

/// Where a record goes.
struct Where {
    ledger: vault::LedgerHead,
    head: dualseal::Head,
    note: String,
    time: Timestamp,
}

impl Where {
    fn new(
        ledger: &LedgerHead,
        head: &Head,
        time: &Bound<'_, PyAny>,
        note: Option<&Bound<'_, PyString>>,
    ) -> Returned<Self> {
        let note = note.map(|note| text("text", note)).transpose()?.unwrap_or_default().to_owned();
        Ok(Self { ledger: ledger.0, head: head.0.clone(), note, time: moment("time", time)? })
    }

    fn place(&self) -> Destination<'_> {
        Destination { ledger: &self.ledger, head: &self.head, note: &self.note, time: self.time }
    }
}

/// Seals for one identity, in the domain of the master. One signing key serves one domain.
///
/// Each method appends to the ledger at its head `ledger` and to the chain at `head`: the record, the stored bytes, the
/// entry and both new heads are stored together, or none of them. `note` is what the network's perimeter reported (L1).
/// `kind` is the type of the document, 1 to 255 bytes without `::`, leading `:` and control characters.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct VaultSealer(Made);

#[pymethods]
impl VaultSealer {
    /// A vault of a tier; `tier_key` shows it, and the tier public has none.
    #[new]
    #[pyo3(
        signature = (master, identity_id, key, *, tier = None, tier_key = None),
        text_signature = "(master, identity_id, key, *, tier=None, tier_key=None)"
    )]
    fn new(
        master: &VaultMaster,
        identity_id: &Bound<'_, PyString>,
        key: KeyHandle,
        tier: Option<&Bound<'_, PyString>>,
        tier_key: Option<&Ed25519SigningKey>,
    ) -> Returned<Self> {
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let access = match (tier.map(self::tier).transpose()?.unwrap_or(Tier::Public), tier_key) {
            (Tier::Public, None) => None,
            // A key that is given for nothing is a mistake: another tier was meant.
            (Tier::Public, Some(_)) => return Err(malformed("tier", Problem::Range)),
            (_, None) => return Err(PyTypeError::new_err("this tier needs tier_key").into()),
            (tier, Some(key)) => Some((tier, Arc::clone(&key.0))),
        };
        Ok(Self(Made { master: Arc::clone(&master.0), identity_id, key, access }))
    }

    /// A sealer whose signing key is the identity's current one in a ring, and VALID: a record by another one is
    /// invalid for good, and its place in the ledger is taken. Raises as KeyRing.check_signer does.
    #[staticmethod]
    #[pyo3(
        signature = (master, ring, identity_id, key, *, tier = None, tier_key = None),
        text_signature = "(master, ring, identity_id, key, *, tier=None, tier_key=None)"
    )]
    fn current(
        master: &VaultMaster,
        ring: &KeyRing,
        identity_id: &Bound<'_, PyString>,
        key: KeyHandle,
        tier: Option<&Bound<'_, PyString>>,
        tier_key: Option<&Ed25519SigningKey>,
    ) -> Returned<Self> {
        let id = text("identity_id", identity_id)?.parse()?;
        ring.snapshot().check_signer(&id, key.key().public_key())?;
        Self::new(master, identity_id, key, tier, tier_key)
    }

    /// Seals a document in memory, any bytes-like object, and returns what was made and the bytes to be stored.
    ///
    /// Raises MisuseError for the type ERASURE, which erase makes.
    #[pyo3(signature = (payload, kind, *, encryption, ledger, head, time, note = None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn seal<'py>(
        &self,
        py: Python<'py>,
        payload: BytesLike<'_>,
        kind: &Bound<'_, PyString>,
        encryption: &Bound<'_, PyString>,
        ledger: &LedgerHead,
        head: &Head,
        time: &Bound<'_, PyAny>,
        note: Option<&Bound<'_, PyString>>,
    ) -> Returned<(Sealed, Bound<'py, PyBytes>)> {
        let (kind, encryption) = (text("type", kind)?, self::encryption(encryption)?);
        let to = Where::new(ledger, head, time, note)?;
        let seal =
            |plain: &[u8]| py.detach(|| self.0.vault().seal(plain, kind, encryption, &to.place(), &mut SystemRng));
        let (sealed, stored) = payload.secret(seal)?;
        Ok((Sealed::new(py, sealed)?, PyBytes::new(py, &stored)))
    }

    /// Seals a document from a file to a file, in memory for one chunk: two paths, or two objects with `read` and
    /// `write`.
    ///
    /// The file of a path gets its name when all of it is on the disk. What an object got is worth nothing until this
    /// returns. Raises OSError as files do, with the filename, also for a target that is the source, a device, a pipe,
    /// a folder or a link, and for one in a folder that cannot be read; and what an object raises. On all of these the
    /// file of a path is as it was. NotForcedError is another thing: the new file has its name, and only forcing
    /// its folder to the disk failed; its result is what would have been returned, and is kept like that.
    #[pyo3(signature = (source, target, kind, *, encryption, ledger, head, time, note = None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn seal_file(
        &self,
        py: Python<'_>,
        source: Source,
        target: Target,
        kind: &Bound<'_, PyString>,
        encryption: &Bound<'_, PyString>,
        ledger: &LedgerHead,
        head: &Head,
        time: &Bound<'_, PyAny>,
        note: Option<&Bound<'_, PyString>>,
    ) -> Returned<Sealed> {
        let (kind, encryption) = (text("type", kind)?, self::encryption(encryption)?);
        let (to, ends) = (Where::new(ledger, head, time, note)?, Ends::new(source, target)?);
        let (vault, place) = (self.0.vault(), to.place());
        ends.copy(
            py,
            |from, to| vault_file::seal_file(&vault, kind, encryption, &place, &mut SystemRng, from, to),
            |from, to| vault.seal_from(kind, encryption, &place, &mut SystemRng, from, to),
            |sealed| Sealed::new(py, sealed),
        )
    }

    /// Begins a document that comes in parts. Its place is needed at the end and not before.
    #[pyo3(signature = (kind, *, encryption))]
    fn stream(&self, kind: &Bound<'_, PyString>, encryption: &Bound<'_, PyString>) -> Returned<Sealing> {
        let (kind, encryption) = (text("type", kind)?, self::encryption(encryption)?);
        let mut out = Vec::new();
        let progress = Progress::try_new(self.0.clone(), |made| {
            made.vault().begin(kind, encryption, &mut SystemRng, &mut out).map(Some)
        })?;
        Ok(Sealing(Mutex::new(Begun { progress, out })))
    }

    /// Records that an encrypted record of this identity and ledger was erased, with every split of its secret. What is
    /// made is stored together. The caller destroys the secret and the shards: that nobody can prove.
    ///
    /// `erased` is the report on it under the operator's policy, else TypeError is raised: whoever put another record
    /// in its place would choose what is destroyed. It is Valid, or Revoked or Suspended with no layer that fails or
    /// was not checked; otherwise this raises as `erased.verified()` does.
    ///
    /// `splits` is what ChainReader.own_splits found of this vault up to `head`; `prepared` are those that were
    /// prepared and never committed. Only where no split of the vault was ever committed to a chain `splits` is the
    /// text "no chain", and `prepared` is all that there are.
    ///
    /// Raises MisuseError for a record that is not encrypted, of another ledger, identity, master or domain, or not
    /// before `ledger`, for the splits of another vault, and for ones that were not read from the record's entry on, up
    /// to `head`.
    #[pyo3(signature = (erased, splits, *, prepared = Vec::new(), ledger, head, time, note = None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn erase(
        &self,
        py: Python<'_>,
        erased: &VaultReport,
        splits: Walked<'_>,
        prepared: Vec<Bound<'_, PyString>>,
        ledger: &LedgerHead,
        head: &Head,
        time: &Bound<'_, PyAny>,
        note: Option<&Bound<'_, PyString>>,
    ) -> Returned<SealedErasure> {
        let (proof, to) = (erased.erasable(py)?, Where::new(ledger, head, time, note)?);
        let read = |split: &Bound<'_, PyString>| -> Returned<SplitId> { Ok(text("prepared", split)?.parse()?) };
        let prepared = prepared.iter().map(read).collect::<Returned<Vec<_>>>()?;
        let splits = match &splits {
            Walked::Splits(own) => ErasedSplits::Walked { own: &own.get().0, prepared: &prepared },
            Walked::Said(said) if text("splits", said)? == NO_CHAIN => ErasedSplits::NoChain(&prepared),
            Walked::Said(_) => return Err(PyValueError::new_err("splits: an OwnSplits, or \"no chain\"").into()),
        };
        let erasure = py.detach(|| self.0.vault().erase(proof, splits, &to.place(), &mut SystemRng))?;
        SealedErasure::new(py, erasure)
    }

    /// Whose records it makes.
    #[getter]
    fn identity_id(&self) -> String {
        self.0.identity_id.to_hex()
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        let tier = self.0.access.as_ref().map_or(Tier::Public, |(tier, _)| *tier);
        format!("VaultSealer(identity_id='{}', tier='{tier}')", self.0.identity_id)
    }
}

/// A new record with all that belongs to it: stored together, or none of it.
#[pyclass(frozen, get_all, module = "dualseal")]
pub(crate) struct Sealed {
    /// The record, with its fragment. Whatever leaves the store is redacted.
    record: Py<VaultRecord>,
    /// The secret of an encrypted record, which a Dealer splits among nodes and which is kept nowhere else; None where
    /// it is not encrypted.
    secret: Option<Py<DrawnSecret>>,
    /// The public key of the fragment, for CheckedRing.add_decoy with `entry`.
    decoy: PublicKey,
    /// The record's entry in the chain.
    entry: Entry,
    /// The head of the chain after it.
    head: Head,
    /// The head of the ledger after it.
    ledger: LedgerHead,
}

impl Sealed {
    fn new(py: Python<'_>, sealed: vault::Sealed) -> PyResult<Self> {
        let vault::Sealed { record, secret, decoy, entry, head, ledger } = sealed;
        Ok(Self {
            record: Py::new(py, VaultRecord(record))?,
            secret: secret.map(|secret| Py::new(py, DrawnSecret::from(secret))).transpose()?,
            decoy: PublicKey(decoy),
            entry: Entry(entry),
            head: Head(head),
            ledger: LedgerHead(ledger),
        })
    }
}

/// An erasure with all that belongs to it: stored together, or none of it.
#[pyclass(frozen, get_all, module = "dualseal")]
pub(crate) struct SealedErasure {
    /// The record that says so, with its entry and the head of the ledger after it.
    sealed: Py<Sealed>,
    /// The bytes to be stored beside it.
    stored: Py<PyBytes>,
    /// The entry after the record's, after which nothing continues the vault's splits; None where there is no chain of
    /// them, and where an erasure before ended it.
    end: Option<Entry>,
    /// The head of the chain after all that was appended.
    head: Head,
}

impl SealedErasure {
    fn new(py: Python<'_>, erasure: vault::SealedErasure) -> Returned<Self> {
        let head = Head(erasure.head().clone());
        let vault::SealedErasure { sealed, stored, end } = erasure;
        let sealed = Py::new(py, Sealed::new(py, sealed)?)?;
        Ok(Self { sealed, stored: PyBytes::new(py, &stored).unbind(), end: end.map(|end| Entry(end.entry)), head })
    }

    /// What `operator.Step.erase` places. An erasure has no secret.
    pub(crate) fn copied(&self, py: Python<'_>) -> vault::SealedErasure {
        let Sealed { record, secret: _, decoy, entry, head, ledger } = self.sealed.get();
        let sealed = vault::Sealed {
            record: record.get().0.duplicate(),
            secret: None,
            decoy: decoy.0.clone(),
            entry: entry.0.clone(),
            head: head.0.clone(),
            ledger: ledger.0,
        };
        let appended = |end: &Entry| Appended { entry: end.0.clone(), head: self.head.0.clone() };
        vault::SealedErasure { sealed, stored: self.stored.as_bytes(py).to_vec(), end: self.end.as_ref().map(appended) }
    }
}

#[pymethods]
impl SealedErasure {
    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }
}

#[pymethods]
impl Sealed {
    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("Sealed(seq={}, encrypted={})", self.ledger.0.size().saturating_sub(1), self.secret.is_some())
    }
}

type Running<'a> = Option<vault::Sealing<'a>>;

self_cell! {
    struct Progress {
        owner: Made,
        #[not_covariant]
        dependent: Running,
    }
}

struct Begun {
    progress: Progress,
    /// What is to be given out next: first of all the header.
    out: Vec<u8>,
}

/// A record in the making. What update and finish return is stored in that order, and is worth nothing without the
/// record. Threads may share one; the parts of a single update stay together.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Sealing(Mutex<Begun>);

impl Sealing {
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut Running<'_>, &mut Vec<u8>) -> Result<T, Error> + Send,
    ) -> Result<(T, Vec<u8>), Error> {
        let mut guard = lock(py, &self.0);
        let Begun { progress, out } = &mut *guard;
        let done = progress.with_dependent_mut(|_, sealing| py.detach(|| act(sealing, out)))?;
        Ok((done, std::mem::take(out)))
    }
}

#[pymethods]
impl Sealing {
    /// Takes the next part of the document, any bytes-like object, and returns the next bytes to be stored.
    #[pyo3(signature = (payload, /))]
    fn update<'py>(&self, py: Python<'py>, payload: BytesLike<'_>) -> Returned<Bound<'py, PyBytes>> {
        let update = |plain: &[u8]| self.with(py, |sealing, out| running(sealing)?.update(plain, out));
        let ((), stored) = payload.secret(update)?;
        Ok(PyBytes::new(py, &stored))
    }

    /// Makes the record at its place, and returns what was made and the last bytes to be stored.
    #[pyo3(signature = (*, ledger, head, time, note = None))]
    fn finish<'py>(
        &self,
        py: Python<'py>,
        ledger: &LedgerHead,
        head: &Head,
        time: &Bound<'_, PyAny>,
        note: Option<&Bound<'_, PyString>>,
    ) -> Returned<(Sealed, Bound<'py, PyBytes>)> {
        let to = Where::new(ledger, head, time, note)?;
        let (sealed, stored) =
            self.with(py, |sealing, out| ending(sealing)?.finish(&to.place(), &mut SystemRng, out))?;
        Ok((Sealed::new(py, sealed)?, PyBytes::new(py, &stored)))
    }

    /// As finish, without the place in the chain, which `operator.Step.vault` gives it: nobody else seals for the
    /// ledger until then.
    #[pyo3(signature = (*, ledger, time, note = None))]
    fn finish_unplaced<'py>(
        &self,
        py: Python<'py>,
        ledger: &LedgerHead,
        time: &Bound<'_, PyAny>,
        note: Option<&Bound<'_, PyString>>,
    ) -> Returned<(Unplaced, Bound<'py, PyBytes>)> {
        let note = note.map(|note| text("text", note)).transpose()?.unwrap_or_default();
        let time = moment("time", time)?;
        let (unplaced, stored) =
            self.with(py, |sealing, out| ending(sealing)?.finish_unplaced(&ledger.0, note, time, &mut SystemRng, out))?;
        Ok((Unplaced::of(unplaced), PyBytes::new(py, &stored)))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }
}

/// A record that is signed and has its place in the ledger, but none in the chain yet: `operator.Step.vault` gives it
/// one, once. It holds the vault secret of an encrypted record.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Unplaced {
    before: LedgerHead,
    identity_id: IdentityId,
    public_key: dualseal::PublicKey,
    record: Mutex<Option<vault::Unplaced>>,
}

impl Unplaced {
    fn of(unplaced: vault::Unplaced) -> Self {
        Self {
            before: LedgerHead(unplaced.before()),
            identity_id: *unplaced.identity_id(),
            public_key: unplaced.public_key().clone(),
            record: Mutex::new(Some(unplaced)),
        }
    }

    /// The record, which is placed once.
    pub(crate) fn take(&self) -> Result<vault::Unplaced, Error> {
        ending(&mut locked(&self.record))
    }
}

#[pymethods]
impl Unplaced {
    /// The ledger where the record belongs, as it must end when the record is placed.
    #[getter]
    fn before(&self) -> LedgerHead {
        self.before
    }

    /// Whose record it is.
    #[getter]
    fn identity_id(&self) -> String {
        self.identity_id.to_hex()
    }

    /// The key that signed it.
    #[getter]
    fn public_key(&self) -> PublicKey {
        PublicKey(self.public_key.clone())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("Unplaced(ledger='{}', seq={})", self.before.0.ledger(), self.before.0.size())
    }
}
