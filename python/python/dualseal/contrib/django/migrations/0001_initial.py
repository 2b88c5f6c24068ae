"""The log's tables, four of which the database itself keeps append-only."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models

from dualseal.contrib.django.fields import EntryField, HashField, IdentityIdField
from dualseal.contrib.django.operations import AppendOnly

ID = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))


def chain(name: str) -> tuple[str, models.ForeignKey[Any, Any]]:
    """The foreign key of a chain's rows."""
    return "chain", models.ForeignKey("dualseal.chain", models.PROTECT, related_name=name)


def unique(model: str, *fields: str) -> models.UniqueConstraint:
    """What a chain has once."""
    return models.UniqueConstraint(fields=("chain", *fields), name="_".join(["dualseal", model, *fields]))


class Migration(migrations.Migration):
    """All of it."""

    initial = True
    operations = (
        migrations.CreateModel(
            "Chain",
            [
                ID,
                ("name", models.CharField(max_length=64, unique=True)),
                ("origin", models.CharField(max_length=255)),
                ("identity_id", IdentityIdField(editable=False)),
                ("size", models.BigIntegerField(default=0, editable=False)),
                ("state", models.TextField(editable=False)),
                ("ring_seal", models.TextField(editable=False)),
                ("checkpoint_json", models.TextField(editable=False, null=True)),
            ],
        ),
        migrations.CreateModel(
            "Entry",
            [
                ID,
                ("seq", models.BigIntegerField()),
                ("krunica_hash", HashField()),
                ("entry", EntryField()),
                chain("entries"),
            ],
            {
                "verbose_name_plural": "entries",
                "constraints": [unique("entry", "seq"), unique("entry", "krunica_hash")],
            },
        ),
        migrations.CreateModel(
            "Node",
            [
                ID,
                ("level", models.SmallIntegerField()),
                ("place", models.BigIntegerField()),
                ("hash", HashField()),
                chain("nodes"),
            ],
            {"constraints": [unique("node", "level", "place")]},
        ),
        migrations.CreateModel(
            "Record",
            [
                ID,
                ("krunica_hash", HashField()),
                ("identity_id", IdentityIdField()),
                ("is_vault", models.BooleanField(default=False)),
                ("stored", models.BinaryField()),
                chain("records"),
            ],
            {"constraints": [unique("record", "krunica_hash")]},
        ),
        migrations.CreateModel(
            "RingRow",
            [ID, ("name", models.CharField(max_length=80)), ("json", models.TextField()), chain("ring_rows")],
            {"constraints": [unique("ringrow", "name")]},
        ),
        migrations.CreateModel(
            "Secret",
            [
                ID,
                ("table", models.CharField(max_length=255)),
                ("row", models.BinaryField()),
                ("purpose", models.CharField(max_length=255)),
                ("stored", models.BinaryField()),
                chain("secrets"),
            ],
            {"constraints": [unique("secret", "table", "row", "purpose")]},
        ),
        migrations.CreateModel(
            "Kept",
            [
                ID,
                ("number", models.BigIntegerField()),
                ("place", HashField()),
                ("listed", HashField()),
                chain("kept"),
            ],
            {"verbose_name_plural": "kept", "constraints": [unique("kept", "number")]},
        ),
        AppendOnly("Entry"),
        AppendOnly("Node"),
        AppendOnly("Record"),
        AppendOnly("Kept"),
    )
