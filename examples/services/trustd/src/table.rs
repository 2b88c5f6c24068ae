//! Every endpoint: who may call it, for whom, how often, and how much it takes. What is not in here is not served, and
//! a test holds the router and the documentation to it.

use platform::access::{Endpoint, FORM_BYTES, Level, Owner, PAYLOAD_BYTES, Repeat, Scope};

const TRUST: Level = Level::Noble(Scope::Trust);
const NATIVE: Level = Level::Native(Scope::Trust);
const FLEET: Level = Level::Noble(Scope::Fleet);
const FLEET_NATIVE: Level = Level::Native(Scope::Fleet);
const DRIVER: Level = Level::Noble(Scope::Driver);
const DRIVER_NATIVE: Level = Level::Native(Scope::Driver);
const MESSAGING: Level = Level::Noble(Scope::Messaging);
const MESSAGING_NATIVE: Level = Level::Native(Scope::Messaging);
const OPS_NOBLE: Level = Level::Noble(Scope::Ops);
const FAMILY: Level = Level::Noble(Scope::Family);
const PROOF: Level = Level::Noble(Scope::Proof);
const MODELS: Level = Level::Noble(Scope::Models);
const OPS: Level = Level::Native(Scope::Ops);

/// A form of a provider of short messages.
const SMS_BYTES: u64 = 64 << 10;
/// A photo.
pub(crate) const PHOTO_BYTES: u64 = 10 << 20;
/// An e-mail with what comes with it.
pub(crate) const MAIL_BYTES: u64 = 24 << 20;

const fn row(method: &'static str, path: &'static str, level: Level, owner: Owner, repeat: Repeat) -> Endpoint {
    Endpoint::new(method, path, level, owner, repeat)
}

/// One that takes a document, in a form with some text around it.
const fn payload(path: &'static str, level: Level, owner: Owner, repeat: Repeat) -> Endpoint {
    Endpoint::new("POST", path, level, owner, repeat).taking(PAYLOAD_BYTES + FORM_BYTES)
}

use Level::{Node, Public};
use Owner::{Any, Guardian, Node as OfNode, None as Nobody, Own};
use Repeat::{Key, Plain, Refused};

