"""The service does what its own document says: schemathesis with every check on, over examples, bounds, drawn requests
and chains of them. SERVICES_EXAMPLES is how many requests it draws for each operation and phase.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from harness import configuration
from harness.http import Client, answer
from harness.load import encoded, entry, identity
from harness.trustd import Trustd

EXAMPLES = int(os.environ.get("SERVICES_EXAMPLES", "15"))
# The same requests each time: what is found can be found again.
SEED = 20261123
# Among ids drawn at random there is none that the service knows: most requests take these.
SEEDED = 0.8
SECONDS = 400
# An operation that nobody got past its authority, or whose ids were all unknown, was not tested.
WARNINGS = ("missing_auth", "missing_test_data", "unused_openapi_auth")


def test_the_service_keeps_its_contract(service: Trustd, native: Client, tmp_path: Path) -> None:
    document = answer(service.client().get("/openapi.json"))
    operations = [(method, path) for path, item in document["paths"].items() for method in item if method in METHODS]
    report = tmp_path / "report.ndjson"
    config = tmp_path / "schemathesis.toml"
    write(config, document, seeds(service, native, {path for _, path in operations}), service.first_token())
    done = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(config)),
            *("run", f"{service.address}/openapi.json", "--url", service.address, "--checks", "all"),
            *("--continue-on-failure", "--no-color"),
            *("--seed", str(SEED), "--max-examples", str(EXAMPLES), "--request-timeout", "30"),
            *("--report", "ndjson", "--report-ndjson-path", str(report)),
        ],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        cwd=tmp_path,
    )
    print(done.stdout)
    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr
    tested = {label for label in labels(report)}
    assert tested == {f"{method.upper()} {path}" for method, path in operations}
    service.run("chain verify")


METHODS = ("get", "put", "post", "delete", "patch")


def seeds(service: Trustd, native: Client, paths: set[str]) -> dict[str, list[str | int]]:
    """Ids that are known, by the names that the operations of the document give them."""
    signers = [identity(native, f"contract {number}") for number in range(3)]
    found: dict[str, list[str | int]] = {"identity_id": [*signers]}
    handles = []
    for signer in signers:
        body = {"identity_id": signer, "content_b64": encoded(b"contract")}
        handles.append(answer(native.post("/api/v1/dsa/potpisi", body), 201)["krunica_hash"])
    found["krunica_hash"] = handles
    found["seq"] = [entry(service.client(), handle)["seq"] for handle in handles]
    if "/api/v1/vault/seal" in paths:
        body = {"payload_b64": encoded(b"contract"), "type": "document", "identity_id": signers[0]}
        sealed = answer(native.post("/api/v1/vault/seal", body), 201)
        found["id"] = found["vault_id"] = [sealed["vault_id"]]
    return found


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
            f"auth.openapi.{scheme}": {"bearer": token},
            **{f"dictionaries.{name}": {"values": values} for name, values in known.items()},
            **{f'parameters."{place}"': binding for place, binding in bindings.items()},
        },
    )


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
