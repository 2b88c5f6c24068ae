//! `trustd inbound-email`: a mail server hands a message over, through a pipe.

use super::Fault;
use crate::fleet::Clocks;
use crate::lifecycle::Documents;
use crate::messaging::{Messaging, hand_over as take};
use crate::table::MAIL_BYTES;
use crate::vault::Vault;
use platform::clock::Clock;
use platform::config::Config;
use platform::objects::Objects;
use std::io::{Read as _, Write, stdin};
use std::process::ExitCode;
use std::sync::Arc;

/// A mail server keeps the message, and brings it again (`sysexits.h`: EX_TEMPFAIL).
const AGAIN: u8 = 75;
/// It gives it back to its sender (EX_DATAERR).
const NO_MESSAGE: u8 = 65;

/// Takes the message on the input. The mail server is told whether to bring it again.
pub async fn hand_over(config: Config, clock: Clock, spf: Option<&str>, out: &mut dyn Write) -> ExitCode {
    let mut raw = Vec::new();
    match stdin().lock().take(MAIL_BYTES + 1).read_to_end(&mut raw) {
        Ok(_) if raw.len() as u64 <= MAIL_BYTES => {}
        Ok(_) => return told(&"the message is too large", NO_MESSAGE),
        Err(error) => return told(&error, AGAIN),
    }
    match taken(config, clock, &raw, spf).await {
        Ok(Ok(said)) => {
            // The message is written down, whoever reads this.
            drop(writeln!(out, "{said}"));
            ExitCode::SUCCESS
        }
        Ok(Err(problem)) if problem.status() == 422 => told(&problem, NO_MESSAGE),
        Ok(Err(problem)) => told(&problem, AGAIN),
        Err(fault) => told(&fault, AGAIN),
    }
}

async fn taken(
    config: Config,
    clock: Clock,
    raw: &[u8],
    spf: Option<&str>,
) -> Result<Result<String, platform::problem::Problem>, Fault> {
    let app = super::opened(config, clock).await?;
    let objects = Objects::open(&app.config, app.db.clone(), app.clock.clone())?;
    let vault = Vault::open(&app, objects).await?;
    let messaging = Messaging::open(&app, vault, vec![Arc::new(Clocks), Arc::new(Documents)])?;
    Ok(take(&app, &messaging, raw, spf).await)
}

fn told(what: &dyn std::fmt::Display, code: u8) -> ExitCode {
    eprintln!("trustd: {what}");
    ExitCode::from(code)
}
