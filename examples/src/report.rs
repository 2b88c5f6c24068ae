//! What was tried, what came of it, and whether that was as expected.

use dualseal::verdict::InvalidReason;
use dualseal::{Verdict, VerdictKind};
use std::fmt::Display;

/// Prints each outcome beside its name, and counts those that were not expected.
#[derive(Debug, Default)]
pub struct Report {
    surprises: usize,
}

impl Report {
    /// How many outcomes were not as expected.
    #[must_use]
    pub fn surprises(&self) -> usize {
        self.surprises
    }

    /// Notes an outcome.
    pub fn line(&mut self, name: &str, seen: &str, as_expected: bool) {
        let mark = if as_expected { "as expected" } else { "SURPRISE" };
        println!("  {name:<44} {seen}  — {mark}");
        self.surprises += usize::from(!as_expected);
    }

    /// Notes a verdict.
    pub fn verdict<T>(
        &mut self,
        name: &str,
        verdict: &Verdict<T>,
        expected: VerdictKind,
        reason: Option<InvalidReason>,
    ) {
        let seen = if let Verdict::Invalid(rejection) = verdict { Some(rejection.reason()) } else { None };
        let why = seen.map_or(String::new(), |reason| format!(" ({})", reason.as_str()));
        let kind = verdict.kind();
        self.line(name, &format!("{}{why}", kind.as_str().to_uppercase()), kind == expected && seen == reason);
    }

    /// Notes something that must be refused in these words.
    pub fn refused<T>(&mut self, name: &str, result: Result<T, impl Display>, expected: &str) {
        let seen = result.map_or_else(|error| error.to_string(), |_| "accepted".to_owned());
        self.line(name, &seen, seen == expected);
    }

    /// Notes something that must be accepted.
    pub fn accepted<T>(&mut self, name: &str, result: &Result<T, impl Display>) {
        let seen = result.as_ref().map_or_else(ToString::to_string, |_| "accepted".to_owned());
        self.line(name, &seen, result.is_ok());
    }
}
