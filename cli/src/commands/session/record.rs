//! A session's record: what a new one brings, and what it says.

use super::in_force::keep;
use crate::commands::share::deal::tell_shares;
use crate::failure::{Failure, USAGE};
use crate::home::{Home, Step};
use crate::output::{Report, integer, path_text, text};
use crate::shares::dealt::{numbers, tell_misdealt, words};
use crate::shares::form::{Into, Outgoing, padded};
use crate::store::{self, Readers};
use crate::trust::PublicKeyFile;
use dualseal::encoding::json::Value;
use dualseal::shamir::Index;
use dualseal::threshold::{Founded, Session, SessionKind, SessionShare};
use dualseal::{Error, IdentityId};
use dualseal_operator::paths::Show;
use std::collections::BTreeSet;

/// The record's file.
const SESSION: &str = "session.json";
/// The file of the quorum's public key.
const KEY: &str = "quorum.pem";

/// Writes everything that a new record brings, and tells of it.
pub(super) fn publish(
    report: Report,
    home: &Home,
    mut step: Step<'_>,
    founded: &Founded,
    owners: &[IdentityId],
    into: &Into,
) -> Result<Report, Failure> {
    let Founded { session, shares, entry, .. } = founded;
    let mut folder = store::new_folder(&into.out)?;
    folder.write(SESSION, Readers::All, format!("{}\n", session.to_json()).as_bytes())?;
    let key = key_file(home, session)?;
    if let Some(key) = &key {
        folder.write(KEY, Readers::All, key.as_bytes())?;
    }
    let outgoing: Vec<Outgoing> = shares.iter().map(|share| outgoing(share, session.threshold().n())).collect();
    into.forms.write(&mut folder, &outgoing)?;
    keep(&mut step, founded, owners);
    into.forms.show(&outgoing)?;
    // Before the chain says that there is a session: without its shares it would be of no use.
    let made = store::publish(folder)?;
    step.commit().map_err(|failure| {
        let next = failure.next().to_owned();
        failure.hint(format!("{next}; the shares in {} are of use only if the chain has the session", made.shown()))
    })?;
    let path = |name: &str| path_text(&made.join(name));
    let report = report
        .detail("path", "folder", path_text(&made))
        .detail("session", "session", path(SESSION))
        .member("key", key.as_ref().map_or(Value::Null, |_| text(path(KEY))));
    let report = match key {
        Some(_) => report.line("public key", path(KEY)),
        None => report,
    };
    let names = home.names()?;
    let name = |owner: &IdentityId| names.iter().find(|(_, id)| *id == owner).map(|(name, _)| name.clone());
    let mut report = describe(report, session)
        .number("seq", "entry", entry.seq())
        .detail("krunica_hash", "handle", entry.krunica_hash().to_hex())
        .member("owners", Value::Array(owners.iter().map(|owner| text(owner.to_hex())).collect()));
    for (number, owner) in (1..).zip(owners) {
        report = report.line("custodian", format!("{number}: {}", name(owner).unwrap_or_else(|| owner.to_hex())));
    }
    Ok(tell_shares(report, &made, &into.forms, &outgoing)
        .note("Note the handle of the founding: whoever relies on the session pins it. Give each custodian one share."))
}

/// What a session record says.
pub(super) fn describe(report: Report, session: &Session) -> Report {
    let identity = match session.kind() {
        SessionKind::Hmac => Value::Null,
        SessionKind::MlDsa65 { identity_id, .. } => text(identity_id.to_hex()),
    };
    let report = report
        .detail("session_id", "identifier", session.session_id().to_hex())
        .detail("split_id", "dealing", session.split_id().to_hex())
        .detail("anchor", "anchor", session.anchor().to_hex())
        .detail("algorithm", "algorithm", session.algorithm().as_str())
        .member("k", integer(session.threshold().k().into()))
        .member("n", integer(session.threshold().n().into()))
        .member("identity_id", identity);
    match session.kind() {
        SessionKind::Hmac => report,
        SessionKind::MlDsa65 { identity_id, .. } => report.line("signs for", identity_id.to_hex()),
    }
}

/// A share on its way to its custodian.
pub(super) fn outgoing(share: &SessionShare, last: u8) -> Outgoing {
    let number = padded(share.index().get(), last);
    Outgoing { number, heading: String::new(), text: share.to_json(), ending: "json" }
}

/// The custodians that were named.
pub(super) fn identities(home: &Home, names: &[String]) -> Result<Vec<IdentityId>, Failure> {
    let hint = "name somebody by `dualseal id --creator NAME --draw --save NAME`, or give 64 characters";
    let owner = |name: &String| home.identity(name).map_err(|failure| failure.hint(hint));
    let owners = names.iter().map(owner).collect::<Result<Vec<_>, _>>()?;
    let mut seen = BTreeSet::new();
    match owners.iter().zip(names).find(|(owner, _)| !seen.insert(**owner)) {
        None => Ok(owners),
        Some((_, name)) => {
            // Whoever has two shares counts for two.
            let message = format!("{name:?} is named as a custodian twice");
            Err(Failure::new(USAGE, message, "name each custodian once: one share is for one person"))
        }
    }
}

/// k or n that no session can have.
pub(super) fn shape(error: Error) -> Failure {
    match error {
        Error::Malformed(_) => Failure::from(error).hint("name 2 to 255 custodians, and a threshold from 2 to as many"),
        error => error.into(),
    }
}

fn key_file(home: &Home, session: &Session) -> Result<Option<String>, Failure> {
    let SessionKind::MlDsa65 { identity_id, public_key } = session.kind() else { return Ok(None) };
    let (domain, origin) = (Some(home.domain().clone()), Some(home.origin().to_owned()));
    let file =
        PublicKeyFile { key: public_key.clone(), identity_id: Some(*identity_id), domain, origin, creator: None };
    Ok(Some(file.to_text()?))
}

/// Names those who sent bad shares, and the shares that were dealt wrong.
pub(super) fn tell_faults(report: Report, culprits: &[Index], misdealt: &[Index]) -> Report {
    let report = report.member("culprits", numbers(culprits.iter().copied()));
    let report = if culprits.is_empty() { report } else { report.line("bad shares", words(culprits)) };
    tell_misdealt(report, misdealt)
}
