//! `dualseal audit`: everything in a folder, verified at once.

mod args;
mod aside;
mod bundles;
mod chains;
mod documents;
mod domains;
mod files;
mod forks;
mod judgement;
mod kinds;
mod known;
mod manifests;
mod names;
mod report;
mod required;
mod results;
mod rings;
mod seals;
mod signatures;
mod signers;
mod since;
mod stamp;
mod standing;
mod steps;
mod tell;
mod trusted;
mod vaults;

#[cfg(all(test, unix))]
mod swapped;

pub(crate) use args::Args;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::{Report, integer, quoted_path, text};
use dualseal::KeyRing;
use dualseal::encoding::json::Value;
use std::collections::BTreeSet;

pub(crate) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let given = args.given()?;
    let (all, home) = trusted::Trusted::all(&given, args, context)?;
    let required = given.iter().skip(args.key.len() + args.ring.len());
    let required = required.map(required::Required::new).collect::<Result<Vec<_>, _>>()?;
    let report = args.report.as_deref().map(report::Target::of).transpose()?;
    let own_ring = all.first().and_then(trusted::Trusted::own);
    let begin = since::Since::checkpoint(args, home.as_ref(), own_ring)?;
    // Files may be read for long, and nobody else is to wait for the home folder.
    let own = home.zip(own_ring).map(|(home, ring)| home.into_log(ring, context.passphrase())).transpose()?;
    let since = since::Since::new(args, begin.as_ref(), own.as_ref(), own_ring)?;
    // Outsiders are not told what changes with a decoy.
    let revision = own.as_ref().and(own_ring).filter(|_| !args.public).map(KeyRing::revision);
    let mut revisions: Vec<_> = revision.iter().map(|revision| format!("{revision}, of the home folder")).collect();
    let (mut merged, mut hashed, mut rings) = (domains::Merged::default(), 0, Vec::new());
    let mut omitted = BTreeSet::new();
    // Once, so that all of them are about the same files.
    let (listed, mut read) = (files::walk(&args.folder)?, Vec::new());
    for trusted in &all {
        let mut audit = known::Audit::new(trusted, args, since.as_ref(), listed.clone(), context.output());
        audit.classify();
        audit.read_seal_keys(own.as_ref(), context)?;
        audit.check(own.as_ref())?;
        hashed += audit.hashed;
        rings.extend(audit.told_rings());
        let named = audit.rings.iter().map(|(path, revision, _)| format!("{revision}, of {}", quoted_path(path)));
        revisions.extend(named);
        let mut found = trusted.findings();
        found.append(&mut audit.found);
        omitted.append(&mut audit.omitted);
        let (lines, files) = audit.into_lines();
        merged.add(found, lines);
        read = files;
    }
    let mut lines = merged.lines();
    manifests::check(&read, &mut lines, args);
    let hashes = report.as_ref().map(|_| report::hash(&read, &mut lines));
    let mut missing = required::missing(&lines, &required, Some(&omitted).filter(|_| args.strict));
    missing.extend(lines);
    let lines = missing;
    let signers = signers::Signer::all(&lines, &all);
    let told = tell::report(&args.folder, &lines, &signers, args.public);
    let told = since.iter().fold(told, |told, since| told.note(since.note()));
    let since = since.map_or(Value::Null, |since| integer(since.size()));
    let domains = all.iter().map(|trusted| text(trusted.domain.to_words())).collect();
    let told = revisions.into_iter().fold(told, |told, revision| told.line("ring revision", revision));
    let told = told
        .member("hashed_bytes", integer(hashed))
        .member("ring_revision", revision.map_or(Value::Null, integer))
        .member("rings", Value::Array(rings))
        .member("domains", Value::Array(domains))
        .member("since", since);
    match report.zip(hashes) {
        Some((target, hashes)) => report::write(&target, told, (&lines, &hashes), &signers, args, context),
        None => Ok(told.member("report", Value::Null)),
    }
}
