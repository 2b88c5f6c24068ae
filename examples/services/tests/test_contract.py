"""The service does what its own document says: schemathesis with every check on, over examples, bounds, drawn requests
and chains of them. SERVICES_EXAMPLES is how many requests it draws for each operation and phase. With fewer than MANY
the bounds, of which most are refused before a database is asked, are tried on the file alone, and two of the methods
that an address does not have.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from harness import configuration
from harness.http import Client, answer
from harness.load import checkpoint, encoded, entry, identity
from harness.trustd import Trustd

EXAMPLES = int(os.environ.get("SERVICES_EXAMPLES", "4"))
MANY = 40
SOME_METHODS = ["put", "trace"]
PHASES = ["examples", "coverage", "fuzzing", "stateful"]
# The same requests each time: what is found can be found again.
NODE = "https://node-1.example"
SEED = 20261123
# Among ids drawn at random there is none that the service knows: most requests take these.
SEEDED = 0.8
SECONDS = 300 + 60 * EXAMPLES
REFUSED = [400, 401, 403, 404, 405, 406, 409, 415, 422, 428, 429, 431]
REFUSED_HEADERS = [400, 401, 403, 406, 415, 422]
ACCEPTED = ["2xx", "3xx", 401, 403, 404, 409, 422, 429]
# An operation that nobody got past its authority, or whose ids were all unknown, was not tested.
# These need ids that belong together, are used up by the first who calls, or want what nobody can draw: a signature, an
# outside token. What they do is tried by the tests of their modules.
ONCE = {
    "POST /api/v1/qt/requests/{request_id}/proofs",
    "POST /api/v1/auth/enrol",
    "POST /api/v1/auth/exchange",
    "POST /api/v1/auth/token",
    "DELETE /api/v1/auth/keys/{key_id}",
    "DELETE /api/v1/presence/authenticators/{authenticator_id}",
    "POST /api/v1/presence/invitations/{invitation_id}/agree",
    "POST /api/v1/presence/vouch/begin",
    "POST /api/v1/dsa/potpisi",
    "POST /api/v1/qt/reconstruct",
    "POST /api/v1/qt/refresh/commit",
    "POST /api/v1/qt/refresh/prepare",
    "GET /api/v1/qt/requests/{request_id}/document",
    "POST /api/v1/qt/requests/{request_id}/shards",
    "POST /api/v1/threshold/potpisi",
    "POST /api/v1/threshold/refresh/commit",
    "POST /api/v1/threshold/refresh/prepare",
    "POST /api/v1/vault/{id}/unseal",
    # What was erased is not there for the next request.
    "POST /api/v1/vault/{id}/erase",
    "POST /api/v1/qt/shard/{vault_id}/ack",
    "POST /api/v1/threshold/udio",
    "POST /api/v1/threshold/udio/{session_id}/ack",
    "POST /api/v1/threshold/udio/{session_id}/order",
    # Identities are those of signers, and a version that was drawn is not the one that stands.
    "GET /api/v1/lifecycle/dokument/{identity_id}",
    "PATCH /api/v1/lifecycle/dokument/{identity_id}",
    "DELETE /api/v1/lifecycle/dokument/{identity_id}",
    # A version that was drawn is not the one that stands, and a plate is taken once; a report wants a code to be there.
    "PATCH /api/v1/fleet/vehicles/{vehicle_id}",
    "POST /api/v1/fleet/vehicles",
    "POST /api/v1/fleet/reports/{report_id}",
    "POST /api/v1/fleet/border-crossing/{crossing_id}/povuci",
    # A proof is made of what was filed, answered or seen before.
    "GET /api/v1/proof/{dokaz_id}",
    "DELETE /api/v1/proof/{dokaz_id}",
    "POST /api/v1/proof/zivot",
    # What is drawn is no photo, and a document of a driver's is of another vehicle, or has photos that nobody sent.
    "POST /api/v1/photos/upload",
    "GET /api/v1/photos/{identity_id}",
    "POST /api/v1/dok/create",
    # Their identities are not those of signers, and a driver's documents go once.
    "GET /api/v1/dok/dokument/{identity_id}",
    "DELETE /api/v1/dok/vozac/{identity_id}",
    # Webhooks want a signature; a contact that was erased is not there for the next request.
    "POST /api/v1/messaging/inbound/sms",
    "POST /api/v1/messaging/inbound/sms/status",
    "POST /api/v1/messaging/inbound/email",
    "POST /api/v1/messaging/send",
    "GET /api/v1/messaging/contacts/{contact_id}",
    # A proof wants a key, and who was removed is not there for the next request.
    "POST /api/v1/peers/register",
    "POST /api/v1/peers/{agent_id}/approve",
    "DELETE /api/v1/peers/{agent_id}",
    "PATCH /api/v1/messaging/contacts/{contact_id}",
    "DELETE /api/v1/messaging/contacts/{contact_id}",
    # A child that was erased is not there for the next request.
    "PATCH /world/dijete/{dijete_id}",
    "DELETE /world/dijete/{dijete_id}",
    "GET /world/dijete/{dijete_id}/sadrzaj",
    "POST /world/dijete/{dijete_id}/memorija",
    "GET /world/dijete/{dijete_id}/memorija",
    "DELETE /world/dijete/{dijete_id}/memorija/{memorija_id}",
    "GET /world/dijete/{dijete_id}/nasljedstvo",
}
# What says that it is planned fails as a server's fault does; the tests of family hold it to that.
PLANNED = {"GET /api/v1/token-economy/stats", "GET /api/v1/token-economy/health"}
WARNINGS = ("missing_auth", "missing_test_data", "unused_openapi_auth")


def test_the_service_keeps_its_contract(service: Trustd, native: Client, tmp_path: Path) -> None:
    is_file = service.backend == configuration.local()
    phases = [phase for phase in PHASES if phase != "coverage" or is_file or EXAMPLES >= MANY]
    document = answer(service.client().get("/openapi.json"))
    tiers = {
        f"{method.upper()} {path}": operation["x-tier"]
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method in METHODS
    }
    of_nodes = {name for name, tier in tiers.items() if tier == "node"}
    known = seeds(service, native)
    by_node, by_native = service.run("token issue", "--node", NODE).strip(), service.first_token()
    run(service, document, known, by_node, set(tiers) - of_nodes, (tmp_path, phases))
    run(service, document, known, by_native, of_nodes | PLANNED, (tmp_path, phases))
    service.run("chain verify")


def run(
    service: Trustd,
    document: dict[str, Any],
    known: dict[str, list[str | int]],
    token: str,
    left_out: set[str],
    how: tuple[Path, list[str]],
) -> None:
    """One run with a caller's token over what that caller may do, in a folder, of these phases."""
    folder, phases = how
    report, config = folder / "report.ndjson", folder / "schemathesis.toml"
    write(config, document, known, token)
    narrow(config, left_out)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(config)),
            *("run", f"{service.address}/openapi.json", "--url", service.address, "--checks", "all"),
            *("--continue-on-failure", "--no-color", "--phases", ",".join(phases)),
            *("--seed", str(SEED), "--max-examples", str(EXAMPLES), "--request-timeout", "30"),
            *("--report", "ndjson", "--report-ndjson-path", str(report)),
        ],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        cwd=folder,
        env=os.environ | {"SCHEMATHESIS_HOOKS": str(CHECK)},
    )
    print(done.stdout)
    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr
    operations = {
        f"{method.upper()} {path}" for path, item in document["paths"].items() for method in item if method in METHODS
    }
    # Chains of requests have a label of their own; the document itself is asked for, and not tried.
    assert labels(report) - {"Stateful tests"} == operations - left_out - {"GET /openapi.json"}


