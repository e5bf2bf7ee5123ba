# Authlib 1.9.10 in Flask, by its documentation, "Flask OAuth Client" and "Flask OpenID Connect Client",
# reading userinfo.
import os

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session, url_for
from markupsafe import escape

app = Flask(__name__)
app.secret_key = "!secret"
oauth = OAuth(app)
oauth.register(
    name="lab",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url=os.environ["ISSUER"] + "/.well-known/openid-configuration",
    client_kwargs={"scope": "openid email profile", "code_challenge_method": "S256"},
)


@app.route("/")
def homepage():
    user = session.get("user")
    if not user:
        return '<a href="/login">login</a>'
    return f'<p>{escape(user["name"])}</p><a href="/logout">logout</a>'


@app.route("/login")
def login():
    return oauth.lab.authorize_redirect(url_for("auth", _external=True))


@app.route("/auth")
def auth():
    token = oauth.lab.authorize_access_token()
    user = oauth.lab.userinfo(token=token)
    if user["sub"] != token["userinfo"]["sub"]:
        return "Another user", 400
    session["user"] = user
    return redirect("/")


@app.route("/logout")
def logout():
    session.pop("user", None)
    return redirect("/")


app.run("localhost", int(os.environ["PORT"]), threaded=True)
