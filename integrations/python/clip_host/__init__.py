"""The backend that the clip-kit elements call: it keeps the host contract of clip-kit."""
from .asgi import asgi_app
from .host import ClipHost
from .messages import Request, Response
from .service import Service
from .sql_store import SqlStore
from .sqlite_store import SqliteStore
from .store import Attempt, Store
from .wsgi import wsgi_app

__all__ = ["Attempt", "ClipHost", "Request", "Response", "Service", "SqlStore", "SqliteStore", "Store", "asgi_app", "wsgi_app"]
