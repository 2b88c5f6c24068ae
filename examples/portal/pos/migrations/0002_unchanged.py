"""A till asks by what its bundle says, and no more by when a row was changed."""

from django.db import migrations


class Migration(migrations.Migration):
    """Three columns go."""

    dependencies = [("pos", "0001_initial")]
    operations = [
        migrations.RemoveField(model_name=name, name="updated_at") for name in ("category", "product", "terminal")
    ]
