from django.db import migrations

from ..database_store import DatabaseStore


def create(apps, schema_editor):
    # Those that are there stay as they are.
    DatabaseStore(schema_editor.connection.alias).create_tables()


class Migration(migrations.Migration):
    dependencies = [("clip_host", "0001_initial")]
    operations = [migrations.RunPython(create, migrations.RunPython.noop)]
