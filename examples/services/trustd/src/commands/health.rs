//! `trustd health`: asks a running service, as a monitor or a container does.

use super::Fault;
use platform::config::Config;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

/// An answer of this service is shorter.
const PATIENCE: Duration = Duration::from_secs(10);
const MODULES: [&str; 11] =
    ["dsa", "threshold", "qt", "vault", "messaging", "lifecycle", "fleet", "dok", "proof", "models", "family"];

/// Asks each module, and prints which is well: 0 where all are.
///
/// # Errors
/// The program cannot ask.
pub async fn ask(config: &Config, out: &mut dyn Write) -> Result<ExitCode, Fault> {
    drop(rustls::crypto::ring::default_provider().install_default());
    let client = reqwest::Client::builder().timeout(PATIENCE).build()?;
    let mut all = true;
    for module in MODULES {
        // Children have addresses of their own.
        let path = if module == "family" { "/world/health".to_owned() } else { format!("/api/v1/{module}/health") };
        let asked = client.get(format!("http://{}{path}", config.listen)).send().await;
        let is_well = asked.is_ok_and(|answer| answer.status().is_success());
        writeln!(out, "{module}: {}", if is_well { "ok" } else { "not well" })?;
        all &= is_well;
    }
    Ok(if all { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
