"""Who declared what void, which the database itself keeps append-only."""

import django.db.models.deletion
import dualseal.contrib.django.fields
from django.db import migrations, models
from dualseal.contrib.django.operations import AppendOnly


class Migration(migrations.Migration):
    """Like the answers of clients."""

    dependencies = [("invoices", "0003_signed"), ("dualseal", "0001_initial")]
    operations = [
        migrations.CreateModel(
            name="Voiding",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("signer", dualseal.contrib.django.fields.IdentityIdField(max_length=32)),
                ("seal", dualseal.contrib.django.fields.SealField()),
                ("ip", models.GenericIPAddressField(verbose_name="address")),
                ("ua", models.CharField(blank=True, max_length=512, verbose_name="agent")),
                ("hash", models.CharField(max_length=64, verbose_name="SHA-256")),
                ("identity_id", dualseal.contrib.django.fields.IdentityIdField(max_length=32, unique=True)),
                ("seal_id", models.CharField(max_length=80, unique=True)),
                ("created_at", models.DateTimeField(verbose_name="time")),
                ("by", models.CharField(max_length=150, verbose_name="by")),
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="dualseal.entry"
                    ),
                ),
                (
                    "invoice",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="%(class)s", to="invoices.invoice"
                    ),
                ),
            ],
            options={
                "verbose_name": "declaration of being void",
                "verbose_name_plural": "declarations of being void",
                "abstract": False,
            },
        ),
        AppendOnly("Voiding"),
    ]
