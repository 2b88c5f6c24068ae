//! One reader of a chain, and what it proves.

use crate::checkpoint::{AgreedChain, Fork, Located, PlaceProof, VerifiedCheckpoint};
use crate::domain::Domain;
use crate::enums::consistency_object;
use crate::failure::{Returned, not_pickled};
use crate::input::{BytesLike, locked, text};
use crate::json::{JsonText, to_object};
use crate::krunica::{Entry, Head};
use crate::progress::{ending, running};
use crate::ring::{CheckedRing, RingKey};
use crate::ring_file::RingArgument;
use crate::shard::{CoveredSplits, OwnSplits, ShardKey};
use crate::threshold::{LocatedSession, SessionInForce};
use crate::vault::ledger::LocatedLedger;
use crate::vault::master::{VaultMaster, vouched};
use dualseal::checkpoint;
use dualseal::error::Misuse;
use dualseal::krunica::{Ignored, KrunicaHash};
use dualseal::reader::{self, Consistency, TrustedHead};
use dualseal::{Error, shard, threshold, vault};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyString};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ChainReader>()?;
    module.add_class::<Watched>()?;
    module.add_class::<Proofs>()?;
    module.add_class::<FoundRing>()?;
    module.add_class::<StatedRing>()?;
    module.add_class::<RingChanges>()
}

/// Reads a chain once, entry by entry, past everything that is watched for, in memory for what the watchers keep.
///
/// It begins at the first entry, or at `begin`, a Head that the caller stored where nobody else writes, such as
/// AgreedChain.signed_head. It ends `under` a verified checkpoint, with which the chain must agree and beyond which
/// nothing is proven; `up_to` the caller's own head, where it must end exactly; at both; or wherever the entries end.
/// What is watched for is said before the first entry: each watcher gives its proof at the end, or its own fault, which
/// stops no other. A fault of the chain stops all, and who goes on after one is given no proof.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct ChainReader(Mutex<Option<Reading>>);

struct Reading {
    reader: reader::ChainReader<'static>,
    watched: Vec<AnyWatched>,
    id: Arc<()>,
}

enum AnyWatched {
    Place(reader::Watched<Option<dualseal::Located>>),
    Places(reader::Watched<Vec<dualseal::Located>>),
    PlaceProofs(reader::Watched<Vec<checkpoint::PlaceProof>>),
    RingPlace(reader::Watched<Option<checkpoint::PlaceProof>>),
    Ring(reader::Watched<reader::FoundRing>),
    StatedRing(reader::Watched<reader::StatedRing>),
    RingChanges(reader::Watched<reader::RingChanges>),
    Consistency(reader::Watched<Consistency>),
    Session(reader::Watched<threshold::LocatedSession>),
    Splits(reader::Watched<shard::CoveredSplits>),
    OwnSplits(reader::Watched<shard::OwnSplits>),
    Ledger(reader::Watched<vault::LocatedLedger>),
}

impl ChainReader {
    fn of(reader: reader::ChainReader<'static>) -> Self {
        Self(Mutex::new(Some(Reading { reader, watched: Vec::new(), id: Arc::new(()) })))
    }

