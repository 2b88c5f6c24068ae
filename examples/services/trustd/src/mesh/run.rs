//! One run: everything is looked at, what failed is told directly, and what was told is noted.

use super::inside;
use super::outside::Asks;
use super::rules::{Checked, Found, alert, failed, well_again};
use super::store::{Left, leave, left};
use crate::commands::Fault;
use crate::messaging::direct::{By, send};
use platform::clock::Clock;
use platform::config::{Config, Seconds};
use std::fmt;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// Nobody is quiet for longer.
const LONGEST_QUIET: u64 = 86_400;

/// Looks at everything, and tells what failed: 0 where all is well, 1 where something is not, and
///
/// # Errors
/// where nobody could be told.
pub async fn check(config: &Config, clock: &Clock, out: &mut dyn Write) -> Result<ExitCode, Fault> {
    let asks = Asks::new(config, clock);
    let mut checked = asks.modules().await;
    let mut waits = left(&config.data).waits;
    checked.extend(inside::all(config, clock, &mut waits).await);
    checked.extend(asks.others().await);
    for (name, found) in &checked {
        let said = match found {
            Found::Well => "ok".to_owned(),
            Found::NotSet => "not set".to_owned(),
            Found::Hangs(on) => format!("not looked at: {on} failed"),
            Found::Ahead(reason) => format!("dated ahead: {reason}"),
            Found::Failed(reason) => format!("FAILED: {reason}"),
        };
        say(out, format_args!("{name}: {said}"));
    }
    let (before, now) = (left(&config.data), clock.millis());
    let is_failing = !failed(&checked).is_empty();
    let told = if is_quiet(&before, now) {
        Ok(before.is_told)
    } else {
        tell(config, clock, (&checked, is_failing), &before, out).await
    };
    match told {
        Ok(is_told) => {
            // A disk that takes nothing was told of already; a run that left nothing is one that peers miss.
            if let Err(fault) = note(&config.data, (is_told, waits), now) {
                say(out, format_args!("this run was not noted: {fault}"));
            } else if let Err(reason) = asks.ping().await {
                say(out, format_args!("the ping did not go: {reason}"));
            }
        }
        // Neither peers nor whoever waits for the ping hear of this run: they tell.
        Err(reason) => return Err(format!("nobody was told: {reason}").into()),
    }
    Ok(if is_failing { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Prints a line. Where nobody reads it, whoever is to be told is told all the same.
fn say(out: &mut dyn Write, line: fmt::Arguments<'_>) {
    drop(writeln!(out, "{line}"));
}

fn is_quiet(left: &Left, now: i64) -> bool {
    left.quiet_until.is_some_and(|until| now < until)
}

/// Notes a run, with what somebody who works here left while it ran.
fn note(data: &Path, (is_told, waits): (bool, Option<(i64, i64)>), now: i64) -> Result<(), Fault> {
    let meanwhile = left(data);
    let quiet_until = meanwhile.quiet_until.filter(|_| is_quiet(&meanwhile, now));
    leave(data, &Left { last_run: Some(now), is_told, quiet_until, waits })
}

/// Tells what there is to tell; whether failures stand told afterwards.
async fn tell(
    config: &Config,
    clock: &Clock,
    (checked, is_failing): (&[Checked], bool),
    before: &Left,
    out: &mut dyn Write,
) -> Result<bool, String> {
    if !is_failing && !before.is_told {
        return Ok(false);
    }
    let own = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let (node, time) = (config.mesh.node.clone().unwrap_or(own), clock.now().to_string());
    let (subject, text) = if is_failing {
        (format!("trustd {node}: checks failed"), alert(&node, &time, checked, &config.mesh.docs_url))
    } else {
        (format!("trustd {node}: well again"), well_again(&node, &time))
    };
    let mut reasons = Vec::new();
    for (by, to) in [(By::Relay, &config.mesh.relay_to), (By::Email, &config.mesh.mail_to)] {
        let Some(to) = to else { continue };
        match send(config, by, to, (&subject, &text)).await {
            Ok(()) => {
                // Whoever called reads it too.
                say(out, format_args!("told by {}", if by == By::Relay { "relay" } else { "e-mail" }));
                return Ok(is_failing);
            }
            Err(reason) => reasons.push(reason),
        }
    }
    if reasons.is_empty() {
        reasons.push("neither mesh.relay_to nor mesh.mail_to is set".to_owned());
    }
    Err(reasons.join("; "))
}

/// Has nothing be told for some time, since somebody works on the machine.
///
/// # Errors
/// It is too long; the disk.
pub fn quiet(config: &Config, clock: &Clock, time: Seconds, out: &mut dyn Write) -> Result<(), Fault> {
    if time.0 > LONGEST_QUIET {
        return Err("at most 24h: after that somebody is to hear again".into());
    }
    let until = clock.millis().saturating_add(time.millis());
    leave(&config.data, &Left { quiet_until: Some(until), ..left(&config.data) })?;
    writeln!(out, "quiet for {} s", time.0)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_while_it_ran_stays() {
        let folder = tempfile::tempdir().unwrap();
        let quiet = Left { quiet_until: Some(2000), ..Left::default() };
        leave(folder.path(), &quiet).unwrap();
        note(folder.path(), (true, None), 1999).unwrap();
        let told = Left { last_run: Some(1999), is_told: true, quiet_until: Some(2000), waits: None };
        assert_eq!(left(folder.path()), told);
        note(folder.path(), (false, Some((7, 1500))), 2000).unwrap();
        let waits = Left { last_run: Some(2000), waits: Some((7, 1500)), ..Left::default() };
        assert_eq!(left(folder.path()), waits);
    }
}
