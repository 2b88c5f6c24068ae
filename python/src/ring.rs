//! The ring of keys and the key that has authority over its changes.

use crate::domain::Domain;
use crate::enums::key_state;
use crate::failure::{Returned, not_pickled};
use crate::input::{BytesLike, locked, text};
use crate::json::{JsonText, to_object};
use crate::keys::PublicKey;
use crate::krunica::{Entry, Head, pair};
use crate::time::moment;
use dualseal::krunica::Appended;
use dualseal::secret::Secret;
use dualseal::{Error, KeyPairInfo, SystemRng};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::sync::{Arc, Mutex};

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<RingKey>()?;
    module.add_class::<KeyRing>()
}

/// The authority over a ring's changes: 32 secret bytes, kept apart from the ring, and the domain of its chain.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct RingKey(Arc<dualseal::RingKey>);

impl RingKey {
    /// For what outlasts the call.
    pub(crate) fn shared(&self) -> Arc<dualseal::RingKey> {
        Arc::clone(&self.0)
    }
}

#[pymethods]
impl RingKey {
    /// From 32 bytes that were drawn before.
    #[new]
    fn new(domain: &Domain, key: BytesLike<'_>) -> Returned<Self> {
        let secret = key.secret(|bytes| Secret::from_slice("ring key", bytes))?;
        Ok(Self(Arc::new(dualseal::RingKey::new(&domain.0, secret))))
    }

    /// Draws a ring key from the operating system.
    #[staticmethod]
    fn generate(domain: &Domain) -> Returned<Self> {
        Ok(Self(Arc::new(dualseal::RingKey::generate(&domain.0, &mut SystemRng)?)))
    }

    /// The 32 bytes, a copy that Python cannot wipe. Store them apart from the ring.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.secret().expose())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// The keys of many identities, each with its state. Threads may share one, and a Verifier sees every change of it.
///
/// A change returns (entry, new head): store them with the ring's JSON, all or nothing. A service acknowledges a change
/// only after a checkpoint covers its entry. On an error the ring is as it was.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct KeyRing(Mutex<Arc<dualseal::KeyRing>>);

impl KeyRing {
    fn holding(ring: dualseal::KeyRing) -> Self {
        Self(Mutex::new(Arc::new(ring)))
    }

    /// The ring as it stands now. A change that comes meanwhile does not touch it.
    pub(crate) fn snapshot(&self) -> Arc<dualseal::KeyRing> {
        Arc::clone(&locked(&self.0))
    }

    fn change<T: Send>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut dualseal::KeyRing) -> Result<T, Error> + Send,
    ) -> Returned<T> {
        // Copies the ring only while a verification holds a snapshot of it.
        Ok(py.detach(|| change(Arc::make_mut(&mut locked(&self.0))))?)
    }

    fn change_chained(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut dualseal::KeyRing) -> Result<Appended, Error> + Send,
    ) -> Returned<(Entry, Head)> {
        self.change(py, change).map(pair)
    }

    /// Says nothing of decoys.
    pub(crate) fn describe(&self) -> String {
        let ring = self.snapshot();
        let origin = ring.origin().map_or_else(|| "None".to_owned(), |origin| format!("{origin:?}"));
        format!("KeyRing(origin={origin}, revision={}, identities={})", ring.revision(), ring.identities().count())
    }

    fn find_info(&self, identity_id: &Bound<'_, PyString>) -> Returned<Option<KeyPairInfo>> {
        Ok(self.snapshot().info(&text("identity_id", identity_id)?.parse()?))
    }
}

#[pymethods]
impl KeyRing {
    /// An empty ring whose changes are recorded in the chain of `origin`: 1 to 255 bytes, no control characters, no
    /// `::`, no leading `:`.
    #[new]
    fn new(origin: &Bound<'_, PyString>) -> Returned<Self> {
        Ok(Self::holding(dualseal::KeyRing::new(text("origin", origin)?)?))
    }

    /// One key that a stranger got from its owner and trusts: state VALID, no origin, cannot be changed or exported.
    #[staticmethod]
    fn pinned(identity_id: &Bound<'_, PyString>, public_key: &PublicKey) -> Returned<Self> {
        let identity_id = text("identity_id", identity_id)?.parse()?;
        Ok(Self::holding(dualseal::KeyRing::pinned(&identity_id, public_key.0.clone())))
    }

    /// Reads the JSON of a ring.
    #[staticmethod]
    #[pyo3(signature = (json, /))]
    fn from_json(py: Python<'_>, json: JsonText<'_>) -> Returned<Self> {
        Ok(Self::holding(json.read(py, dualseal::KeyRing::from_json)?))
    }

