//! Shares held against the record of a dealing: which hold, which do not, and whose they are.

use super::text::{self, FieldName, Format, Named, Set, ShareText};
use crate::failure::{Failure, USAGE};
use crate::input;
use crate::output::{Report, integer};
use dualseal::encoding::json::Value;
use dualseal::error::{Malformed, Problem, Rejected, SharingProblem};
use dualseal::field::{Field, Fp521, Gf2_256};
use dualseal::shamir::{Commitments, Dealing, Health, Index, Share, Threshold, health};
use dualseal::{Domain, Error};
use dualseal_operator::paths::Show;
use std::path::Path;
use subtle::Choice;

/// The record of a dealing, over either field.
pub(crate) enum AnyDealing {
    P521(Dealing<Fp521>),
    Gf256(Dealing<Gf2_256>),
}

impl AnyDealing {
    /// Reads a record that was made under this domain.
    pub(crate) fn read(path: &Path, domain: &Domain) -> Result<Self, Failure> {
        let bytes = input::small(path)?;
        let binary = match Value::parse(&bytes) {
            Ok(Value::Object(members)) => {
                members.get("algoritam") == Some(&Value::String(Gf2_256::ALGORITHM.to_owned()))
            }
            _ => false,
        };
        let read = if binary {
            Dealing::from_json(domain, &bytes).map(Self::Gf256)
        } else {
            Dealing::from_json(domain, &bytes).map(Self::P521)
        };
        let hint = "give the dealing.json that was written with the shares, as it was";
        read.map_err(|error| Failure::from(error).about(path.shown()).hint(hint))
    }
}

/// A share with what it says of itself.
pub(crate) struct Card<F: Field> {
    set: Option<Set>,
    share: Share<F>,
    place: String,
}

impl<F: Field> AsRef<Share<F>> for Card<F> {
    fn as_ref(&self) -> &Share<F> {
        &self.share
    }
}

impl<F: Named> Card<F> {
    /// A share of a set.
    pub(crate) fn new(set: Set, share: Share<F>, place: String) -> Self {
        Self { set: Some(set), share, place }
    }

    /// A share of this library's text.
    pub(crate) fn of_text(text: &ShareText, place: String) -> Result<Self, Failure> {
        let other = |error: Error| {
            let hint = "keep apart the shares of different sets; `dualseal share health` tells them";
            Failure::from(error).about(&place).hint(hint)
        };
        let share = text.share().map_err(other)?;
        Ok(Self { set: Some(text.set), share, place })
    }

    /// A share of a program whose text says nothing else.
    pub(crate) fn bare(share: Share<F>, place: String) -> Self {
        Self { set: None, share, place }
    }

    /// Where it was read.
    pub(crate) fn place(&self) -> String {
        self.place.clone()
    }

    /// The share alone.
    pub(crate) fn into_share(self) -> Share<F> {
        self.share
    }

    fn number(&self) -> Index {
        self.share.index()
    }
}

/// A dealing that also asks whether a share says that it is of its set.
pub(crate) struct Checked<'a, F: Field>(pub(crate) &'a Dealing<F>);

impl<F: Named> Commitments<F, Card<F>> for Checked<'_, F> {
    fn threshold(&self) -> Threshold {
        self.0.threshold()
    }

    fn belongs(&self, card: &Card<F>) -> bool {
        card.set.is_none_or(|set| {
            set.dealing_id == *self.0.dealing_id()
                && set.split_id == *self.0.split_id()
                && set.threshold == self.0.threshold()
        })
    }

    /// A share whose label was edited does not hold either: nobody is framed by one.
    fn share_holds(&self, card: &Card<F>) -> Choice {
        self.0.share_holds(&card.share) & Choice::from(u8::from(self.belongs(card)))
    }

    fn secret_holds(&self, secret: &F) -> Choice {
        self.0.secret_holds(secret)
    }
}

/// How a field's shares are told to people and written for another program.
pub(crate) trait Exchange: Named {
    /// Reads a share of `ssss` for the threshold k.
    fn from_ssss(text: &str, k: u64) -> Result<Share<Self>, Failure>;

    /// The text of a share.
    fn to_text(format: Format, set: &Set, share: &Share<Self>) -> Result<zeroize::Zeroizing<String>, Failure>;
}

impl Exchange for Fp521 {
    fn from_ssss(_: &str, _: u64) -> Result<Share<Self>, Failure> {
        Err(no_ssss())
    }

    fn to_text(format: Format, set: &Set, share: &Share<Self>) -> Result<zeroize::Zeroizing<String>, Failure> {
        match format {
            Format::Dualseal => Ok(text::write(set, share)),
            Format::Ssss => Err(no_ssss()),
        }
    }
}

impl Exchange for Gf2_256 {
    fn from_ssss(text: &str, k: u64) -> Result<Share<Self>, Failure> {
        let hint = "give shares of `ssss-split -s 256 -x -D`, one a line, such as 3-9f… with 64 hexadecimal characters";
        dualseal::shamir::ssss::from_text(text, k).map_err(|error| Failure::from(error).hint(hint))
    }

    fn to_text(format: Format, set: &Set, share: &Share<Self>) -> Result<zeroize::Zeroizing<String>, Failure> {
        Ok(match format {
            Format::Dualseal => text::write(set, share),
            Format::Ssss => dualseal::shamir::ssss::to_text(share, set.threshold),
        })
    }
}

