"""A document's record, as every signed row of a project has it."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """No column changes."""

    dependencies = [("invoices", "0002_responses")]
    operations = [
        migrations.AlterField(
            model_name="invoice",
            name="record",
            field=models.OneToOneField(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="dualseal.record",
            ),
        )
    ]
