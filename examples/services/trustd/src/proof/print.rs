//! The page of a proof. It is printed by a program of its own, so that what typesets it is no part of the service, has
//! none of its secrets, and takes nothing but a page with it when it fails.

use crate::App;
use crate::slots::Slots;
use dualseal::IdentityId;
use platform::problem::{Problem, kinds};
use proof_pdf::Language;
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use serde_json::json;
use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;
use tokio::process::{Child, Command};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// One page is printed at a time.
static ONE: Semaphore = Semaphore::const_new(1);
/// So many pages are printed or wait for their turn, and so many of one person's.
static WAITING: LazyLock<Arc<Slots>> = LazyLock::new(|| Slots::new(64, 2));
/// Within which it is printed, once it is its turn.
const PATIENCE: Duration = Duration::from_mins(1);
/// Bytes of memory, seconds of all processors together, bytes of files.
const MOST: [(Resource, u64); 4] =
    [(Resource::Data, 2 << 30), (Resource::Cpu, 300), (Resource::Fsize, 0), (Resource::Core, 0)];
/// The program, where it lies beside this one.
const PROGRAM: &str = "proof-pdf";
/// What it ends with where a page has a letter that no font has, and nowhere else.
const UNPRINTABLE: i32 = 3;

/// What prints pages; none where this service does not.
pub(super) fn printer(app: &App) -> Option<PathBuf> {
    let beside = || Some(std::env::current_exe().ok()?.with_file_name(PROGRAM));
    app.config.proof.printer.clone().or_else(beside).filter(|program| program.is_file())
}

/// The page of a text of this person's and its evidence as PDF.
///
/// # Errors
/// [`kinds::NO_PRINTER`]; [`kinds::UNPRINTABLE`]; [`kinds::BUSY`] where it takes too long, or others of his wait.
pub(super) async fn print(
    app: &App,
    of: &IdentityId,
    (text, evidence): (&str, &str),
    language: Language,
) -> Result<Vec<u8>, Problem> {
    let program = printer(app).ok_or_else(|| Problem::new(&kinds::NO_PRINTER))?;
    let busy = || Problem::new(&kinds::BUSY).retry_after(1);
    let _slot = WAITING.take(of).ok_or_else(busy)?;
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

/// Text of strangers takes no more of the machine than a page does, writes no file and leaves no memory behind.
fn bound(child: &Child) -> std::io::Result<()> {
    let pid = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
    let Some(pid) = pid else { return Ok(()) };
    for (resource, most) in MOST {
        prlimit(Some(pid), resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    Ok(())
}

async fn run(program: PathBuf, language: Language, asked: &[u8]) -> std::io::Result<Output> {
    let mut command = Command::new(program);
    command.args(["-", language.as_str(), "-"]).env_clear().current_dir("/").kill_on_drop(true);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    // Before it has anything to print.
    bound(&child)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::founded;
    use futures::poll;
    use platform::clock::Clock;
    use platform::config::Config;
    use std::fs;
    use std::path::Path;
    use std::pin::pin;
    use std::task::Poll;

    /// A program of the test's.
    fn script(folder: &Path, text: &str) -> PathBuf {
        let (draft, program) = (folder.join("draft"), folder.join("printer"));
        fs::write(&draft, format!("#!/bin/sh\n{text}")).unwrap();
        // What another thread of this process starts meanwhile would have it open for writing still.
        let mut install = std::process::Command::new("install");
        assert!(install.args(["-m", "755"]).args([&draft, &program]).status().unwrap().success());
        program
    }

    #[tokio::test]
    async fn who_has_one_page_printed_after_the_other_keeps_nobody_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let mut config = Config::default();
        config.proof.printer = Some(script(folder.path(), "/bin/sleep 60\n"));
        let app = founded(folder.path(), config, Clock::still("2026-11-21T09:00:00.000Z".parse().unwrap())).await;
        let (one, other) = (IdentityId::from_bytes([1; 32]), IdentityId::from_bytes([2; 32]));
        let prints = |of| print(&app, of, ("{}", "{}"), Language::En);
        let (mut first, mut second) = (pin!(prints(&one)), pin!(prints(&one)));
        assert!(poll!(&mut first).is_pending() && poll!(&mut second).is_pending());
        // At once, and not when he has waited for as long as anybody does.
        let Poll::Ready(third) = poll!(pin!(prints(&one))) else { panic!("he waits a third time") };
        assert_eq!(third.unwrap_err().kind(), &kinds::BUSY);
        assert!(poll!(pin!(prints(&other))).is_pending(), "he has his place behind two");
    }

    #[tokio::test]
    async fn a_printer_has_no_more_than_a_page_takes() {
        let folder = tempfile::tempdir().unwrap();
        let program = script(folder.path(), "/bin/cat >/dev/null\n/usr/bin/env\n/bin/cat /proc/self/limits\n");
        let said = run(program, Language::En, b"[]").await.unwrap();
        let said = String::from_utf8(said.stdout).unwrap();
        assert!(!said.contains("CARGO") && !said.contains("HOME"), "{said}");
        for (limit, most) in [
            ("Max data size", "2147483648"),
            ("Max cpu time", "300"),
            ("Max file size", "0"),
            ("Max core file size", "0"),
        ] {
            let line = said.lines().find(|line| line.starts_with(limit)).unwrap();
            let both: Vec<_> = line[limit.len()..].split_whitespace().take(2).collect();
            assert_eq!(both, [most, most], "{line}");
        }
    }
}
