# An API with Authlib 1.9.10 in Flask, by its documentation, "Flask OAuth 2.0 Resource Server" and
# "RFC 9068: JWT Profile for OAuth 2.0 Access Tokens".
import os
import urllib.request

from authlib.integrations.flask_oauth2 import ResourceProtector, current_token
from authlib.oauth2.rfc9068 import JWTBearerTokenValidator
from flask import Flask, jsonify
from joserfc.jwk import KeySet


class Validator(JWTBearerTokenValidator):
    def get_jwks(self):
        import json

        with urllib.request.urlopen(os.environ["ISSUER"] + "/oauth2/jwks") as response:
            return KeySet.import_key_set(json.load(response))


require_oauth = ResourceProtector()
require_oauth.register_token_validator(
    Validator(issuer=os.environ["ISSUER"], resource_server=os.environ["AUDIENCE"])
)
app = Flask(__name__)


@app.route("/orders")
@require_oauth("read")
def orders():
    return jsonify(orders_of=current_token["sub"])


app.run("localhost", int(os.environ["PORT"]), threaded=True)
