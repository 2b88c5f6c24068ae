//! Who calls once the body has come. It may come as slowly as the limits allow, a document's for hours: whoever was
//! revoked meanwhile, or became a honeypot, is not served by what it was when it began to send.

use super::Authority;
use super::require::allows;
use crate::access::{Caller, Level};
use crate::problem::Problem;
use axum::extract::FromRequestParts;
use http::request::Parts;
use http::{HeaderMap, header};

/// For so many milliseconds a caller is what it was found to be. Nearly every body is there within them, and costs no
/// second look into the database; a revocation comes later by no more than this.
const FRESH: i64 = 1000;

/// What a caller was found to be, and when: a handler that reads its body itself takes this and asks
/// [again](Self::again) behind the body's end, before it writes.
#[derive(Clone, Debug)]
pub struct Standing {
    caller: Caller,
    asked: Option<Asked>,
}

#[derive(Clone, Debug)]
struct Asked {
    authority: Authority,
    level: Level,
    /// The token alone.
    sent: HeaderMap,
    at: i64,
}

impl Standing {
    /// What was found at a time, of whom these headers name.
    pub(super) fn new(authority: &Authority, level: Level, headers: &HeaderMap, (caller, at): (Caller, i64)) -> Self {
        let sent = headers.get(header::AUTHORIZATION).map(|token| (header::AUTHORIZATION, token.clone()));
        let (authority, sent) = (authority.clone(), sent.into_iter().collect());
        Self { caller, asked: Some(Asked { authority, level, sent, at }) }
    }

    /// Who calls.
    #[must_use]
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Asks who calls now, unless that was just asked.
    ///
    /// # Errors
    /// As for one who begins now.
    pub async fn again(self) -> Result<Self, Problem> {
        let Some(Asked { authority, level, sent, at }) = self.asked else { return Ok(self) };
        let now = authority.clock.millis();
        // A clock that was set back says nothing.
        if (0..FRESH).contains(&now.saturating_sub(at)) {
            return Ok(Self { caller: self.caller, asked: Some(Asked { authority, level, sent, at }) });
        }
        let caller = authority.authenticate(&sent).await?;
        allows(level, &caller)?;
        Ok(Self { caller, asked: Some(Asked { authority, level, sent, at: now }) })
    }
}

impl Standing {
    /// The same at an address that anybody may call: of whom does not count any more nobody is left.
    ///
    /// # Errors
    /// Where anybody may not: as for one who begins now. The database.
    pub async fn still(self) -> Result<Option<Self>, Problem> {
        let is_public = self.asked.as_ref().is_some_and(|asked| asked.level == Level::Public);
        match self.again().await {
            Err(problem) if is_public && problem.status().is_client_error() => Ok(None),
            asked => asked.map(Some),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Standing {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        if let Some(standing) = parts.extensions.get::<Self>() {
            return Ok(standing.clone());
        }
        // The body was at its end when the caller was asked: nothing was waited for.
        Ok(Self { caller: Caller::from_request_parts(parts, state).await?, asked: None })
    }
}
