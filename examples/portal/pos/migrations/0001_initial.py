"""Products, tills and receipts."""

import django.core.validators
import django.db.models.deletion
import dualseal.contrib.django.fields
import invoices.models.documents
from decimal import Decimal
from django.db import migrations, models


class Migration(migrations.Migration):
    """All of it."""

    initial = True

    dependencies = [("invoices", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Category",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "name",
                    models.CharField(
                        max_length=100, validators=[invoices.models.documents.OneLine()], verbose_name="name"
                    ),
                ),
                ("position", models.PositiveSmallIntegerField(default=0)),
                (
                    "issuer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="categories", to="invoices.issuer"
                    ),
                ),
            ],
            options={"verbose_name": "category", "verbose_name_plural": "categories", "ordering": ("position", "pk")},
        ),
        migrations.CreateModel(
            name="Product",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "name",
                    models.CharField(
                        max_length=200, validators=[invoices.models.documents.OneLine()], verbose_name="name"
                    ),
                ),
                (
                    "price",
                    models.DecimalField(
                        decimal_places=2,
                        max_digits=10,
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="price",
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
                ("is_active", models.BooleanField(default=True, verbose_name="is sold")),
                (
                    "category",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="products", to="pos.category"
                    ),
                ),
            ],
            options={"verbose_name": "product", "verbose_name_plural": "products", "ordering": ("pk",)},
        ),
        migrations.CreateModel(
            name="Terminal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "name",
                    models.CharField(
                        max_length=100, validators=[invoices.models.documents.OneLine()], verbose_name="name"
                    ),
                ),
                (
                    "premises",
                    models.CharField(
                        max_length=20,
                        validators=[django.core.validators.RegexValidator("^[0-9A-Za-z]+$")],
                        verbose_name="premises",
                    ),
                ),
                (
                    "device",
                    models.PositiveIntegerField(
                        validators=[django.core.validators.MinValueValidator(1)], verbose_name="device"
                    ),
                ),
                ("token_hash", models.BinaryField(max_length=32, null=True, unique=True)),
                (
                    "issuer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="terminals", to="invoices.issuer"
                    ),
                ),
            ],
            options={"verbose_name": "till", "verbose_name_plural": "tills"},
        ),
        migrations.CreateModel(
            name="Receipt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "number",
                    models.PositiveIntegerField(
                        validators=[django.core.validators.MinValueValidator(1)], verbose_name="number"
                    ),
                ),
                ("issued_at", models.DateTimeField(verbose_name="time")),
                (
                    "total",
                    models.DecimalField(
                        decimal_places=2,
                        max_digits=12,
                        validators=[django.core.validators.MinValueValidator(Decimal("0"))],
                        verbose_name="total",
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("draft", "Draft"), ("fiscalised", "Fiscalised"), ("cancelled", "Cancelled")],
                        default="draft",
                        editable=False,
                        max_length=10,
                        verbose_name="status",
                    ),
                ),
                ("is_demo", models.BooleanField(default=False, editable=False)),
                ("zki", models.CharField(blank=True, editable=False, max_length=32, verbose_name="ZKI")),
                ("jir", models.UUIDField(blank=True, null=True, verbose_name="JIR")),
                ("fiscal_qr_url", models.CharField(blank=True, editable=False, max_length=500)),
                ("fiscal_qr_image", models.ImageField(blank=True, editable=False, null=True, upload_to="pos/qr")),
                ("identity_id", dualseal.contrib.django.fields.IdentityIdField(max_length=32, null=True, unique=True)),
                (
                    "terminal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="receipts", to="pos.terminal"
                    ),
                ),
            ],
            options={"verbose_name": "receipt", "verbose_name_plural": "receipts", "ordering": ("-issued_at", "-pk")},
        ),
        migrations.AddConstraint(
            model_name="terminal",
            constraint=models.UniqueConstraint(fields=("issuer", "premises", "device"), name="pos_terminal_place"),
        ),
        migrations.AddConstraint(
            model_name="receipt",
            constraint=models.UniqueConstraint(fields=("terminal", "number"), name="pos_receipt_number"),
        ),
    ]
