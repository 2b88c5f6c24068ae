//! Vehicles: after how many weeks which level is reached, and why.

use serde::Deserialize;

/// Vehicles.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FleetConfig {
    /// From which week on it is a warning, from which on critical, and after which a violation.
    pub weeks: [u16; 3],
    /// What that rests on.
    pub basis: String,
}

impl Default for FleetConfig {
    fn default() -> Self {
        let basis = "Company policy. The return of vehicles every eight weeks (Regulation (EU) 2020/1055) was \
                     annulled by the Court of Justice on 4 October 2024 (C-541/20 and others).";
        Self { weeks: [6, 7, 8], basis: basis.into() }
    }
}

/// What is wrong with them.
pub(super) fn faults(config: &FleetConfig) -> Vec<&'static str> {
    let [warning, critical, violation] = config.weeks;
    let rules = [
        (
            0 < warning && warning < critical && critical < violation && violation <= 520,
            "fleet.weeks: are not three numbers that grow, from 1 to 520",
        ),
        (config.basis.chars().count() <= 1000, "fleet.basis: has more than 1000 characters"),
    ];
    rules.iter().filter(|(holds, _)| !holds).map(|(_, fault)| *fault).collect()
}
