from django.db import migrations

from ..database_store import DatabaseStore


def create(apps, schema_editor):
    DatabaseStore(schema_editor.connection.alias).create_tables()


def drop(apps, schema_editor):
    DatabaseStore(schema_editor.connection.alias).drop_tables()


class Migration(migrations.Migration):
    initial = True
    operations = [migrations.RunPython(create, drop)]
