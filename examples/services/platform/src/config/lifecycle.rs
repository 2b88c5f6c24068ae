//! Documents with an end: which types there are, and when their owners are told.

use super::Seconds;
use serde::Deserialize;

/// Documents with an end.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LifecycleConfig {
    /// The types.
    pub types: Vec<String>,
    /// Days before the end of which is told.
    pub thresholds: Vec<u16>,
    /// The zone of owners who name none, of the database of time zones.
    pub zone: String,
    /// How often it is looked.
    pub every: Seconds,
}

const TYPES: [&str; 12] = [
    "REGISTRATION",
    "INSURANCE",
    "ROADWORTHINESS",
    "TACHOGRAPH_CALIBRATION",
    "TACHOGRAPH_CARD",
    "DRIVING_LICENCE",
    "DRIVER_CPC",
    "ADR_CERTIFICATE",
    "MEDICAL",
    "COMMUNITY_LICENCE",
    "CONTRACT",
    "CERTIFICATE",
];

impl Default for LifecycleConfig {
    fn default() -> Self {
        let types = TYPES.map(str::to_owned).to_vec();
        Self { types, thresholds: vec![30, 7, 1], zone: "Europe/Zagreb".into(), every: Seconds(86_400) }
    }
}

fn is_zone(name: &str) -> bool {
    jiff::tz::TimeZone::get(name).is_ok_and(|zone| zone.iana_name().is_some())
}

/// What is wrong with them.
pub(super) fn faults(config: &LifecycleConfig) -> Vec<&'static str> {
    let is_type = |name: &String| {
        let is_sign = |one: u8| one.is_ascii_uppercase() || one.is_ascii_digit() || one == b'_';
        (1..=64).contains(&name.len()) && name.bytes().all(is_sign)
    };
    let rules = [
        (
            !config.types.is_empty() && config.types.iter().all(is_type),
            "lifecycle.types: one is no name such as MEDICAL",
        ),
        (
            (1..=20).contains(&config.thresholds.len()) && config.thresholds.iter().all(|days| *days <= 3650),
            "lifecycle.thresholds: none, more than 20, or one of more than 3650 days",
        ),
        (is_zone(&config.zone), "lifecycle.zone: is no zone of time such as Europe/Zagreb"),
        ((1..=86_400).contains(&config.every.0), "lifecycle.every: is not between 1s and 24h"),
    ];
    rules.iter().filter(|(holds, _)| !holds).map(|(_, fault)| *fault).collect()
}