CHECK = Path(__file__).parent / "harness" / "contract.py"
METHODS = ("get", "put", "post", "delete", "patch")


def seeds(service: Trustd, native: Client) -> dict[str, list[str | int]]:
    """Ids that are known, by the names that the operations of the document give them."""
    signers = [identity(native, f"contract {number}") for number in range(3)]
    # The one whose document, session and requests the others below are.
    found: dict[str, list[str | int]] = {"identity_id": signers[:1]}
    handles = []
    for signer in signers:
        body = {"identity_id": signer, "content_b64": encoded(b"contract")}
        handles.append(answer(native.post("/api/v1/dsa/potpisi", body), 201)["krunica_hash"])
    found["krunica_hash"] = handles
    found["seq"] = [entry(service.client(), handle)["seq"] for handle in handles]
    more = {
        "/api/v1/vault/seal": {"payload_b64": encoded(b"contract"), "type": "document", "identity_id": signers[0]},
        "/api/v1/threshold/sesija": {"n": 3, "k": 2},
        "/api/v1/presence/invitations": {"identity_id": signers[0]},
        "/api/v1/auth/invitations": {"identity_id": signers[0], "tier": "noble", "scopes": ["trust"]},
    }
    nodes = [NODE, "https://node-2.example", "https://node-3.example"]
    for number, label in enumerate(nodes):
        service.run("node add", "--label", label, "--subject", f"{number:064x}")
    made = {path: answer(native.post(path, body), 201) for path, body in more.items()}
    vault_id = made["/api/v1/vault/seal"]["vault_id"]
    found["id"] = found["vault_id"] = [vault_id]
    found["session_id"] = [made["/api/v1/threshold/sesija"]["session_id"]]
    found["invitation_id"] = [made["/api/v1/presence/invitations"]["invitation_id"]]
    among = {"vault_id": vault_id, "identity_id": signers[0], "m": 2, "n": 3, "node_urls": nodes}
    split = answer(native.post("/api/v1/qt/split", among), 201)
    found["split_id"] = [split["split_id"], made["/api/v1/threshold/sesija"]["split_id"]]
    asked = {"session_id": found["session_id"][0], "identity_id": signers[0], "namjena": "potpis"}
    signing = native.post("/api/v1/threshold/requests", asked | {"poruka_b64": encoded(b"contract")})
    login = {"invitation": made["/api/v1/auth/invitations"]["invitation"], "public_key": drawn_key(), "label": "x"}
    found["key_id"] = [answer(service.client().post("/api/v1/auth/enrol", login), 201)["key_id"]]
    people = [{"name": f"Contact {number}", "language": "en", "relay": f"{number}"} for number in range(3)]
    contacts = [answer(native.post("/api/v1/messaging/contacts", one), 201) for one in people]
    found["contact_id"] = [contact["contact_id"] for contact in contacts]
    document = {"vlasnik_id": signers[0], "tip": "MEDICAL", "naslov": "contract", "vrijedi_do": "2030-01-31"}
    found["vlasnik_id"] = [*signers[:1]]
    answer(native.post("/api/v1/lifecycle/dokument", document), 201)
    vehicle = {"registracija": "ZG 1", "maticna_drzava": "HR", "vlasnik_id": signers[0]}
    found["vehicle_id"] = [answer(native.post("/api/v1/fleet/vehicles", vehicle), 201)["vehicle_id"]]
    odometer = {"dokument_id": found["vehicle_id"][0], "vrijeme": "2026-01-05T10:00:00.000Z", "tip": "ODOMETER"}
    odometer |= {"vehicle_id": found["vehicle_id"][0], "kilometri": 7}
    filed = answer(native.post("/api/v1/dok/create", odometer), 201)
    found["token"] = [filed["provjera"].rsplit("/", 1)[1]]
    child = {"ime": "Maja", "rodjen": "2019-05-31", "jezik": "hr"}
    found["dijete_id"] = [answer(native.post("/world/dijete", child), 201)["identity_id"]]
    memory = native.post(f"/world/dijete/{found['dijete_id'][0]}/memorija", {"tekst": "contract"})
    found["memorija_id"] = [answer(memory, 201)["memorija_id"]]
    covering(service.client(), split["seq"])
    rebuilding = native.post("/api/v1/qt/reconstruct", {"vault_id": vault_id, "identity_id": signers[0]})
    found["request_id"] = [answer(one, 201)["request_id"] for one in (signing, rebuilding)]
    return found


