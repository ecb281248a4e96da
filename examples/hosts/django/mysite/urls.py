from django.contrib.auth.views import LoginView
from django.shortcuts import render
from django.urls import include, path


def clip(request, project):
    return render(request, "clip.html", {"project": project, "folder": request.GET.get("folder")})


urlpatterns = [
    path("clips/", include("clip_host.django.urls")),
    path("login/", LoginView.as_view(template_name="login.html"), name="login"),
    path("watch/<str:project>/", clip, name="clip"),
]
