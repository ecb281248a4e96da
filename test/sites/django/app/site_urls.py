from django.contrib.auth.views import LoginView
from django.urls import include, path
from django.views.generic import TemplateView

urlpatterns = [
    path("", TemplateView.as_view(template_name="home.html")),
    path("clip", TemplateView.as_view(template_name="clip.html")),
    path("log-in", LoginView.as_view(template_name="log-in.html")),
    path("clips/", include("clip_host.django.urls")),
]
