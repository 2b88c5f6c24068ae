//! Requests and answers.

mod odometer;

pub(crate) use odometer::{OdometerOut, WholeOut};

use super::rules::Level;
use dualseal::{IdentityId, Timestamp};
use platform::web::{Name, given};
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use utoipa::{IntoParams, ToSchema};

/// From which duration on a vehicle is at which level, and why.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PolicyOut {
    /// Weeks from which on it is `warning`.
    #[schema(example = 6)]
    pub upozorenje: u16,
    /// Weeks from which on it is `critical`.
    #[schema(example = 7)]
    pub kriticno: u16,
    /// Weeks after which it is `violation`.
    #[schema(example = 8)]
    pub prekrsaj: u16,
    /// What that rests on.
    pub osnova: String,
}

/// A vehicle.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VehicleIn {
    /// Its plate: spaces and dashes do not count.
    #[schema(min_length = 2, max_length = 32, pattern = "^[0-9A-Za-zČčĆćĐđŠšŽžÄäÖöÜü -]+$", example = "ZG 1234-AB")]
    pub registracija: String,
    /// The state to which it returns, ISO 3166-1 alpha-2.
    #[schema(pattern = "^[A-Z]{2}$", example = "HR")]
    pub maticna_drzava: String,
    /// Whose it is: their contacts are told of levels.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub vlasnik_id: Name<IdentityId>,
    /// Who is told; every contact of the owner without it.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub contact_id: Option<String>,
}

/// What changes of a vehicle: members that are not there stay as they are, and a contact that is null is taken away.
#[allow(clippy::option_option, reason = "null takes away, and what is not there stays")]
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(min_properties = 1)]
pub(crate) struct VehiclePatch {
    /// Its plate, where that was mistyped or is another one.
    #[schema(min_length = 2, max_length = 32, pattern = "^[0-9A-Za-zČčĆćĐđŠšŽžÄäÖöÜü -]+$", example = "ZG 1234-AB")]
    pub registracija: Option<String>,
    /// The state to which it returns: the clock follows from its crossings anew.
    #[schema(pattern = "^[A-Z]{2}$", example = "HR")]
    pub maticna_drzava: Option<String>,
    /// Whose it is.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub vlasnik_id: Option<Name<IdentityId>>,
    /// Who is told.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    #[serde(default, deserialize_with = "given")]
    pub contact_id: Option<Option<String>>,
    /// `povuceno` takes it out of the overview, and nobody is told of it any more.
    pub stanje: Option<Stanje>,
}

/// Whether a vehicle is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = VehicleState)]
pub(crate) enum Stanje {
    /// It is.
    Aktivno,
    /// It is not.
    Povuceno,
}

/// A vehicle.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct VehicleOut {
    /// Its name here.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub vehicle_id: String,
    /// Its plate, without spaces and dashes.
    #[schema(example = "ZG1234AB")]
    pub registracija: String,
    /// The state to which it returns.
    #[schema(pattern = "^[A-Z]{2}$", example = "HR")]
    pub maticna_drzava: String,
    /// Whose it is.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub vlasnik_id: Name<IdentityId>,
    /// Who is told; every contact of the owner where nobody is named.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub contact_id: Option<String>,
    /// Whether it is used.
    pub stanje: Stanje,
    /// Its number, which a change names in `If-Match`.
    #[schema(minimum = 1)]
    pub verzija: u64,
    /// The entry of its last change or crossing.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub krunica_hash: String,
}

/// The clock of a vehicle.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct StatusOut {
    /// Its name here.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub vehicle_id: String,
    /// Its plate.
    #[schema(example = "ZG1234AB")]
    pub registracija: String,
    /// The state to which it returns.
    #[schema(pattern = "^[A-Z]{2}$", example = "HR")]
    pub maticna_drzava: String,
    /// The level that it has now.
    pub status: Level,
    /// Weeks since it left its home state, with two decimals, truncated; 0 at home.
    #[schema(minimum = 0, example = 5.99)]
    pub tjedni_odsutni: f64,
    /// Since when it is away; none at home.
    #[schema(format = DateTime)]
    pub odsutno_od: Option<String>,
    /// When it came home last, by the crossing's own time.
    #[schema(format = DateTime)]
    pub zadnji_povratak: Option<String>,
    /// When the next level is reached, unless it comes home.
    #[schema(format = DateTime)]
    pub sljedeca_razina: Option<String>,
}

