//! The ring of keys and the key that has authority over its changes.

use crate::domain::Domain;
use crate::enums::{key_state, key_state_object};
use crate::failure::{Returned, not_hashed, not_pickled};
use crate::input::{BytesLike, locked, malformed, text};
use crate::json::{JsonText, to_object};
use crate::key_proof::KeyProof;
use crate::keys::PublicKey;
use crate::krunica::{Entry, Head, pair};
use crate::time::moment;
use crate::values::{Again, again};
use crate::vault::master::{VaultMaster, vouched};
use dualseal::error::Problem;
use dualseal::key::{AnyRing, SetState};
use dualseal::krunica::Appended;
use dualseal::secret::Secret;
use dualseal::{Error, KeyPairInfo, KeyState, SystemRng};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::sync::{Arc, Mutex};

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<RingKey>()?;
    module.add_class::<KeyRing>()?;
    module.add_class::<CheckedRing>()?;
    module.add_class::<PublicRing>()
}

/// A state that a key is set to, and from where on it counts as compromised.
pub(crate) fn set_state(state: &Bound<'_, PyString>, compromised_from: Option<u64>) -> Returned<SetState> {
    match (key_state(state)?, compromised_from) {
        (state, None) => Ok(SetState::from(state)),
        (KeyState::Revoked, Some(seq)) => Ok(SetState::compromised_from(seq)),
        (_, Some(_)) => Err(malformed("compromised_from", Problem::UnknownValue)),
    }
}

/// The authority over a ring's changes: 32 secret bytes, kept apart from the ring, and the domain of its chain.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct RingKey(dualseal::RingKey);

impl RingKey {
    pub(crate) fn get(&self) -> &dualseal::RingKey {
        &self.0
    }
}

#[pymethods]
impl RingKey {
    /// From 32 bytes that were drawn before.
    #[new]
    fn new(domain: &Domain, key: BytesLike<'_>) -> Returned<Self> {
        let secret = key.secret(|bytes| Secret::from_slice("ring key", bytes))?;
        Ok(Self(dualseal::RingKey::new(&domain.0, secret)))
    }

    /// Draws a ring key from the operating system.
    #[staticmethod]
    fn generate(domain: &Domain) -> Returned<Self> {
        Ok(Self(dualseal::RingKey::generate(&domain.0, &mut SystemRng)?))
    }

    /// The 32 bytes, a copy that Python cannot wipe. Store them apart from the ring.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.secret().expose())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        Err(not_hashed::<Self>(py))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// The keys that a verifier goes by: one that a stranger pinned, those of a CheckedRing, or those of a PublicRing.
/// Threads may share one, and a Verifier sees every change of it.
#[pyclass(frozen, subclass, module = "dualseal")]
pub(crate) struct KeyRing(Mutex<Arc<AnyRing>>);

impl KeyRing {
    pub(crate) fn holding(keys: AnyRing) -> Self {
        Self(Mutex::new(Arc::new(keys)))
    }

    /// The ring as it stands now. A change that comes meanwhile does not touch it.
    pub(crate) fn snapshot(&self) -> Arc<AnyRing> {
        Arc::clone(&locked(&self.0))
    }

    /// Says nothing of decoys.
    pub(crate) fn describe(&self) -> String {
        let ring = self.snapshot();
        let name = match &*ring {
            AnyRing::Checked(_) => "CheckedRing",
            AnyRing::Public(_) => "PublicRing",
            AnyRing::Pinned(_) => "KeyRing",
        };
        let origin = ring.origin().map_or_else(|| "None".to_owned(), |origin| format!("{origin:?}"));
        format!("{name}(origin={origin}, revision={}, identities={})", ring.revision(), ring.identities().count())
    }

    fn find_info(&self, identity_id: &Bound<'_, PyString>) -> Returned<Option<KeyPairInfo>> {
        Ok(self.snapshot().info(&text("identity_id", identity_id)?.parse()?))
    }
}

#[pymethods]
impl KeyRing {
    /// One key that a stranger got from its owner and trusts: state VALID, no origin, cannot be changed or exported.
    #[staticmethod]
    fn pinned(identity_id: &Bound<'_, PyString>, public_key: &PublicKey) -> Returned<Self> {
        let identity_id = text("identity_id", identity_id)?.parse()?;
        Ok(Self::holding(AnyRing::Pinned(dualseal::KeyRing::pinned(&identity_id, public_key.0.clone()))))
    }