    fn with<T>(&self, act: impl FnOnce(&mut reader::ChainReader<'static>) -> Result<T, Error>) -> Result<T, Error> {
        act(&mut running(&mut locked(&self.0))?.reader)
    }

    fn watch<T>(
        &self,
        kind: fn(reader::Watched<T>) -> AnyWatched,
        watch: impl FnOnce(&mut reader::ChainReader<'static>) -> Result<reader::Watched<T>, Error>,
    ) -> Returned<Watched> {
        let mut guard = locked(&self.0);
        let Reading { reader, watched, id } = running(&mut guard)?;
        watched.push(kind(watch(reader)?));
        Ok(Watched { index: watched.len().saturating_sub(1), reader: Arc::clone(id) })
    }
}

#[pymethods]
impl ChainReader {
    #[new]
    #[pyo3(signature = (domain, *, begin = None, under = None, up_to = None))]
    fn new(
        domain: &Domain,
        begin: Option<&Head>,
        under: Option<&VerifiedCheckpoint>,
        up_to: Option<&Head>,
    ) -> Returned<Self> {
        let begun = begin.map_or_else(TrustedHead::beginning, |head| TrustedHead::stored(&head.0));
        let mut reader = reader::ChainReader::new(&domain.0, &begun);
        if let Some(checkpoint) = under {
            reader = reader.under(&checkpoint.0)?;
        }
        if let Some(head) = up_to {
            reader = reader.up_to(&head.0);
        }
        Ok(Self::of(reader))
    }

    /// Begins where the chain ended when a ring file was written, which is what a change of the ring needs: the entries
    /// from `size` on are pushed, and end at `up_to`, which the caller keeps with the chain. Before that place nothing
    /// is known, so that only the ring can be watched for.
    #[staticmethod]
    #[pyo3(signature = (domain, json, /, *, up_to))]
    fn from_ring_file(py: Python<'_>, domain: &Domain, json: RingArgument<'_>, up_to: &Head) -> Returned<Self> {
        let file = json.read(py)?;
        let reader = reader::ChainReader::new(&domain.0, &TrustedHead::ring_file(&file)).up_to(&up_to.0);
        Ok(Self::of(reader))
    }

    /// The place of the entry with this krunica_hash: Located, or None where it does not stand below the checkpoint.
    #[pyo3(signature = (krunica_hash, /))]
    fn place(&self, krunica_hash: &Bound<'_, PyString>) -> Returned<Watched> {
        let wanted = text("krunica_hash", krunica_hash)?.parse()?;
        self.watch(AnyWatched::Place, |reader| reader.place(wanted))
    }

    /// The places of the entries with these krunica_hashes that stand below the checkpoint: a list of Located, in
    /// their order.
    #[pyo3(signature = (krunica_hashes, /))]
    fn places(&self, krunica_hashes: Wanted) -> Returned<Watched> {
        self.watch(AnyWatched::Places, |reader| reader.places(move |entry| krunica_hashes.names(entry)))
    }

    /// Proofs of the same places for whoever does not read the chain: a list of PlaceProof, in their order.
    #[pyo3(signature = (krunica_hashes, /))]
    fn place_proofs(&self, krunica_hashes: Wanted) -> Returned<Watched> {
        self.watch(AnyWatched::PlaceProofs, |reader| reader.place_proofs(move |entry| krunica_hashes.names(entry)))
    }

    /// The PlaceProof of the entry by which the ring became what the checkpoint states, of an EvidenceFile the place of
    /// the ring: of the first of which Checkpoint.is_ring_of says so. Later ones are copies, which anybody may append.
    /// None where the checkpoint states no ring, and where the entry stands before the reader's beginning.
    fn ring_place(&self) -> Returned<Watched> {
        self.watch(AnyWatched::RingPlace, reader::ChainReader::ring_place)
    }

    /// A ring file, held against the chain that vouches for it: a FoundRing. `masters` are all vault masters of the
    /// log: a file from before one of their records is an old one. Entries beyond the checkpoint count too.
    ///
    /// Its fault is a RejectedError for an old ring (`ring` and `chain` are the two revisions) and for an edited one
    /// (`identity_id` is the first whose keys differ). Raises RejectedError where the file's MAC does not hold,
    /// MisuseError for the ring of another log, without a checkpoint or a head to end at, and where the reader begins
    /// after the file's end.
    #[pyo3(signature = (key, json, /, *, masters))]
    fn ring(
        &self,
        py: Python<'_>,
        key: &RingKey,
        json: RingArgument<'_>,
        masters: Vec<PyRef<'_, VaultMaster>>,
    ) -> Returned<Watched> {
        let is_record = vouched(masters);
        let file = json.read(py)?;
        self.watch(AnyWatched::Ring, |reader| reader.ring(file, key.get(), is_record))
    }

    /// The ring that the checkpoint states, sought without the ring key: a StatedRing.
    ///
    /// Its fault is a RejectedError where no entry below the checkpoint says so, a MisuseError where that is not known
    /// because the reader began after the first entry. Raises MisuseError without a checkpoint.
    fn stated_ring(&self) -> Returned<Watched> {
        self.watch(AnyWatched::StatedRing, reader::ChainReader::stated_ring)
    }

    /// The changes of the log's ring that count, by its key: RingChanges, which any number of checkpoints are held
    /// against. Nobody who lacks the key can write one that counts.
    #[pyo3(signature = (key, /))]
    fn ring_changes(&self, key: &RingKey) -> Returned<Watched> {
        self.watch(AnyWatched::RingChanges, |reader| reader.ring_changes(key.get()))
    }

    /// What two verified checkpoints of one log say of each other, with the chain of the larger one: a Consistency, or
    /// a Fork, which holds both.
    ///
    /// Its fault is a RejectedError when the chain is not the larger checkpoint's: then nothing can be said of the two.
    /// Raises MisuseError when they are of different logs.
    #[pyo3(signature = (first, second, /))]
    fn consistency(&self, first: &VerifiedCheckpoint, second: &VerifiedCheckpoint) -> Returned<Watched> {
        self.watch(AnyWatched::Consistency, |reader| reader.consistency(&first.0, &second.0))
    }

    /// The entries of a session: a LocatedSession. `founder` is the handle of the founding's chain entry, which the
    /// caller pinned then.
    fn session(&self, session_id: &Bound<'_, PyString>, founder: &Bound<'_, PyString>) -> Returned<Watched> {
        let session_id = text("session_id", session_id)?.parse()?;
        let founder = text("krunica_hash", founder)?.parse()?;
        self.watch(AnyWatched::Session, |reader| reader.session(&session_id, &founder))
    }

    /// The entries of a session since it was found in force: the reader begins where the checkpoint ended then.
    #[pyo3(signature = (in_force, /))]
    fn session_since(&self, in_force: &SessionInForce) -> Returned<Watched> {
        self.watch(AnyWatched::Session, |reader| reader.session_since(&in_force.0))
    }

    /// The splits of a vault below the checkpoint: CoveredSplits. `key` is the one that seals the shards of the vault's
    /// identity; a public reader has None, and for him nothing counts.
    fn splits(&self, key: Option<&ShardKey>, vault_id: &Bound<'_, PyString>) -> Returned<Watched> {
        let vault_id = text("vault_id", vault_id)?.parse()?;
        self.watch(AnyWatched::Splits, |reader| reader.splits(key.map(|key| &*key.0), &vault_id))
    }

    /// The same, where they were found before: the reader begins where the checkpoint ended then.
    #[pyo3(signature = (before, /))]
    fn splits_since(&self, before: &CoveredSplits) -> Returned<Watched> {
        self.watch(AnyWatched::Splits, |reader| reader.splits_since(&before.0))
    }

    /// The splits of a vault up to the caller's own head (`up_to`): OwnSplits, by which a split is committed and a
    /// vault erased in the transaction that appends. For erasing the reader may begin at a head where the vault's
    /// record did not stand yet.
    fn own_splits(&self, key: &ShardKey, vault_id: &Bound<'_, PyString>) -> Returned<Watched> {
        let vault_id = text("vault_id", vault_id)?.parse()?;
        self.watch(AnyWatched::OwnSplits, |reader| reader.own_splits(&key.0, &vault_id))
    }

    /// Where each record of a ledger stands below the checkpoint: a LocatedLedger.
    ///
    /// With the master only entries count whose tag it made for their place; anybody who may write to the log can write
    /// others. Without it, for whoever is not the operator, entries are unverified. Its fault is a RejectedError when
    /// two entries that the master made are for one place of the ledger and different seals.
    #[pyo3(signature = (ledger, *, master = None))]
    fn ledger(&self, ledger: &Bound<'_, PyString>, master: Option<&VaultMaster>) -> Returned<Watched> {
        let ledger = text("ledger", ledger)?.parse()?;
        self.watch(AnyWatched::Ledger, |reader| reader.ledger(&ledger, master.map(|master| &*master.0)))
    }

    /// The same, where they were located before with the same master: the reader begins where the checkpoint ended
    /// then.
    #[pyo3(signature = (before, /, *, master = None))]
    fn ledger_since(&self, before: &LocatedLedger, master: Option<&VaultMaster>) -> Returned<Watched> {
        self.watch(AnyWatched::Ledger, |reader| reader.ledger_since(&before.0, master.map(|master| &*master.0)))
    }

    /// Takes the next entry. Raises RejectedError for a broken chain, and from the entry on where it is found to be
    /// another chain than the one that was signed; after that the same again.
    #[pyo3(signature = (entry, /))]
    fn push(&self, entry: &Entry) -> Returned<()> {
        Ok(self.with(|reader| reader.push(&entry.0))?)
    }

    /// Takes the next entry as JSON without `seq`, as it stands in a list or on a line.
    #[pyo3(signature = (json, /))]
    fn push_json(&self, py: Python<'_>, json: JsonText<'_>) -> Returned<Entry> {
        Ok(Entry(json.read(py, |json| self.with(|reader| reader.push_json(json)))?))
    }

    /// Takes the next bytes of a file of JSON lines, cut anywhere.
    #[pyo3(signature = (data, /))]
    fn push_lines(&self, py: Python<'_>, data: BytesLike<'_>) -> Returned<()> {
        let data = data.contiguous()?;
        let data: &[u8] = &data;
        Ok(py.detach(|| self.with(|reader| reader.push_lines(data)))?)
    }

    /// Takes the entries that are left, each an Entry or its JSON without `seq`, and ends the chain.
    #[pyo3(signature = (entries, /))]
    fn read(&self, entries: &Bound<'_, PyAny>) -> Returned<Proofs> {
        let py = entries.py();
        for entry in PyIterator::from_object(entries)? {
            let entry = entry?;
            if let Ok(entry) = entry.cast::<Entry>() {
                self.push(entry.get())?;
            } else {
                self.push_json(py, entry.extract()?)?;
            }
        }
        self.finish(py)
    }

    /// The number of entries up to where it stands: the position of the next one.
    #[getter]
    fn size(&self) -> Returned<u64> {
        Ok(self.with(|reader| Ok(reader.size()))?)
    }

    /// Where the entries so far end; None where reading began at a ring file's end.
    #[getter]
    fn head(&self) -> Returned<Option<Head>> {
        Ok(self.with(|reader| Ok(reader.head().cloned().map(Head)))?)
    }

    /// Ends the chain. Raises RejectedError when it has fewer entries than the checkpoint covers, or the caller's own
    /// head has, when it ends at another head, and again for what was found before.
    fn finish(&self, py: Python<'_>) -> Returned<Proofs> {
        let Reading { reader, watched, id } = ending(&mut locked(&self.0))?;
        let mut proofs = py.detach(|| reader.finish())?;
        let (agreed, head) = (proofs.agreed().cloned().map(AgreedChain), proofs.head().cloned().map(Head));
        let found = watched.into_iter().map(|watched| found(py, &mut proofs, watched)).collect::<Returned<_>>()?;
        Ok(Proofs { agreed, head, found, id })
    }

    fn __repr__(&self) -> String {
        let watched = locked(&self.0).as_ref().map_or(0, |reading| reading.watched.len());
        format!("ChainReader(watched={watched})")
    }
}

/// The proof of a watcher as Python has it, or its own fault.
type Found = Result<Py<PyAny>, Error>;

fn found(py: Python<'_>, proofs: &mut reader::Proofs, watched: AnyWatched) -> Returned<Found> {
    fn object<'py, T>(py: Python<'py>, proof: T) -> Returned<Py<PyAny>>
    where
        T: IntoPyObject<'py>,
        PyErr: From<T::Error>,
    {
        use pyo3::BoundObject;
        Ok(proof.into_pyobject(py).map_err(PyErr::from)?.into_any().unbind())
    }
    Ok(match watched {
        AnyWatched::Place(watched) => match proofs.take(watched) {
            Ok(place) => Ok(object(py, place.map(Located))?),
            Err(fault) => Err(fault),
        },
        AnyWatched::Places(watched) => match proofs.take(watched) {
            Ok(places) => Ok(object(py, places.into_iter().map(Located).collect::<Vec<_>>())?),
            Err(fault) => Err(fault),
        },
        AnyWatched::PlaceProofs(watched) => match proofs.take(watched) {
            Ok(proofs) => Ok(object(py, proofs.into_iter().map(PlaceProof).collect::<Vec<_>>())?),
            Err(fault) => Err(fault),
        },
        AnyWatched::RingPlace(watched) => match proofs.take(watched) {
            Ok(proof) => Ok(object(py, proof.map(PlaceProof))?),
            Err(fault) => Err(fault),
        },
        AnyWatched::Ring(watched) => match proofs.take(watched) {
            Ok(ring) => Ok(object(py, FoundRing::of(py, ring)?)?),
            Err(fault) => Err(fault),
        },
        AnyWatched::StatedRing(watched) => match proofs.take(watched) {
            Ok(stated) => Ok(object(py, StatedRing(stated))?),
            Err(fault) => Err(fault),
        },
        AnyWatched::RingChanges(watched) => match proofs.take(watched) {
            Ok(changes) => Ok(object(py, RingChanges(changes))?),
            Err(fault) => Err(fault),
        },
        AnyWatched::Consistency(watched) => match proofs.take(watched) {
            Ok(Consistency::Equal) => Ok(consistency_object(py, "equal")?.unbind()),
            Ok(Consistency::Grown) => Ok(consistency_object(py, "grown")?.unbind()),
            Ok(Consistency::Contradiction) => Ok(consistency_object(py, "contradiction")?.unbind()),
            Ok(Consistency::Fork(fork)) => Ok(object(py, Fork::from(*fork))?),
            Err(fault) => Err(fault),
        },
        AnyWatched::Session(watched) => match proofs.take(watched) {
            Ok(session) => Ok(object(py, LocatedSession(session))?),
            Err(fault) => Err(fault),
        },
        AnyWatched::Splits(watched) => match proofs.take(watched) {
            Ok(splits) => Ok(object(py, CoveredSplits(splits))?),
            Err(fault) => Err(fault),
        },
        AnyWatched::OwnSplits(watched) => match proofs.take(watched) {
            Ok(splits) => Ok(object(py, OwnSplits(splits))?),
            Err(fault) => Err(fault),
        },
        AnyWatched::Ledger(watched) => match proofs.take(watched) {
            Ok(ledger) => Ok(object(py, LocatedLedger(Arc::new(ledger)))?),
            Err(fault) => Err(fault),
        },
    })
}

/// The entries that are to be located.
struct Wanted(BTreeSet<KrunicaHash>);

impl Wanted {
    fn names(&self, entry: &dualseal::Entry) -> bool {
        // Spares a chain in which nothing is sought one hash for each entry.
        !self.0.is_empty() && self.0.contains(&entry.krunica_hash())
    }
}

impl FromPyObject<'_, '_> for Wanted {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let parse = |hash: PyResult<Bound<'_, PyAny>>| -> Returned<KrunicaHash> {
            Ok(text("krunica_hash", hash?.cast::<PyString>().map_err(PyErr::from)?)?.parse()?)
        };
        Ok(Self(object.try_iter()?.map(parse).collect::<Returned<_>>()?))
    }
}

