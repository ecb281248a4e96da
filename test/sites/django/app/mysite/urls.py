from django.contrib import admin
from django.urls import path, re_path
from django.views.generic import TemplateView
from django.views.static import serve

urlpatterns = [
    path("", TemplateView.as_view(template_name="index.html")),
    path("clip", TemplateView.as_view(template_name="clip.html")),
    path("admin/", admin.site.urls),
    re_path(r"^(?P<path>[\w-]+\.js)$", serve, {"document_root": "public"}),
]
