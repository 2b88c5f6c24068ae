//! `dualseal_sharing.h`: secrets shared, data encrypted under them, and threshold sessions.

pub mod secret;

pub mod dealing;
pub mod stream;

pub mod quorum_key;
pub mod session;
pub mod session_check;