/// What a ChainReader watches for: `proofs[watched]` is its proof. The parameter is the proof's type.
#[pyclass(frozen, generic, module = "dualseal")]
pub(crate) struct Watched {
    index: usize,
    reader: Arc<()>,
}

#[pymethods]
impl Watched {
    fn __repr__(&self) -> String {
        format!("Watched({})", self.index)
    }
}

/// What a chain proved that has no fault of its own. Only a ChainReader gives them.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Proofs {
    agreed: Option<AgreedChain>,
    head: Option<Head>,
    found: Vec<Found>,
    id: Arc<()>,
}

#[pymethods]
impl Proofs {
    /// The proof that was watched for. Raises the fault of that watcher, and MisuseError for what another reader
    /// watched for.
    fn __getitem__(&self, py: Python<'_>, watched: &Watched) -> Returned<Py<PyAny>> {
        let is_ours = Arc::ptr_eq(&self.id, &watched.reader);
        let found = self.found.get(watched.index).filter(|_| is_ours).ok_or(Error::Misuse(Misuse::OtherReader))?;
        Ok(found.as_ref().map(|proof| proof.clone_ref(py)).map_err(Clone::clone)?)
    }

    /// The chain's agreement with the checkpoint that it was read under; None where there was none.
    #[getter]
    fn agreed(&self) -> Option<AgreedChain> {
        self.agreed.clone()
    }

