//! Who may call what: tiers, scopes, callers, and the table that names them for every endpoint.

use crate::problem::{Problem, kinds};
use axum::extract::FromRequestParts;
use dualseal::IdentityId;
use http::request::Parts;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use utoipa::ToSchema;
use uuid::Uuid;

/// How much a token may do. A higher tier may do what a lower may, within its scopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// Acts for its own identity.
    Noble,
    /// Acts for any.
    Native,
}

/// The part of the service that a token may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Signing, threshold, shards, vault.
    Trust,
    /// A node's own shares.
    Node,
    /// Messages.
    Messaging,
    /// Vehicles.
    Fleet,
    /// Inspections and documents of drivers.
    Driver,
    /// Children of a guardian.
    Family,
    /// Proofs.
    Proof,
    /// The model chain.
    Models,
    /// Operations.
    Ops,
}

macro_rules! named {
    ($kind:ident: $($variant:ident = $name:literal),+ $(,)?) => {
        impl $kind {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name, as tokens have it.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }

        impl fmt::Display for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
        impl FromStr for $kind {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                let found = Self::ALL.iter().copied().find(|one| one.as_str() == text);
                found.ok_or_else(|| format!("{text:?} is none of {}", Self::ALL.iter().map(|one| one.as_str())
                    .collect::<Vec<_>>().join(", ")))
            }
        }
    };
}

named!(Tier: Noble = "noble", Native = "native");
named!(Scope: Trust = "trust", Node = "node", Messaging = "messaging", Fleet = "fleet", Driver = "driver",
    Family = "family", Proof = "proof", Models = "models", Ops = "ops");

/// What a caller sees: the service, or, where its own key is a honeypot, what looks like it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum World {
    /// The service.
    Real,
    /// The decoy.
    Decoy,
}

impl World {
    /// As rows have it.
    #[must_use]
    pub fn number(self) -> i64 {
        match self {
            Self::Real => 0,
            Self::Decoy => 1,
        }
    }

    /// Of a row: whatever is not of the real one is of the other.
    #[must_use]
    pub fn of_number(number: i64) -> Self {
        if number == Self::Real.number() { Self::Real } else { Self::Decoy }
    }
}

/// Who calls, by a token that holds: a handler's argument. An endpoint that the table names as public has none.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The identity.
    pub subject: IdentityId,
    /// Its tier.
    pub tier: Tier,
    /// What it may call.
    pub scopes: BTreeSet<Scope>,
    /// The label of a node, whose shares alone the token pulls.
    pub node: Option<String>,
    /// The token.
    pub token: Uuid,
    /// The program that it was issued to.
    pub client: String,
    /// What it sees.
    pub world: World,
}

impl Caller {
    /// Whether it may act for an identity: a noble for its own, a native for any.
    #[must_use]
    pub fn owns(&self, identity_id: &IdentityId) -> bool {
        self.tier == Tier::Native || self.subject == *identity_id
    }

    /// The same as a problem: what is not one's own is not there.
    ///
    /// # Errors
    /// [`kinds::UNKNOWN_ID`].
    pub fn own(&self, identity_id: &IdentityId) -> Result<(), Problem> {
        if self.owns(identity_id) { Ok(()) } else { Err(Problem::new(&kinds::UNKNOWN_ID)) }
    }

    /// Whose rows alone it is shown in a list: a noble its own, a native everybody's.
    #[must_use]
    pub fn only_own(&self) -> Option<IdentityId> {
        (self.tier == Tier::Noble).then_some(self.subject)
    }

    /// The label of the node that calls, or [`kinds::NOT_NODE`].
    pub fn node(&self) -> Result<&str, Problem> {
        self.node.as_deref().ok_or_else(|| Problem::new(&kinds::NOT_NODE))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        parts.extensions.get::<Self>().cloned().ok_or_else(|| Problem::new(&kinds::NO_TOKEN))
    }
}

