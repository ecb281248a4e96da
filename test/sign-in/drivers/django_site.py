"""The view of the block, by the urls of a site that Django has loaded."""
import os
import sys
from types import SimpleNamespace

sys.path.insert(0, os.getcwd())
os.environ["DJANGO_SETTINGS_MODULE"] = "mysite.settings"

import django
from django.test import RequestFactory
from django.urls import resolve

django.setup()
view = resolve("/clip-session").func
for user in sys.argv[1:]:
    request = RequestFactory().get("/clip-session")
    request.user = SimpleNamespace(is_authenticated=user != "", pk=user)
    answer = view(request)
    print(answer.status_code, f"[{answer['Cache-Control']}]", answer.content.decode())