    /// Key pair info of an identity's current key, for the operator; None when it has none.
    fn info<'py>(&self, py: Python<'py>, identity_id: &Bound<'py, PyString>) -> Returned<Option<Bound<'py, PyAny>>> {
        self.find_info(identity_id)?.map(|info| to_object(py, &info.to_json())).transpose()
    }

    /// As info, as an outsider may see it: `oboje` reads `istina`.
    fn public_info<'py>(
        &self,
        py: Python<'py>,
        identity_id: &Bound<'py, PyString>,
    ) -> Returned<Option<Bound<'py, PyAny>>> {
        self.find_info(identity_id)?.map(|info| to_object(py, &info.public().to_json())).transpose()
    }

    /// Says whether an identity may sign with this key: it is the current one, and VALID. Raises MisuseError where it
    /// is not (`not-current`), and where the identity has no current key.
    fn check_signer(&self, identity_id: &Bound<'_, PyString>, public_key: &PublicKey) -> Returned<()> {
        let identity_id = text("identity_id", identity_id)?.parse()?;
        Ok(self.snapshot().check_signer(&identity_id, &public_key.0)?)
    }

    /// Every identity that has a current or retired key, in ascending order.
    fn identities(&self) -> Vec<String> {
        self.snapshot().identities().map(dualseal::IdentityId::to_hex).collect()
    }

    /// An identity's keys with their states, for the operator: the current one, then the retired ones, the latest
    /// first.
    fn keys<'py>(
        &self,
        py: Python<'py>,
        identity_id: &Bound<'py, PyString>,
    ) -> Returned<Vec<(PublicKey, Bound<'py, PyAny>)>> {
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let ring = self.snapshot();
        let held = ring.keys(&identity_id);
        let told = held.map(|(key, state)| Ok::<_, PyErr>((PublicKey(key.clone()), key_state_object(py, state)?)));
        Ok(told.collect::<PyResult<_>>()?)
    }

    /// The position of the entry that put another key in the place of an identity's key with this hash; None for the
    /// current one, and for one that the ring has not.
    fn retired_at(&self, identity_id: &Bound<'_, PyString>, key_hash: &Bound<'_, PyString>) -> Returned<Option<u64>> {
        let (identity_id, key) = named(identity_id, key_hash)?;
        Ok(self.snapshot().retired_at(&identity_id, &key))
    }

    /// Up to which entry a checkpoint by an identity's key with this hash counts, for EvidenceFile.open: the position
    /// of the entry that put another key in its place, that suspended it or made it a decoy, or from which it counts
    /// as compromised where it is revoked; of these the first. None for a current key in state VALID, and for one that
    /// the ring has not.
    fn counts_until(&self, identity_id: &Bound<'_, PyString>, key_hash: &Bound<'_, PyString>) -> Returned<Option<u64>> {
        let (identity_id, key) = named(identity_id, key_hash)?;
        Ok(self.snapshot().counts_until(&identity_id, &key))
    }

    /// The position of the last entry that changed the ring, where the entry stands that Checkpoint.is_ring_of tells;
    /// None of a ring without changes.
    #[getter]
    fn last_change(&self) -> Option<u64> {
        self.snapshot().last_change()
    }

    /// The origin of the chain that records this ring's changes; None for a pinned key.
    #[getter]
    fn origin(&self) -> Option<String> {
        self.snapshot().origin().map(str::to_owned)
    }

    /// The number of entries of the chain as of which its keys are known. None of a pinned key, and of a public ring
    /// that nothing attests.
    #[getter]
    fn known_to(&self) -> Option<u64> {
        self.snapshot().known_to()
    }

    /// The number of changes of current and retired keys.
    #[getter]
    fn revision(&self) -> u64 {
        self.snapshot().revision()
    }

    /// The row of an identity, as a CheckedRing is stored: its current and retired keys, a canonical JSON list; None
    /// for one that the ring does not know. It changes with each change of the identity, and with no other.
    #[pyo3(signature = (identity_id, /))]
    fn identity_row(&self, py: Python<'_>, identity_id: &Bound<'_, PyString>) -> Returned<Option<String>> {
        let (ring, identity_id) = (self.snapshot(), text("identity_id", identity_id)?.parse()?);
        Ok(py.detach(|| ring.identity_row(&identity_id)))
    }

    /// The row of a decoy by the hash of its key, for its operator's store alone; None for any other key. It never
    /// changes.
    #[pyo3(signature = (key_hash, /))]
    fn decoy_row(&self, py: Python<'_>, key_hash: &Bound<'_, PyString>) -> Returned<Option<String>> {
        let (ring, key_hash) = (self.snapshot(), text("javni_kljuc", key_hash)?.parse()?);
        Ok(py.detach(|| ring.decoy_row(&key_hash)))
    }

    /// How many identities it has a key for.
    fn __len__(&self) -> usize {
        self.snapshot().identities().count()
    }

    /// Whether it has a key for an identity. What is no identity_id raises MalformedError: a slip is no answer.
    fn __contains__(&self, identity_id: &Bound<'_, PyString>) -> Returned<bool> {
        Ok(self.find_info(identity_id)?.is_some())
    }

    /// Whether they say the same of all keys, whatever chain they were held against. A ring changes, and is not hashed.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        // One after the other: a ring is compared with itself, too.
        let ring = self.snapshot();
        other.cast::<Self>().is_ok_and(|other| **ring == **other.get().snapshot())
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<()> {
        let kind = slf.get_type().name()?;
        Err(PyTypeError::new_err(format!("cannot pickle or copy a {kind}: what public() gives can be")))
    }

    fn __repr__(&self) -> String {
        self.describe()
    }
}

