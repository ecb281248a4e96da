"""The host as a Django app: `INSTALLED_APPS += ["clip_host.django"]`."""
