"""A client's pages over Django's client: what is shown, what is refused, and that nobody is told more than others."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from conftest import answer, draft, sent
from django.test import Client
from django.utils import timezone
from invoices.models import Acknowledgement, ClientToken, RenewalRequest, View
from invoices.services import delivery, issuing
from portal.tokens import hashed
from pos.models import Terminal
from pos.services import terminal_token

pytestmark = pytest.mark.django_db

def same(page: Any) -> str:
    """A page without what differs for everybody: what was asked for, and the mask of the CSRF token."""
    text = re.sub(r'name="(csrfmiddlewaretoken|token)" value="[^"]*"', r"\1", page.content.decode())
    return re.sub(r'href="/(hr|de|en)/[^"]*"', r"\1", text)


@pytest.mark.parametrize(("language", "words"), [
    ("hr", ("Račun", "Potvrdi primitak", "7,56 €", "27. studenoga 2026.")),
    ("de", ("Rechnung", "Empfang bestätigen", "7,56 €", "27. November 2026")),
    ("en", ("Invoice", "Confirm receipt", "€7.56", "27 November 2026")),
])  # fmt: skip
def test_the_page_speaks_three_languages(client: Client, link: str, invoice: Any, language: str, words: Any) -> None:
    page = client.get(link.replace("/hr/", f"/{language}/"))
    text = page.content.decode().replace("\xa0", " ")
    assert page.status_code == 200 and f'<html lang="{language}">' in text
    assert all(word in text for word in words), text
    assert page.context["can_acknowledge"] is True and page.context["existing_ack"] is None
    shown = re.findall(r'<code id="hash">(.*?)</code>', text)[0]
    assert "".join(re.findall(r"<span>(\w{8})</span>", shown)) == invoice.hash
    for other in ("hr", "de", "en"):
        assert link.replace("/hr/", f'"/{other}/') in text


def test_headers_keep_the_page_to_its_client(client: Client, link: str) -> None:
    page = client.get(link)
    policy = dict(part.strip().split(" ", 1) for part in page["Content-Security-Policy"].split(";") if part.strip())
    assert policy["default-src"] == "'none'" and policy["script-src"] == policy["style-src"] == "'self'"
    assert "unsafe" not in page["Content-Security-Policy"] and policy["frame-ancestors"] == "'none'"
    assert (page["Cache-Control"], page["Referrer-Policy"]) == ("no-store", "same-origin")
    assert page["X-Frame-Options"] == "DENY" and "noindex" in page["X-Robots-Tag"]
    assert "<style" not in page.content.decode() and not re.search(r"<script(?! src=)| on\w+=", page.content.decode())


def test_a_script_confirms_and_a_form_does_as_well(link: str, invoice: Any) -> None:
    script, form = Client(headers={"Accept": "application/json"}), Client()
    made = script.post(f"{link}prihvati/", {"hash": invoice.hash}, headers={"User-Agent": "Script/1"})
    told = made.json()
    assert (made.status_code, told["hash"], told["ua"], told["made"]) == (201, invoice.hash, "Script/1", True)
    assert 'id="ack-hash"' in told["html"]
    again = script.post(f"{link}prihvati/", {"hash": invoice.hash})
    assert again.status_code == 200 and again.json()["seal_id"] == told["seal_id"]
    posted = form.post(f"{link}prihvati/", {"hash": invoice.hash})
    assert (posted.status_code, posted["Location"]) == (302, link)
    page = form.get(link)
    assert page.context["can_acknowledge"] is False
    assert page.context["existing_ack"].seal_id == told["seal_id"] and Acknowledgement.objects.count() == 1


def test_another_hash_is_a_conflict(client: Client, link: str) -> None:
    page = client.post(f"{link}prihvati/", {"hash": "0" * 64})
    assert page.status_code == 409 and 'role="alert"' in page.content.decode()
    answer = client.post(f"{link}prihvati/", {"hash": "0" * 64}, headers={"Accept": "application/json"})
    assert answer.status_code == 409 and "error" in answer.json()
    assert not Acknowledgement.objects.exists()


def test_posts_from_elsewhere_are_403(link: str, invoice: Any) -> None:
    client = Client(enforce_csrf_checks=True)
    for path in (f"{link}prihvati/", f"{link}odbij/", "/hr/obnova/", "/hr/ponuda/nope/prihvati/"):
        assert client.post(path, {"hash": invoice.hash, "reason": "x", "token": "x"}).status_code == 403, path
    client.get(link)
    page = client.post(f"{link}prihvati/", {"hash": invoice.hash, "csrfmiddlewaretoken": "x" * 64})
    assert page.status_code == 403 and not Acknowledgement.objects.exists()


def test_get_changes_nothing(client: Client, link: str) -> None:
    assert client.get(f"{link}prihvati/").status_code == 405
    for headers in ({"Sec-Purpose": "prefetch"}, {"Sec-Purpose": "prefetch;prerender"}):
        client.get(link, headers=headers)
    client.head(link)
    assert not View.objects.exists()
    client.get(link)
    assert View.objects.count() == 1


def test_declining_takes_a_reason(client: Client, link: str, invoice: Any) -> None:
    assert client.post(f"{link}odbij/", {"hash": invoice.hash, "reason": " "}).status_code == 422
    client.post(f"{link}odbij/", {"hash": invoice.hash, "reason": "Krivi <b>iznos</b>"})
    text = client.get(link).content.decode()
    assert "Krivi &lt;b&gt;iznos&lt;/b&gt;" in text and "prihvati" not in text


def test_whatever_is_not_there_has_one_page(client: Client, issuer: Any, link: str, invoice: Any) -> None:
    """Wrong, expired, revoked, foreign, of no form: one page, one status."""
    expired, revoked = delivery.token_issue(invoice=invoice), delivery.token_issue(invoice=invoice)
    rows = ClientToken.objects
    rows.filter(hash=hashed(expired)).update(expires_at=timezone.now() - timedelta(seconds=1))
    rows.filter(hash=hashed(revoked)).update(revoked_at=timezone.now())
    till = Terminal.objects.create(issuer=issuer, name="Kasa", premises="X", device=1)
    foreign = [terminal_token(terminal=till), invoice.hash, issuer.identity_id, invoice.record.krunica_hash]
    bad = [str(uuid.uuid4()), expired, revoked, *foreign, "1", "not-a-token", "%00", "ćčž"]
    pages = []
    for token in bad:
        for path in ("", "prihvati/", "odbij/", "dokument.pdf", "potvrda.pdf", "dokazi.zip", "dokaz.json"):
            url = f"/hr/ponuda/{token}/{path}"
            page = client.post(url, {"hash": invoice.hash}) if path in {"prihvati/", "odbij/"} else client.get(url)
            assert page.status_code == 404
            pages.append(same(page))
    assert len(set(pages)) == 1, set(pages)
    good = link.split("/")[3]
    assert client.get(f"/hr/ponuda/{good}/potvrda.pdf").status_code == 404, "nothing is confirmed yet"
    assert same(client.get("/hr/nothing/")) == pages[0]
    for token in (good, expired, "x"):
        asked = {"Authorization": f"Bearer {token}"}
        assert client.get("/pos/api/kasa/offline-bundle/", headers=asked).status_code == 401, "nor is a link a till's"


def test_no_log_holds_a_token(client: Client, link: str, invoice: Any, capfd: pytest.CaptureFixture[str]) -> None:
    import logging.config

    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)
    token = link.split("/")[3]
    ClientToken.objects.update(revoked_at=timezone.now())
    client.get(link)
    client.post(f"{link}prihvati/", {"hash": invoice.hash})
    Client(enforce_csrf_checks=True).post(f"{link}prihvati/")
    said = capfd.readouterr().err
    assert said.count("/hr/ponuda/…/") == 3 and token not in said, said


def test_a_new_link_goes_to_the_known_address_alone(
    client: Client, link: str, invoice: Any, mailoutbox: list[Any]
) -> None:
    token = link.split("/")[3]
    row = ClientToken.objects.get(hash=hashed(token))
    old = timezone.now() - timedelta(days=100)
    ClientToken.objects.update(created_at=old, expires_at=old)
    revoked = delivery.token_issue(invoice=invoice)
    ClientToken.objects.exclude(pk=row.pk).update(revoked_at=old, created_at=old)
    answers = [client.post("/hr/obnova/", {"token": one}) for one in (token, revoked, str(uuid.uuid4()), "", "\x00")]
    assert {(answer.status_code, answer["Location"]) for answer in answers} == {(303, "/hr/obnova/")}
    assert len({answer.content for answer in answers}) == 1 and mailoutbox == []
    assert client.get("/de/obnova/").status_code == 200
    assert RenewalRequest.objects.count() == 5
    invoice.outgoing.all().delete()
    assert delivery.renewals_answer() == 1 and RenewalRequest.objects.count() == 0
    assert delivery.outgoing_send() == 1
    [mail] = mailoutbox
    assert mail.to == ["kavana@example.org"]
    [new] = re.findall(r"http://testserver(/hr/ponuda/[0-9a-f-]{36}/)", mail.body)
    assert client.get(new).status_code == 200 and client.get(link).status_code == 404
    client.post("/hr/obnova/", {"token": token})
    assert delivery.renewals_answer() == 0, "once an hour"


def test_mail_says_what_it_is_about_and_waits_for_its_server(
    invoice: Any, mailoutbox: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_: Any) -> int:
        raise ConnectionRefusedError

    with monkeypatch.context() as broken:
        broken.setattr("django.core.mail.EmailMessage.send", refused)
        assert delivery.outgoing_send() == 0
    assert not ClientToken.objects.filter(revoked_at=None).exists() and invoice.outgoing.count() == 1
    assert delivery.outgoing_send() == 0, "not at once again"
    invoice.outgoing.update(due_at=timezone.now())
    assert delivery.outgoing_send() == 1
    [mail] = mailoutbox
    assert mail.subject == "Račun 2026-1 – Pekara d.o.o." and mail.reply_to == ["p@example.org"]
    assert invoice.frozen["log"]["fingerprint"][:8] in mail.body and invoice.hash[:8] in mail.body
    issuing.invoice_remind(invoice=invoice)
    assert delivery.outgoing_send() == 1 and mailoutbox[1].subject.startswith("Podsjetnik")


@pytest.mark.parametrize(("peer", "forwarded", "expected"), [
    ("192.0.2.1", "203.0.113.9", "192.0.2.1"),
    ("10.0.0.1", "203.0.113.9", "203.0.113.9"),
    ("10.0.0.1", "198.51.100.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
    ("10.0.0.1", "198.51.100.1, nonsense", "10.0.0.1"),
    ("10.0.0.1", "", "10.0.0.1"),
    ("::ffff:10.0.0.1", "2001:db8::7", "2001:db8::7"),
])  # fmt: skip
def test_the_address_is_that_of_the_last_hop_that_nobody_vouches_for(
    client: Client, link: str, invoice: Any, settings: Any, peer: str, forwarded: str, expected: str
) -> None:
    import ipaddress

    settings.TRUSTED_PROXIES = [ipaddress.ip_network("10.0.0.0/8")]
    facts = {"REMOTE_ADDR": peer, "HTTP_X_FORWARDED_FOR": forwarded}
    client.post(f"{link}prihvati/", {"hash": invoice.hash}, **facts)
    assert Acknowledgement.objects.get().ip == expected


def test_only_a_trusted_proxy_says_that_it_was_https(client: Client, link: str, settings: Any) -> None:
    import ipaddress

    settings.SECURE_SSL_REDIRECT = True
    settings.TRUSTED_PROXIES = [ipaddress.ip_network("10.0.0.0/8")]
    for peer, status in (("192.0.2.1", 301), ("10.0.0.1", 200)):
        page = client.get(link, REMOTE_ADDR=peer, HTTP_X_FORWARDED_PROTO="https")
        assert page.status_code == status