/// A key of an identity.
fn named(
    identity_id: &Bound<'_, PyString>,
    key_hash: &Bound<'_, PyString>,
) -> Returned<(dualseal::IdentityId, dualseal::mldsa::KeyHash)> {
    Ok((text("identity_id", identity_id)?.parse()?, text("javni_kljuc", key_hash)?.parse()?))
}

/// A ring that is new or was held against its chain (ChainReader.ring), with the authority over its changes.
///
/// A change returns (entry, new head): store them with `to_stored_json(head)`, all or nothing. A service acknowledges a
/// change only after a checkpoint covers its entry. On an error the ring is as it was.
#[pyclass(frozen, extends = KeyRing, module = "dualseal")]
pub(crate) struct CheckedRing;

impl CheckedRing {
    /// What a ring check gave.
    pub(crate) fn of(py: Python<'_>, ring: dualseal::CheckedRing) -> PyResult<Py<Self>> {
        let base = PyClassInitializer::from(KeyRing::holding(AnyRing::Checked(ring)));
        Py::new(py, base.add_subclass(Self))
    }

    fn change<T: Send>(
        this: &PyRef<'_, Self>,
        change: impl FnOnce(&mut dualseal::CheckedRing) -> Result<T, Error> + Send,
    ) -> Returned<T> {
        let held = &this.as_super().0;
        // Copies the ring only while a verification holds a snapshot of it.
        let change = || change(Arc::make_mut(&mut locked(held)).checked_mut()?);
        Ok(this.py().detach(change)?)
    }

    fn change_chained(
        this: &PyRef<'_, Self>,
        change: impl FnOnce(&mut dualseal::CheckedRing) -> Result<Appended, Error> + Send,
    ) -> Returned<(Entry, Head)> {
        Self::change(this, change).map(pair)
    }

    pub(crate) fn read<T: Send>(
        this: &PyRef<'_, Self>,
        read: impl FnOnce(&dualseal::CheckedRing) -> Result<T, Error> + Send,
    ) -> Returned<T> {
        let ring = this.as_super().snapshot();
        let read = || read(ring.checked()?);
        Ok(this.py().detach(read)?)
    }
}