    /// The head of all that was read; None where reading began at a ring file's end.
    #[getter]
    fn head(&self) -> Option<Head> {
        self.head.clone()
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("Proofs(watched={})", self.found.len())
    }
}

/// A ring that its chain vouches for, and what that chain holds beside.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct FoundRing {
    ring: Py<CheckedRing>,
    ignored: Ignored,
}

impl FoundRing {
    fn of(py: Python<'_>, found: reader::FoundRing) -> PyResult<Self> {
        let ignored = found.ignored().clone();
        Ok(Self { ring: CheckedRing::of(py, found.into_ring())?, ignored })
    }
}

#[pymethods]
impl FoundRing {
    /// The ring, to be changed: always the same.
    #[getter]
    fn ring(&self, py: Python<'_>) -> Py<CheckedRing> {
        self.ring.clone_ref(py)
    }

    /// The entries that begin as ring entries and are none of this ring's, `{"entries":
    /// [{"reason": …, "seq": …}, …], "more": …}`: anybody may write such entries, and they count for nothing.
    #[getter]
    fn ignored<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.ignored.to_json())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("FoundRing(ignored={})", self.ignored.entries().len())
    }
}

/// The entry of the ring that a checkpoint states, and what stands after it in the form of a ring's change.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct StatedRing(reader::StatedRing);

