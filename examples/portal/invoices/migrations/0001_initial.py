"""Issuers, documents, links, and mail that waits."""

import django.core.validators
import django.db.models.deletion
import dualseal.contrib.django.fields
import invoices.models.documents
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """All of it."""

    initial = True

    dependencies = [("dualseal", "0001_initial"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="RenewalRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hash", models.BinaryField(max_length=32, unique=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="Invoice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("RACUN", "Invoice"), ("PO", "Order")],
                        default="RACUN",
                        max_length=5,
                        verbose_name="kind",
                    ),
                ),
                (
                    "number",
                    models.CharField(
                        max_length=40, validators=[invoices.models.documents.OneLine()], verbose_name="number"
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("draft", "Draft"),
                            ("sent", "Sent"),
                            ("viewed", "Viewed"),
                            ("ACCEPTED", "Accepted"),
                            ("declined", "Declined"),
                            ("void", "Void"),
                        ],
                        default="draft",
                        editable=False,
                        max_length=8,
                        verbose_name="status",
                    ),
                ),
                (
                    "client_name",
                    models.CharField(
                        max_length=200, validators=[invoices.models.documents.OneLine()], verbose_name="client"
                    ),
                ),
                ("client_email", models.EmailField(max_length=254, verbose_name="client's e-mail")),
                (
                    "client_address",
                    models.CharField(
                        blank=True,
                        max_length=300,
                        validators=[invoices.models.documents.OneLine()],
                        verbose_name="client's address",
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        choices=[("hr", "Hrvatski"), ("de", "Deutsch"), ("en", "English")],
                        default="hr",
                        max_length=2,
                        verbose_name="language",
                    ),
                ),
                (
                    "currency",
                    models.CharField(
                        default="EUR",
                        max_length=3,
                        validators=[django.core.validators.RegexValidator("^[A-Z]{3}$")],
                        verbose_name="currency",
                    ),
                ),
                ("issued_on", models.DateField(verbose_name="date")),
                ("due_on", models.DateField(blank=True, null=True, verbose_name="due")),
                ("note", models.TextField(blank=True, max_length=2000, verbose_name="note")),
                (
                    "total",
                    models.DecimalField(
                        decimal_places=2,
                        max_digits=12,
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="total",
                    ),
                ),
                ("upload", models.BinaryField(null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("sent_at", models.DateTimeField(editable=False, null=True)),
                ("pdf", models.BinaryField(null=True)),
                ("data", models.TextField(blank=True, editable=False)),
                ("hash", models.CharField(blank=True, editable=False, max_length=64)),
                (
                    "record",
                    models.OneToOneField(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="invoice",
                        to="dualseal.record",
                    ),
                ),
            ],
            options={
                "verbose_name": "document",
                "verbose_name_plural": "documents",
                "ordering": ("-created_at", "-pk"),
            },
        ),
        migrations.CreateModel(
            name="ClientToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hash", models.BinaryField(max_length=32, unique=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "invoice",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="tokens", to="invoices.invoice"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="InvoiceLine",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "description",
                    models.CharField(
                        max_length=300, validators=[invoices.models.documents.OneLine()], verbose_name="description"
                    ),
                ),
                (
                    "quantity",
                    models.DecimalField(
                        decimal_places=3,
                        default=1,
                        max_digits=9,
                        validators=[django.core.validators.MinValueValidator(Decimal("0.001"))],
                        verbose_name="quantity",
                    ),
                ),
                (
                    "unit_price",
                    models.DecimalField(
                        decimal_places=2,
                        max_digits=10,
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="unit price",
                    ),
                ),
                (
                    "vat_rate",
                    models.DecimalField(
                        decimal_places=2,
                        default=25,
                        max_digits=4,
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(50),
                        ],
                        verbose_name="VAT, %",
                    ),
                ),
                (
                    "invoice",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="lines", to="invoices.invoice"
                    ),
                ),
            ],
            options={"ordering": ("pk",)},
        ),
        migrations.CreateModel(
            name="Issuer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "name",
                    models.CharField(
                        max_length=200, validators=[invoices.models.documents.OneLine()], verbose_name="name"
                    ),
                ),
                (
                    "address",
                    models.CharField(
                        max_length=300, validators=[invoices.models.documents.OneLine()], verbose_name="address"
                    ),
                ),
                (
                    "oib",
                    models.CharField(
                        max_length=11, unique=True, validators=[invoices.models.documents.valid_oib], verbose_name="OIB"
                    ),
                ),
                (
                    "iban",
                    models.CharField(
                        blank=True, max_length=34, validators=[invoices.models.documents.OneLine()], verbose_name="IBAN"
                    ),
                ),
                ("email", models.EmailField(max_length=254, verbose_name="e-mail")),
                ("identity_id", dualseal.contrib.django.fields.IdentityIdField(max_length=32, unique=True)),
                ("members", models.ManyToManyField(blank=True, related_name="issuers", to=settings.AUTH_USER_MODEL)),
            ],
            options={"verbose_name": "issuer", "verbose_name_plural": "issuers"},
        ),
        migrations.AddField(
            model_name="invoice",
            name="issuer",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="invoices",
                to="invoices.issuer",
                verbose_name="issuer",
            ),
        ),
        migrations.CreateModel(
            name="Outgoing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("sent", "Sent"), ("reminder", "Reminder"), ("renewal", "Renewal")], max_length=8
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("due_at", models.DateTimeField(auto_now_add=True)),
                (
                    "invoice",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="outgoing", to="invoices.invoice"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="View",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ip", models.GenericIPAddressField(verbose_name="address")),
                ("ua", models.CharField(blank=True, max_length=512, verbose_name="agent")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="time")),
                (
                    "invoice",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="views", to="invoices.invoice"
                    ),
                ),
                (
                    "token",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="invoices.clienttoken"
                    ),
                ),
            ],
            options={"ordering": ("-pk",)},
        ),
        migrations.AddConstraint(
            model_name="invoice",
            constraint=models.UniqueConstraint(fields=("issuer", "number"), name="invoices_invoice_number"),
        ),
        migrations.AddConstraint(
            model_name="outgoing",
            constraint=models.UniqueConstraint(fields=("invoice", "kind"), name="invoices_outgoing_once"),
        ),
    ]
