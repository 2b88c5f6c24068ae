//! The message of a signing entry.

use crate::domain::{Domain, Label, Row};
use crate::id::ThresholdBinding;
use alloc::string::String;

/// `P::<WITNESS>::<binding>::S`: no plain entry has this form, so that none stands for a signing.
pub(super) fn witness_message(domain: &Domain, binding: &ThresholdBinding) -> String {
    domain.join(Row::Threshold, &[domain.label(Label::ThresholdWitness), &binding.to_hex()])
}
