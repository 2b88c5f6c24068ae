//! The layer over every endpoint: the table says who may call it, and nothing that is not in the table is served.

use super::{Authority, Refusal, Standing, token};
use crate::access::{Caller, Endpoint, JSON_BYTES, Level, Scope, Tier};
use crate::problem::{Problem, kinds};
use axum::body::{Body, HttpBody as _, to_bytes};
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, Method, header};
use std::collections::HashMap;
use std::sync::Arc;

/// The table of endpoints, with what reads tokens.
#[derive(Clone, Debug)]
pub struct Gate {
    authority: Authority,
    paths: Arc<HashMap<&'static str, Vec<&'static Endpoint>>>,
}

impl Gate {
    /// Over this table.
    #[must_use]
    pub fn new(authority: Authority, table: &'static [Endpoint]) -> Self {
        let mut paths: HashMap<_, Vec<_>> = HashMap::new();
        for row in table {
            paths.entry(row.path).or_default().push(row);
        }
        Self { authority, paths: Arc::new(paths) }
    }

    /// The row of a request; `HEAD` is served as `GET` is.
    fn row(&self, request: &Request) -> Result<&'static Endpoint, Box<Response>> {
        let path = request.extensions().get::<MatchedPath>();
        let rows = path.and_then(|path| self.paths.get(path.as_str()));
        let Some(rows) = rows else { return Err(Problem::new(&kinds::UNKNOWN_PATH).into_response().into()) };
        let method = if request.method() == Method::HEAD { &Method::GET } else { request.method() };
        let row = rows.iter().copied().find(|row| row.method == method.as_str());
        row.ok_or_else(|| {
            let mut response = Problem::new(&kinds::METHOD).into_response();
            let methods: Vec<_> = rows.iter().map(|row| row.method).collect();
            if let Ok(methods) = HeaderValue::from_str(&methods.join(", ")) {
                response.headers_mut().insert(header::ALLOW, methods);
            }
            response.into()
        })
    }
}

/// Serves a request whose token may call this endpoint, with the [`Caller`] in its extensions. The row of the table
/// is there for the layers below too (`&'static Endpoint`). On a public endpoint a token that counts says who
/// calls, and no other is looked at; where it does not count behind the body's end, nobody calls. Elsewhere of whom
/// does not count nothing is received; of whom does, a body of JSON is there when the handler begins, and the
/// caller is who calls then.
pub async fn require(State(gate): State<Gate>, mut request: Request, next: Next) -> Response {
    // What a client sends is no caller, whatever a layer above put there.
    request.extensions_mut().remove::<Caller>();
    request.extensions_mut().remove::<Standing>();
    let row = match gate.row(&request) {
        Ok(row) => row,
        Err(refused) => return *refused,
    };
    request.extensions_mut().insert(row);
    let at = gate.authority.clock.millis();
    if row.level != Level::Public {
        let caller = match gate.authority.authenticate(request.headers()).await {
            Ok(caller) => caller,
            Err(problem) => return problem.into_response(),
        };
        let known = caller.clone();
        let allowed = match allows(row.level, &caller) {
            Ok(()) => gate.received(request, row, (caller, at)).await,
            Err(problem) => Err(problem),
        };
        request = match allowed {
            Ok(request) => request,
            Err(problem) => {
                let mut refused = problem.into_response();
                // The audit log says who was refused.
                refused.extensions_mut().insert(known);
                return refused;
            }
        };
    } else if request.headers().contains_key(header::AUTHORIZATION)
        && let Ok(caller) = gate.authority.authenticate(request.headers()).await
    {
        // Whoever is known is told more, where there is more to tell; nobody is refused.
        request = match gate.received(request, row, (caller, at)).await {
            Ok(request) => request,
            Err(problem) => return problem.into_response(),
        };
    }
    next.run(request).await
}

impl Gate {
    /// The request with its caller: where the body is small, with all of it, and with who calls behind its end. Whoever
    /// takes a large one asks by [`Standing`].
    async fn received(
        &self,
        mut request: Request,
        row: &Endpoint,
        (caller, at): (Caller, i64),
    ) -> Result<Request, Problem> {
        if request.body().is_end_stream() {
            request.extensions_mut().insert(caller);
            return Ok(request);
        }
        let mut standing = Standing::new(&self.authority, row.level, request.headers(), (caller, at));
        if row.most <= JSON_BYTES {
            let (parts, body) = request.into_parts();
            // Where the limits of bodies refuse it, they say so themselves.
            let body = to_bytes(body, usize::try_from(row.most).unwrap_or(usize::MAX)).await;
            let body = body.map_err(|_| Problem::new(&kinds::BAD_REQUEST).detail("the body ended before its end"))?;
            request = Request::from_parts(parts, Body::from(body));
            standing = match standing.still().await? {
                Some(standing) => standing,
                None => return Ok(request),
            };
        }
        request.extensions_mut().insert(standing.caller().clone());
        request.extensions_mut().insert(standing);
        Ok(request)
    }
}

