# Flask-OIDC 2.4.0, by its documentation, "Quickstart" and "Settings".
import os

from flask import Flask, g
from flask_oidc import OpenIDConnect
from markupsafe import escape

app = Flask(__name__)
app.config.update(
    SECRET_KEY="!secret",
    OIDC_CLIENT_SECRETS={
        "web": {
            "client_id": os.environ["CLIENT_ID"],
            "client_secret": os.environ["CLIENT_SECRET"],
            "issuer": os.environ["ISSUER"],
        }
    },
    OIDC_SCOPES="openid email profile",
)
oidc = OpenIDConnect(app)


@app.route("/")
def index():
    if oidc.user_loggedin:
        return f'Welcome {escape(g.oidc_user.profile.get("email"))} <a href="/logout">Logout</a>'
    return 'Not logged in <a href="/login">Log in</a>'


@app.route("/private")
@oidc.require_login
def private():
    return f'Hello {escape(g.oidc_user.name)} <a href="/logout">Logout</a>'


app.run("localhost", int(os.environ["PORT"]), threaded=True)
