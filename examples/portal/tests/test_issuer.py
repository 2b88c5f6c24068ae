"""An issuer's pages, the admin and commands: whose rows are whose, and what is shown once."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import answer, blank_pdf, draft, sent
from django.contrib.auth.models import Permission
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client
from invoices.models import ClientToken, Invoice, Issuer
from invoices.services import delivery, issuing
from portal.errors import ConflictError

pytestmark = pytest.mark.django_db


def test_an_issuer_sees_its_own_alone(client: Client, issuer: Any, invoice: Any, django_user_model: Any) -> None:
    answer(invoice)
    django_user_model.objects.create_user("eva", password="eva")
    paths = [f"/hr/izdavatelj/{invoice.pk}/{name}" for name in ("", "dokument.pdf", "potvrda.pdf")]
    assert {client.get(path).status_code for path in paths} == {302}
    client.login(username="eva", password="eva")
    assert {client.get(path).status_code for path in paths} == {404}
    for name in ("posalji", "podsjeti", "poveznica", "opozovi", "storniraj"):
        assert client.post(f"/hr/izdavatelj/{invoice.pk}/{name}/").status_code == 404
    assert "2026-1" not in client.get("/hr/izdavatelj/").content.decode()
    client.login(username="ana", password="ana")
    assert {client.get(path).status_code for path in paths} == {200}


def test_an_issuer_makes_sends_and_voids(client: Client, issuer: Any) -> None:
    client.login(username="ana", password="ana")
    form = {
        "issuer": issuer.pk, "kind": "PO", "number": "7", "client_name": "K", "client_email": "k@example.org",
        "language": "de", "currency": "EUR", "issued_on": "2026-11-27",
        "lines-TOTAL_FORMS": 1, "lines-INITIAL_FORMS": 0, "lines-0-description": "Holz", "lines-0-quantity": "2",
        "lines-0-unit_price": "10", "lines-0-vat_rate": "25",
    }  # fmt: skip
    assert client.post("/hr/izdavatelj/novi/", form | {"lines-0-quantity": "0"}).status_code == 422
    assert client.post("/hr/izdavatelj/novi/", form | {"issuer": 999}).status_code == 422
    place = client.post("/hr/izdavatelj/novi/", form)["Location"]
    said = []
    for name in ("poveznica", "posalji", "posalji", "podsjeti", "poveznica", "opozovi", "storniraj"):
        page = client.post(f"{place}{name}/", follow=True)
        said.append([message.tags for message in page.context["messages"]])
        if name == "poveznica" and said[-1] == ["success"]:
            [url] = set(re.findall(r"http://testserver(/de/ponuda/[0-9a-f-]{36}/)", page.content.decode()))
            assert "/ponuda/" not in client.get(place).content.decode(), "shown once"
            assert Client().get(url).status_code == 200
    assert said == [["error"], ["success"], ["error"], *[["success"]] * 4]
    assert Client().get(url).status_code == 404


def test_a_draft_has_no_page(client: Client, issuer: Any) -> None:
    made = draft(issuer)
    client.login(username="ana", password="ana")
    assert client.get(f"/hr/izdavatelj/{made.pk}/").status_code == 200
    assert client.get(f"/hr/izdavatelj/{made.pk}/dokument.pdf").status_code == 404


def test_the_admin_shows_evidence_and_changes_nothing(client: Client, acknowledged: Any, admin_user: Any) -> None:
    client.force_login(admin_user)
    place = "/admin/invoices/acknowledgement/"
    assert client.get(f"{place}{acknowledged.pk}/change/").status_code == 200
    assert client.get(f"{place}add/").status_code == client.post(f"{place}{acknowledged.pk}/delete/").status_code == 403
    chosen = {"action": "verify", "_selected_action": [acknowledged.pk]}
    page = client.post(place, chosen, follow=True)
    assert [str(one).rsplit(": ", 1)[1] for one in page.context["messages"]] == ["valid"]
    button = f'action="{place}{acknowledged.pk}/verify/"'
    assert button in client.get(f"{place}{acknowledged.pk}/change/").content.decode()
    page = client.post(f"{place}{acknowledged.pk}/verify/", follow=True)
    assert [str(one).rsplit(": ", 1)[1] for one in page.context["messages"]] == ["valid"]
    for name in ("invoice", "issuer", "view", "clienttoken", "decline"):
        assert client.get(f"/admin/invoices/{name}/").status_code == 200


@pytest.fixture
def other(issuer: Any, django_user_model: Any) -> Any:
    """Another issuer's document, and a member of its own who may look at everything in the admin."""
    user = django_user_model.objects.create_user("eva", password="eva", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(content_type__app_label="invoices"))
    facts = {"name": "Druga", "address": "Split", "oib": "69435151530", "email": "d@example.org"}
    return sent(issuing.issuer_create(members=[user], **facts), number="D-1")


