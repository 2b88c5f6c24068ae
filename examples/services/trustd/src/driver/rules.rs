//! Decisions about what drivers file, without input or output.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use utoipa::ToSchema;

/// So many photos go with one document.
pub(crate) const PHOTOS: usize = 24;
/// So many wait for theirs, of one driver.
pub(crate) const WAITING: u64 = 120;
/// So long they wait.
pub(crate) const KEPT: i64 = 30 * 86_400_000;
/// Clocks of whoever files are not quite ours.
pub(crate) const AHEAD: i64 = 300_000;

macro_rules! names {
    ($(#[$doc:meta])* $kind:ident $schema:ident: $($(#[$of:meta])* $variant:ident = $name:literal),+ $(,)?) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
        $(#[$doc])*
        #[schema(as = $schema)]
        pub(crate) enum $kind { $($(#[$of])* $variant),+ }

        impl $kind {
            /// All of them.
            pub(crate) const ALL: &[Self] = &[$(Self::$variant),+];

            /// As rows and answers have it.
            #[must_use]
            pub(crate) fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }

        impl std::str::FromStr for $kind {
            type Err = &'static str;

            fn from_str(text: &str) -> Result<Self, &'static str> {
                Self::ALL.iter().copied().find(|one| one.as_str() == text).ok_or("no name of its kind")
            }
        }

        impl fmt::Display for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

names! {
    /// What is filed.
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    Tip DriverDocumentType:
    /// The inspection before a trip.
    PreTripCheck = "PRE_TRIP_CHECK",
    /// A crossing of a border.
    BorderCrossing = "BORDER_CROSSING",
    /// A reading of the odometer.
    Odometer = "ODOMETER",
    /// A repair that closes defects, signed by whoever repaired.
    Repair = "REPAIR",
}

names! {
    /// What is looked at: five outside, four under the hood, four documents.
    #[serde(rename_all = "snake_case")]
    Stavka InspectionItem:
    /// Lights.
    Lights = "lights",
    /// Tyres.
    Tyres = "tyres",
    /// Mirrors and glass.
    MirrorsGlass = "mirrors_glass",
    /// Body and load.
    BodyLoad = "body_load",
    /// Leaks.
    Leaks = "leaks",
    /// Oil.
    Oil = "oil",
    /// Coolant.
    Coolant = "coolant",
    /// Belts.
    Belts = "belts",
    /// Battery.
    Battery = "battery",
    /// The driver's licence.
    Licence = "licence",
    /// The registration.
    Registration = "registration",
    /// The insurance.
    Insurance = "insurance",
    /// The tachograph.
    Tachograph = "tachograph",
}

impl Stavka {
    /// Whether a defect of it alone keeps the vehicle where it is.
    fn stops(self) -> bool {
        matches!(
            self,
            Self::Lights | Self::Tyres | Self::Licence | Self::Registration | Self::Insurance | Self::Tachograph
        )
    }
}

names! {
    /// How something was found.
    #[serde(rename_all = "snake_case")]
    Nalaz InspectionFinding:
    /// In order.
    Ok = "ok",
    /// Not in order.
    Defect = "defect",
    /// Dangerous.
    Critical = "critical",
}

names! {
    /// Whether the vehicle leaves.
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    Odluka InspectionDecision:
    /// It does.
    Go = "GO",
    /// It does, and something is to be repaired.
    GoWithWarnings = "GO_WITH_WARNINGS",
    /// It does not.
    NoGo = "NO_GO",
}

/// What an inspection decides: the vehicle stays where an item is missing, one is critical, or lights, tyres or a
/// document have a defect.
pub(crate) fn decision(found: &BTreeMap<Stavka, Nalaz>) -> Odluka {
    let is_missing = Stavka::ALL.iter().any(|one| !found.contains_key(one));
    let stops = |(item, how): (&Stavka, &Nalaz)| *how == Nalaz::Critical || *how == Nalaz::Defect && item.stops();
    if is_missing || found.iter().any(stops) {
        Odluka::NoGo
    } else if found.values().any(|how| *how != Nalaz::Ok) {
        Odluka::GoWithWarnings
    } else {
        Odluka::Go
    }
}

/// Which members a kind of document has beside those that all have: those that must be there, and those that may.
pub(crate) fn members(tip: Tip) -> (&'static [&'static str], &'static [&'static str]) {
    match tip {
        Tip::PreTripCheck => (&["stavke"], &["kilometri", "napomena"]),
        Tip::BorderCrossing => (&["drzava"], &["kilometri", "napomena"]),
        Tip::Odometer => (&["kilometri"], &["napomena"]),
        Tip::Repair => (&["popravljeno"], &["kilometri", "napomena"]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(but: &[(Stavka, Nalaz)]) -> BTreeMap<Stavka, Nalaz> {
        let mut found: BTreeMap<_, _> = Stavka::ALL.iter().map(|one| (*one, Nalaz::Ok)).collect();
        found.extend(but.iter().copied());
        found
    }

    /// Every item with every finding, and every item missing.
    #[test]
    fn the_table_of_decisions() {
        assert_eq!((Stavka::ALL.len(), decision(&all(&[]))), (13, Odluka::Go));
        let stops = ["lights", "tyres", "licence", "registration", "insurance", "tachograph"];
        for item in Stavka::ALL {
            let of_defect = if stops.contains(&item.as_str()) { Odluka::NoGo } else { Odluka::GoWithWarnings };
            assert_eq!(decision(&all(&[(*item, Nalaz::Defect)])), of_defect, "{item}");
            assert_eq!(decision(&all(&[(*item, Nalaz::Critical)])), Odluka::NoGo, "{item}");
            let mut one_less = all(&[]);
            one_less.remove(item);
            assert_eq!(decision(&one_less), Odluka::NoGo, "{item}");
        }
        let two = [(Stavka::Oil, Nalaz::Defect), (Stavka::BodyLoad, Nalaz::Defect)];
        assert_eq!(decision(&all(&two)), Odluka::GoWithWarnings);
        assert_eq!(decision(&BTreeMap::new()), Odluka::NoGo);
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        let written = |one: &dyn fmt::Display, text: String| assert_eq!(text, format!("\"{one}\""));
        for item in Stavka::ALL {
            assert_eq!(item.as_str().parse(), Ok(*item));
            written(item, serde_json::to_string(item).unwrap());
        }
        for one in Tip::ALL {
            written(one, serde_json::to_string(one).unwrap());
        }
        for one in Nalaz::ALL {
            written(one, serde_json::to_string(one).unwrap());
        }
        for one in Odluka::ALL {
            written(one, serde_json::to_string(one).unwrap());
        }
        assert!("Lights".parse::<Stavka>().is_err());
    }
}
