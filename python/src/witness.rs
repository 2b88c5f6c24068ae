//! Following a log as its witness.

use crate::ed25519::Ed25519SigningKey;
use crate::failure::{Raised, Returned, not_pickled};
use crate::input::{BytesLike, locked, text};
use crate::json::JsonText;
use crate::krunica::Head;
use crate::note::{Note, NoteKey, NoteSignature};
use crate::progress::ending;
use crate::time::moment;
use crate::tree::{EntryBundle, Tile};
use dualseal::note::NoteName;
use dualseal::tree::{self, TileReader, TreeHash};
use dualseal::witness::{self, FollowError, LogReader};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::sync::Mutex;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Following>()?;
    module.add_class::<FollowedLog>()
}

/// A log's tiles and bundles, by callables that give their bytes.
struct Served {
    tiles: Py<PyAny>,
    entries: Py<PyAny>,
}

fn read(py: Python<'_>, from: &Py<PyAny>, place: impl for<'py> IntoPyObject<'py, Error = PyErr>) -> Returned<Vec<u8>> {
    let bytes = from.bind(py).call1((place,))?;
    let bytes: BytesLike<'_> = bytes.extract()?;
    Ok(bytes.contiguous()?.into_owned())
}

impl TileReader for Served {
    type Error = Raised;

    fn tile(&mut self, tile: &tree::Tile) -> Returned<Vec<TreeHash>> {
        Python::attach(|py| Ok(tile.decode(&read(py, &self.tiles, Tile(*tile))?)?))
    }
}

impl LogReader for Served {
    fn entries(&mut self, bundle: &tree::EntryBundle) -> Returned<Vec<u8>> {
        Python::attach(|py| read(py, &self.entries, EntryBundle(*bundle)))
    }
}

fn raised(error: FollowError<Raised>) -> Raised {
    match error {
        FollowError::Read(error) => error,
        FollowError::Log(error) => error.into(),
    }
}

/// One reading of a log by its witness, from the head that he kept to the note that the log shows him now: every entry
/// is checked, and every tile and bundle that is new is compared with what the entries make.
///
/// `head` is what FollowedLog.head gave the last time, which nobody else can write; Head.EMPTY for the first time.
/// `log` is the log's note key, a NoteKey or its text. `tiles(tile)` and `entries(bundle)` give the bytes that the log
/// serves; what they raise is raised. Meanwhile this object is in use, and any other use raises MisuseError.
///
/// Raises RejectedError for a note that the log's key did not sign, that covers less than was seen (`note-shrunk`), or
/// whose log is another one up to the head (`note-fork`): such a log is not cosigned.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Following(Mutex<Option<witness::Following<Served>>>);

#[pymethods]
impl Following {
    #[new]
    #[pyo3(signature = (note, log, *, head, tiles, entries))]
    fn new(note: &Note, log: &Bound<'_, PyAny>, head: &Head, tiles: Py<PyAny>, entries: Py<PyAny>) -> Returned<Self> {
        let (served, log) = (Served { tiles, entries }, NoteKey::read(log)?);
        let following = witness::Following::begin(served, &head.0, note.0.clone(), &log).map_err(raised)?;
        Ok(Self(Mutex::new(Some(following))))
    }

    /// Looks at the next entry since the head, as JSON without `seq`, as it stands on a line. False for one beyond the
    /// note, which is not looked at.
    ///
    /// Raises RejectedError for a fork (`note-fork`), a broken chain, and a tile or bundle that is not what the entries
    /// make (`note-tile`). After any error, and be it one of reading, nothing more is taken: a witness begins anew.
    #[pyo3(signature = (json, /))]
    fn push_json(&self, py: Python<'_>, json: JsonText<'_>) -> Returned<bool> {
        let bytes = match json {
            JsonText::Text(json) => text("json", &json)?.as_bytes().to_vec(),
            JsonText::Bytes(json) => json.contiguous()?.into_owned(),
        };
        // The readers take the interpreter's lock, so that this one is not held meanwhile: nobody waits for both.
        let mut following = ending(&mut locked(&self.0))?;
        let pushed = py.detach(|| following.push_json(&bytes).map_err(raised));
        *locked(&self.0) = Some(following);
        pushed
    }

    /// What was seen, where it reaches the note and all agrees. Raises RejectedError where there are fewer entries than
    /// the note covers (`note-incomplete`), and for a root that is not that of the entries (`note-chain`).
    fn finish(&self, py: Python<'_>) -> Returned<FollowedLog> {
        let following = ending(&mut locked(&self.0))?;
        Ok(FollowedLog(py.detach(|| following.finish().map_err(raised))?))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        (if locked(&self.0).is_some() { "Following(open=True)" } else { "Following(open=False)" }).to_owned()
    }
}

/// A log's note that goes on from what its witness saw. Only Following.finish gives one.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct FollowedLog(witness::Followed);

#[pymethods]
impl FollowedLog {
    /// Where the log ends now: what to go on from the next time. Whoever has not stored it when he cosigns, cosigns a
    /// fork the next time.
    #[getter]
    fn head(&self) -> Head {
        Head(self.0.head().clone())
    }

    /// The note as the log showed it.
    #[getter]
    fn note(&self) -> Note {
        Note(self.0.note().clone())
    }

    /// The cosignature, under the witness's name, at a time that is cut to seconds.
    fn cosign(
        &self,
        name: &Bound<'_, PyString>,
        key: &Ed25519SigningKey,
        time: &Bound<'_, PyAny>,
    ) -> Returned<NoteSignature> {
        let (name, time) = (NoteName::new(text("origin", name)?)?, moment("time", time)?);
        Ok(NoteSignature(self.0.cosign(&name, &key.0, time)?))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("FollowedLog(origin={:?}, size={})", self.0.note().body().origin.as_str(), self.0.head().size())
    }
}