/// The table.
pub const TABLE: &[Endpoint] = &[
    // What the service says of itself.
    row("GET", "/openapi.json", Public, Nobody, Plain),
    row("GET", "/docs", Public, Nobody, Plain),
    row("GET", "/docs/", Public, Nobody, Plain),
    row("GET", "/docs/{file}", Public, Nobody, Plain),
    row("GET", "/problems/", Public, Nobody, Plain),
    row("GET", "/problems/{code}", Public, Nobody, Plain),
    row("GET", "/.well-known/jwks.json", Public, Nobody, Plain),
    // Tokens.
    row("GET", "/api/v1/auth/zdravlje", Public, Nobody, Plain),
    row("POST", "/api/v1/auth/challenge", Public, Nobody, Refused),
    row("POST", "/api/v1/auth/token", Public, Nobody, Refused).audited(),
    row("POST", "/api/v1/auth/exchange", Public, Nobody, Refused).audited(),
    row("POST", "/api/v1/auth/enrol", Public, Nobody, Refused).audited(),
    row("GET", "/api/v1/auth/keys", OPS, Any, Plain),
    row("DELETE", "/api/v1/auth/keys/{key_id}", OPS, Any, Plain),
    row("POST", "/api/v1/auth/outside", OPS, Any, Refused),
    row("POST", "/api/v1/auth/revoke", OPS, Any, Refused),
    row("POST", "/api/v1/auth/invitations", OPS, Any, Refused),
    // The log.
    row("GET", "/api/v1/log/checkpoint", Public, Nobody, Plain),
    row("GET", "/api/v1/log/proof/{seq}", Public, Nobody, Plain),
    row("GET", "/api/v1/log/consistency", Public, Nobody, Plain),
    row("GET", "/api/v1/log/entry", Public, Nobody, Plain),
    row("GET", "/api/v1/log/entries", Public, Nobody, Plain),
    row("GET", "/api/v1/log/tile/{*tile}", Public, Nobody, Plain),
    row("POST", "/api/v1/log/cosignatures", Public, Nobody, Refused),
    // dsa
    row("GET", "/api/v1/dsa/health", Public, Nobody, Plain),
    row("POST", "/api/v1/dsa/keypair", TRUST, Own, Key),
    payload("/api/v1/dsa/potpisi", TRUST, Own, Key).at_once(),
    row("POST", "/api/v1/dsa/potpisi-json", TRUST, Own, Key).at_once(),
    payload("/api/v1/dsa/provjeri", Public, Nobody, Refused).reading(),
    row("GET", "/api/v1/dsa/status/{identity_id}", TRUST, Own, Plain),
    row("POST", "/api/v1/dsa/bela", NATIVE, Any, Key).slow(),
    row("POST", "/api/v1/dsa/rotiraj", NATIVE, Any, Key).slow(),
    row("GET", "/api/v1/dsa/alarms", NATIVE, Any, Plain),
    // threshold
    row("GET", "/api/v1/threshold/health", Public, Nobody, Plain),
    row("POST", "/api/v1/threshold/sesija", NATIVE, Any, Key).slow(),
    row("GET", "/api/v1/threshold/sesija/{session_id}", TRUST, Own, Plain),
    row("POST", "/api/v1/threshold/potpisi", TRUST, Own, Key),
    row("POST", "/api/v1/threshold/provjeri", Public, Nobody, Refused).reading(),
    row("POST", "/api/v1/threshold/udio", Node, OfNode, Refused),
    row("GET", "/api/v1/threshold/udio/{session_id}/{n}", Node, OfNode, Refused),
    row("POST", "/api/v1/threshold/udio/{session_id}/ack", Node, OfNode, Refused),
    row("POST", "/api/v1/threshold/udio/{session_id}/order", Node, OfNode, Refused),
    row("GET", "/api/v1/threshold/borg/kvorum", TRUST, Own, Plain),
    row("POST", "/api/v1/threshold/requests", TRUST, Own, Key),
    row("GET", "/api/v1/threshold/requests", Node, OfNode, Plain),
    row("POST", "/api/v1/threshold/refresh/prepare", NATIVE, Any, Key),
    row("POST", "/api/v1/threshold/refresh/commit", NATIVE, Any, Key).slow(),
    // qt
    row("GET", "/api/v1/qt/health", Public, Nobody, Plain),
    row("POST", "/api/v1/qt/split", NATIVE, Any, Key),
    row("POST", "/api/v1/qt/reconstruct", NATIVE, Any, Refused),
    row("GET", "/api/v1/qt/vaults", TRUST, Own, Plain),
    row("GET", "/api/v1/qt/shard/{vault_id}", Node, OfNode, Refused),
    row("POST", "/api/v1/qt/shard/{vault_id}/ack", Node, OfNode, Refused),
    row("POST", "/api/v1/qt/shard/{vault_id}/order", Node, OfNode, Refused),
    row("POST", "/api/v1/qt/verify", Public, Nobody, Refused).reading(),
    row("GET", "/api/v1/qt/requests", Node, OfNode, Plain),
    // Whoever approves sees what he approves.
    row("GET", "/api/v1/qt/requests/open", TRUST, Own, Plain),
    row("GET", "/api/v1/qt/requests/{request_id}", TRUST, Own, Plain),
    row("POST", "/api/v1/qt/requests/{request_id}/proofs", TRUST, Own, Refused),
    row("POST", "/api/v1/qt/requests/{request_id}/shards", Node, OfNode, Refused),
    row("GET", "/api/v1/qt/requests/{request_id}/document", NATIVE, Any, Refused),
    row("POST", "/api/v1/qt/refresh/prepare", NATIVE, Any, Key),
    row("POST", "/api/v1/qt/refresh/commit", NATIVE, Any, Key).slow(),
    // Who shows that he is present: an invitation is its own authority.
    row("GET", "/presence/", Public, Nobody, Plain).fixed(),
    row("GET", "/presence/{file}", Public, Nobody, Plain).fixed(),
    row("POST", "/api/v1/presence/invitations", NATIVE, Any, Refused),
    row("POST", "/api/v1/presence/invitations/{invitation_id}/agree", NATIVE, Any, Refused),
    row("POST", "/api/v1/presence/enrol/begin", Public, Nobody, Refused).audited(),
    row("POST", "/api/v1/presence/enrol/finish", Public, Nobody, Refused).audited(),
    row("POST", "/api/v1/presence/vouch/begin", TRUST, Own, Refused),
    row("POST", "/api/v1/presence/vouch/finish", TRUST, Own, Refused),
    row("GET", "/api/v1/presence/authenticators", TRUST, Own, Plain),
    row("DELETE", "/api/v1/presence/authenticators/{authenticator_id}", TRUST, Own, Plain),
    // vault
    row("GET", "/api/v1/vault/health", Public, Nobody, Plain),
    payload("/api/v1/vault/seal", NATIVE, Any, Key),
    payload("/api/v1/vault/verify", Public, Nobody, Refused).reading(),
    row("GET", "/api/v1/vault/", TRUST, Own, Plain),
    row("GET", "/api/v1/vault/{id}", TRUST, Own, Plain),
    row("POST", "/api/v1/vault/{id}/unseal", NATIVE, Any, Refused),
    row("POST", "/api/v1/vault/{id}/erase", NATIVE, Any, Refused).slow(),
    // proof: each is another one, however often it is asked for.
    row("GET", "/api/v1/proof/health", Public, Nobody, Plain),
    row("POST", "/api/v1/proof/put", PROOF, Own, Refused).slow(),
    row("POST", "/api/v1/proof/istina", PROOF, Own, Refused).slow(),
    row("POST", "/api/v1/proof/zivot/challenge", PROOF, Own, Refused),
    row("POST", "/api/v1/proof/zivot", PROOF, Own, Refused).slow(),
    row("POST", "/api/v1/proof/svjedok", PROOF, Own, Refused).slow(),
    row("GET", "/api/v1/proof/svjedoci", Public, Nobody, Plain),
    row("GET", "/api/v1/proof/", PROOF, Own, Plain),
    row("GET", "/api/v1/proof/{dokaz_id}", PROOF, Own, Plain),
    row("DELETE", "/api/v1/proof/{dokaz_id}", PROOF, Own, Plain).slow(),
    // messaging: what comes in is signed by who sends it.
    row("GET", "/api/v1/messaging/health", Public, Nobody, Plain),
    row("POST", "/api/v1/messaging/inbound/sms", Public, Nobody, Refused).taking(SMS_BYTES),
    row("POST", "/api/v1/messaging/inbound/sms/status", Public, Nobody, Refused).taking(SMS_BYTES),
    row("POST", "/api/v1/messaging/inbound/email", Public, Nobody, Refused).taking(MAIL_BYTES),
    row("POST", "/api/v1/messaging/send", MESSAGING, Own, Key),
    row("GET", "/api/v1/messaging/log", MESSAGING, Own, Plain),
    row("POST", "/api/v1/messaging/contacts", MESSAGING_NATIVE, Any, Key),
    row("GET", "/api/v1/messaging/contacts", MESSAGING_NATIVE, Any, Plain),
    row("GET", "/api/v1/messaging/contacts/{contact_id}", MESSAGING_NATIVE, Any, Plain),
    row("PATCH", "/api/v1/messaging/contacts/{contact_id}", MESSAGING_NATIVE, Any, Plain),
    row("DELETE", "/api/v1/messaging/contacts/{contact_id}", MESSAGING_NATIVE, Any, Plain),
    // fleet
    row("GET", "/api/v1/fleet/health", Public, Nobody, Plain),
    row("GET", "/api/v1/fleet/policy", FLEET, Any, Plain),
    row("POST", "/api/v1/fleet/vehicles", FLEET_NATIVE, Any, Key),
    row("GET", "/api/v1/fleet/vehicles", FLEET, Any, Plain),
    row("GET", "/api/v1/fleet/vehicles/{vehicle_id}", FLEET, Any, Plain),
    row("PATCH", "/api/v1/fleet/vehicles/{vehicle_id}", FLEET_NATIVE, Any, Plain),
    row("GET", "/api/v1/fleet/vehicles/{vehicle_id}/zapisi", FLEET_NATIVE, Any, Plain),
    row("GET", "/api/v1/fleet/status/{vehicle_id}", FLEET, Any, Plain),
    row("GET", "/api/v1/fleet/crossings/{vehicle_id}", FLEET, Any, Plain),
    row("POST", "/api/v1/fleet/border-crossing", FLEET, Any, Key),
    row("POST", "/api/v1/fleet/border-crossing/{crossing_id}/povuci", FLEET_NATIVE, Any, Key),
    row("GET", "/api/v1/fleet/fleet-overview", FLEET, Any, Plain),
    row("GET", "/api/v1/fleet/levels", FLEET, Any, Plain),
    row("GET", "/api/v1/fleet/reports", FLEET, Any, Plain),
    row("POST", "/api/v1/fleet/reports/{report_id}", FLEET, Any, Key),
    row("GET", "/fleet/", Public, Nobody, Plain).fixed(),
    row("GET", "/fleet/{file}", Public, Nobody, Plain).fixed(),
    // driver: whose documents and photos are his alone, a native's too.
    row("GET", "/api/v1/dok/health", Public, Nobody, Plain),
    row("POST", "/api/v1/dok/create", DRIVER, Own, Key),
    row("GET", "/api/v1/dok/my-recent", DRIVER, Own, Plain),
    row("GET", "/api/v1/dok/vozac/{identity_id}", DRIVER, Own, Plain),
    row("DELETE", "/api/v1/dok/vozac/{identity_id}", DRIVER_NATIVE, Any, Plain).slow(),
    row("GET", "/api/v1/dok/vozilo/{vehicle_id}", DRIVER_NATIVE, Any, Plain),
    row("GET", "/api/v1/dok/dokument/{identity_id}", DRIVER, Own, Plain),
    row("GET", "/api/v1/dok/vozila", DRIVER, Any, Plain),
    row("GET", "/api/v1/dok/nedostaci/{vehicle_id}", DRIVER, Any, Plain),
    row("GET", "/api/v1/dok/provjera/{token}", Public, Nobody, Plain),
    row("POST", "/api/v1/photos/upload", DRIVER, Own, Plain).taking(PHOTO_BYTES),
    row("GET", "/api/v1/photos/{identity_id}", DRIVER, Own, Plain),
    row("GET", "/driver/", Public, Nobody, Plain).fixed(),
    row("GET", "/driver/{file}", Public, Nobody, Plain).fixed(),
    row("GET", "/driver/v/{token}", Public, Nobody, Plain),
    // integrity
    row("GET", "/api/v1/integrity/status", OPS_NOBLE, Any, Plain),
    // mesh
    row("GET", "/api/v1/mesh/health", Public, Nobody, Plain),
    // family: whose child it is not, is told that it is none of his, whatever his tier.
    row("GET", "/health", Public, Nobody, Plain),
    row("GET", "/world/health", Public, Nobody, Plain),
    row("GET", "/world/djeca", FAMILY, Guardian, Plain),
    row("POST", "/world/dijete", FAMILY, Guardian, Key),
    row("PATCH", "/world/dijete/{dijete_id}", FAMILY, Guardian, Plain),
    row("DELETE", "/world/dijete/{dijete_id}", FAMILY, Guardian, Plain),
    row("GET", "/world/dijete/{dijete_id}/sadrzaj", FAMILY, Guardian, Plain),
    row("POST", "/world/dijete/{dijete_id}/memorija", FAMILY, Guardian, Key),
    row("GET", "/world/dijete/{dijete_id}/memorija", FAMILY, Guardian, Plain),
    row("DELETE", "/world/dijete/{dijete_id}/memorija/{memorija_id}", FAMILY, Guardian, Plain),
    row("GET", "/world/dijete/{dijete_id}/nasljedstvo", FAMILY, Guardian, Plain),
    // What is planned.
    row("GET", "/api/v1/token-economy/stats", Public, Nobody, Plain),
    row("GET", "/api/v1/token-economy/health", Public, Nobody, Plain),
    // peers
    row("POST", "/api/v1/peers/challenge", Public, Nobody, Refused).reading(),
    row("POST", "/api/v1/peers/register", Public, Nobody, Refused).audited(),
    row("GET", "/api/v1/peers", OPS_NOBLE, Any, Plain),
    row("POST", "/api/v1/peers/{agent_id}/approve", OPS, Any, Refused),
    row("DELETE", "/api/v1/peers/{agent_id}", OPS, Any, Plain),
    // models: each question is another one. A thief is refused by the same steps as who has spent his budget.
    row("GET", "/api/v1/models/health", Public, Nobody, Plain),
    row("POST", "/api/v1/models/messages", MODELS, Own, Refused).at_once(),
    row("GET", "/api/v1/models/spend", MODELS, Own, Plain),
    // lifecycle
    row("GET", "/api/v1/lifecycle/health", Public, Nobody, Plain),
    row("POST", "/api/v1/lifecycle/dokument", FLEET, Own, Key),
    row("GET", "/api/v1/lifecycle/dokument/{identity_id}", FLEET, Own, Plain),
    row("PATCH", "/api/v1/lifecycle/dokument/{identity_id}", FLEET, Own, Plain),
    row("DELETE", "/api/v1/lifecycle/dokument/{identity_id}", FLEET_NATIVE, Any, Plain),
    row("GET", "/api/v1/lifecycle/vlasnik/{vlasnik_id}", FLEET, Own, Plain),
    row("GET", "/api/v1/lifecycle/dokumenti", FLEET, Own, Plain),
];