def drawn_key() -> str:
    """A public key whose private half nobody keeps."""
    return Ed25519PrivateKey.generate().public_key().public_bytes_raw().hex()


def covering(client: Client, seq: int) -> None:
    """Waits until a checkpoint covers an entry."""
    end = time.monotonic() + 30
    while checkpoint(client)["size"] <= seq:
        assert time.monotonic() < end, f"no checkpoint covers entry {seq}"
        time.sleep(0.2)


def write(file: Path, document: dict[str, Any], known: dict[str, list[str | int]], token: str) -> None:
    """The configuration of schemathesis. It knows the token by the document's own scheme, and so leaves it out, or
    sends a wrong one, where an operation wants it."""
    [scheme] = [
        name
        for name, scheme in document["components"]["securitySchemes"].items()
        if (scheme["type"], scheme.get("scheme", "").lower()) == ("http", "bearer")
    ]
    bindings = {
        place: {"dictionary": name, "probability": SEEDED}
        for name in known
        for place in (f"path.{name}", f"query.{name}", f"body.{name}")
    }
    configuration.write(
        file,
        {
            "warnings": {"fail-on": list(WARNINGS)},
            # What is refused with 422 is held to its code by a check of our own.
            "checks.positive_data_acceptance": {"expected-statuses": ACCEPTED},
            # A head that is too long never reaches what reads it.
            "checks.negative_data_rejection": {"expected-statuses": REFUSED},
            # RFC 6585: a change that names no version.
            "checks.missing_required_header": {"expected-statuses": [*REFUSED_HEADERS, 428]},
            **({} if EXAMPLES >= MANY else {"phases.coverage": {"unexpected-methods": SOME_METHODS}}),
            f"auth.openapi.{scheme}": {"bearer": token},
            **{f"dictionaries.{name}": {"values": values} for name, values in known.items()},
            **{f'parameters."{place}"': binding for place, binding in bindings.items()},
        },
    )


def narrow(file: Path, left_out: set[str]) -> None:
    """Leaves operations out, and asks of some no more than they can give."""
    with file.open("a") as more:
        for name in sorted(left_out):
            more.write(f"\n[[operations]]\ninclude-name = {json.dumps(name)}\nenabled = false\n")
        for name in sorted(ONCE - left_out):
            more.write(f"\n[[operations]]\ninclude-name = {json.dumps(name)}\nwarnings = false\n")


def labels(report: Path) -> set[str]:
    """The operations for which the report has a scenario."""
    found: set[str] = set()
    for line in report.read_text().splitlines():
        event = json.loads(line)
        for body in event.values():
            label = body.get("recorder", {}).get("label") if isinstance(body, dict) else None
            if label:
                found.add(label)
    return found
