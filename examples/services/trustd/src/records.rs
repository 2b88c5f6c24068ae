//! The library's records, as the documentation describes them. Nothing is read or written through these: that is the
//! library's.

use utoipa::ToSchema;
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};

fn always() -> Object {
    ObjectBuilder::new().schema_type(Type::Boolean).enum_values(Some([true])).build()
}

/// A signature record.
#[derive(Debug, ToSchema)]
#[allow(dead_code, reason = "its documentation")]
#[schema(as = SignatureRecord)]
pub(crate) struct SignatureRecordDoc {
    /// Always `ML-DSA-65`.
    #[schema(pattern = "^ML-DSA-65$", example = "ML-DSA-65")]
    pub algoritam: String,
    /// SHA3-256 of the identity and the content, 64 hexadecimal characters.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub sadrzaj_hash: String,
    /// Who signed.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub identity_id: String,
    /// With which key, 3904 hexadecimal characters.
    #[schema(pattern = "^[0-9a-f]{3904}$")]
    pub javni_kljuc: String,
    /// The entry of the log.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub krunica_hash: String,
    /// 6618 hexadecimal characters.
    #[schema(pattern = "^[0-9a-f]{6618}$")]
    pub potpis: String,
    /// Always true.
    #[schema(schema_with = always)]
    pub quantum_ready: bool,
    /// When, as the service says.
    #[schema(format = DateTime, example = "2026-11-21T09:00:00.000Z")]
    pub timestamp: String,
    /// The format.
    #[schema(pattern = "^1$", example = "1")]
    pub verzija: String,
}

/// Key pair info.
#[derive(Debug, ToSchema)]
#[allow(dead_code, reason = "its documentation")]
#[schema(as = KeyPairInfo)]
pub(crate) struct KeyPairInfoDoc {
    /// Always `ML-DSA-65`.
    #[schema(example = "ML-DSA-65")]
    pub algoritam: String,
    /// The state of the key; `oboje` to natives alone.
    pub bela_stanje: super::dsa::types::Stanje,
    /// When the key came into the ring.
    pub generirano: Option<String>,
    /// Whose key it is.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub identity_id: String,
    /// The key, 3904 hexadecimal characters.
    #[schema(pattern = "^[0-9a-f]{3904}$")]
    pub javni_kljuc: String,
}

/// What a verification concludes, as everybody is told. It is an answer, not evidence: that is the record.
#[derive(Debug, ToSchema)]
#[allow(dead_code, reason = "its documentation")]
#[schema(as = VerificationResult)]
pub(crate) struct VerificationResultDoc {
    /// Always `ML-DSA-65`.
    pub algoritam: String,
    /// The state of the key; null where it is not one of the identity.
    pub bela_stanje: Option<super::dsa::types::Stanje>,
    /// Whose record it says to be.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub identity_id: String,
    /// Why not: `rejected` or `suspended`.
    pub razlog: Option<String>,
    /// The record's own time.
    pub timestamp: Option<String>,
    /// Null where the key is suspended.
    pub validan: Option<bool>,
}
