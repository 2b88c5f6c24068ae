"""What one address may not do: send bodies without end, ask without pause, guess passwords."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from invoices.forms import InvoiceForm
from invoices.models import Acknowledgement, Issuer, RenewalRequest
from portal import limits

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """No time passes but what a test lets pass."""
    at = [0.0]
    monkeypatch.setattr(limits, "_buckets", limits.Buckets())
    monkeypatch.setattr(limits, "monotonic", lambda: at[0])
    return at


class Unread(io.BytesIO):
    """A body of which nobody reads anything."""

    def read(self, *_: Any) -> bytes:
        raise AssertionError("it was read")


@pytest.mark.parametrize("path", ["/hr/obnova/", "/hr/ponuda/x/prihvati/", "/admin/login/", "/hr/nothing/"])
@pytest.mark.parametrize("length", [str((64 << 10) + 1), str(50 << 30), "x", "-1"])
def test_a_body_beyond_its_length_is_not_read(path: str, length: str, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = {"CONTENT_LENGTH": length, "CONTENT_TYPE": "multipart/form-data; boundary=x", "wsgi.input": Unread()}
    page = Client(enforce_csrf_checks=True).post(path, {}, **facts)
    assert page.status_code == 413


def test_an_upload_has_room_at_its_own_address_alone(client: Client, issuer: Any) -> None:
    client.login(username="ana", password="ana")
    upload = io.BytesIO(b"%PDF-" + bytes(3 << 20))
    upload.name = "a.pdf"
    assert client.post("/hr/izdavatelj/novi/", {"upload": upload}).status_code == 422
    assert client.post("/hr/izdavatelj/novi/", CONTENT_LENGTH=str(12 << 20)).status_code == 413
    assert client.post("/hr/izdavatelj/novi/x/", CONTENT_LENGTH=str(3 << 20)).status_code == 413


def test_an_upload_is_weighed_before_it_is_read(issuer: Any, tmp_path: Path) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    upload = SimpleUploadedFile("a.pdf", b"%PDF-")
    upload.size = (10 << 20) + 1
    form = InvoiceForm({}, {"upload": upload}, issuers=Issuer.objects.all())
    assert "10 MiB" in str(form.errors["upload"])


def test_who_asks_without_pause_waits(client: Client, link: str, settings: Any) -> None:
    settings.RATE = 2
    found = [client.get(link).status_code for _ in range(13)]
    assert found == [200] * 12 + [429]
    page = client.get(link)
    assert page.status_code == 429 and 1 <= int(page["Retry-After"]) <= 2
    assert client.get(link, REMOTE_ADDR="192.0.2.5").status_code == 200, "others do not"
    networks = [client.get(link, REMOTE_ADDR=f"2001:db8::{host:x}").status_code for host in range(1, 14)]
    assert networks == found, "a network of the sixth version is one"
    assert client.get(link, REMOTE_ADDR="2001:db8:0:1::1").status_code == 200
    settings.RATE = 0
    assert client.get(link).status_code == 200


def test_fifty_tabs_are_answered_as_it_is_shipped(client: Client, link: str, invoice: Any, settings: Any) -> None:
    settings.RATE = 20
    assert [client.get(link).status_code for _ in range(50)] == [200] * 50
    answers = [client.post(f"{link}prihvati/", {"hash": invoice.hash}).status_code for _ in range(50)]
    assert answers == [302] * 50 and Acknowledgement.objects.count() == 1


def test_wishes_and_receipts_cost_more(client: Client, link: str, settings: Any) -> None:
    settings.RATE = 2
    found = [client.post("/hr/obnova/", {"token": str(turn)}).status_code for turn in range(3)]
    assert found == [303, 303, 429] and RenewalRequest.objects.count() == 2
    found = [client.get(f"{link}potvrda.pdf", REMOTE_ADDR="192.0.2.5").status_code for _ in range(3)]
    assert found == [404, 404, 429]
    found = [client.head(f"{link}potvrda.pdf", REMOTE_ADDR="192.0.2.6").status_code for _ in range(3)]
    assert found == [404, 404, 429]


@pytest.mark.parametrize("path", ["/hr/izdavatelj/prijava/", "/en/izdavatelj/prijava/", "/admin/login/"])
@pytest.mark.parametrize("rate", [10_000, 0])
def test_passwords_are_not_guessed(client: Client, issuer: Any, settings: Any, path: str, rate: int) -> None:
    settings.RATE = rate
    names = ["ana", "Ana", " ana", "ana\u3000", "\uff41na", "a\uff4ea"]
    tries = [client.post(path, {"username": name, "password": "x"}).status_code for name in names]
    assert tries == [200] * 5 + [429]
    good = {"username": "ana", "password": "ana"}
    assert client.post(path, good).status_code == 429, "nor by who knows it, for a minute"
    assert client.post(path, {"username": "eva", "password": "x"}).status_code == 200
    assert client.post(path, good, REMOTE_ADDR="192.0.2.5").status_code in {200, 302}
    others = [client.post(path, {"username": f"u{turn}", "password": "x"}).status_code for turn in range(40)]
    assert others.count(200) == 24 and set(others) == {200, 429}


def test_buckets_fill_and_are_forgotten(now: list[float]) -> None:
    buckets = limits.Buckets(most=2)
    assert [buckets.take("a", 1, 2) for _ in range(3)] == [0, 0, 1]
    now[0] += 1
    assert [buckets.take("a", 1, 2) for _ in range(2)] == [0, 1]
    for key in "bc":
        buckets.take(key, 1, 2)
    assert len(buckets._left) == 2 and buckets.take("a", 1, 2) == 0
