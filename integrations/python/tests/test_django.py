import re
import unittest

try:
    import django
    from django.conf import settings
except ImportError:
    raise unittest.SkipTest("Django is not installed")

if not settings.configured:
    settings.configure(
        SECRET_KEY="only-for-tests", ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], USE_TZ=True,
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "clip_host.django"],
        MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
                    "django.contrib.auth.middleware.AuthenticationMiddleware"],
        TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates"}],
        DATABASES={name: {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:", "ATOMIC_REQUESTS": True}
                   for name in ("default", "clips")},
        CLIP_HOST={"SERVICE_URL": "http://127.0.0.1:9/v2", "API_KEY": "key", "PLAYER_URL": "https://clips.example"},
    )
    django.setup()

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, connections
from django.template import engines
from django.test import Client, RequestFactory, TransactionTestCase, override_settings
from django.test.utils import setup_databases
from django.urls import include, path

from clip_host import Attempt
from clip_host.django.configuration import clip_host
from clip_host.django.database_store import DatabaseStore
from clip_host.problem import Problem

from .fake_service import FakeService

urlpatterns = [path("my/clips/", include("clip_host.django.urls"))]


def setUpModule():
    setup_databases(verbosity=0, interactive=False)


def serve_by(service):
    host = clip_host()
    host._service = host._users._service = host._users._tokens._service = host._starts._service = service


