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
use bytes::{Bytes, BytesMut};
use dualseal::hash::{HmacKey, Sha3_256};
use http_body_util::BodyExt as _;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// What is copied together of a body.
const BLOCK: usize = 64 << 10;
/// What a small body needs.
const FIRST: usize = 1 << 10;

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
    let (blocks, tag) = received(&web.keys.requests, body).await?;
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
    let blocks = futures::stream::iter(blocks.into_iter().map(Ok::<_, Infallible>));
    // Where the client goes away this future ends here, and the handler's work may still be written down: the claim
    // stays until it runs out.
    let response = next.run(Request::from_parts(parts, Body::from_stream(blocks))).await;
    if !(claim.stored.load(Ordering::Acquire) && response.status().is_success()) {
        let_go(&web.db, &claim).await;
    }
    Ok(response)
}

/// The whole body, since its claim comes before the handler, and its tag. It stays in memory, and on no disk, where no
/// plain byte of a document is ever written. What all bodies take together is the limits' budget: it is copied together
/// here, since pieces as they come weigh as much as the buffers that they are cut from, and one of a byte some dozen.
async fn received(key: &HmacKey<Sha3_256>, mut body: Body) -> Result<(Vec<Bytes>, [u8; 32]), Problem> {
    let (mut blocks, mut block, mut tag) = (Vec::new(), BytesMut::new(), key.start());
    tag.update(b"body");
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Problem::new(&kinds::BAD_REQUEST).detail("the body ended before its end"))?;
        let Ok(mut chunk) = frame.into_data() else { continue };
        tag.update(&chunk);
        while !chunk.is_empty() {
            if block.is_empty() {
                block.reserve(BLOCK.min(chunk.len().max(FIRST)));
            }
            let fits = chunk.split_to(chunk.len().min(BLOCK - block.len()));
            block.extend_from_slice(&fits);
            if block.len() == BLOCK {
                blocks.push(block.split().freeze());
            }
        }
    }
    if !block.is_empty() {
        blocks.push(block.freeze());
    }
    Ok((blocks, tag.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However a body is cut, it weighs what it has.
    #[tokio::test]
    async fn a_body_of_single_bytes_is_copied_together() {
        let key = HmacKey::new(b"key");
        let bytes: Vec<u8> = (0..BLOCK * 2 + 7).map(|at| u8::try_from(at % 251).unwrap()).collect();
        let mut found = Vec::new();
        for size in [1, 999, bytes.len()] {
            let pieces: Vec<_> =
                bytes.chunks(size).map(|piece| Ok::<_, Infallible>(Bytes::copy_from_slice(piece))).collect();
            let (blocks, tag) = received(&key, Body::from_stream(futures::stream::iter(pieces))).await.unwrap();
            assert_eq!(blocks.len(), 3, "in pieces of {size}");
            assert_eq!((blocks[0].len(), blocks[2].len(), blocks.concat() == bytes), (BLOCK, 7, true));
            found.push(tag);
        }
        assert!(found.iter().all(|tag| *tag == found[0]));
    }
}
