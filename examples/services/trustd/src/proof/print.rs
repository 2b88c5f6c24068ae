//! The page of a proof. It is printed by a program of its own, so that what typesets it is no part of the service, has
//! none of its secrets, and takes nothing but a page with it when it fails.

use crate::App;
use platform::problem::{Problem, kinds};
use proof_pdf::Language;
use serde_json::json;
use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// One page is printed at a time.
static ONE: Semaphore = Semaphore::const_new(1);
/// Within which it is printed, once it is its turn.
const PATIENCE: Duration = Duration::from_mins(1);
/// The program, where it lies beside this one.
const PROGRAM: &str = "proof-pdf";
/// What it ends with where a page has a letter that no font has.
const UNPRINTABLE: i32 = 1;

/// What prints pages; none where this service does not.
pub(super) fn printer(app: &App) -> Option<PathBuf> {
    let beside = || Some(std::env::current_exe().ok()?.with_file_name(PROGRAM));
    app.config.proof.printer.clone().or_else(beside).filter(|program| program.is_file())
}

/// The page of a text and its evidence as PDF.
///
/// # Errors
/// [`kinds::NO_PRINTER`]; [`kinds::UNPRINTABLE`]; [`kinds::BUSY`] where it takes too long.
pub(super) async fn print(app: &App, text: &str, evidence: &str, language: Language) -> Result<Vec<u8>, Problem> {
    let program = printer(app).ok_or_else(|| Problem::new(&kinds::NO_PRINTER))?;
    let busy = || Problem::new(&kinds::BUSY).retry_after(1);
    let _turn = timeout(PATIENCE, ONE.acquire()).await.map_err(|_| busy())?;
    let asked = json!([text, evidence]).to_string();
    let done = timeout(PATIENCE, run(program, language, asked.as_bytes())).await.map_err(|_| busy())?;
    let Output { status, stdout, stderr } = done.map_err(|error| Problem::internal("print", &error))?;
    match status.code() {
        Some(0) => Ok(stdout),
        Some(UNPRINTABLE) => Err(Problem::new(&kinds::UNPRINTABLE)),
        _ => Err(Problem::internal("print", &format!("{status}: {}", String::from_utf8_lossy(&stderr)))),
    }
}

async fn run(program: PathBuf, language: Language, asked: &[u8]) -> std::io::Result<Output> {
    let mut command = Command::new(program);
    command.args(["-", language.as_str(), "-"]).env_clear().current_dir("/").kill_on_drop(true);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take();
    let write = async {
        if let Some(input) = &mut input {
            // Whoever ends before it has read all says why by its status.
            drop(input.write_all(asked).await);
        }
        drop(input);
    };
    tokio::join!(write, child.wait_with_output()).1
}