    /// Canonical JSON of the whole ring, decoys included. For anybody but the operator: `ring.public().to_json()`.
    fn to_json(&self, py: Python<'_>) -> Returned<String> {
        let ring = self.snapshot();
        Ok(py.detach(|| ring.to_json())?)
    }

    /// A copy in the only form in which a ring leaves its operator: no decoy keys, and `oboje` reads `istina`.
    fn public(&self, py: Python<'_>) -> Self {
        let ring = self.snapshot();
        Self::holding(py.detach(|| ring.public()))
    }

    /// Gives an identity its first key, in state VALID.
    #[pyo3(signature = (identity_id, public_key, *, head, time, authority))]
    fn add(
        &self,
        py: Python<'_>,
        identity_id: &Bound<'_, PyString>,
        public_key: &PublicKey,
        head: &Head,
        time: &Bound<'_, PyAny>,
        authority: &RingKey,
    ) -> Returned<(Entry, Head)> {
        let (identity_id, time) = (text("identity_id", identity_id)?.parse()?, moment(time)?);
        let (key, head, authority) = (public_key.0.clone(), &head.0, &authority.0);
        self.change_chained(py, move |ring| ring.add(&identity_id, key, head, time, authority))
    }

    /// Puts a new key in place of the current one, which is retired at the position of this change's own entry.
    ///
    /// The old key keeps its state. The new one takes it over, but starts as VALID where the old one is REVOKED.
    #[pyo3(signature = (identity_id, public_key, *, head, time, authority))]
    fn rotate(
        &self,
        py: Python<'_>,
        identity_id: &Bound<'_, PyString>,
        public_key: &PublicKey,
        head: &Head,
        time: &Bound<'_, PyAny>,
        authority: &RingKey,
    ) -> Returned<(Entry, Head)> {
        let (identity_id, time) = (text("identity_id", identity_id)?.parse()?, moment(time)?);
        let (key, head, authority) = (public_key.0.clone(), &head.0, &authority.0);
        self.change_chained(py, move |ring| ring.rotate(&identity_id, key, head, time, authority))
    }

    /// Sets the state of an identity's current key, or of the retired one with this hash, to any state.
    #[pyo3(signature = (identity_id, state, *, head, time, authority, key_hash = None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn set_state(
        &self,
        py: Python<'_>,
        identity_id: &Bound<'_, PyString>,
        state: &Bound<'_, PyString>,
        head: &Head,
        time: &Bound<'_, PyAny>,
        authority: &RingKey,
        key_hash: Option<&Bound<'_, PyString>>,
    ) -> Returned<(Entry, Head)> {
        let (identity_id, time) = (text("identity_id", identity_id)?.parse()?, moment(time)?);
        let state = key_state(state)?;
        let key = match key_hash {
            Some(hash) => Some(text("javni_kljuc", hash)?.parse()?),
            None => None,
        };
        let (head, authority) = (&head.0, &authority.0);
        self.change_chained(py, move |ring| ring.set_state(&identity_id, key.as_ref(), state, head, time, authority))
    }

    /// Adds a decoy key: whoever signs with its leaked private half gets the verdict DECOY. Decoys are not chained, so
    /// nothing is returned.
    #[pyo3(signature = (identity_id, public_key, *, time))]
    fn add_decoy(
        &self,
        py: Python<'_>,
        identity_id: &Bound<'_, PyString>,
        public_key: &PublicKey,
        time: &Bound<'_, PyAny>,
    ) -> Returned<()> {
        let (identity_id, time) = (text("identity_id", identity_id)?.parse()?, moment(time)?);
        self.change(py, |ring| ring.add_decoy(&identity_id, &public_key.0, time))
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

    /// Every identity that has a current or retired key, in ascending order.
    fn identities(&self) -> Vec<String> {
        self.snapshot().identities().map(dualseal::IdentityId::to_hex).collect()
    }

    /// The origin of the chain that records this ring's changes; None for a pinned key.
    #[getter]
    fn origin(&self) -> Option<String> {
        self.snapshot().origin().map(str::to_owned)
    }

    /// The number of changes of current and retired keys.
    #[getter]
    fn revision(&self) -> u64 {
        self.snapshot().revision()
    }

    /// The number of decoy keys. For the operator alone.
    #[getter]
    fn decoy_count(&self) -> usize {
        self.snapshot().decoy_count()
    }

    fn __repr__(&self) -> String {
        self.describe()
    }
}