#[pymethods]
impl CheckedRing {
    /// An empty ring whose changes are recorded in the chain of `origin`: 1 to 255 bytes, no control characters, no
    /// `::`, no leading `:`. Every change of it is made with `authority`.
    #[new]
    fn new(origin: &Bound<'_, PyString>, authority: &RingKey) -> Returned<PyClassInitializer<Self>> {
        let ring = dualseal::CheckedRing::new(text("origin", origin)?, &authority.0)?;
        Ok(PyClassInitializer::from(KeyRing::holding(AnyRing::Checked(ring))).add_subclass(Self))
    }

    /// The ring file, decoys included, for its operator's store alone. Its MAC binds all of it to `head`, where the
    /// chain ends now: write it with each change and each decoy, and read it by ChainReader.ring.
    fn to_stored_json(this: PyRef<'_, Self>, head: &Head) -> Returned<String> {
        Self::read(&this, |ring| ring.to_stored_json(&head.0))
    }

    /// What seals the rows of this ring, in the place of to_stored_json: it is written with each row, in the same
    /// transaction, and RingFile.from_rows reads it.
    fn seal_rows(this: PyRef<'_, Self>, head: &Head) -> Returned<String> {
        Self::read(&this, |ring| ring.seal_rows(&head.0))
    }

    /// The only form in which a ring leaves its operator: no decoy keys, and `oboje` reads `istina`.
    fn public(this: PyRef<'_, Self>) -> Returned<Py<PublicRing>> {
        let public = Self::read(&this, |ring| Ok(ring.public()))?;
        Ok(PublicRing::of(this.py(), public)?)
    }

    /// The proof that the key with this hash stands in the public form of this ring, for evidence of what it signed.
    ///
    /// Raises MisuseError (`decoy-key`) for a decoy and for a key in state DECOY, whose evidence outsiders would read
    /// as a pass; the refusal is for the operator alone. Raises MisuseError for a key that the ring does not hold.
    #[pyo3(signature = (key_hash, /))]
    fn prove(this: PyRef<'_, Self>, key_hash: &Bound<'_, PyString>) -> Returned<KeyProof> {
        let key_hash = text("javni_kljuc", key_hash)?.parse()?;
        Self::read(&this, |ring| ring.prove(&key_hash)).map(KeyProof)
    }

    /// Gives an identity its first key, in state VALID.
    #[pyo3(signature = (identity_id, public_key, *, head, time))]
    fn add(
        this: PyRef<'_, Self>,
        identity_id: &Bound<'_, PyString>,
        public_key: &PublicKey,
        head: &Head,
        time: &Bound<'_, PyAny>,
    ) -> Returned<(Entry, Head)> {
        let (identity_id, time) = (text("identity_id", identity_id)?.parse()?, moment("time", time)?);
        let (key, head) = (public_key.0.clone(), &head.0);
        Self::change_chained(&this, move |ring| ring.add(&identity_id, key, head, time))
    }

    /// Puts a new key in place of the current one, which is retired at the position of this change's own entry.
    ///
    /// The old key keeps its state. The new one takes it over, but starts as VALID where the old one is REVOKED.
    #[pyo3(signature = (identity_id, public_key, *, head, time))]
    fn rotate(
        this: PyRef<'_, Self>,
        identity_id: &Bound<'_, PyString>,
        public_key: &PublicKey,
        head: &Head,
        time: &Bound<'_, PyAny>,
    ) -> Returned<(Entry, Head)> {
        let (identity_id, time) = (text("identity_id", identity_id)?.parse()?, moment("time", time)?);
        let (key, head) = (public_key.0.clone(), &head.0);
        Self::change_chained(&this, move |ring| ring.rotate(&identity_id, key, head, time))
    }

