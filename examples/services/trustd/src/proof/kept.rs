//! Proofs at rest: text and evidence under a key of the proof's, which hangs on the erasure key of whom it is of.

use crate::App;
use crate::ciphered::BytesKey;
use dualseal::hash::Sha3_256;
use dualseal::{Domain, IdentityId};
use dualseal_operator::secrets::Place;
use platform::problem::Problem;
use uuid::Uuid;

const TEXT: &str = "proof";
const EVIDENCE: &str = "evidence of a proof";

/// What text and evidence of a proof are encrypted under.
pub(super) struct ProofKey(BytesKey);

impl ProofKey {
    /// One of its own.
    ///
    /// # Errors
    /// The generator failed.
    pub(super) fn draw(domain: &Domain, dokaz_id: &Uuid) -> Result<Self, Problem> {
        BytesKey::draw(domain, &of(dokaz_id)).map(Self)
    }

    /// Where the key of a proof stands.
    ///
    /// # Errors
    /// None: the parts are constants, and a name is not empty.
    pub(super) fn place(dokaz_id: &Uuid) -> Result<Place, dualseal::Error> {
        Place::new("proofs", dokaz_id.as_bytes(), "secret")
    }

    /// The key of a proof of an identity's.
    ///
    /// # Errors
    /// [`ERASED`](platform::problem::kinds::ERASED); a row that does not open.
    pub(super) async fn open(app: &App, identity_id: &IdentityId, dokaz_id: &Uuid) -> Result<Self, Problem> {
        BytesKey::open(app, identity_id, &Self::place(dokaz_id)?, &of(dokaz_id)).await.map(Self)
    }

    /// The key itself, for its row.
    pub(super) fn expose(&self) -> &[u8] {
        self.0.expose()
    }

    /// The text, as rows have it.
    ///
    /// # Errors
    /// The generator failed.
    pub(super) fn text(&self, text: &str) -> Result<Vec<u8>, Problem> {
        self.0.encrypt(TEXT, text.as_bytes())
    }

    /// The evidence, as rows have it.
    ///
    /// # Errors
    /// The generator failed.
    pub(super) fn evidence(&self, evidence: &str) -> Result<Vec<u8>, Problem> {
        self.0.encrypt(EVIDENCE, evidence.as_bytes())
    }

    /// Reads a text.
    ///
    /// # Errors
    /// Other bytes than those of this proof.
    pub(super) fn read_text(&self, stored: &[u8]) -> Result<String, Problem> {
        text(self.0.decrypt(TEXT, stored)?)
    }

    /// Reads evidence.
    ///
    /// # Errors
    /// Other bytes than those of this proof.
    pub(super) fn read_evidence(&self, stored: &[u8]) -> Result<String, Problem> {
        text(self.0.decrypt(EVIDENCE, stored)?)
    }
}

/// What its bytes are of.
fn of(dokaz_id: &Uuid) -> [u8; 32] {
    Sha3_256::digest(dokaz_id.as_bytes())
}

fn text(bytes: Vec<u8>) -> Result<String, Problem> {
    String::from_utf8(bytes).map_err(|error| Problem::internal("proof", &error))
}