fn no_ssss() -> Failure {
    let hint = "leave out --format ssss, or split over --field gf256";
    Failure::new(USAGE, "the program ssss shares over GF(2^256), and these shares are over another field", hint)
}

/// A share that does not hold, and what is wrong with it.
pub(crate) struct Bad {
    pub(crate) index: Index,
    pub(crate) foreign: bool,
    place: String,
}

impl Bad {
    fn told(&self) -> String {
        let why = if self.foreign { "is of another set" } else { "is not what was dealt" };
        format!("{} ({}) {why}", self.index, self.place)
    }
}

/// Names the shares that do not hold.
pub(crate) fn bad<F: Named>(dealing: &Dealing<F>, cards: &[Card<F>]) -> Vec<Bad> {
    let checked = Checked(dealing);
    let one = |card: &Card<F>| {
        let foreign = !checked.belongs(card) || card.number().get() > checked.threshold().n();
        let holds = !foreign && bool::from(checked.share_holds(card));
        (!holds).then(|| Bad { index: card.number(), foreign, place: card.place.clone() })
    };
    let mut bad: Vec<Bad> = cards.iter().filter_map(one).collect();
    bad.sort_by_key(|one| one.index);
    bad
}

/// Adds the shares that do not hold to a report of something that was done without them.
pub(crate) fn tell_bad(report: Report, bad: &[Bad]) -> Report {
    let list = |foreign: bool| numbers(bad.iter().filter(|one| one.foreign == foreign).map(|one| one.index));
    let mut report = report.member("culprits", list(false)).member("foreign", list(true));
    for one in bad {
        report = report.line("bad share", one.told());
    }
    if bad.iter().any(|one| !one.foreign) {
        report = report.note("Ask whoever sent a bad share how it came about: it was changed since it was dealt.");
    }
    report
}

/// Adds the shares that were dealt wrong to a report of something that was done without them.
pub(crate) fn tell_misdealt(report: Report, misdealt: &[Index]) -> Report {
    let report = report.member("misdealt", numbers(misdealt.iter().copied()));
    if misdealt.is_empty() {
        return report;
    }
    report.line("dealt wrong", words(misdealt)).note(
        "Whoever holds a share that was dealt wrong did nothing wrong: the dealer did. Have all shares dealt anew.",
    )
}

/// Health as it is told.
pub(crate) fn tell_health(report: Report, health: &Health) -> Report {
    let lists = [
        ("present", &health.present),
        ("missing", &health.missing),
        ("invalid", &health.invalid),
        ("foreign", &health.foreign),
    ];
    lists
        .into_iter()
        .fold(report, |report, (name, list)| report.line(name, words(list)).member(name, numbers(list.iter().copied())))
}

/// The health of shares that were read.
pub(crate) fn health_of<F: Named>(dealing: &Dealing<F>, cards: &[Card<F>]) -> Health {
    health(&Checked(dealing), cards)
}

/// Why shares gave nothing, with the files to blame and what to bring.
pub(crate) fn refusal<F: Named>(error: Error, cards: &[Card<F>], bad: &[Bad]) -> Failure {
    let places = cards.iter().map(|card| (card.number(), card.place.as_str()));
    let told: Vec<String> = bad.iter().map(Bad::told).collect();
    refused(error, &places.collect::<Vec<_>>(), &told, bad.len() == cards.len())
}

/// As [`refusal`], for shares of any kind.
pub(crate) fn refused(error: Error, places: &[(Index, &str)], told: &[String], all_bad: bool) -> Failure {
    let hint = match &error {
        Error::Rejected(Rejected::Sharing(fault)) => match &fault.problem {
            SharingProblem::TooFewShares { needed, found } => {
                let missing = needed.saturating_sub(*found);
                let others = format!("bring {missing} more that hold");
                if told.is_empty() {
                    others
                } else if all_bad {
                    format!("{}: give the record that was written with them, and --domain if it has one", all(told))
                } else {
                    format!("{}; {others}", all(told))
                }
            }
            SharingProblem::TooManyErrors { .. } => {
                "bring more shares, or the dealing record, which tells the bad ones: --dealing FILE".to_owned()
            }
            SharingProblem::Mixed { .. } => "keep apart the shares of different sets, and give those of one".to_owned(),
            _ => "ask whoever dealt the shares for the record of this set, as it was made".to_owned(),
        },
        Error::Malformed(Malformed { field: "indeks", index: Some(index), problem: Problem::Repeated, .. }) => {
            let twice = places.iter().filter(|(number, _)| u64::from(number.get()) == *index);
            let twice: Vec<&str> = twice.map(|(_, place)| *place).collect();
            format!("share {index} is in {}: leave all but one of them out", twice.join(" and in "))
        }
        _ => return error.into(),
    };
    Failure::from(error).hint(hint)
}

fn all(told: &[String]) -> String {
    format!("share {}", told.join("; share "))
}

/// Numbers of shares, for people.
pub(crate) fn words(list: &[Index]) -> String {
    let list: Vec<String> = list.iter().map(ToString::to_string).collect();
    if list.is_empty() { "none".to_owned() } else { list.join(", ") }
}

/// Numbers of shares, for programs.
pub(crate) fn numbers(list: impl IntoIterator<Item = Index>) -> Value {
    Value::Array(list.into_iter().map(|index| integer(index.get().into())).collect())
}

/// The name of a field, for people and programs.
pub(crate) fn field_word(name: FieldName) -> &'static str {
    match name {
        FieldName::P521 => "p521",
        FieldName::Gf256 => "gf256",
    }
}
