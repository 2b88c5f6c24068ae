//! What a message is for.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use utoipa::ToSchema;

/// What a message is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Intent {
    /// Somebody is in need: those on call are told at once.
    Panic,
    /// Somebody goes.
    LeaveFleet,
    /// Somebody comes.
    JoinFleet,
    /// A border was crossed.
    ReportTrip,
    /// A document comes with it.
    DocUpload,
    /// Somebody asks how things stand.
    QueryStatus,
}

/// A language of messages and of what is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Croatian.
    Hr,
    /// English.
    En,
    /// German.
    De,
}

/// What a message was found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// What it is for.
    pub intent: Intent,
    /// In which language it says so.
    pub language: Language,
}

impl Intent {
    /// All of them, in the order in which they are looked for.
    pub const ALL: [Self; 6] =
        [Self::Panic, Self::LeaveFleet, Self::JoinFleet, Self::ReportTrip, Self::DocUpload, Self::QueryStatus];

    /// As rows and answers have it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Panic => "PANIC",
            Self::LeaveFleet => "LEAVE_FLEET",
            Self::JoinFleet => "JOIN_FLEET",
            Self::ReportTrip => "REPORT_TRIP",
            Self::DocUpload => "DOC_UPLOAD",
            Self::QueryStatus => "QUERY_STATUS",
        }
    }
}

impl fmt::Display for Intent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Intent {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        Self::ALL.into_iter().find(|intent| intent.as_str() == text).ok_or("no intent")
    }
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Hr, Self::En, Self::De];

    /// As rows and answers have it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hr => "hr",
            Self::En => "en",
            Self::De => "de",
        }
    }
}

impl FromStr for Language {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        Self::ALL.into_iter().find(|language| language.as_str() == text).ok_or("no language: hr, en or de")
    }
}
