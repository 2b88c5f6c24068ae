"""What most tests begin with."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

pytest_plugins = ["dualseal.contrib.django.pytest_plugin"]


@pytest.fixture(scope="session", autouse=True)
def static_files() -> None:
    """Where templates look for them."""
    from django.conf import settings

    settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> None:
    """The one for people takes half a second on purpose, and most tests make a user."""
    from django.conf import settings

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def issuer(dualseal_log: Any, django_user_model: Any) -> Any:
    """An issuer with a member."""
    from invoices.services.issuing import issuer_create

    user = django_user_model.objects.create_user("ana", password="ana")
    return issuer_create(
        name="Pekara d.o.o.", address="Ilica 1, Zagreb", oib="12345678903", email="p@example.org", members=[user]
    )


def draft(issuer: Any, **fields: Any) -> Any:
    """A document that was not sent."""
    from invoices.services.issuing import invoice_create

    of_all = {
        "kind": "RACUN",
        "number": "2026-1",
        "client_name": "Kavana Ćup",
        "client_email": "kavana@example.org",
        "issued_on": date(2026, 11, 27),
        "lines": [{"description": "Kruh", "quantity": "3", "unit_price": "2.40", "vat_rate": "5"}],
    }
    return invoice_create(issuer=issuer, **of_all | fields)


def sent(issuer: Any, **fields: Any) -> Any:
    """One that was."""
    from invoices.services.issuing import invoice_send

    return invoice_send(invoice=draft(issuer, **fields))


def blank_pdf(change: Any = lambda pdf: None, **options: Any) -> bytes:
    """A page of nothing."""
    import pikepdf

    pdf = pikepdf.new()
    pdf.add_blank_page()
    change(pdf)
    out = io.BytesIO()
    pdf.save(out, **options)
    return out.getvalue()


@pytest.fixture
def invoice(issuer: Any) -> Any:
    """A RACUN that was sent."""
    return sent(issuer)


@pytest.fixture
def order(issuer: Any) -> Any:
    """A PO that was sent."""
    return sent(issuer, kind="PO", number="PO-1")


@pytest.fixture
def link(invoice: Any) -> str:
    """The address of the RACUN's page in Croatian."""
    from invoices.services.delivery import token_issue

    return f"/hr/ponuda/{token_issue(invoice=invoice)}/"


@pytest.fixture
def acknowledged(invoice: Any) -> Any:
    """The RACUN's proof of receipt, in the log and under a checkpoint."""
    return answer(invoice)


def answer(invoice: Any) -> Any:
    """Confirms receipt."""
    from invoices.selectors import token_find
    from invoices.services.delivery import token_issue
    from invoices.services.responding import acknowledge

    token = token_find(token_issue(invoice=invoice))
    row, _ = acknowledge(token=token, hash=invoice.hash, ip="192.0.2.7", ua="Browser/1")
    return row


def void(invoice: Any) -> Any:
    """Declares it void."""
    from invoices.services.issuing import invoice_void

    return invoice_void(invoice=invoice, by="ana", ip="192.0.2.1", ua="Browser/1")


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A portal in processes of its own."""
    from served import Served

    with Served(tmp_path_factory.mktemp("served")) as running:
        yield running
