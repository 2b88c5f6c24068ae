"""Problems that no other test comes by: `harness/counted.py` holds a whole run to each of the service's list."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import requests
from conftest import Make
from harness import configuration
from harness.http import Client, answer, problem
from harness.load import encoded, identity
from harness.models import MODELS, QUESTION, provider
from harness.trustd import OPERATOR, Trustd
from harness.worlds import LABELS

API = "/api/v1"
DSA, THRESHOLD, VAULT = f"{API}/dsa", f"{API}/threshold", f"{API}/vault"
JSON = {"Content-Type": "application/json"}
CONTENT = {"content_b64": encoded(b"x")}
HMAC, ML_DSA = "SHAMIR-2^521-1-HMAC-SHA3-512", "SHAMIR-2^521-1-ML-DSA-65"
# All bodies together are no larger than this.
IN_FLIGHT = 64 << 10
LIMITS = {"bytes_in_flight": IN_FLIGHT, "progress": "1s"}
SETTINGS = {"limits": LIMITS, "trust": {"hmac_verification": False}}


def changed(service: Trustd, statement: str) -> None:
    """Changes rows behind the service's back."""
    with closing(sqlite3.connect(service.data / "trustd.sqlite", timeout=10)) as database, database:
        database.execute(statement)


def called_back(native: Client) -> None:
    """Nobody signs by a key that was called back, suspended, or left to thieves."""

    def signs(state: str) -> requests.Response:
        who = {"identity_id": identity(native, state)}
        answer(native.post(f"{DSA}/bela", who | {"stanje": state}))
        return native.post(f"{DSA}/potpisi", who | CONTENT)

    problem(signs("laz"), 409, "key-revoked")
    problem(signs("nijedno"), 409, "key-suspended")
    problem(signs("oboje"), 409, "key-decoy")


def quorums(service: Trustd, native: Client) -> None:
    """What a quorum's key signs the service does not; what shares verify it does not where that is switched off."""
    for label in LABELS:
        service.run("node add", "--label", label, "--subject", identity(native, label))
    sesija = f"{THRESHOLD}/sesija"
    session = answer(native.post(sesija, {"n": 3, "k": 2}), 201)["session_id"]
    signed = {"ok": True, "potpis": "ab" * 64, "svjedok_hash": "ab" * 64, "weise3_hash": "ab" * 32}
    signed |= {"krunica_hash": "ab" * 32, "algoritam": HMAC, "ts": "2026-01-01T00:00:00.000Z"}
    signed |= {"razlog": None, "culprits": []}
    asks = {"session_id": session, "poruka_b64": encoded(b"x"), "udjeli": [[1, "00" * 66], [2, "00" * 66]]}
    problem(native.post(f"{THRESHOLD}/provjeri", asks | {"rezultat": signed}), 403, "hmac-verification-off")
    who = {"identity_id": "cd" * 32}
    answer(native.post(sesija, {"n": 3, "k": 2, "algoritam": ML_DSA} | who), 201)
    problem(native.post(f"{DSA}/potpisi", who | CONTENT), 409, "key-elsewhere")


def bodies(service: Trustd, native: Client) -> None:
    """A form without a boundary, a body that does not come, and one that is more than all may be."""
    form = {"Content-Type": "multipart/form-data"}
    problem(native.post(f"{DSA}/provjeri", data=b"x", headers=form), 400, "bad-request")
    large = {"identity_id": identity(native, "busy"), "object": {"a": "x" * 2 * IN_FLIGHT}}
    problem(native.post(f"{DSA}/potpisi-json", large), 503, "busy")
    # It promises more than comes.
    promised = requests.Request("POST", f"{service.address}{DSA}/provjeri", data=b"{", headers=JSON).prepare()
    promised.headers["Content-Length"] = "900000"
    problem(native.session.send(promised, timeout=10), 408, "too-slow")


def stored(service: Trustd, native: Client) -> None:
    """A first request that was never answered, a document that was changed, and tables that do not answer."""
    key, who = {"Idempotency-Key": "once"}, {"identity_id": identity(native, "stored")}
    answer(native.post(f"{DSA}/potpisi-json", who | {"object": {}}, headers=key), 201)
    changed(service, "UPDATE idempotency SET answer = NULL")
    again = native.post(f"{DSA}/potpisi-json", who | {"object": {}}, headers=key)
    problem(again, 409, "idempotency-running")
    sealed = who | {"payload_b64": encoded(b"x"), "type": "CONTRACT"}
    vault_id = answer(native.post(f"{VAULT}/seal", sealed), 201)["vault_id"]
    changed(service, "UPDATE vault_records SET stored = zeroblob(length(stored))")
    problem(native.post(f"{VAULT}/{vault_id}/unseal", who), 409, "not-intact")
    changed(service, "ALTER TABLE vehicles RENAME TO gone")
    problem(native.get(f"{API}/fleet/health"), 503, "unhealthy")
    changed(service, "ALTER TABLE gone RENAME TO vehicles")
    answer(native.get(f"{API}/fleet/health"))


def logins(native: Client) -> None:
    """A statement that nobody signed."""
    who = {"identity_id": "ab" * 32}
    asked = answer(native.anonymous().post(f"{API}/auth/challenge", who))
    login = who | {"tier": "noble", "key_id": "0192f0c1-2345-7abc-8def-0123456789ab", "signature": "00" * 64}
    login |= {name: asked[name] for name in ("nonce", "expiry")}
    problem(native.anonymous().post(f"{API}/auth/token", login), 401, "bad-login")


def test_what_nothing_else_comes_by(make: Make) -> None:
    service = make(configuration.local(), SETTINGS).start()
    native = service.client(service.token(OPERATOR, "native", "trust models"))
    logins(native)
    called_back(native)
    quorums(service, native)
    bodies(service, native)
    stored(service, native)
    problem(native.post(f"{MODELS}/messages", QUESTION), 409, "no-provider")
    service.stop()


def test_a_provider_refuses_and_a_service_only_reads(make: Make, tmp_path: Path) -> None:
    key = configuration.secret(tmp_path / "key", "key-of-ours")
    with provider() as asked:
        one: dict[str, object] = {"kind": "mistral", "url": asked.address, "model": "m", "key_file": key}
        one |= {"input_price": 1, "output_price": 1}
        service = make(configuration.local(), {"models": {"providers": [one]}}).start()
        native = service.client(service.token(OPERATOR, "native", "trust models"))
        asked.says = [(422, {"message": "too many words"}), (404, {})]
        problem(native.post(f"{MODELS}/messages", QUESTION), 422, "model-refused")
        problem(native.post(f"{MODELS}/messages", QUESTION), 502, "provider-failed")
        service.stop()
    reader = make(configuration.local(), {"read_only": True}, name="reader").start()
    refused = reader.client(str(native.token)).post(f"{DSA}/potpisi", {"identity_id": "ab" * 32} | CONTENT)
    problem(refused, 503, "read-only")
