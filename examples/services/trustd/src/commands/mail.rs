//! `trustd inbound-email`: a mail server hands a message over, through a pipe, and it is posted to the service on this
//! machine. Whoever runs it has the key of the generic webhook, and needs neither the database nor the master.

use super::Fault;
use crate::messaging::{authentic::signed, secret};
use crate::table::MAIL_BYTES;
use http::header::CONTENT_TYPE;
use platform::clock::Clock;
use platform::config::Config;
use std::io::{Read as _, Write, stdin};
use std::process::ExitCode;
use std::time::Duration;
use url::form_urlencoded::byte_serialize;

/// A mail server keeps the message, and brings it again (`sysexits.h`: EX_TEMPFAIL).
const AGAIN: u8 = 75;
/// It gives it back to its sender (EX_DATAERR).
const NO_MESSAGE: u8 = 65;
const ADDRESS: &str = "/api/v1/messaging/inbound/email";
/// The service asks a name server for keys of DKIM before it answers.
const PATIENCE: Duration = Duration::from_mins(1);
/// A rate is over within a second; a mail server that is told to come again does so in minutes.
const TRIES: u32 = 30;

/// Posts the message on the input. The mail server is told whether to bring it again.
pub async fn hand_over(config: &Config, clock: &Clock, spf: Option<&str>, out: &mut dyn Write) -> ExitCode {
    let mut raw = Vec::new();
    let (code, said) = match stdin().lock().take(MAIL_BYTES + 1).read_to_end(&mut raw) {
        Ok(_) if raw.len() as u64 <= MAIL_BYTES => handed(config, clock, &raw, spf).await,
        Ok(_) => (NO_MESSAGE, "the message is too large".to_owned()),
        Err(error) => (AGAIN, error.to_string()),
    };
    if code == 0 {
        // The service has it, whoever reads this.
        drop(writeln!(out, "{said}"));
    } else {
        eprintln!("trustd: {said}");
    }
    ExitCode::from(code)
}

/// What it is told where the settings are none, which they may be for the while of a release: a cry is not given back.
#[must_use]
pub fn keeps(fault: &Fault) -> ExitCode {
    eprintln!("trustd: {fault}");
    ExitCode::from(AGAIN)
}

/// What the mail server is told, and why.
async fn handed(config: &Config, clock: &Clock, raw: &[u8], spf: Option<&str>) -> (u8, String) {
    match posted(config, clock, raw, spf).await {
        Ok((200, said)) => (0, said),
        Ok((413 | 422, said)) => (NO_MESSAGE, said),
        Ok((status, said)) => (AGAIN, format!("{status} {said}")),
        Err(fault) => (AGAIN, fault.to_string()),
    }
}

/// Status and body of the answer.
async fn posted(config: &Config, clock: &Clock, raw: &[u8], spf: Option<&str>) -> Result<(u16, String), Fault> {
    let file = config.messaging.webhook_key_file.as_deref();
    let key = secret(file.ok_or("messaging.webhook_key_file: is not set, and mail is taken from who has that key")?)?;
    drop(rustls::crypto::ring::default_provider().install_default());
    let client = reqwest::Client::builder().timeout(PATIENCE).no_proxy().build()?;
    let query = spf.map(|domain| format!("?spf={}", byte_serialize(domain.as_bytes()).collect::<String>()));
    let path = format!("{ADDRESS}{}", query.unwrap_or_default());
    let mut left = TRIES;
    loop {
        let request = client.post(format!("http://{}{path}", config.listen)).header(CONTENT_TYPE, "message/rfc822");
        let [time, signature] = signed(key.as_bytes(), clock.millis() / 1000, &path, raw);
        let request = request.header(time.0, time.1).header(signature.0, signature.1);
        let answer = request.body(raw.to_vec()).send().await?;
        let status = answer.status().as_u16();
        left -= 1;
        if status != 429 || left == 0 {
            return Ok((status, answer.text().await?));
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messaging::authentic::is_by_key;
    use platform::config::MessagingConfig;
    use wiremock::matchers::{body_string, header, method, path, query_param};
    use wiremock::{Mock, MockServer, ResponseTemplate};

    const KEY: &str = "a key of the generic webhook: 32 bytes and more";
    const MAIL: &[u8] = b"From: ana@acme.example\r\n\r\nPANIC\r\n";

    /// What a service answers decides whether the mail server keeps the message; one that is not there, or knows
    /// nobody, has it kept.
    #[tokio::test]
    async fn a_mail_server_is_told_what_the_service_says() {
        let (folder, service) = (tempfile::tempdir().unwrap(), MockServer::start().await);
        let file = folder.path().join("key");
        std::fs::write(&file, format!("{KEY}\n")).unwrap();
        let messaging = MessagingConfig { webhook_key_file: Some(file), ..MessagingConfig::default() };
        let config = Config { listen: *service.address(), messaging, ..Config::default() };
        let clock = Clock::still("2026-11-21T09:00:00.000Z".parse().unwrap());
        let answers = async |status: u16, times: u64| {
            let text = std::str::from_utf8(MAIL).unwrap();
            Mock::given(method("POST"))
                .and(path(ADDRESS))
                .and(query_param("spf", "acme.example"))
                .and(header("content-type", "message/rfc822"))
                .and(body_string(text))
                .respond_with(ResponseTemplate::new(status).set_body_string("said"))
                .up_to_n_times(times)
                .mount(&service)
                .await;
        };
        for (status, code) in [(200, 0), (422, NO_MESSAGE), (413, NO_MESSAGE), (403, AGAIN), (503, AGAIN)] {
            answers(status, 1).await;
            assert_eq!(handed(&config, &clock, MAIL, Some("acme.example")).await.0, code, "{status}");
        }
        answers(429, 1).await;
        answers(200, 1).await;
        assert_eq!(handed(&config, &clock, MAIL, Some("acme.example")).await, (0, "said".to_owned()));
        let requests = service.received_requests().await.unwrap();
        for request in &requests {
            let said = format!("{ADDRESS}?spf=acme.example");
            assert!(is_by_key(&request.headers, KEY.as_bytes(), clock.millis(), &said, &request.body));
        }
        assert_eq!(requests.len(), 7);
        drop(service);
        assert_eq!(handed(&config, &clock, MAIL, Some("acme.example")).await.0, AGAIN);
        let (code, said) = handed(&Config::default(), &clock, MAIL, None).await;
        assert!(code == AGAIN && said.contains("webhook_key_file"), "{said}");
    }
}