    /// Sets the state of an identity's current key, or of the retired one with this hash, to any state.
    ///
    /// With REVOKED, `compromised_from` is the position in the chain from which the key counts as compromised, at most
    /// that of the change itself and of what was said before.
    #[pyo3(signature = (identity_id, state, *, head, time, key_hash = None, compromised_from = None))]
    fn set_state(
        this: PyRef<'_, Self>,
        identity_id: &Bound<'_, PyString>,
        state: &Bound<'_, PyString>,
        head: &Head,
        time: &Bound<'_, PyAny>,
        key_hash: Option<&Bound<'_, PyString>>,
        compromised_from: Option<u64>,
    ) -> Returned<(Entry, Head)> {
        let (identity_id, time) = (text("identity_id", identity_id)?.parse()?, moment("time", time)?);
        let set = set_state(state, compromised_from)?;
        let key = match key_hash {
            Some(hash) => Some(text("javni_kljuc", hash)?.parse()?),
            None => None,
        };
        let head = &head.0;
        Self::change_chained(&this, move |ring| ring.set_state(&identity_id, key.as_ref(), set, head, time))
    }

    /// Adds the decoy key of a vault record, by the record's own chain entry: whoever signs with its leaked private
    /// half gets the verdict DECOY. Decoys are not chained, so nothing is returned; the ring file holds them.
    fn add_decoy(this: PyRef<'_, Self>, public_key: &PublicKey, entry: &Entry) -> Returned<()> {
        Self::change(&this, |ring| ring.add_decoy(&public_key.0, &entry.0))
    }

    /// Goes on past an entry that was appended since: the chain's next one, and no change of this ring. A ring is
    /// changed, stored and stated by a checkpoint only where it was followed to the end of the chain, so that nobody
    /// writes away a revocation that another process has made, or the decoy of a record that another has sealed by one
    /// of the log's `masters`. For the entry of one's own record with a decoy, `add_decoy` does it.
    ///
    /// Raises RejectedError for a change of this ring that was made elsewhere, and for such a record: read the ring
    /// again by ChainReader.ring. Raises MisuseError for an entry further on, and for one that the ring is past.
    #[pyo3(signature = (entry, /, *, masters))]
    fn follow(this: PyRef<'_, Self>, entry: &Entry, masters: Vec<PyRef<'_, VaultMaster>>) -> Returned<()> {
        let is_record = vouched(masters);
        Self::change(&this, |ring| ring.follow(&entry.0, is_record))
    }

    /// The number of decoy keys.
    #[getter]
    fn decoy_count(this: PyRef<'_, Self>) -> Returned<usize> {
        Self::read(&this, |ring| Ok(ring.decoy_count()))
    }
}

/// A ring as its operator gives it out: no decoy keys, and `oboje` reads `istina`, in the histories too. What it calls
/// valid is its operator's word; whoever needs more pins the signer's key.
#[pyclass(frozen, extends = KeyRing, module = "dualseal")]
pub(crate) struct PublicRing(pub(crate) dualseal::PublicRing);

impl PublicRing {
    pub(crate) fn of(py: Python<'_>, ring: dualseal::PublicRing) -> PyResult<Py<Self>> {
        let base = PyClassInitializer::from(KeyRing::holding(AnyRing::Public(ring.clone())));
        Py::new(py, base.add_subclass(Self(ring)))
    }
}

#[pymethods]
impl PublicRing {
    /// Reads the JSON of a public ring.
    #[staticmethod]
    #[pyo3(signature = (json, /))]
    fn from_json(py: Python<'_>, json: JsonText<'_>) -> Returned<Py<Self>> {
        Ok(Self::of(py, json.read(py, dualseal::PublicRing::from_json)?)?)
    }

    /// Canonical JSON.
    fn to_json(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.to_json())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        again(slf, "from_json", slf.get().0.to_json())
    }

    /// The ring root, which the ring entry of this revision states.
    #[getter]
    fn root(&self) -> String {
        self.0.root().to_hex()
    }

    /// The proof that the key with this hash stands in the ring; None where the ring does not hold it.
    #[pyo3(signature = (key_hash, /))]
    fn prove(&self, py: Python<'_>, key_hash: &Bound<'_, PyString>) -> Returned<Option<KeyProof>> {
        let key_hash = text("javni_kljuc", key_hash)?.parse()?;
        Ok(py.detach(|| self.0.prove(&key_hash)).map(KeyProof))
    }
}
