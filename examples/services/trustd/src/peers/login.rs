//! Signing in at another service.

use super::asking::{answered, at, client, name};
use crate::signing_in::{Begun, CHALLENGE, Drawn, ENROL, Enrolled, Given, Kept, TOKEN};
use platform::web::Bearer;
use reqwest::{Client, Url};
use serde_json::Value;
use std::path::Path;
use zeroize::Zeroizing;

/// A token of noble tier, by the login that the folder has of the service.
pub(super) async fn sign_in(http: &Client, service: &Url, folder: &Path) -> Result<Bearer, String> {
    let kept = Kept::read(&folder.join(name(service)))?;
    let begun = challenge(http, service, &kept.challenge()).await?;
    let asked = kept.statement(&begun, "peers")?;
    let given: Given = answered(http.post(at(service, TOKEN)).json(&asked)).await?;
    Ok(given.access_token)
}

async fn challenge(http: &Client, service: &Url, asked: &Value) -> Result<Begun, String> {
    answered(http.post(at(service, CHALLENGE)).json(asked)).await
}

/// Enrols a key at a service by an invitation, and says what the file of the login is to have, and for whom
/// its statements are: whoever answers there says it.
pub(crate) async fn enrolled(
    service: &Url,
    drawn: &Drawn,
    invitation: &Bearer,
    label: &str,
) -> Result<(Zeroizing<Vec<u8>>, String), String> {
    let http = client()?;
    let asked = drawn.enrolment(invitation, label);
    let enrolled: Enrolled = answered(http.post(at(service, ENROL)).json(&asked)).await?;
    let begun = challenge(&http, service, &enrolled.challenge()).await?;
    let kept = drawn.kept(&enrolled, begun);
    Ok((kept.text()?, kept.audience))
}
