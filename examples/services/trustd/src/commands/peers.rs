//! `trustd peers enrol`: a login at another service, whose peers are pulled by it.

use super::{Fault, drawn};
use crate::peers::{enrolled, source};
use crate::start::write;
use dualseal_operator::disk::{Disk, Readers};
use platform::config::Config;
use platform::near::is_private;
use platform::web::Bearer;
use std::io::{Write, stdin};
use url::Url;
use zeroize::Zeroizing;

/// Enrols by the invitation on the input, and keeps the login for that service alone.
///
/// # Errors
/// There is one already; what the other service, or the disk, says.
pub async fn enrol(config: &Config, service: &Url, out: &mut dyn Write) -> Result<(), Fault> {
    let folder = config.peers.logins.as_deref().ok_or("peers.logins names no folder")?;
    if !is_private(service) {
        return Err(format!("{service} is not https").into());
    }
    let (file, disk) = (folder.join(source(service)), Disk::new());
    disk.make_folder(folder, Readers::Owner)?;
    let drawn = drawn::begin(&disk, &file)?;
    let mut line = Zeroizing::new(String::new());
    stdin().read_line(&mut line)?;
    let invitation = Bearer::from(line.trim().to_owned());
    let label = format!("peers of {}", config.base_url);
    let (text, audience) = enrolled(service, &drawn, &invitation, &label).await?;
    write(&disk, &file, &text)?;
    drawn::end(&disk, &file)?;
    writeln!(out, "{}\nsigns in at {audience:?}: is that who {service} is?", file.display())?;
    Ok(())
}
