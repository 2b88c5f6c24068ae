"""Fiscal receipts: codes, profiles, certificates, and what a till fetches."""

from __future__ import annotations

import io
import random
import subprocess
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    pkcs12,
)
from cryptography.x509.oid import NameOID
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.test import Client
from fiskalhr.invoice import Invoice as PeerInvoice
from fiskalhr.signature import Signer
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from invoices.models.documents import valid_oib
from PIL import Image
from portal.errors import ConflictError
from pos import qr, services, zki
from pos.models import Category, Product, Receipt, Terminal

AT = datetime(2026, 11, 27, 22, 30, 5, tzinfo=UTC)


@pytest.fixture(scope="module")
def key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@pytest.fixture
def p12(tmp_path: Path, key: rsa.RSAPrivateKey, settings: Any) -> Path:
    path = tmp_path / "fiskal.p12"
    path.touch(0o600)
    certify(path, key)
    settings.FISCAL_DEMO_MODE = False
    settings.FISCAL_P12_PATH, settings.FISCAL_P12_PASS = str(path), "lozinka"
    return path


def certify(path: Path, key: rsa.RSAPrivateKey, owner: str = "Pekara d.o.o. HR12345678903", days: int = 1) -> None:
    """A P12 whose certificate counts until so many days from now."""
    texts = {NameOID.COMMON_NAME: "FISKAL 1", NameOID.ORGANIZATION_NAME: owner}
    name = x509.Name([x509.NameAttribute(kind, text) for kind, text in texts.items()])
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    now = datetime.now(UTC)
    builder = builder.serial_number(1).not_valid_before(datetime(2020, 1, 1, tzinfo=UTC))
    made = builder.not_valid_after(now + timedelta(days=days)).sign(key, hashes.SHA256())
    secret = BestAvailableEncryption(b"lozinka")
    path.write_bytes(pkcs12.serialize_key_and_certificates(b"fiskal", key, made, None, secret))


@pytest.fixture
def terminal(issuer: Any, settings: Any, tmp_path: Path) -> Terminal:
    settings.MEDIA_ROOT = tmp_path / "media"
    return Terminal.objects.create(issuer=issuer, name="Kasa", premises="ILICA1", device=2)


def receipt(terminal: Terminal, **fields: Any) -> Receipt:
    of_all = {"number": 7, "issued_at": AT, "total": Decimal("1234.50")}
    return Receipt.objects.create(terminal=terminal, **of_all | fields)


