"""Who may call what: every address with every caller who may not, by a list of its own beside the service's table."""

from __future__ import annotations

import re
from typing import Any

import pytest
from harness.http import Client, answer, problem
from harness.load import encoded, identity
from harness.trustd import OPERATOR, Trustd
from harness.worlds import LABELS

API = "/api/v1"
NATIVE = {
    "trust": """
        POST /dsa/bela, POST /dsa/rotiraj, GET /dsa/alarms, POST /threshold/sesija, POST /threshold/refresh/prepare,
        POST /threshold/refresh/commit, POST /qt/split, POST /qt/reconstruct, GET /qt/requests/{request_id}/document,
        POST /qt/refresh/prepare, POST /qt/refresh/commit, POST /presence/invitations,
        POST /presence/invitations/{invitation_id}/agree, POST /vault/seal, POST /vault/{id}/unseal,
        POST /vault/{id}/erase""",
    "ops": """
        GET /auth/keys, DELETE /auth/keys/{key_id}, POST /peers/{agent_id}/approve,
        DELETE /peers/{agent_id}, POST /auth/outside, POST /auth/revoke, POST /auth/invitations""",
    "fleet": """
        DELETE /lifecycle/dokument/{identity_id}, POST /fleet/vehicles, PATCH /fleet/vehicles/{vehicle_id},
        GET /fleet/vehicles/{vehicle_id}/zapisi, POST /fleet/border-crossing/{crossing_id}/povuci""",
    "driver": """
        GET /dok/vozilo/{vehicle_id}, DELETE /dok/vozac/{identity_id}""",
    "messaging": """
        POST /messaging/contacts, GET /messaging/contacts, GET /messaging/contacts/{contact_id},
        PATCH /messaging/contacts/{contact_id}, DELETE /messaging/contacts/{contact_id}""",
}
NOBLE = """
    GET /integrity/status, GET /peers,
    POST /messaging/send, GET /messaging/log,
    POST /proof/put, POST /proof/istina, POST /proof/zivot/challenge, POST /proof/zivot, POST /proof/svjedok,
    GET /proof/, GET /proof/{dokaz_id}, DELETE /proof/{dokaz_id},
    POST /lifecycle/dokument, GET /lifecycle/dokument/{identity_id}, PATCH /lifecycle/dokument/{identity_id},
    GET /lifecycle/vlasnik/{vlasnik_id}, GET /lifecycle/dokumenti,
    GET /dok/vozac/{identity_id}, GET /dok/dokument/{identity_id},
    POST /dok/create, GET /dok/my-recent, GET /dok/vozila, GET /dok/nedostaci/{vehicle_id}, POST /photos/upload,
    GET /photos/{identity_id}, GET /fleet/policy, GET /fleet/vehicles, GET /fleet/vehicles/{vehicle_id},
    GET /fleet/status/{vehicle_id},
    GET /fleet/crossings/{vehicle_id}, POST /fleet/border-crossing, GET /fleet/fleet-overview, GET /fleet/levels,
    GET /fleet/reports, POST /fleet/reports/{report_id},
    POST /dsa/keypair, POST /dsa/potpisi, POST /dsa/potpisi-json, GET /dsa/status/{identity_id},
    GET /threshold/sesija/{session_id}, POST /threshold/potpisi, GET /threshold/borg/kvorum, POST /threshold/requests,
    GET /qt/vaults, GET /qt/requests/open, GET /qt/requests/{request_id}, POST /qt/requests/{request_id}/proofs,
    POST /presence/vouch/begin, POST /presence/vouch/finish, GET /presence/authenticators,
    DELETE /presence/authenticators/{authenticator_id}, GET /vault/, GET /vault/{id},
    GET /world/djeca, POST /world/dijete, PATCH /world/dijete/{dijete_id}, DELETE /world/dijete/{dijete_id},
    GET /world/dijete/{dijete_id}/sadrzaj, GET /world/dijete/{dijete_id}/nasljedstvo,
    GET /world/dijete/{dijete_id}/memorija, POST /world/dijete/{dijete_id}/memorija,
    DELETE /world/dijete/{dijete_id}/memorija/{memorija_id}"""
# Asked of those who have every scope but this one.
MODELS = "POST /models/messages, GET /models/spend"
NODE = """
    POST /threshold/udio, GET /threshold/udio/{session_id}/{n}, POST /threshold/udio/{session_id}/ack,
    POST /threshold/udio/{session_id}/order, GET /threshold/requests, GET /qt/shard/{vault_id},
    POST /qt/shard/{vault_id}/ack, POST /qt/shard/{vault_id}/order, GET /qt/requests,
    POST /qt/requests/{request_id}/shards"""
PUBLIC = """
    POST /peers/challenge, POST /peers/register,
    GET /mesh/health,
    GET /auth/zdravlje, POST /auth/challenge, POST /auth/token, POST /auth/exchange, POST /auth/enrol,
    GET /log/checkpoint, GET /log/proof/{seq}, GET /log/consistency, GET /log/entry, GET /log/entries,
    GET /log/tile/{tile}, POST /log/cosignatures, GET /dsa/health, POST /dsa/provjeri, GET /threshold/health,
    POST /threshold/provjeri,
    GET /qt/health, POST /qt/verify, POST /presence/enrol/begin, POST /presence/enrol/finish, GET /vault/health,
    POST /vault/verify, GET /messaging/health, GET /lifecycle/health, GET /fleet/health, GET /dok/health,
    GET /dok/provjera/{token}, GET /health, GET /world/health, GET /token-economy/stats, GET /token-economy/health,
    GET /proof/health, GET /proof/svjedoci, GET /models/health"""
