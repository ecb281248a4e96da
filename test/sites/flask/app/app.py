import os

from flask import Flask, redirect, session

app = Flask(__name__, static_folder="public", static_url_path="")
app.secret_key = os.environ["SECRET_KEY"]


@app.get("/log-in")
def log_in():
    session["user"] = "ann"
    return redirect("/clip")


@app.get("/")
def home():
    return app.send_static_file("index.html")


@app.get("/clip")
def clip():
    return app.send_static_file("clip.html")
