//! `python/python/dualseal/_errors.py`.

use super::line::{Kind, Line, NOTICE};
use super::words::WORDS;
use dualseal::VerdictKind;
use dualseal::error::Family;

/// A class, its bases, what it is, and its own attributes as name, type and default, and meaning.
struct Class(&'static str, &'static str, &'static str, &'static [(&'static str, &'static str, &'static str)]);

const CLASSES: [Class; 12] = [
    Class(
        "MalformedError",
        "DualsealError, ValueError",
        "Input that does not have the documented form.",
        &[("field", "str = \"\"", "The field, by its name on the wire, or the argument.")],
    ),
    Class(
        "RejectedError",
        "DualsealError",
        "Well-formed evidence that does not hold. It is kept and looked into.",
        &[],
    ),
    Class(
        "SharingError",
        "RejectedError",
        "Shares that give no secret. The culprits are those that are not what the dealer committed to.",
        &[],
    ),
    Class(
        "EvidenceError",
        "RejectedError",
        "What is not shown under a checkpoint: a ring, a key, a place, a file of evidence.",
        &[],
    ),
    Class(
        "MisuseError",
        "DualsealError",
        "A call that cannot be served as it was made: a defect of the calling program.",
        &[],
    ),
    Class(
        "RandomnessError",
        "DualsealError",
        "The random number generator failed, and nothing was made: a defect of the machine.",
        &[],
    ),
    Class(
        "VerdictError",
        "DualsealError",
        "A verification that was not VALID, raised by Verdict.verified(). The message is for the operator.",
        &[
            ("kind", "VerdictKind", "Which verdict it was; its number is the code."),
            ("reason", "str = \"\"", "Why, as in Verdict.internal()."),
            ("failed", "str | None = None", "Of a vault record: the first layer that failed, ``L0`` to ``L8``."),
        ],
    ),
    Class("InvalidError", "VerdictError", "A check failed, or the record's key is not one of its identity.", &[]),
    Class("RevokedError", "VerdictError", "The key is revoked.", &[]),
    Class("SuspendedError", "VerdictError", "The key is suspended: the record is neither confirmed nor rejected.", &[]),
    Class("DecoyError", "VerdictError", "A honeypot key signed the record. Outsiders must not learn this.", &[]),
    Class(
        "NotForcedError",
        "OSError",
        "A file of the vault was written and has its name, whole, and only forcing its folder to the disk failed.\n\n\
         \x20   When the power goes, the name may be that of what was there before.\n    ",
        &[(
            "result",
            "Sealed | int | None = None",
            "What the call would have returned. It is kept like that: what had the name is gone.",
        )],
    ),
];

/// The numbers of shares that give no secret.
const SHARING: std::ops::RangeInclusive<u16> = 210..=215;

/// The numbers of what is not shown under a checkpoint.
const EVIDENCE: std::ops::RangeInclusive<u16> = 271..=291;

/// The names of all classes.
pub(super) fn classes() -> Vec<&'static str> {
    ["DualsealError"].into_iter().chain(CLASSES.iter().map(|class| class.0)).collect()
}

/// The class of a number; what the C ABI alone answers has none.
pub(super) fn class_of(line: &Line) -> Option<&'static str> {
    Some(match line.kind {
        // A valid verdict is never refused; the base class keeps this total.
        Kind::Verdict(VerdictKind::Valid) => "VerdictError",
        Kind::Verdict(VerdictKind::Invalid) => "InvalidError",
        Kind::Verdict(VerdictKind::Revoked) => "RevokedError",
        Kind::Verdict(VerdictKind::Suspended) => "SuspendedError",
        Kind::Verdict(VerdictKind::Decoy) => "DecoyError",
        Kind::Error(Family::Malformed) => "MalformedError",
        Kind::Error(Family::Rejected) if SHARING.contains(&line.code) => "SharingError",
        Kind::Error(Family::Rejected) if EVIDENCE.contains(&line.code) => "EvidenceError",
        Kind::Error(Family::Rejected) => "RejectedError",
        Kind::Error(Family::Misuse) => "MisuseError",
        Kind::Error(Family::Randomness) => "RandomnessError",
        Kind::Error(family) => panic!("no class for {family}"),
        Kind::Authentication | Kind::OnlyC => return None,
    })
}

/// The module of exceptions.
pub(super) fn exceptions(lines: &[Line]) -> String {
    let words = WORDS.iter().map(|(name, form, about)| attribute(name, form, about));
    let classes: String = CLASSES.iter().map(class).collect();
    let numbers = lines.iter().filter_map(|line| Some((line, class_of(line)?)));
    let numbers = numbers.map(|(line, class)| format!("    {}: {class},  # {}\n", line.code, line.name));
    let names = self::classes().into_iter().map(|name| format!("    {name},\n"));
    format!(
        r#"# {NOTICE}
"""The exceptions. The extension module raises them and sets their attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dualseal import Sealed, VerdictKind


class DualsealError(Exception):
    """Every failure of this library."""

    code: int = 0
    """The number of this failure, the same in every language and version."""

    name: str = ""
    """The name that goes with the number, such as ``ring-rollback``, and is as lasting."""
{}
    refusal: dict[str, Any] | None = None
    """The result without a signature, by its names on the wire, where a quorum was asked to sign."""
{classes}

BY_CODE: dict[int, type[DualsealError]] = {{
{}}}

for _class in (
{}):
    # The name by which users import it, in tracebacks and pickles.
    _class.__module__ = "dualseal"
"#,
        words.collect::<String>(),
        numbers.collect::<String>(),
        names.collect::<String>(),
    )
}

fn class(Class(name, bases, about, attributes): &Class) -> String {
    let attributes = attributes.iter().map(|(name, form, about)| attribute(name, form, about));
    format!("\n\nclass {name}({bases}):\n    \"\"\"{about}\"\"\"\n{}", attributes.collect::<String>())
}

fn attribute(name: &str, form: &str, about: &str) -> String {
    format!("\n    {name}: {form}\n    \"\"\"{about}\"\"\"\n")
}
