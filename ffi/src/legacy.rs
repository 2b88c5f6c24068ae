//! `dualseal_legacy.h`: what other programs wrote before, and what they still read.

pub mod expanded_key;
pub mod seal;
pub mod share;
