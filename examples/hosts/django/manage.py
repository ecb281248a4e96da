import os
import sys
from pathlib import Path

# Without pip: the library of this repository.
library = os.environ.get("CLIP_HOST_LIBRARY") or Path(__file__).resolve().parents[3] / "integrations" / "python"
sys.path.append(str(library))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mysite.settings")

if __name__ == "__main__":
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)
