"""The route of the block, by Flask's test client."""
import os
import sys

sys.path.insert(0, os.getcwd())

from app import app

for user in sys.argv[1:]:
    client = app.test_client()
    with client.session_transaction() as session:
        if user:
            session["user"] = user
    answer = client.get("/clip-session")
    print(answer.status_code, f"[{answer.headers.get('Cache-Control')}]", answer.text.strip())
