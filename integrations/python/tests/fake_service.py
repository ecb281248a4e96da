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

    def create_user(self):
        self.users.append(f"managed-{len(self.users) + 1}")
        return self.users[-1]

    def create_token(self, managed_user):
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

    def file(self, managed_user, export, part):
        return FakeFile()

    def exports(self, managed_user, **wanted):
        return list(self.exports_started)
