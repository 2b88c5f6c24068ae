//! The keeper's own rule: a program of his is shown a request, and says by its exit status whether shares are given
//! back for it.

use crate::threshold::types::NodeRequest;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

/// How long it may take: requests wait for five minutes.
const PATIENCE: Duration = Duration::from_secs(20);

/// Whether it ended with 0. One that cannot be run, takes too long or fails has not said yes.
pub(super) async fn says_yes(program: &Path, asked: &NodeRequest) -> bool {
    match tokio::time::timeout(PATIENCE, run(program, asked)).await {
        Ok(Ok(yes)) => yes,
        Ok(Err(error)) => {
            tracing::error!(%error, program = %program.display(), "the keeper's program cannot be asked");
            false
        }
        Err(_) => {
            tracing::error!(program = %program.display(), "the keeper's program takes too long");
            false
        }
    }
}

async fn run(program: &Path, asked: &NodeRequest) -> std::io::Result<bool> {
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::null()).kill_on_drop(true).spawn()?;
    if let Some(mut input) = child.stdin.take() {
        // One that needs no look at it may have ended.
        drop(input.write_all(&serde_json::to_vec(asked)?).await);
    }
    Ok(child.wait().await?.success())
}