#[pymethods]
impl StatedRing {
    /// The first entry that names the ring, as Located; None where the checkpoint states none.
    #[getter]
    fn entry(&self) -> Option<Located> {
        self.0.entry().cloned().map(Located)
    }

    /// What begins as a ring entry and stands after it, `{"entries": [{"reason": …, "seq": …}, …], "more": …}`: only
    /// the ring key tells whether it is a change.
    #[getter]
    fn unverified<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.0.unverified().to_json())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("StatedRing(unverified={})", self.0.unverified().entries().len())
    }
}

/// The changes of a ring that count in its chain. The ring that a checkpoint of any size states is the one that the
/// last change below that size left.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct RingChanges(reader::RingChanges);

#[pymethods]
impl RingChanges {
    /// Whether a checkpoint of this log states the ring that it should. Whether it was signed over this chain, its head
    /// tells.
    ///
    /// Raises RejectedError when it states another ring or none, and when the chain has fewer entries than it covers;
    /// MisuseError where reading began too late to know.
    #[pyo3(signature = (checkpoint, /))]
    fn check(&self, checkpoint: &VerifiedCheckpoint) -> Returned<()> {
        Ok(self.0.check(&checkpoint.0)?)
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __repr__(&self) -> &'static str {
        "RingChanges()"
    }
}
