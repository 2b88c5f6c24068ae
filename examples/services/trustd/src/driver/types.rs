//! Requests and answers.

use super::rules::{Nalaz, Odluka, Stavka, Tip};
use crate::records::SignatureRecordDoc;
use dualseal::Timestamp;
use platform::web::Name;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// What a driver files. Members that are not of its type are refused.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = DriverDocumentIn)]
pub(crate) struct DocumentIn {
    /// Its name, which whoever files it draws: the same once more is the same document.
    #[schema(value_type = String, pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub dokument_id: Uuid,
    /// What it is.
    pub tip: Tip,
    /// Of which vehicle.
    #[schema(value_type = String, pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub vehicle_id: Uuid,
    /// When it was filled in: UTC, with milliseconds.
    #[schema(
        value_type = String,
        pattern = "^(19[7-9][0-9]|2[0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|\
            (0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|[12][0-9]))T([01][0-9]|2[0-3])(:[0-5][0-9]){2}\\.[0-9]{3}Z$",
        example = "2026-11-21T09:00:00.000Z"
    )]
    pub vrijeme: Name<Timestamp>,
    /// Of `PRE_TRIP_CHECK`: what was found, by item. What is missing keeps the vehicle where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stavke: Option<BTreeMap<Stavka, ItemIn>>,
    /// Of `BORDER_CROSSING`: the state that was entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[A-Z]{2}$", example = "AT")]
    pub drzava: Option<String>,
    /// The odometer, in kilometres.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(maximum = 9_999_999, example = 412_873)]
    pub kilometri: Option<u32>,
    /// Of `REPAIR`: the defects that it closes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(min_items = 1, max_items = 50)]
    pub popravljeno: Option<Vec<String>>,
    /// In words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(
        min_length = 1,
        max_length = 200,
        pattern = r"^[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+$"
    )]
    pub napomena: Option<String>,
}

/// How an item was found.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = InspectionItemIn)]
pub(crate) struct ItemIn {
    /// How.
    pub nalaz: Nalaz,
    /// In words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(
        min_length = 1,
        max_length = 200,
        pattern = r"^[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+$"
    )]
    pub napomena: Option<String>,
    /// Photos that were sent for this document, by their `identity_id`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 24)]
    pub fotografije: Vec<String>,
}

/// What was filed.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = DriverDocumentOut)]
pub(crate) struct DocumentOut {
    /// Its name, as its driver drew it.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub dokument_id: String,
    /// Its identity, of what it says.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub identity_id: String,
    /// What it is.
    pub tip: Tip,
    /// Of an inspection: whether the vehicle leaves, as the service decides.
    pub odluka: Option<Odluka>,
    /// Of which vehicle.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub vehicle_id: String,
    /// Its plate.
    #[schema(example = "ZG1234AB")]
    pub registracija: String,
    /// When it was filled in, as its driver says.
    #[schema(format = DateTime)]
    pub vrijeme: String,
    /// When it came.
    #[schema(format = DateTime)]
    pub zaprimljeno: String,
    /// Where its signature stands in the log.
    pub lanac: Lanac,
    /// Where its dual seal does.
    pub pecat: Lanac,
    /// A public page that says whether it holds.
    #[schema(format = "uri")]
    pub provjera: String,
}

/// Where something stands in the log.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ChainInfo)]
pub(crate) struct Lanac {
    /// Its entry.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub krunica_hash: String,
    /// The entry's place.
    pub seq: u64,
    /// Where that place is proven, once a checkpoint covers it.
    #[schema(format = "uri")]
    pub dokaz: String,
}

impl Lanac {
    /// At a place of the log that is served there.
    pub(crate) fn at(base: &str, krunica: &str, seq: u64) -> Self {
        Self { krunica_hash: krunica.to_owned(), seq, dokaz: format!("{base}/api/v1/log/proof/{seq}") }
    }
}

/// A document, whole: what the service has of it, and what others verify it by.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = DriverDocumentWhole)]
pub(crate) struct WholeOut {
    /// What was filed.
    pub dokument: DocumentOut,
    /// Who filed it.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub vozac: String,
    /// The text that is signed and sealed: canonical JSON with all that was filled in, and a drawn salt.
    pub tekst: String,
    /// The signature over it.
    #[schema(value_type = SignatureRecordDoc)]
    pub zapis: Box<RawValue>,
    /// The dual seal over it, by the service's identity of drivers.
    #[schema(pattern = "^SEAL-DUAL::[0-9a-f]{128}::[0-9a-f]{6618}$")]
    pub pecat: String,
    /// Its photos.
    pub fotografije: Vec<PhotoOut>,
}

/// A photo on its way in.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PhotoQuery {
    /// The document that it is of, which is filed after its photos.
    #[param(value_type = String, format = "uuid", pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub dokument_id: Uuid,
    /// SHA-256 of the bytes that are sent.
    #[param(pattern = "^[0-9a-f]{64}$")]
    pub sha256: String,
}

/// Which bytes of a photo are shown.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ShownQuery {
    /// Those that were sent, whose SHA-256 the document names, as they are: with what they say of themselves.
    #[serde(default)]
    pub izvornik: bool,
}

/// A photo that was taken.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PhotoOut {
    /// Its identity: of its bytes, its driver and its document.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub identity_id: String,
    /// SHA-256 of its bytes, as they came.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub sha256: String,
    /// The document.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub dokument_id: String,
    /// How many bytes are shown of it.
    #[schema(maximum = 500_000)]
    pub bajtova: u64,
    /// Pixels across, as it is shown.
    pub sirina: u32,
    /// Pixels down, as it is shown.
    pub visina: u32,
}

/// A vehicle that a driver files for.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = DriverVehicle)]
pub(crate) struct VehicleLine {
    /// Its name here.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub vehicle_id: String,
    /// Its plate.
    #[schema(example = "ZG1234AB")]
    pub registracija: String,
}

/// A defect that no repair has closed.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = DefectOut)]
pub(crate) struct DefectOut {
    /// Its name here.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub nedostatak_id: String,
    /// Of what.
    pub stavka: Stavka,
    /// How it was found: where it was found again, the worse of both.
    pub nalaz: Nalaz,
    /// When, first.
    #[schema(format = DateTime)]
    pub vrijeme: String,
    /// The inspection that found it first; null where its driver was erased.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub dokument: Option<String>,
}

/// What the link of a document says.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = DriverDocumentVerdict)]
pub(crate) struct VerdictOut {
    /// What was filed.
    pub tip: Tip,
    /// Of an inspection: whether the vehicle leaves.
    pub odluka: Option<Odluka>,
    /// When it was filled in, as its driver says.
    #[schema(format = DateTime)]
    pub vrijeme: String,
    /// When it came.
    #[schema(format = DateTime)]
    pub zaprimljeno: String,
    /// Whether signature and dual seal hold now; null where one of their keys is suspended, and neither is refused.
    pub validan: Option<bool>,
    /// Whether the signature holds; null where its key is suspended.
    pub potpis: Option<bool>,
    /// Whether the dual seal holds, both layers of it; null where its key is suspended.
    pub pecat: Option<bool>,
    /// Why not: `rejected` or `suspended`.
    pub razlog: Option<String>,
}