/// How many vehicles are at each level.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LevelsOut {
    /// At home, or away for less than the first weeks.
    pub ok: u64,
    /// `warning`.
    pub warning: u64,
    /// `critical`.
    pub critical: u64,
    /// `violation`.
    pub violation: u64,
}

/// A crossing of a border.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CrossingIn {
    /// Of which vehicle.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub vehicle_id: String,
    /// The state that it entered.
    #[schema(pattern = "^[A-Z]{2}$", example = "AT")]
    pub drzava: String,
    /// When; now without it. Crossings may come late, twice and in any order.
    #[schema(value_type = Option<String>, format = DateTime,
        pattern = r"^(19[7-9][0-9]|2[0-9]{3})(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}\.[0-9]{3}Z$")]
    pub vrijeme: Option<Name<Timestamp>>,
}

/// A crossing.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct CrossingOut {
    /// Its name here.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub crossing_id: String,
    /// The state that was entered.
    #[schema(pattern = "^[A-Z]{2}$", example = "AT")]
    pub drzava: String,
    /// When.
    #[schema(format = DateTime)]
    pub vrijeme: String,
    /// Who said so.
    pub izvor: Izvor,
    /// Its entry of the log.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub krunica_hash: String,
}

/// Who told of a crossing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = CrossingSource)]
pub(crate) enum Izvor {
    /// A caller of this address.
    Ured,
    /// A message of intent REPORT_TRIP, which somebody took.
    Poruka,
    /// A driver, by a document of his.
    Vozac,
}

impl Izvor {
    /// As rows have it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Ured => "ured",
            Self::Poruka => "poruka",
            Self::Vozac => "vozac",
        }
    }
}

impl FromStr for Izvor {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        [Self::Ured, Self::Poruka, Self::Vozac]
            .into_iter()
            .find(|one| one.as_str() == text)
            .ok_or("no source of a crossing")
    }
}

/// Why a crossing is taken back.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CrossingBack {
    /// In words; its entry says so.
    #[schema(min_length = 1, max_length = 200, example = "another vehicle was meant")]
    pub razlog: String,
}

/// Filters of the overview.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct OverviewQuery {
    /// Of this level alone.
    pub status: Option<Level>,
}

/// What becomes of a crossing that somebody reported by message.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReportDecision {
    /// Of which vehicle it is: it counts from now on. Without one it is set aside.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub vehicle_id: Option<String>,
    /// The state that was entered, where the message does not say.
    #[schema(pattern = "^[A-Z]{2}$", example = "AT")]
    pub drzava: Option<String>,
}

/// What was decided on a report.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DecidedOut {
    /// Its name here.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub report_id: String,
    /// The clock that follows; none where the report was set aside.
    pub sat: Option<StatusOut>,
}

impl DecidedOut {
    /// It was taken.
    pub(crate) fn taken(report: &str, clock: StatusOut) -> Self {
        Self { report_id: report.to_owned(), sat: Some(clock) }
    }

    /// It was not.
    pub(crate) fn set_aside(report: &str) -> Self {
        Self { report_id: report.to_owned(), sat: None }
    }
}

/// A crossing that somebody reported by message, which nobody has decided on.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReportOut {
    /// Its name here.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub report_id: String,
    /// Who wrote; for natives alone.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub contact_id: Option<String>,
    /// The state that was entered, where the message says so beyond doubt.
    #[schema(pattern = "^[A-Z]{2}$", example = "AT")]
    pub drzava: Option<String>,
    /// What it says; for natives alone.
    pub tekst: Option<String>,
    /// When it came.
    #[schema(format = DateTime)]
    pub vrijeme: String,
}
