"""A clip service in memory: one user, and the exports that were started."""
from clip_host.problem import Problem


class FakeFile:
    status = 200
    headers = {"Content-Length": "3"}

    def __iter__(self):
        yield from (b"mp", b"4")

    def close(self):
        pass


class FakeService:
    def __init__(self):
        self.users = []
        self.exports_started = []
        self.fails = []
        self.folders = {}
        self.made = {}
        self.revision = 7
        self.changes = []
        self.tokens_asked = []
        self.token_fails = []
        # Whether tokens have permissions; the specification's have none.
        self.token_permissions = False
        self.uploads = {}
        self.upload_keys = {}
        self.refused_uploads = []
        self.all_tasks = {}
        self.tasks_sent = []
        self.lists = True

    def create_user(self):
        self.users.append(f"managed-{len(self.users) + 1}")
        return self.users[-1]

    def create_token(self, managed_user, permissions=None):
        self.tokens_asked.append(permissions)
        if self.token_fails:
            raise self.token_fails.pop(0)
        if permissions is not None and not self.token_permissions:
            raise Problem("invalid-request", reason="the service answered 400", service_status=400, service_spoke=True)
        if managed_user not in self.users:
            raise Problem("not-found", service_status=404, service_spoke=True)
        return "a.e30.b"

    def start_export(self, managed_user, clip, options, key):
        if managed_user not in self.users:
            raise Problem("service-error", service_status=403)
        if self.fails:
            raise self.fails.pop(0)
        export = {"id": f"export-{len(self.exports_started) + 1}", "status": "processing", "src_url": None,
                  "created_at": "2999-01-01T00:00:00.12Z", "options": dict(options), "key": key, **clip}
        self.exports_started.append(export)
        return export

    def export(self, managed_user, clip, export_id):
        return next(one for one in self.exports_started if one["id"] == export_id)

    def find_exports(self, managed_user, project, key):
        return list(self.exports_started), False, True

    def edit(self, managed_user, project, patch=None, revision=None):
        if patch is not None:
            if revision is None:
                raise Problem("revision-missing", service_status=428)
            if revision != f'"{self.revision}"':
                raise Problem("revision-changed", service_status=412)
            self.changes.append(patch)
            self.revision += 1
        return {"revision": self.revision, "changes": {}}, {"ETag": f'"{self.revision}"'}

    def clips(self, managed_user, folder):
        if folder not in self.folders:
            raise Problem("clip-not-found", service_status=404, service_spoke=True)
        return self.folders[folder]

    def create_clip(self, managed_user, folder, body, key):
        return self.made.setdefault(key, {"id": f"clip-{len(self.made) + 1}", "folder_id": folder, **body})

    def copy_clip(self, managed_user, project, key):
        return self.made.setdefault(key, {"id": f"clip-{len(self.made) + 1}", "of": project})

    def create_upload(self, managed_user, file, key):
        if self.refused_uploads:
            raise self.refused_uploads.pop(0)
        if key is not None and (managed_user, key) in self.upload_keys:
            return self.uploads[self.upload_keys[managed_user, key]]
        upload_id = f"upload-{len(self.uploads) + 1}"
        self.upload_keys[managed_user, key] = upload_id
        self.uploads[upload_id] = {"user": managed_user, "id": upload_id, **file}
        return self.uploads[upload_id]

    def upload(self, managed_user, upload_id):
        return _own(self.uploads, managed_user, upload_id, "upload-not-found")

    def delete_upload(self, managed_user, upload_id):
        del self.uploads[self.upload(managed_user, upload_id)["id"]]

    def create_task(self, managed_user, kind, body, key):
        self.tasks_sent.append((kind, body, key))
        if self.fails:
            raise self.fails.pop(0)
        task_id = f"task-{len(self.all_tasks) + 1}"
        self.all_tasks[task_id] = {"user": managed_user, "id": task_id, "type": kind}
        return self.all_tasks[task_id]

    def task(self, managed_user, task_id):
        return _own(self.all_tasks, managed_user, task_id, "not-found")

    def tasks(self, managed_user, page):
        if not self.lists:
            raise Problem("not-supported", service_status=404, service_spoke=True)
        own = [one for one in self.all_tasks.values() if one["user"] == managed_user]
        start = int(page.get("cursor", 0))
        end = start + int(page.get("limit", 20))
        return own[start:end], str(end) if end < len(own) else None

    def delete_task(self, managed_user, task_id):
        if not self.lists:
            raise Problem("not-supported", service_status=405)
        del self.all_tasks[self.task(managed_user, task_id)["id"]]

    def file(self, managed_user, export, part):
        return FakeFile()

    def exports(self, managed_user, **wanted):
        return list(self.exports_started)


def _own(known, managed_user, name, code):
    found = known.get(name)
    if not found or found["user"] != managed_user:
        raise Problem(code, service_status=404, service_spoke=True)
    return found
