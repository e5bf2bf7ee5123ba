"""An API that checks access tokens with Authlib, and a drill of it: what it must refuse, and accept."""
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import requests
from authlib.jose import JsonWebKey, JsonWebToken
from authlib.jose.errors import JoseError

jwt = JsonWebToken(["RS256"])


def create_api(issuer, audience, scope):
    """Returns a handler that responds to requests with a valid token."""
    keys = {}

    def find_key(header, _payload):
        if header.get("kid") not in keys:
            key_set = requests.get(f"{issuer}/oauth2/jwks", timeout=5).json()
            keys.update({key["kid"]: JsonWebKey.import_key(key) for key in key_set["keys"]})
        return keys[header["kid"]]

    def check(authorization):
        """Returns the status, and the error of the challenge."""
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer":
            return 401, "invalid_token"
        options = {name: {"essential": True, "value": value} for name, value in
                   (("iss", issuer), ("aud", audience))} | {"exp": {"essential": True}}
        try:
            claims = jwt.decode(token, find_key, claims_options=options)
            claims.validate()
        except (JoseError, ValueError, KeyError, TypeError, AttributeError):
            return 401, "invalid_token"
        if claims.header.get("crit") or claims.header.get("typ") not in ("at+jwt", "application/at+jwt"):
            return 401, "invalid_token"
        return (200, None) if scope in claims.get("scope", "").split() else (403, "insufficient_scope")

    class Api(BaseHTTPRequestHandler):
        def do_GET(self):
            status, error = check(self.headers.get("Authorization", ""))
            self.send_response(status)
            if error:
                self.send_header("WWW-Authenticate", f'Bearer error="{error}"')
            self.end_headers()

        def log_message(self, *_):
            pass

    return Api


def test_api_refuses_what_it_must(hallpass):
    server = ThreadingHTTPServer(("localhost", 0), None)
    url = f"http://localhost:{server.server_port}/orders"
    server.RequestHandlerClass = create_api(hallpass.url, url, "orders:read")
    Thread(target=server.serve_forever, daemon=True).start()
    api = {"request": url, "audience": url, "scope": "orders:read", "rfc9068": True}
    findings = hallpass.lab("/drill", api=api)["findings"]
    server.shutdown()
    assert [each for each in findings if each.get("grade") in ("F", "D", "C")] == []
