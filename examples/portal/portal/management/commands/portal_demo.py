"""Something to look at: an issuer with its documents and a till. For a machine of one's own alone."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from invoices.models import Invoice, Issuer
from invoices.services import delivery, issuing
from pos import services
from portal.checks import NAME
from pos.models import Category, Product, Receipt, Terminal

LINES = {
    "2026-0042": ("RACUN", "hr", "Kavana Čarobni Ćup", "Trg Ivana Đure Žica 3, Zagreb", [
        ("Kruh od pira, pečen na drvima", "24", "3.40", "5"),
        ("Pecivo s makom", "60", "0.95", "13"),
        ("Dostava", "1", "12.00", "25"),
    ]),
    "PO-2026-007": ("PO", "de", "Gasthof Zum Müller", "Königstraße 5, Graz", [
        ("Buchenholz, ofenfertig", "2.5", "148.00", "25"),
        ("Anlieferung", "1", "65.00", "25"),
    ]),
}  # fmt: skip
GOODS = {"Kruh": [("Bijeli kruh", "1.60"), ("Kruh od pira", "3.40")], "Peciva": [("Burek", "2.80")]}


class Command(BaseCommand):
    """``manage.py portal_demo``."""

    help = "Makes a demo issuer with documents, goods and a fiscal receipt, and prints where they are."

    def handle(self, *_: Any, **__: Any) -> None:
        """What is there is left; links are new each time, since the database has none."""
        if not settings.DEMO:
            raise CommandError("PORTAL_DEMO is not set: here is no demo")
        with transaction.atomic():
            issuer = Issuer.objects.filter(oib="12345678903").first() or self.make()
        for number in LINES:
            invoice = Invoice.objects.get(issuer=issuer, number=number)
            url = delivery.link(delivery.token_issue(invoice=invoice), invoice.language)
            self.stdout.write(f"{invoice.kind:<6} {url}")
        terminal = Terminal.objects.get(issuer=issuer)
        receipt = Receipt.objects.filter(terminal=terminal).earliest("pk")
        self.stdout.write(f"QR     {settings.BASE_URL}{receipt.fiscal_qr_image.url}")
        self.stdout.write(f"issuer {settings.BASE_URL}/hr/izdavatelj/  (name and password: {NAME})")
        self.stdout.write(f"admin  {settings.BASE_URL}/admin/")
        token = services.terminal_token(terminal=terminal)
        url = f"{settings.BASE_URL}/pos/api/kasa/offline-bundle/"
        self.stdout.write(f'till   curl -H "Authorization: Bearer {token}" {url}')

    def make(self) -> Issuer:
        """The issuer and all that is its own."""
        user = get_user_model().objects.filter(username=NAME).first()
        user = user or get_user_model().objects.create_superuser(NAME, f"{NAME}@example.org", NAME)
        issuer = issuing.issuer_create(
            name="Pekara Zlatno zrno d.o.o.",
            address="Ilica 12, 10000 Zagreb",
            oib="12345678903",
            iban="HR12 1001 0051 8630 0016 0",
            email="racuni@zlatnozrno.example",
            members=[user],
        )
        today = date.today()
        for number, (kind, language, client, address, lines) in LINES.items():
            invoice = issuing.invoice_create(
                issuer=issuer,
                kind=kind,
                number=number,
                language=language,
                client_name=client,
                client_address=address,
                client_email="client@example.org",
                issued_on=today,
                due_on=today + timedelta(days=14),
                lines=[
                    {"description": text, "quantity": count, "unit_price": price, "vat_rate": rate}
                    for text, count, price, rate in lines
                ],
            )
            issuing.invoice_send(invoice=invoice)
        for place, (name, goods) in enumerate(GOODS.items()):
            category = Category.objects.create(issuer=issuer, name=name, position=place)
            for good, price in goods:
                Product.objects.create(category=category, name=good, price=Decimal(price), vat_rate=Decimal(5))
        terminal = Terminal.objects.create(issuer=issuer, name="Kasa 1", premises="ILICA12", device=1)
        receipt = Receipt.objects.create(terminal=terminal, number=1, issued_at=timezone.now(), total=Decimal("7.80"))
        services.receipt_fiscalise(receipt=receipt)
        return issuer