class DjangoTest(TransactionTestCase):
    databases = {"default", "clips"}

    def setUp(self):
        DatabaseStore().drop_tables()
        DatabaseStore().create_tables()
        self.service = FakeService()
        clip_host.cache_clear()
        serve_by(self.service)
        self.client = Client(enforce_csrf_checks=True)
        self.client.force_login(User.objects.create_user("ann"))

    def start(self, **headers):
        return self.client.post("/my/clips/exports", '{"project_id": "p"}', content_type="application/json",
                                HTTP_IDEMPOTENCY_KEY="attempt-key-1", HTTP_SEC_FETCH_SITE="same-origin", **headers)

    def test_the_claim_is_visible_before_the_call_in_each_database(self):
        atomic = []

        def start_export(*_):
            atomic.extend(one.in_atomic_block for one in connections.all())
            raise Problem("export-limit")

        self.service.start_export = start_export
        with override_settings(CLIP_HOST={**settings.CLIP_HOST, "DATABASE": "clips"}):
            DatabaseStore("clips").create_tables()
            serve_by(self.service)
            token = self.client.get("/my/clips/csrf-token").json()["token"]
            self.assertEqual(self.start(HTTP_X_CSRFTOKEN=token).status_code, 402)
        self.assertEqual(atomic, [False, False])

    def test_a_start_needs_the_token_of_the_page(self):
        refused = self.start()
        self.assertEqual((refused.status_code, refused["Content-Type"]), (403, "application/problem+json"))
        self.assertEqual(refused.json()["code"], "csrf-failed")
        self.assertEqual(self.service.exports_started, [])
        token = self.client.get("/my/clips/csrf-token").json()["token"]
        self.assertEqual(self.start(HTTP_X_CSRFTOKEN=token).status_code, 201)
        self.assertEqual(len(self.service.exports_started), 1)

    def test_the_claim_is_written_before_the_service_is_called(self):
        seen = []
        begin = self.service.start_export
        self.service.start_export = lambda *sent: (seen.append(connection.in_atomic_block), begin(*sent))[1]
        token = self.client.get("/my/clips/csrf-token").json()["token"]
        self.start(HTTP_X_CSRFTOKEN=token)
        self.assertEqual(seen, [False])

    def test_a_token_allows_what_the_settings_say(self):
        url = {"SERVICE_URL": "http://127.0.0.1:9/v2", "API_KEY": "key"}
        for more, asked in (({}, None), ({"AUTHORIZE": lambda *_: True}, ["view"]), ({"STARTS_PER_MINUTE": 5}, ["view"]),
                            ({"TOKEN_PERMISSIONS": ["view", "edit"]}, ["view", "edit"])):
            with override_settings(CLIP_HOST={**url, **more}):
                serve_by(self.service)
                self.service.token_permissions = True
                token = self.client.get("/my/clips/csrf-token").json()["token"]
                answer = self.client.post("/my/clips/token", "{}", content_type="application/json",
                                          HTTP_SEC_FETCH_SITE="same-origin", HTTP_X_CSRFTOKEN=token)
                self.assertEqual((answer.status_code, self.service.tokens_asked.pop()), (200, asked))

    def test_nobody_is_logged_in(self):
        answer = Client().get("/my/clips/exports")
        self.assertEqual((answer.status_code, answer.json()["code"]), (401, "unauthenticated"))

    def test_a_download_is_streamed(self):
        token = self.client.get("/my/clips/csrf-token").json()["token"]
        self.start(HTTP_X_CSRFTOKEN=token)
        self.service.exports_started[0].update(status="ready", name="Clip 1")
        path = "/my/clips/exports/export-1/download?project_id=p"
        answer = self.client.get(path)
        self.assertEqual((answer.streaming, b"".join(answer.streaming_content), answer["Content-Length"]), (True, b"mp4", "3"))
        self.assertEqual(answer["Content-Disposition"], "attachment; filename=\"Clip_1.mp4\"; filename*=UTF-8''Clip%201.mp4")
        head = self.client.head(path)
        self.assertEqual((head.content, head["Content-Length"]), (b"", "3"))

    def test_ids_are_compared_exactly(self):
        store = DatabaseStore()
        for key in ("attempt-a", "attempt-A", "attempt-a ", "x" * 300, "é", "e\u0301"):
            self.assertIsNone(store.claim_attempt(Attempt("ann", key, "[]", 2_000_000_000_000)))
            self.assertIsNotNone(store.claim_attempt(Attempt("ann", key, "[]", 2_000_000_000_000)))
        self.assertEqual(len(store.attempts_since("ann", 0)), 6)

    def draw(self, tag, user):
        request = RequestFactory().get("/")
        request.user = user
        return engines["django"].from_string("{% load clip_kit %}" + tag).render({"id": '"><script>'}, request)

    def test_tags_escape_what_they_are_given(self):
        for tag in ("clip_preview id title=id", "clip_embed id", "clip_export_button id folder=id", "clip_create for=id",
                    "clip_videos for=id", "clip_list folder=id"):
            text = self.draw("{% " + tag + " %}", AnonymousUser())
            self.assertNotIn("<script>", text)
            self.assertIn("&quot;&gt;&lt;script&gt;", text)

    def test_only_pages_of_users_have_a_token(self):
        self.assertNotIn("csrf-token=", self.draw('{% clip_export_button "p" %}', AnonymousUser()))
        text = self.draw('{% clip_export_button "p" auto_download=True label=None %}', User.objects.get())
        self.assertRegex(text, r'csrf-token="\w+"')
        self.assertIn('endpoint="/my/clips"', text)
        self.assertIn(' auto-download=""', text)
        self.assertNotIn("label", text)

    def test_the_tags_of_a_studio_have_the_settings_and_attributes_of_their_elements(self):
        text = self.draw('{% clip_create for="videos" options="" count=5 no_emojis=True %}'
                         '{% clip_videos id="videos" for="clips" %}{% clip_list id="clips" %}', User.objects.get())
        tags = re.findall(r"<(clip-[a-z]+)([^>]*)></", text)
        self.assertEqual([name for name, _ in tags], ["clip-create", "clip-videos", "clip-list"])
        for (name, attributes), wanted in zip(tags, (' for="videos" options="" count="5" no-emojis=""',
                                                     ' id="videos" for="clips"', ' id="clips"')):
            self.assertTrue(attributes.endswith(wanted), attributes)
            self.assertIn(' endpoint="/my/clips"', attributes)
            self.assertRegex(attributes, ' csrf-token="\\w+"')
            self.assertEqual(' player-url="https://clips.example"' in attributes, name == "clip-list")

    def test_a_page_that_makes_clips_loads_the_file_with_every_element(self):
        urls = {"SCRIPT_URL": "https://cdn.example/kit.js", "STUDIO_SCRIPT_URL": "https://cdn.example/studio.js"}
        for more, small, large in (({}, "/static/clip-kit/clip-kit.js", "/static/clip-kit/clip-studio.js"),
                                   (urls, *urls.values())):
            with override_settings(CLIP_HOST={**settings.CLIP_HOST, **more}):
                for tag, url in (("clip_script", small), ("clip_script studio=True", large)):
                    self.assertIn(f' src="{url}"', self.draw("{% " + tag + " %}", AnonymousUser()))

    def test_elements_of_a_page_have_the_same_token(self):
        text = self.draw('{% clip_export_button "p" %}{% clip_embed "p" %}', User.objects.get())
        self.assertEqual(len(set(re.findall(r'csrf-token="(\w+)"', text))), 1)

    def test_a_wrong_setting_is_named(self):
        for wrong, name in (({"SERVICE_URL": "https://x.example"}, "API_KEY"), ({**settings.CLIP_HOST, "KEY": "x"}, "KEY")):
            with override_settings(CLIP_HOST=wrong), self.assertRaisesMessage(ImproperlyConfigured, name):
                clip_host()


if __name__ == "__main__":
    unittest.main()