def test_staff_see_their_own_issuers_alone(client: Client, invoice: Any, other: Any, admin_user: Any) -> None:
    answer(invoice)
    answer(other)
    for user, count in ((other.issuer.members.get(), 1), (admin_user, 2)):
        client.force_login(user)
        for name in ("invoice", "issuer", "acknowledgement", "clienttoken"):
            place = f"/admin/invoices/{name}/"
            page = client.get(place)
            assert page.context["cl"].result_count == count, name
        assert client.get(f"/admin/invoices/invoice/{invoice.pk}/change/").status_code == (302 if count == 1 else 200)
    client.force_login(other.issuer.members.get())
    facts = {"name": "Druga", "address": "Zadar", "email": "d@example.org", "members": [admin_user.pk]}
    client.post(f"/admin/invoices/issuer/{other.issuer_id}/change/", facts)
    issuer = Issuer.objects.get(pk=other.issuer_id)
    assert issuer.address == "Zadar" and [user.username for user in issuer.members.all()] == ["eva"]


def test_an_auditor_gets_one_issuer_s_documents(invoice: Any, other: Any, tmp_path: Path, capsys: Any) -> None:
    call_command("portal_export", tmp_path / "one", issuer="69435151530")
    assert "1 documents, 0 answers" in capsys.readouterr().out
    assert [path.name for path in (tmp_path / "one").glob("*/*.pdf")] == ["RACUN-D-1.pdf"]
    with pytest.raises(CommandError, match="there is no issuer 1"):
        call_command("portal_export", tmp_path / "two", issuer="1")
    assert not (tmp_path / "two").exists()


def test_a_link_by_hand_stands_in_its_answer_alone(client: Client, issuer: Any, invoice: Any) -> None:
    uploaded = sent(issuer, number="2", lines=(), upload=blank_pdf(), total=1)
    client.login(username="ana", password="ana")
    page = client.post(f"/hr/izdavatelj/{uploaded.pk}/poveznica/").content.decode()
    [url] = set(re.findall(r"http://testserver(/hr/ponuda/[0-9a-f-]{36}/)", page))
    token = url.split("/")[3]
    for part in (uploaded.frozen["log"]["fingerprint"][:8], uploaded.frozen["issuer"]["identity_id"][:8]):
        assert f"<span>{part}</span>" in page, "its PDF does not say them"
    for path in (f"{uploaded.pk}/", f"{invoice.pk}/", ""):
        assert "/ponuda/" not in client.get(f"/hr/izdavatelj/{path}").content.decode()
    for session in Session.objects.all():
        assert token not in str(session.get_decoded())
    assert ClientToken.objects.count() == 1 and Client().get(url).status_code == 200


@pytest.mark.parametrize("does", [
    lambda client, link, pk: client.post(f"{link}prihvati/", {"hash": "0" * 64}),
    lambda client, link, pk: client.post(f"{link}odbij/", {"hash": "", "reason": ""}),
    lambda client, link, pk: client.post(f"/hr/izdavatelj/{pk}/poveznica/"),
    lambda client, link, pk: Client(enforce_csrf_checks=True).post(f"{link}prihvati/", {"hash": "0" * 64}),
    lambda client, link, pk: client.post("/hr/ponuda/nope/prihvati/"),
    lambda client, link, pk: client.post("/hr/obnova/", {"token": "x"}, follow=True),
    lambda client, link, pk: client.post("/hr/izdavatelj/prijava/", {"username": "x", "password": "x"}),
])  # fmt: skip
def test_every_page_has_its_languages(client: Client, link: str, invoice: Any, does: Callable[..., Any]) -> None:
    client.login(username="ana", password="ana")
    page = does(client, link, invoice.pk)
    found = re.findall(r'<a href="([^"]+)" hreflang="(\w\w)"', page.content.decode())
    assert [language for _, language in found] == ["hr", "de", "en"]
    for url, language in found:
        shown = client.get(url)
        assert shown.status_code in {200, 404} and f'<html lang="{language}">' in shown.content.decode(), url


def test_nobody_is_reminded_of_what_is_confirmed(invoice: Any) -> None:
    answer(invoice)
    invoice.outgoing.all().delete()
    with pytest.raises(ConflictError):
        issuing.invoice_remind(invoice=invoice)
    assert invoice.outgoing.count() == 0


def test_another_spelling_of_a_link_is_renewed_as_well(link: str, invoice: Any) -> None:
    ClientToken.objects.update(created_at="2020-01-01T00:00Z")
    invoice.outgoing.all().delete()
    delivery.renewal_request(token=link.split("/")[3].upper().replace("-", ""))
    assert delivery.renewals_answer() == 1


def test_what_has_no_address_answers_nothing(link: str, invoice: Any) -> None:
    client = Client(raise_request_exception=False)
    page = client.post(f"{link}prihvati/", {"hash": invoice.hash}, REMOTE_ADDR="")
    assert page.status_code == 500 and not Invoice.objects.filter(acknowledgement__isnull=False).exists()


def test_a_page_for_verification_that_is_not_built_has_a_policy(client: Client, settings: Any, tmp_path: Path) -> None:
    settings.VERIFIER = tmp_path
    page = client.get("/provjera/")
    assert page.status_code == 404 and "default-src 'none'" in page["Content-Security-Policy"]


def test_a_member_who_is_not_there_is_told(issuer: Any) -> None:
    words = ["--name", "x", "--address", "x", "--oib", "69435151530", "--email", "x@example.org", "--member"]
    with pytest.raises(CommandError, match="there is no user nobody"):
        call_command("portal_issuer", *words, "ana", "--member", "nobody")
    assert Issuer.objects.count() == 1
