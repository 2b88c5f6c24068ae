//! Requests and answers; those of lists are in `listed`.

mod listed;

pub(crate) use listed::{ListQuery, ProofLine};

use crate::presence::types::Voucher;
use dualseal::presence::Nonce;
use dualseal::{IdentityId, SignatureRecord, Timestamp};
use platform::web::{Name, Record};
use proof_pdf::Language;
use proof_pdf::text::Kind;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// The language of a page.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ProofLanguage)]
pub(crate) enum Jezik {
    /// Croatian.
    #[default]
    Hr,
    /// English.
    En,
    /// German.
    De,
}

impl From<Jezik> for Language {
    fn from(jezik: Jezik) -> Self {
        match jezik {
            Jezik::Hr => Self::Hr,
            Jezik::En => Self::En,
            Jezik::De => Self::De,
        }
    }
}

/// What a proof shows.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = ProofKind)]
pub(crate) enum Vrsta {
    /// A journey.
    #[serde(rename = "PUT")]
    Put,
    /// A signature.
    #[serde(rename = "ISTINA")]
    Istina,
    /// Presence.
    #[serde(rename = "ZIVOT")]
    Zivot,
    /// Witnesses.
    #[serde(rename = "D9_SVJEDOK")]
    Svjedok,
}

impl From<Kind> for Vrsta {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Put => Self::Put,
            Kind::Istina => Self::Istina,
            Kind::Zivot => Self::Zivot,
            Kind::Svjedok => Self::Svjedok,
        }
    }
}

impl From<Vrsta> for Kind {
    fn from(vrsta: Vrsta) -> Self {
        match vrsta {
            Vrsta::Put => Self::Put,
            Vrsta::Istina => Self::Istina,
            Vrsta::Zivot => Self::Zivot,
            Vrsta::Svjedok => Self::Svjedok,
        }
    }
}

/// A journey: all inspections and border crossings that a driver filed of a vehicle in a time.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = JourneyIn)]
pub(crate) struct PutIn {
    /// The driver.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub identity_id: Name<IdentityId>,
    /// The vehicle.
    #[schema(value_type = String, pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub vehicle_id: Uuid,
    /// From when: UTC, with milliseconds.
    #[schema(
        value_type = String,
        pattern = "^(19[7-9][0-9]|2[0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|\
            (0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))\
            T([01][0-9]|2[0-3])(:[0-5][0-9]){2}\\.[0-9]{3}Z$",
        example = "2026-11-20T00:00:00.000Z"
    )]
    pub od: Name<Timestamp>,
    /// Until when: UTC, with milliseconds, and not in the future.
    #[serde(rename = "do")]
    #[schema(
        value_type = String,
        pattern = "^(19[7-9][0-9]|2[0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|\
            (0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))\
            T([01][0-9]|2[0-3])(:[0-5][0-9]){2}\\.[0-9]{3}Z$",
        example = "2026-11-21T00:00:00.000Z"
    )]
    pub until: Name<Timestamp>,
    /// Of the page, where one is asked for by `Accept`.
    #[serde(default)]
    pub jezik: Jezik,
}

/// A signature.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SignatureProofIn)]
pub(crate) struct IstinaIn {
    /// Who signed.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub identity_id: Name<IdentityId>,
    /// The record that this service's log has.
    #[schema(value_type = Object)]
    pub record: Box<SignatureRecord>,
    /// Of the page, where one is asked for by `Accept`.
    #[serde(default)]
    pub jezik: Jezik,
}

/// Who is to show that he is present.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PresenceChallengeIn)]
pub(crate) struct ChallengeIn {
    /// Who.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub identity_id: Name<IdentityId>,
}

/// What is to be answered, for 300 seconds and once.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = PresenceChallenge)]
pub(crate) struct ChallengeOut {
    /// Its name.
    #[schema(value_type = String, format = "uuid")]
    pub izazov_id: Uuid,
    /// The name of the deployment in every statement.
    pub domain: String,
    /// To whom it is answered.
    pub audience: String,
    /// By whom.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub identity_id: Name<IdentityId>,
    /// The statement that an Ed25519 key signs, as one of being alive.
    pub statement: String,
    /// SHA3-256 of the statement.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub statement_hash: String,
    /// What makes it usable once.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub nonce: Name<Nonce>,
    /// When it ends.
    #[schema(value_type = String, format = DateTime)]
    pub expiry: Name<Timestamp>,
    /// What a credential of WebAuthn answers, its user verified: 32 bytes.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub webauthn: String,
}

/// That somebody is present.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PresenceProofIn)]
pub(crate) struct ZivotIn {
    /// The challenge.
    #[schema(value_type = String, pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub izazov_id: Uuid,
    /// What answered it.
    #[schema(value_type = Object)]
    pub odgovor: Voucher,
    /// Of the page.
    #[serde(default)]
    pub jezik: Jezik,
}

/// That witnesses saw the log.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = WitnessProofIn)]
pub(crate) struct SvjedokIn {
    /// For whom it is made.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub identity_id: Name<IdentityId>,
    /// How many witnesses saw it at least.
    #[serde(default = "one")]
    #[schema(minimum = 1, maximum = 16, default = 1)]
    pub najmanje: u8,
    /// Of the page, where one is asked for by `Accept`.
    #[serde(default)]
    pub jezik: Jezik,
}

fn one() -> u8 {
    1
}

/// In which language a page is asked for.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageOf {
    /// Of the page: `hr` unless it is given.
    #[serde(default)]
    #[param(inline)]
    pub jezik: Jezik,
}

/// A proof.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ProofOut {
    /// Its name.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub dokaz_id: String,
    /// What it shows.
    pub vrsta: Vrsta,
    /// Of whom.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub identity_id: String,
    /// When it was made.
    #[schema(format = DateTime)]
    pub vrijeme: String,
    /// Its entry.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub krunica_hash: String,
    /// The entry's place.
    pub seq: u64,
    /// The dual seal over the text, by the service.
    pub pecat: String,
    /// The seal's own entry.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub pecat_krunica_hash: String,
    /// Its place.
    pub pecat_seq: u64,
    /// Where it is read: as this, or with `Accept: application/pdf` as a page.
    #[schema(format = "uri")]
    pub poveznica: String,
    /// The text that is signed, with its evidence.
    #[schema(value_type = Object)]
    pub tekst: Record,
    /// The evidence of its signature.
    #[schema(value_type = Object)]
    pub dokaz: Record,
}

/// The witnesses.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Witnesses {
    /// Each that the log pins.
    pub items: Vec<WitnessOut>,
}

/// A witness.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct WitnessOut {
    /// Its name.
    #[schema(example = "ivo.example")]
    pub ime: String,
    /// Its key.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub kljuc: String,
    /// How many entries the log had when it saw it last; null where it never did.
    pub velicina: Option<u64>,
    /// When that was, by its own clock.
    #[schema(format = DateTime)]
    pub vrijeme: Option<String>,
}
