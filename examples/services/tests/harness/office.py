"""Providers of messages that are played over HTTP, and whoever sends through them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode

import requests
from twilio.request_validator import RequestValidator

from .configuration import secret
from .http import Client
from .loopback import Played, loopback

TOKEN = "0123456789abcdef0123456789abcdef"
KEY = "a key of the generic webhook: 32 bytes and more"
ACCOUNT = "AC" + "0" * 31 + "1"
BASE = "https://trust.example"
IN = "/api/v1/messaging/inbound"


@dataclass
class Provider:
    """Takes short messages, and what a relay takes."""

    address: str
    got: list[dict[str, str]] = field(default_factory=list)
    relayed: list[dict[str, Any]] = field(default_factory=list)
    # What it answers short messages with instead.
    status: int = 201


@contextmanager
def provider() -> Iterator[Provider]:
    """One on loopback."""
    played = Provider("")

    class Handler(Played):
        def do_POST(self) -> None:
            body = self.body()
            said: dict[str, Any] = {}
            if self.path.startswith("/bot"):
                played.relayed.append(json.loads(body))
                status, said = 200, {"ok": True, "result": {"message_id": len(played.relayed)}}
            else:
                status = played.status
                if status == 201:
                    form = {name: values[0] for name, values in parse_qs(body.decode(), strict_parsing=True).items()}
                    basic = base64.b64encode(f"{ACCOUNT}:{TOKEN}".encode()).decode()
                    assert self.headers["Authorization"] == f"Basic {basic}"
                    said = {"sid": "SM" + uuid.uuid4().hex}
                    played.got.append(form | said | {"key": self.headers["Idempotency-Key"]})
            self.answer(status, said)

    with loopback(Handler) as port:
        played.address = f"http://127.0.0.1:{port}"
        yield played


def settings(folder: Path, address: str) -> dict[str, object]:
    """What the service's file says of the provider."""
    token = secret(folder / "sms-token", TOKEN)
    return {
        "webhook_key_file": secret(folder / "webhook-key", KEY),
        "sms_url": address,
        "sms_account": ACCOUNT,
        "sms_token_file": token,
        "sms_from": "+385910000000",
        "relay_url": address,
        "relay_token_file": token,
        "language": "en",
    }


def form(client: Client, path: str, members: dict[str, str], *, url: str = BASE, token: str = TOKEN) -> Any:
    """A webhook, signed by the provider's own library."""
    members = {"AccountSid": ACCOUNT} | members
    signature = RequestValidator(token).compute_signature(f"{url}{path}", members)
    headers = {"X-Twilio-Signature": signature, "Content-Type": "application/x-www-form-urlencoded"}
    return client.post(path, data=urlencode(members), headers=headers)


def sms(client: Client, sender: str, text: str, sid: str | None = None, **options: str) -> requests.Response:
    """A short message."""
    members = {"MessageSid": sid or "SM" + uuid.uuid4().hex, "From": sender, "To": "+385910000000", "Body": text}
    found: requests.Response = form(client, f"{IN}/sms", members, **options)
    return found


def signed(
    client: Client, path: str, body: bytes, kind: str, *, at: int | None = None, key: str = KEY, said: str | None = None
) -> requests.Response:
    """A generic webhook; `said` is the address that is signed."""
    stamp = str(int(time.time()) if at is None else at)
    text = f"{stamp}.{said or path}.".encode() + body
    tag = hmac.new(key.encode(), text, hashlib.sha256).hexdigest()
    headers = {"X-Trustd-Timestamp": stamp, "X-Trustd-Signature": tag, "Content-Type": kind}
    return client.post(path, data=body, headers=headers)
