//! What the node shows to the service that it is itself: a token from a file that its keeper renews, or tokens that it
//! asks for itself, by a login key that was drawn here and never left.

use super::{Client, ClientError, answered, body};
use crate::node::config::NodeConfig;
use crate::signing_in::{Begun, CHALLENGE, Drawn, ENROL, Enrolled, Given, Kept, TOKEN};
use platform::web::Bearer;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;
use zeroize::Zeroizing;

const PROGRAM: &str = "node";

/// Where tokens come from.
#[derive(Debug)]
pub(super) enum Access {
    /// A file that has one.
    Token(PathBuf),
    /// A login, by its file, and the token that was got by it last.
    Login(PathBuf, Mutex<Option<Held>>),
}

/// A token that the service gave to this process.
#[derive(Debug)]
pub(super) struct Held {
    token: Bearer,
    /// When another is asked for: a quarter of its life before its end, so that a service that is away for a while does
    /// not cost the node its turns.
    renewed: Instant,
    ends: Instant,
}

impl Access {
    pub(super) fn of(config: &NodeConfig) -> Result<Self, ClientError> {
        match (&config.token, &config.login) {
            (Some(file), None) => Ok(Self::Token(file.clone())),
            (None, Some(file)) => Ok(Self::Login(file.clone(), Mutex::default())),
            _ => Err(ClientError::Login("the settings name one of `login` and `token`".to_owned())),
        }
    }
}

impl Client {
    /// The token to call with.
    pub(super) async fn token(&self) -> Result<Bearer, ClientError> {
        let (file, held) = match &self.access {
            Access::Token(file) => {
                let text = tokio::fs::read_to_string(file).await.map(Zeroizing::new).map_err(ClientError::Token)?;
                return Ok(Bearer::from(text.trim().to_owned()));
            }
            Access::Login(file, held) => (file, held),
        };
        // From before it is asked: nobody's clock but this one counts its seconds.
        let (mut held, now) = (held.lock().await, Instant::now());
        if let Some(held) = held.as_ref()
            && now < held.renewed
        {
            return Ok(held.token.clone());
        }
        match self.sign_in(file).await {
            Ok(Given { access_token: token, expires_in }) => {
                let life = Duration::from_secs(expires_in.into());
                *held = Some(Held { token: token.clone(), renewed: now + life * 3 / 4, ends: now + life });
                Ok(token)
            }
            Err(error) => match held.as_ref() {
                Some(before) if now < before.ends => {
                    tracing::warn!(%error, "no other token is to be had yet");
                    Ok(before.token.clone())
                }
                _ => Err(error),
            },
        }
    }

    /// Forgets a token that the service takes no more, and says whether another can be asked for.
    pub(super) async fn forgets(&self) -> bool {
        match &self.access {
            Access::Token(_) => false,
            Access::Login(_, held) => held.lock().await.take().is_some(),
        }
    }

    async fn sign_in(&self, file: &Path) -> Result<Given, ClientError> {
        let kept = Kept::read(file).map_err(ClientError::Login)?;
        let begun: Begun = self.post(CHALLENGE, &kept.challenge(), "challenge").await?;
        let asked = kept.statement(&begun, PROGRAM).map_err(ClientError::Login)?;
        self.post(TOKEN, &asked, "token").await
    }

    /// Enrols a key by an invitation.
    pub(in crate::node) async fn enrol(
        &self,
        drawn: &Drawn,
        invitation: &Bearer,
        label: &str,
    ) -> Result<Kept, ClientError> {
        let enrolled: Enrolled = self.post(ENROL, &drawn.enrolment(invitation, label), "enrolment").await?;
        let begun: Begun = self.post(CHALLENGE, &enrolled.challenge(), "challenge").await?;
        Ok(drawn.kept(&enrolled, begun))
    }

    /// What anybody may ask for.
    async fn post<T: DeserializeOwned>(&self, path: &str, asked: &Value, what: &'static str) -> Result<T, ClientError> {
        let url = self.service.join(path.trim_start_matches('/')).map_err(|_| ClientError::Answer("address"))?;
        let text = body(answered(self.http.post(url).json(asked).send().await?).await?).await?;
        serde_json::from_slice(&text).map_err(|_| ClientError::Answer(what))
    }
}
