//! Every kind of problem: its code, which lasts, its status and title.

/// A kind of problem. A page of the documentation describes each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The name, which lasts.
    pub code: &'static str,
    /// The status of the answer.
    pub status: u16,
    /// In words.
    pub title: &'static str,
    /// What whoever gets it does next.
    pub advice: &'static str,
}

macro_rules! catalogue {
    ($($name:ident = $status:literal $code:literal, $title:literal, $advice:literal;)+) => {
        /// The kinds, by name.
        pub mod kinds {
            use super::Kind;
            $(
                #[doc = $title]
                pub static $name: Kind = Kind { code: $code, status: $status, title: $title, advice: $advice };
            )+
        }

        /// All kinds of the service's own; those of the library stand in its own catalogue.
        pub static CATALOGUE: &[&Kind] = &[$(&kinds::$name),+];
    };
}

catalogue! {
    NOT_JSON = 400 "not-json", "The body is not JSON", "send one JSON text in UTF-8";
    BAD_REQUEST = 400 "bad-request", "The request is not HTTP as it should be", "see the detail";
    NO_TOKEN = 401 "no-token", "This needs a token", "send `Authorization: Bearer TOKEN`";
    BAD_TOKEN = 401 "bad-token", "The token does not count", "get a new one";
    BAD_LOGIN = 401 "bad-login", "The proof of the login does not hold", "ask for a new challenge and sign it";
    BAD_INVITATION = 403 "bad-invitation", "The invitation does not count", "ask for a new one";
    TIER = 403 "tier-too-low", "This needs a higher tier", "ask somebody of that tier";
    SCOPE = 403 "scope-missing", "The token has not the scope for this", "get a token with the scope";
    NOT_NODE = 403 "not-this-node", "This is for the node that holds it", "use the token of that node";
    NOT_GUARDIAN = 403 "not-guardian", "The caller is no guardian of a child of this name",
        "see whether the name is right, and the child yours";
    BAD_SIGNATURE = 403 "bad-signature", "The message is not authentic", "sign it by the key that was agreed on";
    FOREIGN_ORIGIN = 403 "foreign-origin", "The page that asks is of an origin that is not listed",
        "ask the operator whether this origin is to be listed";
    VERIFICATION_OFF = 403 "hmac-verification-off", "Verifying with shares is switched off here",
        "verify by a quorum's public key";
    UNKNOWN_ID = 404 "unknown-id", "There is nothing of this name", "see whether the name is right, and yours";
    UNKNOWN_PATH = 404 "unknown-path", "There is nothing at this address", "see the documentation";
    METHOD = 405 "method-not-allowed", "This address has not this method", "see the documentation";
    TOO_SLOW = 408 "too-slow", "The body came too slowly", "send it again over a better connection";
    NO_PRINTER = 406 "no-printer", "This service has nothing that prints proofs",
        "ask for `application/json`, or have the operator install `proof-pdf`";
    CONFLICT = 409 "conflict", "The state has changed, or does not allow this", "read the state again";
    KEY_REVOKED = 409 "key-revoked", "The identity's key was called back", "rotate the key";
    KEY_SUSPENDED = 409 "key-suspended", "The identity's key is suspended", "wait, or ask a native";
    KEY_DECOY = 409 "key-decoy", "The identity's key is a honeypot", "rotate the key, if the identity is to sign again";
    KEY_ELSEWHERE = 409 "key-elsewhere", "The service has not this identity's key",
        "sign where the key is: by its session";
    NOT_COVERED = 409 "not-covered-yet", "No checkpoint covers this entry yet",
        "come back after the time in Retry-After";
    UNPRINTABLE = 409 "unprintable", "A page of this has a letter that no font has", "ask for `application/json`";
    MISSING_EVIDENCE = 409 "missing-evidence", "There is not the evidence that the proof would need", "see the detail";
    IN_CUSTODY = 409 "in-custody", "The nodes hold it, and the service no more", "rebuild it from the nodes' shards";
    ERASED = 409 "erased", "It was erased", "nothing brings it back";
    NOT_INTACT = 409 "not-intact", "The record, or what is stored of it, is not what was sealed",
        "see the detail, and restore it from a backup";
    LOG_ENDED = 409 "log-ended", "It stands in a log that has ended, and nothing continues it there",
        "found a session in the log that is written to now";
    NO_PROVIDER = 409 "no-provider", "This service has no provider of models", "ask its operator for one";
    REQUEST_CLOSED = 409 "request-closed", "The request has ended or has expired", "open a new one";
    IDEMPOTENCY_RUNNING = 409 "idempotency-running", "The first request with this key is being served",
        "come back after the time in Retry-After";
    TOO_LARGE = 413 "too-large", "The body is larger than the limit", "send less, or the streamed form";
    MEDIA_TYPE = 415 "media-type", "The body is of another type than this address takes", "see the documentation";
    FOREIGN_HOST = 421 "foreign-host", "The service is not of the name that it was asked by",
        "ask at its address, or have the operator list the name";
    INVALID_FIELD = 422 "invalid-field", "A field breaks a rule", "see `errors`";
    IDEMPOTENCY_OTHER = 422 "idempotency-other-body", "This key was used with another body", "use a new key";
    IDEMPOTENCY_REFUSED = 422 "idempotency-refused", "This address takes no Idempotency-Key", "leave the header out";
    MODEL_REFUSED = 422 "model-refused", "The provider of the model does not take what was asked", "see the detail";
    IF_MATCH = 428 "if-match-missing", "A change names the version that it changes",
        "send `If-Match` with the `ETag` of what was read";
    RATE = 429 "rate-limited", "Too many requests", "come back after the time in Retry-After";
    BUDGET = 429 "budget-spent", "The budget for models is spent, or this would pass it",
        "ask for fewer tokens, or come back after the time in Retry-After";
    INTERNAL = 500 "internal", "Something failed in the service", "come back later; the operator's log has the reason";
    PLANNED = 501 "planned", "This is planned, and not there yet", "see the documentation of a later version";
    PROVIDER_FAILED = 502 "provider-failed", "The provider of the model failed", "ask again later";
    BUSY = 503 "busy", "The service has too much to do", "come back after the time in Retry-After";
    READ_ONLY = 503 "read-only", "The service takes no changes now", "come back later";
    PROVIDERS_OUT = 503 "providers-out", "No provider of models is left", "come back after the time in Retry-After";
    UNHEALTHY = 503 "unhealthy", "A part of the service does not work", "come back later";
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn codes_are_names_and_differ() {
        let codes: BTreeSet<_> = CATALOGUE.iter().map(|kind| kind.code).collect();
        assert_eq!(codes.len(), CATALOGUE.len());
        for kind in CATALOGUE {
            assert!(kind.code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{}", kind.code);
            assert!((400..600).contains(&kind.status), "{}", kind.code);
        }
    }
}