/// Whether a caller may call an endpoint of this level.
///
/// # Errors
/// [`kinds::TIER`], [`kinds::SCOPE`], [`kinds::NOT_NODE`].
pub(super) fn allows(level: Level, caller: &Caller) -> Result<(), Problem> {
    let (tier, scope) = match level {
        Level::Public => return Ok(()),
        Level::Node => {
            let is_node = caller.node.is_some() && caller.scopes.contains(&Scope::Node);
            return if is_node { Ok(()) } else { Err(Problem::new(&kinds::NOT_NODE)) };
        }
        Level::Noble(scope) => (Tier::Noble, scope),
        Level::Native(scope) => (Tier::Native, scope),
    };
    if caller.tier < tier {
        return Err(Problem::new(&kinds::TIER));
    }
    // A node's token gives back and pulls its own, and does nothing else, whatever it says.
    if caller.node.is_some() || !caller.scopes.contains(&scope) {
        return Err(Problem::new(&kinds::SCOPE));
    }
    Ok(())
}

impl Authority {
    /// Who calls, by the header `Authorization`.
    ///
    /// # Errors
    /// [`kinds::NO_TOKEN`] where none was sent; [`kinds::BAD_TOKEN`] for every one that does not count, whyever.
    pub async fn authenticate(&self, headers: &HeaderMap) -> Result<Caller, Problem> {
        let Some(text) = bearer(headers)? else { return Err(Problem::new(&kinds::NO_TOKEN)) };
        self.read(text).await?.map_err(refused)
    }

    async fn read(&self, text: &str) -> Result<Result<Caller, Refusal>, Problem> {
        let header = match token::header(text, token::LONGEST) {
            Ok(header) => header,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let Some(kid) = &header.kid else { return Ok(Err(Refusal::Key)) };
        let now = self.clock.millis();
        let Some(key) = self.keys.find(&self.db, &self.secrets, kid, now).await? else { return Ok(Err(Refusal::Key)) };
        match token::read(text, &header, &key.verifies, &self.expected, now.div_euclid(1000)) {
            Ok(claims) => self.caller(claims).await,
            Err(refusal) => Ok(Err(refusal)),
        }
    }
}

fn refused(refusal: Refusal) -> Problem {
    tracing::debug!(?refusal, "a token was refused");
    Problem::new(&kinds::BAD_TOKEN)
}

/// The token of a request (RFC 6750, 2.1).
fn bearer(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let mut sent = headers.get_all(header::AUTHORIZATION).iter();
    let Some(first) = sent.next() else { return Ok(None) };
    // Of two, another part of the way might have looked at the other.
    if sent.next().is_some() {
        return Err(refused(Refusal::Malformed));
    }
    let text = first.to_str().map_err(|_| refused(Refusal::Malformed))?;
    let (scheme, token) = text.split_once(' ').unwrap_or((text, ""));
    // Another scheme is no token at all.
    Ok(scheme.eq_ignore_ascii_case("bearer").then_some(token))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::World;
    use dualseal::IdentityId;
    use uuid::Uuid;

    /// A level, a tier, scopes, a node, and the code of the refusal, or nothing.
    type Case = (Level, Tier, &'static [Scope], Option<&'static str>, &'static str);

    fn caller(tier: Tier, scopes: &[Scope], node: Option<&str>) -> Caller {
        let (subject, token, client) = (IdentityId::from_bytes([7; 32]), Uuid::nil(), "tests".to_owned());
        let (scopes, node) = (scopes.iter().copied().collect(), node.map(str::to_owned));
        Caller { subject, tier, scopes, node, token, client, world: World::Real }
    }

    #[test]
    fn the_scheme_alone_is_a_token_that_does_not_count() {
        for (sent, found) in [("Bearer x", Some("x")), ("bearer x y", Some("x y")), ("Bearer", Some("")), ("x", None)] {
            let headers = HeaderMap::from_iter([(header::AUTHORIZATION, HeaderValue::from_static(sent))]);
            assert_eq!(bearer(&headers).unwrap(), found, "{sent}");
        }
    }

    #[test]
    fn a_level_asks_for_tier_scope_and_node() {
        use Level::{Native, Noble, Node, Public};
        use Scope::{Ops, Trust};
        let cases: &[Case] = &[
            (Public, Tier::Noble, &[], None, ""),
            (Noble(Trust), Tier::Noble, &[Trust], None, ""),
            (Noble(Trust), Tier::Native, &[Ops, Trust], None, ""),
            (Noble(Trust), Tier::Native, &[Ops], None, "scope-missing"),
            (Noble(Trust), Tier::Noble, &[], None, "scope-missing"),
            (Native(Ops), Tier::Native, &[Ops], None, ""),
            (Native(Ops), Tier::Noble, &[Ops], None, "tier-too-low"),
            (Native(Ops), Tier::Native, &[Trust], None, "scope-missing"),
            // Whatever a node's token says beside, it is a node's.
            (Noble(Trust), Tier::Native, &[Scope::Node, Trust], Some("n"), "scope-missing"),
            (Noble(Scope::Node), Tier::Noble, &[Scope::Node], Some("n"), "scope-missing"),
            (Node, Tier::Noble, &[Scope::Node], Some("n"), ""),
            (Node, Tier::Native, &[Scope::Node], None, "not-this-node"),
            (Node, Tier::Native, &[Trust], Some("n"), "not-this-node"),
        ];
        for (level, tier, scopes, node, code) in cases {
            let found = allows(*level, &caller(*tier, scopes, *node)).err();
            assert_eq!(found.map_or("", |problem| problem.kind().code), *code, "{level:?} {tier} {scopes:?} {node:?}");
        }
    }
}
