//! `trustd node add | remove | list | enrol`.

use super::{Failed, Fault, drawn, say, time};
use crate::node::{NodeConfig, enrolled};
use crate::start::write;
use crate::{qt, threshold};
use dualseal::IdentityId;
use dualseal::ed25519::Ed25519PublicKey;
use dualseal_operator::disk::Disk;
use platform::Platform;
use platform::authority::{AddNode, RemoveNode};
use platform::web::Bearer;
use std::io::{Write, stdin};
use zeroize::Zeroizing;

/// Adds a node, and prints where the log has it: as a comment of the settings that the node is to have, of which the
/// label is the first.
///
/// # Errors
/// [`Failed`]; [`kinds::CONFLICT`](platform::problem::kinds::CONFLICT) for a label that there is.
pub async fn add(
    platform: &Platform,
    label: &str,
    identity_id: IdentityId,
    key: Option<Ed25519PublicKey>,
    out: &mut dyn Write,
) -> Result<(), Failed> {
    let added = AddNode::new(&platform.authority, label, identity_id, key)?;
    let seq = platform.log.submit(added).await?;
    say(out, format_args!("# added {label}, entry {seq}\nlabel = {label:?}"))
}

/// Removes a node, and prints where the log has it: its tokens end. One that holds what counts stays unless it is lost.
///
/// # Errors
/// [`Failed`]; [`kinds::UNKNOWN_ID`](platform::problem::kinds::UNKNOWN_ID),
/// [`kinds::CONFLICT`](platform::problem::kinds::CONFLICT).
pub async fn remove(platform: &Platform, label: &str, lost: bool, out: &mut dyn Write) -> Result<(), Failed> {
    let removed = RemoveNode {
        label: label.to_owned(),
        log: *platform.log.identity(),
        tags: platform.authority.tags().clone(),
        lost,
        holds: &[threshold::HELD_BY_NODE, qt::HELD_BY_NODE],
        gone: &[threshold::LOST_WITH_NODE],
    };
    let seq = platform.log.submit(removed).await?;
    say(out, format_args!("removed {label}, entry {seq}"))
}

/// Prints the nodes, in the order in which they were added.
///
/// # Errors
/// [`Failed`].
pub async fn list(platform: &Platform, out: &mut dyn Write) -> Result<(), Failed> {
    for node in platform.authority.nodes().await? {
        let key = node.key.map_or_else(|| "-".to_owned(), |key| key.to_string());
        let (added, seen) = (time(node.added), node.last_seen.map_or_else(|| "never".to_owned(), time));
        say(out, format_args!("{} {} key={key} added {added} seen {seen}", node.label, node.identity_id))?;
    }
    Ok(())
}

/// At the node: enrols by the invitation on the input, and keeps the login where the settings say, for its owner alone.
/// Where no answer comes, the same once more enrols the same key.
///
/// # Errors
/// There is one already; what the service, or the disk, says.
pub async fn enrol(config: &NodeConfig, out: &mut dyn Write) -> Result<(), Fault> {
    let file = config.login.as_deref().ok_or("the settings name no `login`")?;
    let disk = Disk::new();
    let drawn = drawn::begin(&disk, file)?;
    let mut line = Zeroizing::new(String::new());
    stdin().read_line(&mut line)?;
    let (text, audience) = enrolled(config, &drawn, &Bearer::from(line.trim().to_owned())).await?;
    write(&disk, file, &text)?;
    drawn::end(&disk, file)?;
    writeln!(out, "{}\nsigns in at {audience:?}", file.display())?;
    Ok(())
}