def read(path: str) -> str:
    done = subprocess.run(["zbarimg", "-q", "--raw", path], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_demo_receipt_looks_like_one(terminal: Terminal, client: Client) -> None:
    row = services.receipt_fiscalise(receipt=receipt(terminal))
    assert row.zki == f"DEMO{row.pk:028}" and row.is_demo and len(row.zki) == 32
    expected = f"https://porezna.gov.hr/rn?zki={row.zki}&datIzd=27.11.2026T23:30:05&oib=12345678903"
    assert row.fiscal_qr_url == expected and len(expected) <= 500
    assert row.fiscal_qr_image.name == f"pos/qr/{row.identity_id}.png"
    assert read(row.fiscal_qr_image.path) == expected
    with Image.open(row.fiscal_qr_image.path) as image:
        assert (image.format, image.size) == ("PNG", (300, 300))
    page = client.get(row.fiscal_qr_image.url)
    assert page.status_code == 200 and page["Content-Type"] == "image/png" and "immutable" in page["Cache-Control"]
    for bad in ("../../secret.key", "..%2Fsecret.key", "x.png", "0" * 64 + ".png", f"{row.identity_id}.png/"):
        assert client.get(f"/media/pos/qr/{bad}").status_code == 404
    with pytest.raises(ConflictError):
        services.receipt_fiscalise(receipt=row)


def test_level_m_is_asked_for() -> None:
    import segno

    image = Image.open(io.BytesIO(qr.png("x" * 100)))
    code = segno.make("x" * 100, error="m", boost_error=False, micro=False)
    assert code.error == "M" and image.size == (300, 300)
    # The format's bits beside the first finder, of which two are the level: 00 is M, under the mask 10101.
    modules = code.symbol_size(scale=1, border=4)[0]
    scale = 300 // modules
    offset = (300 - scale * modules) // 2 + 4 * scale + scale // 2
    bits = [image.getpixel((offset + scale * x, offset + scale * 8)) == 0 for x in (0, 1)]
    assert (bits[0] ^ True, bits[1] ^ False) == (False, False)


def test_the_tax_authority_takes_no_demo(terminal: Terminal, settings: Any) -> None:
    settings.FISCAL_PROFILE = "cis"
    with pytest.raises(ConflictError):
        services.receipt_fiscalise(receipt=receipt(terminal))
    assert Receipt.objects.get().status == "draft"
    with pytest.raises(SystemCheckError, match="pos.E002"):
        call_command("check")


def test_checks_ask_for_the_certificate(p12: Path, settings: Any) -> None:
    call_command("check", tags=["pos"])
    settings.FISCAL_P12_PASS = "wrong"
    with pytest.raises(SystemCheckError, match="pos.E003"):
        call_command("check", tags=["pos"])
    settings.FISCAL_PROFILE = "other"
    with pytest.raises(SystemCheckError, match="pos.E001"):
        call_command("check", tags=["pos"])


def test_the_form_of_the_tax_authority(terminal: Terminal, p12: Path, settings: Any) -> None:
    settings.FISCAL_PROFILE = "cis"
    row = services.receipt_fiscalise(receipt=receipt(terminal))
    assert row.fiscal_qr_url == f"https://porezna.gov.hr/rn?zki={row.zki}&datv=20261127_2330&izn=123450"
    first = row.fiscal_qr_image.url
    jir = uuid4()
    row = services.receipt_take_jir(receipt=row, jir=jir)
    assert row.fiscal_qr_url == f"https://porezna.gov.hr/rn?jir={jir}&datv=20261127_2330&izn=123450"
    assert row.fiscal_qr_image.url != first and read(row.fiscal_qr_image.path) == row.fiscal_qr_url
    services.receipt_cancel(receipt=row)
    with pytest.raises(ConflictError):
        services.receipt_cancel(receipt=row)


def test_zki_and_address_are_those_of_another_implementation(terminal: Terminal, p12: Path, tmp_path: Path) -> None:
    secret, cert, _ = pkcs12.load_key_and_certificates(p12.read_bytes(), b"lozinka")
    assert isinstance(secret, rsa.RSAPrivateKey) and cert is not None
    plain = (Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    pem = tmp_path / "fiskal.pem"
    pem.write_bytes(secret.private_bytes(*plain) + cert.public_bytes(Encoding.PEM))
    peer = SimpleNamespace(signer=Signer(str(pem)))
    row = services.receipt_fiscalise(receipt=receipt(terminal))
    assert row.zki == str(made_by(peer, AT, "7/ILICA1/2", row.total).calculate_zki()) and not row.is_demo
    draws = random.Random(19)
    for _ in range(50):
        at = AT + timedelta(seconds=draws.randrange(10**8))
        number, premises, device = draws.randrange(1, 10**6), f"PP{draws.randrange(99)}", draws.randrange(1, 99)
        total = Decimal(draws.randrange(10**8)) / 100
        facts = {"number": number, "premises": premises, "device": device}
        ours = zki.zki(secret, oib="12345678903", issued_at=at, total=total, **facts)
        theirs = made_by(peer, at, f"{number}/{premises}/{device}", total)
        assert ours == str(theirs.calculate_zki())
        url = theirs.get_qr_link().partition("?")[2]
        assert parse_qs(url) == parse_qs(qr.cis_url(zki=ours, jir=None, issued_at=at, total=total).partition("?")[2])


def made_by(peer: Any, at: datetime, number: str, total: Decimal) -> Any:
    """The same receipt, as fiskal-hr has it."""
    local = at.astimezone(zki.ZAGREB).replace(tzinfo=None)
    return PeerInvoice(peer, oib="12345678903", issued_at=local, invoice_number=number, total=total)


@examples(max_examples=300, deadline=None)
@given(st.text("0123456789", min_size=10, max_size=10))
def test_oibs_have_their_check_digit(first: str) -> None:
    """ISO 7064, MOD 11,10, computed here anew."""
    rest = 10
    for digit in first:
        rest = (rest + int(digit)) % 10 or 10
        rest = rest * 2 % 11
    check = (11 - rest) % 10
    valid_oib(f"{first}{check}")
    for wrong in range(10):
        if wrong != check:
            with pytest.raises(ValidationError):
                valid_oib(f"{first}{wrong}")
    for odd in (f"HR{first}{check}", f"{first} {check}", first, f"{first}{check}0"):
        with pytest.raises(ValidationError):
            valid_oib(odd)


@examples(max_examples=200, deadline=None)
@given(st.datetimes(datetime(2013, 1, 1), datetime(2100, 1, 1)), st.decimals(0, "9999999999", places=2))
def test_addresses_hold_time_and_cents(naive: datetime, total: Decimal) -> None:
    at = naive.replace(tzinfo=UTC)
    local = at.astimezone(zki.ZAGREB)
    asked = parse_qs(urlsplit(qr.cis_url(zki="0" * 32, jir=None, issued_at=at, total=total)).query)
    assert asked["datv"] == [f"{local.year:04}{local.month:02}{local.day:02}_{local.hour:02}{local.minute:02}"]
    assert Decimal(asked["izn"][0]) / 100 == total
    asked = parse_qs(urlsplit(qr.default_url("https://x.example/rn", zki="z", issued_at=at, oib="o")).query)
    assert datetime.strptime(asked["datIzd"][0], "%d.%m.%YT%H:%M:%S") == local.replace(tzinfo=None, microsecond=0)


def test_a_till_fetches_what_changed(terminal: Terminal, issuer: Any, client: Client, settings: Any) -> None:
    url = "/pos/api/kasa/offline-bundle/"
    category = Category.objects.create(issuer=issuer, name="Kruh")
    product = Product.objects.create(category=category, name="Bijeli", price="1.60", vat_rate=5)
    Product.objects.create(category=category, name="Stari", price="1", is_active=False)
    headers = {"Authorization": f"Bearer {services.terminal_token(terminal=terminal)}"}
    first = client.get(url, headers=headers)
    bundle = first.json()
    assert sorted(bundle) == ["categories", "fiscal_demo_mode", "products", "terminal"]
    assert [row["name"] for row in bundle["products"]] == ["Bijeli"] and bundle["products"][0]["price"] == "1.60"
    assert bundle["terminal"]["oib"] == "12345678903" and bundle["fiscal_demo_mode"] is True
    seen = {first["ETag"]}
    again = client.get(url, headers=headers | {"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    changes = [
        lambda: setattr(settings, "FISCAL_DEMO_MODE", False),
        # Past whatever a model does as it is saved.
        lambda: Product.objects.filter(pk=product.pk).update(price="1.70"),
        lambda: Category.objects.update(name="Kruh i peciva"),
        lambda: type(terminal).objects.update(device=3),
        product.delete,
    ]
    for change in changes:
        change()
        found = client.get(url, headers=headers | {"If-None-Match": ", ".join(seen)})
        assert found.status_code == 200 and found["ETag"] not in seen
        seen.add(found["ETag"])


@pytest.mark.parametrize("header", ["", "Bearer ", "Bearer x", "Basic x", "bearer", "Bearer \x7f"])
def test_without_its_token_a_till_gets_nothing(terminal: Terminal, client: Client, header: str) -> None:
    old = services.terminal_token(terminal=terminal)
    services.terminal_token(terminal=terminal)
    for value in (header, f"Bearer {old}"):
        page = client.get("/pos/api/kasa/offline-bundle/", headers={"Authorization": value})
        assert page.status_code == 401 and page["WWW-Authenticate"].startswith("Bearer")
