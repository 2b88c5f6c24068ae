//! Whether a webhook is authentic: signed by the provider of short messages, or by whoever has the generic key.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dualseal::encoding::hex;
use http::HeaderMap;
use ring::hmac;
use std::collections::BTreeSet;
use url::{Url, form_urlencoded};

/// Where receipts come in.
pub(crate) const RECEIPTS: &str = "/api/v1/messaging/inbound/sms/status";
/// How far the time of a generic webhook may be away.
const APART: i64 = 300;
/// A shorter key is guessed.
pub(crate) const LEAST_KEY: usize = 32;

const TWILIO: &str = "x-twilio-signature";
const SIGNATURE: &str = "x-trustd-signature";
const TIMESTAMP: &str = "x-trustd-timestamp";

/// The members of a form, in the order in which they were sent.
pub(crate) type Form = Vec<(String, String)>;

/// Reads a form.
pub(crate) fn form(body: &[u8]) -> Form {
    form_urlencoded::parse(body).into_owned().collect()
}

/// A member of a form, where it stands there once.
pub(crate) fn member<'a>(form: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let mut found = form.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str());
    found.next().filter(|_| found.next().is_none())
}

/// Whether a form is signed as Twilio does it: HMAC-SHA1 over the public address and the members in the order of their
/// names, each name followed by its values. The provider may have signed the address with its port or without.
pub(crate) fn is_by_provider(
    headers: &HeaderMap,
    token: &str,
    base_url: &Url,
    path: &str,
    form: &[(String, String)],
) -> bool {
    let mut sent = headers.get_all(TWILIO).iter();
    let (Some(signature), None) = (sent.next(), sent.next()) else { return false };
    let Ok(signature) = STANDARD.decode(signature.as_bytes()) else { return false };
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, token.as_bytes());
    let members: BTreeSet<&(String, String)> = form.iter().collect();
    addresses(base_url, path).iter().any(|address| {
        let mut said = address.clone();
        for (name, value) in &members {
            said.push_str(name);
            said.push_str(value);
        }
        hmac::verify(&key, said.as_bytes(), &signature).is_ok()
    })
}

/// The address as others know it, with the port of its scheme and without.
fn addresses(base_url: &Url, path: &str) -> Vec<String> {
    let base = base_url.as_str().trim_end_matches('/');
    let mut found = vec![format!("{base}{path}")];
    if let (Some(host), None, Some(port)) = (base_url.host_str(), base_url.port(), base_url.port_or_known_default()) {
        let prefix = base_url.path().trim_end_matches('/');
        found.push(format!("{}://{host}:{port}{prefix}{path}", base_url.scheme()));
    } else if let Some(host) = base_url.host_str() {
        let prefix = base_url.path().trim_end_matches('/');
        found.push(format!("{}://{host}{prefix}{path}", base_url.scheme()));
    }
    found
}

/// Whether a body is signed by the generic key: HMAC-SHA256 over `TIMESTAMP.PATH?QUERY.BODY`, in hexadecimal, and said
/// within five minutes. The address is in it, so that what was meant for one counts at no other.
pub(crate) fn is_by_key(headers: &HeaderMap, key: &[u8], now_millis: i64, path: &str, body: &[u8]) -> bool {
    let one = |name| {
        let mut found = headers.get_all(name).iter();
        found.next().filter(|_| found.next().is_none()).and_then(|value| value.to_str().ok())
    };
    let (Some(timestamp), Some(signature)) = (one(TIMESTAMP), one(SIGNATURE)) else { return false };
    let Ok(time) = timestamp.parse::<i64>() else { return false };
    if time.to_string() != timestamp || (now_millis / 1000).saturating_sub(time).saturating_abs() > APART {
        return false;
    }
    let Ok(signature) = hex::decode::<32>("signature", signature) else { return false };
    hmac::verify(&hmac::Key::new(hmac::HMAC_SHA256, key), &said(timestamp, path, body), &signature).is_ok()
}

