import json
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path
from unittest import mock

from clip_host import ClipHost, Request, SqliteStore
from clip_host.problem import Problem
from clip_host.service import Service, _export_in

from .fake_service import FakeService

KEY = "attempt-key-1"


def post(path, body, **headers):
    return Request("POST", path.split("/"), headers={
        "sec-fetch-site": "same-origin", "content-type": "application/json", "idempotency-key": KEY, **headers,
    }, body=json.dumps(body).encode())


def patch(body, **headers):
    return Request("PATCH", ["projects", "p", "edit"], headers={
        "sec-fetch-site": "same-origin", "content-type": "application/json", **headers,
    }, body=json.dumps(body).encode())


def get(path):
    path, _, query = path.partition("?")
    return Request("GET", path.split("/"), query=query, headers={"sec-fetch-site": "same-origin"})


def delete(path, **headers):
    return Request("DELETE", path.split("/"), headers={"sec-fetch-site": "same-origin", **headers})


class HostTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.service = FakeService()

    def host(self, **options):
        store = SqliteStore(str(Path(self.directory.name) / "clips.sqlite"))
        return ClipHost(self.service, store, lambda request: "ann", **options)

    def test_many_requests_at_once_start_one_export_for_one_user(self):
        host = self.host()
        with ThreadPoolExecutor(10) as pool:
            answers = list(pool.map(lambda _: host.handle(post("exports", {"project_id": "p"})), range(10)))
        self.assertEqual(sorted(one.status for one in answers), [200] * 9 + [201])
        self.assertEqual(len(self.service.exports_started), 1)
        self.assertEqual(len(self.service.users), 1)

    def test_a_watermark_of_the_page_is_sent_with_its_defaults(self):
        mark = {"src_url": "https://x.example/a.png", "pos_x": 0}
        self.assertEqual(self.host().handle(post("exports", {"project_id": "p", "watermark": mark})).status, 201)
        sent = self.service.exports_started[0]["options"]
        self.assertEqual(sent, {"watermark": {"src_url": mark["src_url"], "pos_x": 0, "pos_y": 0.5, "scale": 1}})

    def test_an_upload_belongs_to_its_user(self):
        host = self.host()
        created = host.handle(post("uploads", {"name": "talk.mp4", "size": 10, "seconds": 1.5}))
        self.assertEqual((created.status, json.loads(created.body)["id"]), (201, "upload-1"))
        self.assertEqual(host.handle(get("uploads/upload-1")).status, 200)
        other = self.host()
        other._authenticate = lambda request: "ben"
        for request in (get("uploads/upload-1"), delete("uploads/upload-1")):
            answer = other.handle(request)
            self.assertEqual((answer.status, json.loads(answer.body)["code"]), (404, "upload-not-found"))
        self.assertEqual((host.handle(delete("uploads/upload-1")).status, self.service.uploads), (204, {}))

    def test_an_upload_whose_answer_was_lost_is_the_same_one_with_the_same_key(self):
        file = {"name": "talk.mp4", "size": 10}
        ids = [json.loads(self.host().handle(post("uploads", file)).body)["id"] for _ in range(2)]
        self.assertEqual(ids, ["upload-1", "upload-1"])
        self.assertEqual(self.host().handle(post("uploads", file, **{"idempotency-key": "short"})).status, 400)
        request = post("uploads", file)
        del request.headers["idempotency-key"]
        self.assertEqual(json.loads(self.host().handle(request).body)["id"], "upload-2")

    def test_the_key_of_an_upload_is_sent_on(self):
        service = Service("https://service.example/v2", "key")
        keys = []
        upload = {**dict.fromkeys(("id", "status", "protocol", "name", "created_at", "expires_at"), "x"), "size": 1, "offset": 0}
        service._call = lambda *_, key: keys.append(key) or {**upload, "url": "https://service.example/uploads/x"}
        for key in (KEY, None):
            service.create_upload("u", {"name": "a", "size": 1}, key)
        self.assertEqual(keys, [KEY, None])

    def test_a_wrong_file_is_refused_by_the_host_or_in_the_words_of_the_service(self):
        for wrong in ({}, {"name": "a"}, {"name": "", "size": 1}, {"name": "a", "size": 0}, {"name": "a", "size": True},
                      {"name": "a", "size": 1, "sha256": "x"}, {"name": "a", "size": 1, "seconds": 0}, {"name": "a", "size": 1, "path": "/"}):
            self.assertEqual(self.host().handle(post("uploads", wrong)).status, 400)
        self.assertEqual(self.service.uploads, {})
        self.service.refused_uploads.append(Problem("upload-too-large", service_status=413, detail="At most 5 hours."))
        problem = json.loads(self.host().handle(post("uploads", {"name": "a", "size": 1})).body)
        self.assertEqual((problem["status"], problem["detail"]), (413, "At most 5 hours."))

    def test_tasks_are_listed_page_by_page_and_deleted_by_their_user_only(self):
        host = self.host()
        self.assertEqual(host.handle(get("tasks")).body, b"[]")
        self.service.all_tasks = {name: {"user": "managed-1", "id": name} for name in ("b", "a")}
        first = host.handle(get("tasks?limit=1"))
        self.assertEqual(first.headers["Link"], '<?limit=1&cursor=1>; rel="next"')
        last = host.handle(get("tasks?limit=1&cursor=1"))
        self.assertEqual(([one["id"] for one in json.loads(last.body)], last.headers.get("Link")), (["a"], None))
        for wrong in ("limit=0", "limit=101", "cursor=%3F", "id=a"):
            self.assertEqual(host.handle(get(f"tasks?{wrong}")).status, 400)
        other = self.host()
        other._authenticate = lambda request: "ben"
        self.assertEqual(other.handle(get("tasks")).body, b"[]")
        self.assertEqual([other.handle(one).status for one in (get("tasks/a"), delete("tasks/a"))], [404, 404])
        self.assertEqual(host.handle(delete("tasks/a", **{"sec-fetch-site": "cross-site"})).status, 403)
        refusing = self.host(authorize=lambda user, action, *_: action != "delete")
        self.assertEqual(refusing.handle(delete("tasks/a")).status, 403)
        self.assertEqual((host.handle(delete("tasks/a")).status, list(self.service.all_tasks)), (204, ["b"]))

    def test_a_task_is_started_once_for_a_key_with_the_body_as_it_is(self):
        host = self.host()
        body = {"source_video_url": "https://service.example/uploads/1", "name": "Talk", "editing_options": {}}
        first = host.handle(post("tasks/video-to-shorts", body))
        again = host.handle(post("tasks/video-to-shorts", dict(reversed(body.items()))))
        self.assertEqual((first.status, again.status, again.body), (201, 200, first.body))
        self.assertEqual(self.service.tasks_sent, [("video-to-shorts", body, KEY)])
        self.assertEqual(json.loads(host.handle(get(f"tasks?attempt={KEY}")).body), [json.loads(first.body)])
        # The key belongs to this request.
        for request in (post("tasks/video-to-shorts", {**body, "name": "Other"}), post("tasks/video-to-video", body),
                        post("exports", {"project_id": "p"}), get(f"exports?attempt={KEY}")):
            self.assertEqual(host.handle(request).status, 409)
        self.assertEqual((len(self.service.tasks_sent), self.service.exports_started), (1, []))

    def test_a_task_with_an_unknown_outcome_is_not_started_again(self):
        host = self.host()
        self.service.fails = [Problem("service-timeout", unknown_outcome=True)]
        for _ in range(2):
            answer = host.handle(post("tasks/video-to-shorts", {"source_video_url": "https://x.example/a.mp4"}))
            self.assertEqual((answer.status, json.loads(answer.body)["unknown_outcome"]), (504, True))
        self.assertEqual(len(self.service.tasks_sent), 1)
        # An export beside it is told apart from it.
        lost = Problem("service-timeout", unknown_outcome=True)
        self.service.fails = [lost]
        key = {"idempotency-key": "attempt-key-2"}
        self.assertEqual(host.handle(post("exports", {"project_id": "p"}, **key)).status, 504)
        self.assertEqual(host.handle(get("exports?attempt=attempt-key-2")).status, 202)

    def test_a_service_without_a_list_has_that_of_the_host_and_a_deleted_task_only_leaves_it(self):
        host, other = self.host(), self.host()
        other._authenticate = lambda request: "ben"
        self.service.lists = False
        for number, name in enumerate(("One", "Two", "Three")):
            body = {"source_video_url": "https://x.example/a.mp4", "name": name}
            key = {"idempotency-key": f"attempt-key-{number}"}
            with mock.patch("clip_host.task_list.now_ms", return_value=number):
                self.assertEqual(host.handle(post("tasks/video-to-shorts", body, **key)).status, 201)

        def names(answer):
            return [one["name"] for one in json.loads(answer.body)]

        first = host.handle(get("tasks?limit=2"))
        self.assertEqual(names(first), ["Three", "Two"])
        last = host.handle(get("tasks" + first.headers["Link"][1:].partition(">")[0]))
        self.assertEqual((names(last), last.headers.get("Link")), (["One"], None))
        self.assertEqual(host.handle(get("tasks?cursor=x")).status, 400)
        self.assertEqual(other.handle(get("tasks")).body, b"[]")
        self.assertEqual(other.handle(delete("tasks/task-1")).status, 404)
        self.assertEqual((host.handle(delete("tasks/task-1")).status, len(self.service.all_tasks)), (204, 3))
        del self.service.all_tasks["task-2"]
        self.assertEqual(names(host.handle(get("tasks"))), ["Three"])

    def test_a_wrong_task_starts_nothing(self):
        host = self.host()
        url = {"source_video_url": "https://x.example/a.mp4"}
        for wrong in ({}, {"source_video_url": "ftp://x.example/a"}, {**url, "subtitles_url": 1}, {**url, "more": 1}):
            self.assertEqual(host.handle(post("tasks/video-to-shorts", wrong)).status, 400)
        for wrong in (url, {**url, "editing_options": {}, "max_clip_count": 1}):
            self.assertEqual(host.handle(post("tasks/video-to-video", wrong)).status, 400)
        self.assertEqual(host.handle(post("tasks/other", url)).status, 405)
        self.assertEqual(self.service.tasks_sent, [])

    def test_the_site_chooses_the_options_whatever_the_page_asks(self):
        host = self.host(export_options=lambda asked, user: {"preset_id": f"of-{user}"})
        host.handle(post("exports", {"project_id": "p"}))
        self.assertEqual(self.service.exports_started[0]["options"], {"preset_id": "of-ann"})

    def test_wrong_options_of_the_site_start_nothing(self):
        answer = self.host(export_options=lambda asked, user: {"watermark": {}}).handle(post("exports", {"project_id": "p"}))
        self.assertEqual(answer.status, 500)
        self.assertEqual(self.service.exports_started, [])

    def test_a_refusal_of_the_site_starts_nothing(self):
        for answer in (False, None, "no"):
            host = self.host(authorize=lambda *_: answer)
            self.assertEqual(host.handle(post("exports", {"project_id": "p"})).status, 403)
        self.assertEqual(self.service.exports_started, [])

    def test_the_site_is_asked_about_a_token_without_a_clip(self):
        asked = []
        self.host(authorize=lambda *ask: asked.append(ask) or True).handle(post("token", {"project_id": "p"}))
        self.assertEqual(asked, [("ann", "token", None, None)])

    def test_a_token_lets_its_holder_only_view_beside_policies_of_the_site(self):
        self.service.token_permissions = True
        for sent, options in (
            (None, {}), (["view"], {"authorize": lambda *_: True}), (["view"], {"export_options": lambda asked, user: asked}),
            (["view"], {"starts_per_minute": 30}), (["view", "edit"], {"token_permissions": ("view", "edit")}),
            (["edit", "view"], {"authorize": lambda *_: True, "token_permissions": ["edit", "view"]}),
        ):
            self.assertEqual(self.host(**options).handle(post("token", {})).status, 200)
            self.assertEqual(self.service.tokens_asked.pop(), sent)
        self.assertEqual(self.service.tokens_asked, [])

    def test_the_permissions_are_in_the_body_of_the_request(self):
        service = Service("https://service.example/v2", "key")
        sent = []
        service._call = lambda method, path, body: sent.append((path, body)) or {"external_access_token": "t"}
        service.create_token("u/1")
        service.create_token("u", ["view"])
        self.assertEqual(sent, [("/users/u%2F1/tokens", {}), ("/users/u/tokens", {"permissions": ["view"]})])

    def test_wrong_permissions_are_refused_when_the_host_is_made(self):
        for wrong in ([], ["edit"], ["view", "delete"], "view"):
            with self.assertRaises(ValueError):
                self.host(token_permissions=wrong)

    def test_a_service_whose_tokens_have_no_permissions_is_asked_without_them_for_an_hour(self):
        host = self.host(authorize=lambda *_: True)
        with mock.patch("clip_host.token_call.now_ms") as clock:
            for clock.return_value in (10_000_000, 13_599_999, 13_600_000):
                self.assertEqual(host.handle(post("token", {})).status, 200)
        self.assertEqual(self.service.tokens_asked, [["view"], None, None, ["view"], None])

    def test_no_other_refusal_gives_a_token_without_permissions(self):
        for status, spoke in ((400, False), (403, True), (500, True)):
            self.service.token_fails = [Problem("service-error", service_status=status, service_spoke=spoke)]
            self.assertEqual(self.host(authorize=lambda *_: True).handle(post("token", {})).status, 502)
        self.assertEqual(self.service.tokens_asked, [["view"]] * 3)

    def test_a_service_that_refuses_both_is_asked_with_permissions_again(self):
        self.service.token_permissions = True
        host = self.host(authorize=lambda *_: True)
        self.service.token_fails = [Problem("unprocessable", service_status=422, service_spoke=True) for _ in range(2)]
        self.assertEqual([host.handle(post("token", {})).status for _ in range(2)], [422, 200])
        self.assertEqual(self.service.tokens_asked, [["view"], None, ["view"]])

    def test_permissions_that_the_site_has_set_are_not_given_up(self):
        with self.assertLogs("clip_host", "ERROR") as logged:
            answer = self.host(token_permissions=["view"]).handle(post("token", {}))
        self.assertEqual((answer.status, json.loads(answer.body)["code"]), (502, "service-error"))
        self.assertEqual(self.service.tokens_asked, [["view"]])
        self.assertIn("the service refuses token_permissions: the service answered 400", logged.output[0])

    def test_starts_are_limited_and_a_refused_key_stays_free(self):
        host = self.host(starts_per_minute=2)
        statuses = [host.handle(post("exports", {"project_id": "p"}, **{"idempotency-key": f"attempt-{n}"})).status for n in range(3)]
        self.assertEqual(statuses, [201, 201, 429])
        self.assertEqual(len(self.service.exports_started), 2)

    def test_an_unknown_outcome_is_searched_before_it_is_repeated(self):
        host = self.host()
        self.service.fails = [Problem("service-timeout", unknown_outcome=True)]
        self.assertEqual(json.loads(host.handle(post("exports", {"project_id": "p"})).body)["unknown_outcome"], True)
        # Nothing is in the list yet: it may still come, so nothing is started and nothing promised.
        early = host.handle(post("exports", {"project_id": "p"}))
        self.assertEqual((early.status, json.loads(early.body)["unknown_outcome"]), (504, True))
        asked = host.handle(get(f"exports?attempt={KEY}"))
        self.assertEqual((asked.status, json.loads(asked.body), asked.headers.get("Idempotency-Key")), (202, [], None))
        now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.service.exports_started.append({"id": "lost", "project_id": "p", "created_at": now})
        again = host.handle(post("exports", {"project_id": "p"}))
        self.assertEqual((again.status, json.loads(again.body)["id"]), (200, "lost"))
        self.assertEqual(len(self.service.exports_started), 1)

    def test_the_attempt_key_is_sent_on(self):
        self.host().handle(post("exports", {"project_id": "p"}))
        self.assertEqual(self.service.exports_started[0]["key"], KEY)

    def test_an_edit_is_passed_on_with_its_revision(self):
        host = self.host()
        read = host.handle(get("projects/p/edit?folder_id=f"))
        self.assertEqual((read.status, read.headers["ETag"], json.loads(read.body)["revision"]), (200, '"7"', 7))
        change = {"changes": {"words": {}, "title": "März"}}
        statuses = [host.handle(patch(body, **headers)).status for body, headers in (
            (change, {}), (change, {"if-match": '"6"'}), ({"title": "Dawn"}, {"if-match": '"7"'}),
            ({"changes": [1]}, {"if-match": '"7"'}), (change, {"if-match": '"7"', "sec-fetch-site": "cross-site"}))]
        self.assertEqual(statuses, [428, 412, 400, 400, 403])
        self.assertEqual(self.service.changes, [])
        answer = host.handle(patch(change, **{"if-match": '"7"'}))
        self.assertEqual((answer.status, answer.headers["ETag"]), (200, '"8"'))
        self.assertEqual(self.service.changes, [change])

    def test_a_clip_of_a_stretch_and_a_copy_are_made_once_for_each_key(self):
        host = self.host()
        stretch = {"start": 3, "end": 9.5, "name": "Dawn"}
        made = [json.loads(host.handle(post("projects/f", stretch)).body)["id"] for _ in range(2)]
        copy = host.handle(post("projects/p/copy", {}, **{"idempotency-key": "attempt-key-2"}))
        self.assertEqual((made, copy.status, json.loads(copy.body)["of"]), (["clip-1", "clip-1"], 201, "p"))
        for wrong in ({"start": 3}, {"start": 3, "end": 3}, {"start": "3", "end": 9}, {"start": True, "end": 9}, {**stretch, "more": 1}):
            self.assertEqual(host.handle(post("projects/f", wrong)).status, 400)
        self.assertEqual(host.handle(post("projects/f", stretch, **{"idempotency-key": "short"})).status, 400)
        self.assertEqual(len(self.service.made), 2)

    def test_the_clips_of_a_folder_are_listed_for_who_may_read_it(self):
        asked = []
        host = self.host(authorize=lambda *ask: asked.append(ask) or ask[3] != "closed")
        self.service.folders = {"f": [{"id": "p", "folder_id": "f"}], "closed": []}
        answers = [host.handle(get(f"projects?{query}")) for query in
                   ("folder_id=f", "folder_id=other", "folder_id=closed", "", "folder_id=f&task=t")]
        self.assertEqual([one.status for one in answers], [200, 404, 403, 400, 400])
        self.assertEqual(json.loads(answers[0].body), [{"id": "p", "folder_id": "f"}])
        self.assertEqual(json.loads(answers[1].body)["code"], "clip-not-found")
        self.assertEqual(asked, [("ann", "read", None, folder) for folder in ("f", "other", "closed")])

    def test_edits_need_a_yes_of_the_site_to_edit(self):
        asked = []
        host = self.host(authorize=lambda *ask: asked.append(ask) or ask[1] in ("token", "export", "download", "read"))
        requests = (get("projects/p/edit?folder_id=f"), patch({"changes": {}}, **{"if-match": '"7"'}),
                    post("projects/p/copy", {}), post("projects/f", {"start": 1, "end": 2}))
        self.assertEqual([host.handle(one).status for one in requests], [403] * 4)
        self.assertEqual(asked, [("ann", "edit", "p", "f"), ("ann", "edit", "p", None), ("ann", "edit", "p", None),
                                 ("ann", "edit", None, "f")])
        self.assertEqual((self.service.changes, self.service.made), ([], {}))

    def test_an_export_says_of_which_revision_it_is(self):
        for revision, shown in ((3, 3), (None, None)):
            self.assertEqual(_export_in({"id": "e", "status": "ready", "revision": revision}).get("revision"), shown)

    def test_an_address_that_is_no_http_or_https_reaches_no_page(self):
        for url, shown in ((None, None), ("javascript:alert(1)", None), ("https://x.example/a.mp4", "https://x.example/a.mp4")):
            self.assertEqual(_export_in({"id": "e", "status": "ready", "src_url": url})["src_url"], shown)

    def test_a_user_that_the_service_lost_is_created_again(self):
        host = self.host()
        host.handle(post("token", {}))
        self.service.users[:] = ["somebody-else"]
        self.assertEqual(host.handle(post("exports", {"project_id": "p"})).status, 201)
        self.assertEqual(host.handle(post("token", {})).status, 200)

    def test_a_bare_404_does_not_replace_a_user(self):
        host = self.host()
        host.handle(post("token", {}))
        gateway = Problem("not-found", service_status=404)
        self.service.create_token = lambda *_: (_ for _ in ()).throw(gateway)
        self.assertGreaterEqual(host.handle(post("token", {})).status, 400)
        self.assertEqual(self.service.users, ["managed-1"])

    def test_a_start_whose_user_could_not_be_created_is_no_lost_one(self):
        host = self.host()
        self.service.create_user = lambda: (_ for _ in ()).throw(Problem("service-timeout"))
        answer = host.handle(post("exports", {"project_id": "p"}))
        self.assertEqual((answer.status, json.loads(answer.body)["unknown_outcome"]), (504, False))

    def test_a_missing_id_is_an_error_and_not_an_account(self):
        for user in ("", "None", "undefined", 7):
            host = ClipHost(self.service, SqliteStore(":memory:"), lambda request: user)
            self.assertEqual(host.handle(post("exports", {"project_id": "p"})).status, 500)
        self.assertEqual(self.service.users, [])

    def test_each_account_has_a_tag_that_is_not_its_id(self):
        tags = [ClipHost(self.service, SqliteStore(":memory:"), lambda request: user).handle(get("exports")).headers["Clip-Account"]
                for user in ("ann", "ann", "ben")]
        self.assertEqual((tags[0] == tags[1], tags[0] == tags[2], "ann" in tags[0]), (True, False, False))

    def test_a_start_for_another_account_than_the_one_that_is_signed_in_is_refused(self):
        host = self.host()
        refused = host.handle(post("exports", {"project_id": "p"}, **{"clip-account": "of-another"}))
        self.assertEqual((refused.status, json.loads(refused.body)["code"]), (409, "account-changed"))
        own = {"clip-account": refused.headers["Clip-Account"]}
        self.assertEqual(host.handle(post("exports", {"project_id": "p"}, **own)).status, 201)

    def test_two_hosts_in_one_process_are_independent(self):
        other = ClipHost(FakeService(), SqliteStore(":memory:"), lambda request: None)
        self.assertEqual(other.handle(post("token", {})).status, 401)
        self.assertEqual(self.host().handle(post("token", {})).status, 200)


if __name__ == "__main__":
    unittest.main()
