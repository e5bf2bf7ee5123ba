# Flask-pyoidc 3.14.3 with pyoidc, by its README and its example application.
import os

import flask
from flask_pyoidc import OIDCAuthentication
from flask_pyoidc.provider_configuration import ClientMetadata, ProviderConfiguration
from flask_pyoidc.user_session import UserSession
from markupsafe import escape

base = os.environ["BASE_URL"]
app = flask.Flask(__name__)
app.config.update(OIDC_REDIRECT_URI=base + "/redirect_uri", SECRET_KEY="!secret")
client_metadata = ClientMetadata(
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    post_logout_redirect_uris=[base + "/logout"],
)
provider = ProviderConfiguration(
    issuer=os.environ["ISSUER"],
    client_metadata=client_metadata,
    auth_request_params={"scope": ["openid", "profile", "email"]},
)
auth = OIDCAuthentication({"default": provider}, app)


@app.route("/")
@auth.oidc_auth("default")
def index():
    userinfo = UserSession(flask.session).userinfo
    return f'<p>Hello {escape(userinfo["name"])}</p><a href="/logout">Log out</a>'


@app.route("/logout")
@auth.oidc_logout
def logout():
    return "You've been successfully logged out!"


@auth.error_view
def error(error=None, error_description=None):
    return flask.jsonify({"error": error}), 400


app.run("localhost", int(os.environ["PORT"]), threaded=True)