/// The headers by which a body is, at this time in seconds.
pub(crate) fn signed(key: &[u8], seconds: i64, path: &str, body: &[u8]) -> [(&'static str, String); 2] {
    let timestamp = seconds.to_string();
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), &said(&timestamp, path, body));
    [(TIMESTAMP, timestamp), (SIGNATURE, hex::encode(tag.as_ref()))]
}

fn said(timestamp: &str, path: &str, body: &[u8]) -> Vec<u8> {
    [timestamp.as_bytes(), b".", path.as_bytes(), b".", body].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::{HeaderName, HeaderValue};

    const PATH: &str = "/api/v1/messaging/inbound/sms";

    fn headers(pairs: &[(&'static str, String)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, String)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())
        };
        pairs.iter().map(pair).collect()
    }

    fn tag(algorithm: hmac::Algorithm, key: &[u8], said: &[u8]) -> Vec<u8> {
        hmac::sign(&hmac::Key::new(algorithm, key), said).as_ref().to_vec()
    }

    /// The example of the provider's own documentation.
    #[test]
    fn the_providers_example_holds() {
        let base = Url::parse("https://example.com/").unwrap();
        let form: Form = [
            ("CallSid", "CA1234567890ABCDE"),
            ("Caller", "+14158675310"),
            ("Digits", "1234"),
            ("From", "+14158675310"),
            ("To", "+18005551212"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec();
        let sent = headers(&[(TWILIO, "L/OH5YylLD5NRKLltdqwSvS0BnU=".to_owned())]);
        assert!(is_by_provider(&sent, "12345", &base, "/myapp.php?foo=1&bar=2", &form));
        assert!(!is_by_provider(&sent, "12346", &base, "/myapp.php?foo=1&bar=2", &form));
        assert!(!is_by_provider(&sent, "12345", &base, "/myapp.php?foo=1&bar=3", &form));
        assert!(!is_by_provider(&sent, "12345", &base, "/myapp.php?foo=1&bar=2", &form[1..]));
        assert!(!is_by_provider(&headers(&[]), "12345", &base, "/myapp.php?foo=1&bar=2", &form));
    }

    #[test]
    fn the_port_may_be_said_or_not() {
        let form: Form = vec![("Body".into(), "hi".into())];
        for (base, signed) in [
            ("https://trust.example/", "https://trust.example:443"),
            ("https://trust.example/", "https://trust.example"),
            ("https://trust.example:8443/", "https://trust.example"),
            ("https://trust.example:8443/", "https://trust.example:8443"),
            ("https://trust.example/api2/", "https://trust.example:443/api2"),
        ] {
            let said = format!("{signed}{PATH}Bodyhi");
            let signature = STANDARD.encode(tag(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, b"t", said.as_bytes()));
            let sent = headers(&[(TWILIO, signature)]);
            assert!(is_by_provider(&sent, "t", &Url::parse(base).unwrap(), PATH, &form), "{signed}");
        }
    }

    #[test]
    fn the_generic_key_signs_time_address_and_body() {
        let key = [7; 32];
        let signed = |time: i64, path: &str, body: &[u8]| {
            let said = [format!("{time}.{path}.").as_bytes(), body].concat();
            headers(&[(TIMESTAMP, time.to_string()), (SIGNATURE, hex::encode(&tag(hmac::HMAC_SHA256, &key, &said)))])
        };
        let now = 1_800_000_000_000;
        let good = signed(1_800_000_000, PATH, b"{}");
        assert!(is_by_key(&good, &key, now, PATH, b"{}"));
        assert!(is_by_key(&good, &key, now + 300_999, PATH, b"{}"));
        assert!(is_by_key(&good, &key, now - 300_000, PATH, b"{}"));
        for (headers, key, now, path, body) in [
            (&good, [7; 32], now + 301_000, PATH, &b"{}"[..]),
            (&good, [7; 32], now - 301_000, PATH, b"{}"),
            (&good, [8; 32], now, PATH, b"{}"),
            (&good, [7; 32], now, "/api/v1/messaging/inbound/email", b"{}"),
            (&good, [7; 32], now, PATH, b"{ }"),
            (&HeaderMap::new(), [7; 32], now, PATH, b"{}"),
        ] {
            assert!(!is_by_key(headers, &key, now, path, body));
        }
    }
}