/// Who may call an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Anybody; a rate limits it.
    Public,
    /// A token of noble tier or above with the scope.
    Noble(Scope),
    /// A token of native tier with the scope.
    Native(Scope),
    /// A token of a node.
    Node,
}

/// Whose things an endpoint shows or changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// Nobody's.
    None,
    /// A noble's own, a native's any.
    Own,
    /// The calling node's.
    Node,
    /// The calling guardian's, whatever his tier.
    Guardian,
    /// Anybody's: the tier is the rule.
    Any,
}

/// Whether an endpoint takes an `Idempotency-Key`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// It reads, or says so itself.
    Plain,
    /// It takes one.
    Key,
    /// It refuses one: its answer must not be repeated.
    Refused,
}

/// One row of the table of endpoints.
#[derive(Clone, Copy, Debug)]
pub struct Endpoint {
    /// As HTTP has it.
    pub method: &'static str,
    /// As the router has it: `/api/v1/dsa/status/{identity_id}`.
    pub path: &'static str,
    /// Who.
    pub level: Level,
    /// Whose.
    pub owner: Owner,
    /// How often.
    pub repeat: Repeat,
    /// The most bytes of its body.
    pub most: u64,
    /// Whether it changes anything: a service that is only read refuses it.
    pub writes: bool,
    /// Whether it answers with a text of the program's own: no rate counts it.
    pub fixed: bool,
    /// At which slot its answers begin to leave: at none where it takes as long in every world.
    pub slots: u32,
    /// Whether the audit log has it though nobody's token came with it: logins, and what enrols.
    pub audited: bool,
    /// When it goes, where it will.
    pub gone: Option<Gone>,
}

/// When an endpoint goes; answers say so (RFC 9745 and RFC 8594).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gone {
    /// Since when it is not to be used, in seconds since 1970.
    pub deprecated: u64,
    /// When it is served no more, in seconds since 1970.
    pub sunset: u64,
}

impl Endpoint {
    /// One that takes JSON. It changes something unless it is a `GET` that may be repeated at will.
    #[must_use]
    pub const fn new(method: &'static str, path: &'static str, level: Level, owner: Owner, repeat: Repeat) -> Self {
        let writes = !matches!(method.as_bytes(), b"GET") || matches!(repeat, Repeat::Refused);
        let most = JSON_BYTES;
        Self { method, path, level, owner, repeat, most, writes, fixed: false, slots: 1, audited: false, gone: None }
    }

    /// One that takes a body of so many bytes.
    #[must_use]
    pub const fn taking(self, most: u64) -> Self {
        Self { most, ..self }
    }

    /// One that changes nothing, whatever its method.
    #[must_use]
    pub const fn reading(self) -> Self {
        Self { writes: false, ..self }
    }

    /// One that answers with a text of the program's own.
    #[must_use]
    pub const fn fixed(self) -> Self {
        Self { fixed: true, ..self }
    }

    /// One that does the same for every caller, and whose answer waits for no slot.
    #[must_use]
    pub const fn at_once(self) -> Self {
        Self { slots: 0, ..self }
    }

    /// One that takes longer than one slot where it is truly done.
    #[must_use]
    pub const fn slow(self) -> Self {
        Self { slots: 8, ..self }
    }

    /// One of anybody's that the audit log has.
    #[must_use]
    pub const fn audited(self) -> Self {
        Self { audited: true, ..self }
    }

    /// Whether its answers leave at set times: it changes something, and does so elsewhere for a caller of the decoy's
    /// world.
    #[must_use]
    pub fn is_even(&self) -> bool {
        self.writes && self.level != Level::Public && self.slots > 0
    }

    /// One that goes.
    #[must_use]
    pub const fn going(self, gone: Gone) -> Self {
        Self { gone: Some(gone), ..self }
    }
}

/// A body of JSON.
pub const JSON_BYTES: u64 = 1 << 20;
/// A document of the vault.
pub const PAYLOAD_BYTES: u64 = 64 << 20;
/// What a form has around a document: a record, names, boundaries.
pub const FORM_BYTES: u64 = 128 << 10;
