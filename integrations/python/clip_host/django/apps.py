from django.apps import AppConfig


class ClipHostConfig(AppConfig):
    name = "clip_host.django"
    label = "clip_host"
    verbose_name = "Clips"
