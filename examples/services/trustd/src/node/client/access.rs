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
    /// A login, by its file, and what came of it last.
    Login(PathBuf, Mutex<Login>),
}

/// What came of a login.
#[derive(Debug, Default)]
pub(super) struct Login {
    held: Option<Held>,
    failed: Option<Failed>,
}

/// Signing in failed since a token was got: whoever refuses, or is not there, is not asked at each request.
#[derive(Debug)]
struct Failed {
    why: String,
    /// How often in a row.
    times: u32,
    again: Instant,
}

/// A token that the service gave to this process.
#[derive(Debug)]
struct Held {
    token: Bearer,
    /// When another is asked for: a quarter of its life before its end, so that a service that is away for a while does
    /// not cost the node its turns.
    renewed: Instant,
    ends: Instant,
}

/// Twice as long each time, from a second to a minute.
fn wait(times: u32) -> Duration {
    Duration::from_secs(1 << times.saturating_sub(1).min(6)).min(Duration::from_mins(1))
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
        let (file, login) = match &self.access {
            Access::Token(file) => {
                let text = tokio::fs::read_to_string(file).await.map(Zeroizing::new).map_err(ClientError::Token)?;
                return Ok(Bearer::from(text.trim().to_owned()));
            }
            Access::Login(file, login) => (file, login),
        };
        // From before it is asked: nobody's clock but this one counts its seconds.
        let (mut login, now) = (login.lock().await, Instant::now());
        let before = login.held.as_ref().filter(|held| now < held.ends).map(|held| held.token.clone());
        if login.held.as_ref().is_some_and(|held| now < held.renewed)
            && let Some(token) = before
        {
            return Ok(token);
        }
        if let Some(failed) = login.failed.as_ref().filter(|failed| now < failed.again) {
            return before.ok_or_else(|| ClientError::Waits(failed.why.clone()));
        }
        match self.sign_in(file).await {
            Ok(Given { access_token: token, expires_in }) => {
                let life = Duration::from_secs(expires_in.into());
                let held = Held { token: token.clone(), renewed: now + life * 3 / 4, ends: now + life };
                *login = Login { held: Some(held), failed: None };
                Ok(token)
            }
            Err(error) => {
                let times = login.failed.as_ref().map_or(0, |failed| failed.times).saturating_add(1);
                login.failed = Some(Failed { why: error.to_string(), times, again: Instant::now() + wait(times) });
                if before.is_some() {
                    tracing::warn!(%error, "no other token is to be had yet");
                }
                before.ok_or(error)
            }
        }
    }

    /// Forgets a token that the service takes no more, and says whether another can be asked for.
    pub(super) async fn forgets(&self) -> bool {
        match &self.access {
            Access::Token(_) => false,
            Access::Login(_, login) => login.lock().await.held.take().is_some(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use wiremock::matchers::path;
    use wiremock::{Mock, MockServer, ResponseTemplate};

    #[test]
    fn it_waits_for_a_minute_at_most() {
        let seconds = [1, 2, 3, 6, 7, 8, u32::MAX].map(|times| wait(times).as_secs());
        assert_eq!(seconds, [1, 2, 4, 32, 60, 60, 60]);
    }

    /// A client with a login in this folder.
    async fn client(folder: &Path, service: &MockServer, held: Option<Held>) -> Client {
        drop(rustls::crypto::ring::default_provider().install_default());
        let login = folder.join("login");
        let kept = json!({"identity_id": "07".repeat(32), "key_id": "0192f0c1-2345-7abc-8def-0123456789ab",
            "audience": "a", "domain": "TRUST", "seed": "07".repeat(32)});
        std::fs::write(&login, kept.to_string()).unwrap();
        std::fs::set_permissions(&login, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        Mock::given(path(CHALLENGE)).respond_with(ResponseTemplate::new(503)).mount(service).await;
        Client {
            http: reqwest::Client::new(),
            service: service.uri().parse().unwrap(),
            access: Access::Login(login, Mutex::new(Login { held, failed: None })),
        }
    }

    /// Each request of a turn wants a token.
    #[tokio::test]
    async fn a_service_that_refuses_is_not_asked_at_each_request() {
        let (folder, service) = (tempfile::tempdir().unwrap(), MockServer::start().await);
        let client = client(folder.path(), &service, None).await;
        let asked = async || service.received_requests().await.unwrap().len();
        assert!(matches!(client.token().await, Err(ClientError::Refused { status: 503, .. })));
        for _ in 0..9 {
            assert!(client.token().await.is_err_and(|error| error.to_string().contains("503")));
        }
        assert_eq!(asked().await, 1);
        tokio::time::sleep(wait(1)).await;
        for _ in 0..9 {
            assert!(client.token().await.is_err());
        }
        assert_eq!(asked().await, 2);
    }

    /// It is asked later each time that it refuses, and by the token of before meanwhile. Once it gives one, all that
    /// is forgotten.
    #[tokio::test]
    async fn what_has_not_ended_is_used_while_no_other_is_to_be_had() {
        let (folder, service, now) = (tempfile::tempdir().unwrap(), MockServer::start().await, Instant::now());
        let held = Held { token: "old".to_owned().into(), renewed: now, ends: now + Duration::from_hours(1) };
        let client = client(folder.path(), &service, Some(held)).await;
        let Access::Login(_, login) = &client.access else { unreachable!("it has a login") };
        for times in [1, 2, 3] {
            for _ in 0..3 {
                assert_eq!(*client.token().await.unwrap(), *"old");
            }
            let mut login = login.lock().await;
            let failed = login.failed.as_mut().unwrap();
            assert_eq!(failed.times, times);
            failed.again = Instant::now();
        }
        service.reset().await;
        let begun = json!({"nonce": "07".repeat(32), "expiry": "2026-01-01T00:00:00.000Z", "audience": "a",
            "domain": "TRUST"});
        Mock::given(path(CHALLENGE))
            .respond_with(ResponseTemplate::new(200).set_body_json(begun))
            .mount(&service)
            .await;
        let given = json!({"access_token": "new", "expires_in": 60});
        Mock::given(path(TOKEN)).respond_with(ResponseTemplate::new(200).set_body_json(given)).mount(&service).await;
        assert_eq!(*client.token().await.unwrap(), *"new");
        assert!(login.lock().await.failed.is_none());
        // One that has ended is none.
        login.lock().await.held.as_mut().unwrap().ends = Instant::now();
        login.lock().await.held.as_mut().unwrap().renewed = Instant::now();
        service.reset().await;
        assert!(client.token().await.is_err());
    }
}