# No token stands behind what providers send, but a signature.
FORM = "application/x-www-form-urlencoded"
SIGNED = {
    "POST /messaging/inbound/sms": FORM,
    "POST /messaging/inbound/sms/status": FORM,
    "POST /messaging/inbound/email": "message/rfc822",
}
MODULES = re.compile(
    rf"{API}/(auth|log|dsa|threshold|qt|presence|vault|messaging|lifecycle|fleet|dok|photos|integrity|mesh|peers|proof"
    r"|models)(/|$)"
    rf"|{API}/token-economy/|/world/|/health$"
)
# What does not stand under API.
APART = ("/world/", "/health")


def listed(text: str) -> set[str]:
    """Methods and paths."""
    return {one.strip() for one in text.split(",")}


def ask(client: Client, operation: str) -> Any:
    """Asks with names that nobody has: who may not call is told so before anything is looked up."""
    method, path = operation.split()
    path = re.sub(r"\{\w+\}", "ab" * 32, path)
    path = path if path.startswith(APART) else f"{API}{path}"
    return client.request(method, path, **({"json": {}} if method == "POST" else {}))


@pytest.fixture(scope="module")
def callers(service: Trustd, native: Client) -> dict[str, Client]:
    """One of each kind, and what each may not is somebody else's."""
    own = identity(native, "own")
    for label in LABELS:
        service.run("node add", "--label", label, "--subject", identity(native, label))
    return {
        "nobody": service.client(),
        "noble": service.client(service.token(own, "noble", "trust ops messaging fleet driver family proof")),
        "native": service.client(service.token(OPERATOR, "native", "trust ops messaging fleet driver family proof")),
        "elsewhere": service.client(service.token(OPERATOR, "native", "models")),
        "node": service.client(service.run("token issue", "--node", LABELS[0]).strip()),
    }


def test_every_address_has_its_level(service: Trustd) -> None:
    paths = answer(service.client().get("/openapi.json"))["paths"]
    served = {
        f"{method.upper()} {path.removeprefix(API)}"
        for path, methods in paths.items()
        for method in methods
        if MODULES.match(path)
    }
    levels = [listed(text) for text in (*NATIVE.values(), NOBLE, MODELS, NODE, PUBLIC)] + [set(SIGNED)]
    assert served == set().union(*levels)
    assert sum(map(len, levels)) == len(served)


def test_who_may_not_is_refused(callers: dict[str, Client]) -> None:
    natives = set().union(*map(listed, NATIVE.values()))
    for operation in natives | listed(NOBLE) | listed(MODELS) | listed(NODE):
        problem(ask(callers["nobody"], operation), 401, "no-token")
    for operation in natives | listed(NOBLE):
        problem(ask(callers["elsewhere"], operation), 403, "scope-missing")
    for operation in listed(MODELS):
        for name in ("noble", "native", "node"):
            problem(ask(callers[name], operation), 403, "scope-missing")
        assert ask(callers["elsewhere"], operation).status_code != 403, operation
    for operation in natives:
        problem(ask(callers["noble"], operation), 403, "tier-too-low")
        problem(ask(callers["node"], operation), 403, "tier-too-low")
    for operation in listed(NOBLE):
        problem(ask(callers["node"], operation), 403, "scope-missing")
    for operation in listed(NODE):
        for name in ("noble", "native", "elsewhere"):
            problem(ask(callers[name], operation), 403, "not-this-node")
    for operation in listed(PUBLIC):
        assert ask(callers["nobody"], operation).status_code not in (401, 403), operation
    for operation, kind in SIGNED.items():
        path = f"{API}{operation.split()[1]}"
        for client in callers.values():
            problem(client.post(path, data="Body=PANIC", headers={"Content-Type": kind}), 403, "bad-signature")


def test_what_is_not_ones_own_is_not_there(callers: dict[str, Client]) -> None:
    native, noble = callers["native"], callers["noble"]
    others = {"identity_id": identity(native, "others")}
    content = {"content_b64": encoded(b"x")}
    sealed = answer(
        native.post(f"{API}/vault/seal", others | {"payload_b64": encoded(b"x"), "type": "CONTRACT"}), 201
    )["vault_id"]
    session = answer(native.post(f"{API}/threshold/sesija", {"n": 3, "k": 2}), 201)["session_id"]
    document = {"vlasnik_id": others["identity_id"], "tip": "MEDICAL", "naslov": "x", "vrijedi_do": "2030-01-31"}
    filed = answer(native.post(f"{API}/lifecycle/dokument", document), 201)["identity_id"]
    for client, is_there in ((native, True), (noble, False)):
        for response in (
            client.post(f"{API}/dsa/keypair", others),
            client.post(f"{API}/dsa/potpisi", others | content),
            client.post(f"{API}/dsa/potpisi-json", others | {"object": {"a": 1}}),
            client.post(f"{API}/presence/vouch/begin", others),
            client.get(f"{API}/dsa/status/{others['identity_id']}"),
            client.get(f"{API}/vault/{sealed}"),
            client.get(f"{API}/threshold/sesija/{session}"),
            client.get(f"{API}/threshold/borg/kvorum", params={"session_id": session}),
            client.get(f"{API}/presence/authenticators", params=others),
            client.post(f"{API}/lifecycle/dokument", document),
            client.get(f"{API}/lifecycle/dokument/{filed}"),
            client.request("PATCH", f"{API}/lifecycle/dokument/{filed}", json={}, headers={"If-Match": '"7"'}),
            client.get(f"{API}/lifecycle/vlasnik/{others['identity_id']}"),
        ):
            if is_there:
                assert response.status_code in (200, 201, 409), response.text
            else:
                problem(response, 404, "unknown-id")
    mine = answer(noble.get(f"{API}/vault/"))["items"]
    assert mine == [] and [one["vault_id"] for one in answer(native.get(f"{API}/vault/"))["items"]] == [sealed]
