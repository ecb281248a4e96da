import os

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, RedirectResponse
from starlette.middleware.sessions import SessionMiddleware

app = FastAPI()
app.add_middleware(SessionMiddleware, secret_key=os.environ["SECRET_KEY"])


@app.get("/log-in")
def log_in(request: Request):
    request.session["user"] = "ann"
    return RedirectResponse("/clip")


@app.get("/")
def home():
    return FileResponse("public/index.html")


@app.get("/clip")
def clip():
    return FileResponse("public/clip.html")


@app.get("/{name}.js")
def script(name: str):
    return FileResponse(f"public/{name}.js")
