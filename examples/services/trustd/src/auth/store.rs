//! What is read beside authority's own rows, which are the platform's.

use crate::App;
use crate::alarms;
use platform::access::Caller;

/// A caller of the decoy world asked to change authority: it was answered, and changed nothing real.
pub(crate) fn alarm(app: &App, caller: &Caller, asked: &'static str) {
    alarms::watch(app, caller, &format!("asks to {asked}"));
}
