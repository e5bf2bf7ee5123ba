"""A login, tested against Hallpass over HTTP, with pytest and the standard library."""
import base64, hashlib, json, os, secrets, subprocess, threading
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import Request, urlopen

import pytest

SHOP = {"id": "shop", "secret": "s3cret", "redirectUris": ["https://shop.example/callback"]}


@pytest.fixture(scope="session")
def server():
    """A lab that is already running, or one for these tests."""
    if "HALLPASS_URL" in os.environ:
        yield os.environ["HALLPASS_URL"]
        return
    with subprocess.Popen(["hallpass", "lab", "--port", "0"], stdout=subprocess.PIPE, text=True) as process:
        url = next(line.split()[-1] for line in process.stdout if line.startswith("hallpass ready"))
        threading.Thread(target=process.stdout.read, daemon=True).start()  # a full pipe would stop the server
        yield url
        process.terminate()


@pytest.fixture
def issuer(server):
    """A separate issuer for each test, so that tests can run in parallel and move their own clocks."""
    return call(f"{server}/lab/tenants", {"clients": [SHOP]})["issuer"]


def call(url, body=None, form=None, token=os.environ.get("HALLPASS_LAB_TOKEN")):
    data = json.dumps(body).encode() if body else urlencode(form).encode() if form else None
    headers = {"Content-Type": "application/json"} if body else {}
    with urlopen(Request(url, data, headers | ({"Authorization": f"Bearer {token}"} if token else {}))) as response:
        return json.load(response)


def assert_clean(issuer):
    """Fails with the rule that the application broke, the request, the fix and a diagram."""
    headers = {"Content-Type": "application/json", "Accept": "text/plain"}
    if token := os.environ.get("HALLPASS_LAB_TOKEN"):
        headers["Authorization"] = f"Bearer {token}"
    try:
        urlopen(Request(f"{issuer}/lab/assert-clean", b"{}", headers))
    except HTTPError as error:
        pytest.fail(error.read().decode())


def log_in(issuer, user):
    """Does what the application under test does; the lab plays the browser and the user."""
    verifier, state, (redirect_uri,) = secrets.token_urlsafe(32), secrets.token_urlsafe(), SHOP["redirectUris"]
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=")
    ask = {"response_type": "code", "client_id": "shop", "redirect_uri": redirect_uri, "scope": "openid", "state": state,
           "code_challenge": challenge, "code_challenge_method": "S256"}
    url = f"{issuer}/oauth2/authorize?{urlencode(ask)}"
    callback = call(f"{issuer}/lab/authorize", {"url": url, "user": user})["callback"]
    response = {name: value for name, (value,) in parse_qs(urlsplit(callback).query).items()}
    assert (response["state"], response["iss"]) == (state, issuer)
    return call(f"{issuer}/oauth2/token", token=None, form={
        "grant_type": "authorization_code", "code": response["code"], "redirect_uri": redirect_uri, "code_verifier": verifier,
        "client_id": "shop", "client_secret": "s3cret"})["access_token"]


def test_a_login_works_until_the_token_expires(issuer):
    token = log_in(issuer, "alice")
    assert call(f"{issuer}/oauth2/userinfo", token=token)["sub"] == "alice"
    call(f"{issuer}/lab/clock", {"advance": "2h"})
    with pytest.raises(HTTPError, match="401"):
        call(f"{issuer}/oauth2/userinfo", token=token)
    assert_clean(issuer)


def test_a_server_error_happens_once(issuer):
    call(f"{issuer}/lab/faults", {"name": "token.server_error", "times": 1})
    with pytest.raises(HTTPError, match="500"):
        log_in(issuer, "alice")
    assert log_in(issuer, "alice")


def test_a_token_needs_no_login(issuer):
    token = call(f"{issuer}/lab/tokens", {"sub": "bob", "scope": "openid", "claims": {"tier": "gold"}})["access_token"]
    assert call(f"{issuer}/oauth2/userinfo", token=token)["sub"] == "bob"
