from django.urls import path, re_path

from . import views

app_name = "clip_host"

urlpatterns = [
    path("csrf-token", views.csrf_token, name="csrf-token"),
    re_path(r"^(?P<path>.*)$", views.host, name="host"),
]
