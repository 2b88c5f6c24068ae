//! What stands around the handlers, inside of access: every request here has a caller whose token holds now.

use super::claim::{Claimed, claim, let_go};
use super::{Idempotency, key};
use crate::access::{Caller, Repeat};
use crate::authority::Standing;
use crate::problem::{Problem, kinds};
use crate::web::{Matched, Web};
use axum::body::Body;
use axum::extract::{FromRequestParts as _, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http_body_util::BodyExt as _;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub(crate) async fn layer(State(web): State<Arc<Web>>, request: Request, next: Next) -> Response {
    let sent = match key::of(request.headers()) {
        Ok(None) => return next.run(request).await,
        Ok(Some(key)) => key.to_vec(),
        Err(problem) => return problem.into_response(),
    };
    match serve(&web, &sent, request, next).await {
        Ok(response) => response,
        Err(problem) => problem.into_response(),
    }
}

async fn serve(web: &Web, key: &[u8], request: Request, next: Next) -> Result<Response, Problem> {
    let Some(Matched(row)) = request.extensions().get::<Matched>().copied() else { return Ok(next.run(request).await) };
    if row.repeat != Repeat::Key || request.extensions().get::<Caller>().is_none() {
        return Err(Problem::new(&kinds::IDEMPOTENCY_REFUSED));
    }
    let (mut parts, body) = request.into_parts();
    let (chunks, tag) = received(web, body).await?;
    // Who sent for long is asked for anew: a stored answer is of whom counts now.
    let standing = Standing::from_request_parts(&mut parts, &()).await?.again().await?;
    let caller = standing.caller().clone();
    parts.extensions.insert(caller.clone());
    parts.extensions.insert(standing);
    let (scope, sent) = (key::scope(&web.keys, &parts, &caller, key), key::sent(&web.keys, &parts, tag));
    let claim = match claim(web, &caller, scope, sent).await? {
        Claimed::Mine(claim) => claim,
        Claimed::Answered(response) => return Ok(response),
    };
    parts.extensions.insert(Idempotency(Some(Arc::clone(&claim))));
    let chunks = futures::stream::iter(chunks.into_iter().map(Ok::<_, Infallible>));
    // Where the client goes away this future ends here, and the handler's work may still be written down: the claim
    // stays until it runs out.
    let response = next.run(Request::from_parts(parts, Body::from_stream(chunks))).await;
    if !(claim.stored.load(Ordering::Acquire) && response.status().is_success()) {
        let_go(&web.db, &claim).await;
    }
    Ok(response)
}

/// The whole body, since its claim comes before the handler, and its tag. The limits of bodies hold for it.
async fn received(web: &Web, mut body: Body) -> Result<(Vec<Bytes>, [u8; 32]), Problem> {
    let (mut chunks, mut tag) = (Vec::new(), web.keys.requests.start());
    tag.update(b"body");
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Problem::new(&kinds::BAD_REQUEST).detail("the body ended before its end"))?;
        if let Ok(chunk) = frame.into_data() {
            tag.update(&chunk);
            chunks.push(chunk);
        }
    }
    Ok((chunks, tag.finish()))
}
