"""Authlib at providers whose hosts an application has in its code: the lab has these hosts."""
import socket
from urllib.parse import urlsplit

import pytest
import requests
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, jwt
from pytest_hallpass import start_lab

GOOGLE = "https://accounts.google.com"
OPTIONS = ["--hosts", "--provider", "google", "--provider", "github", "--any-client", "--sign-in", "alice"]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    with start_lab(*OPTIONS, folder=folder) as url:
        yield urlsplit(url), folder / "hallpass-ca.pem"


@pytest.fixture(autouse=True)
def hosts(lab, monkeypatch):
    """What the hosts file and the environment do for a program that runs by itself."""
    url, ca = lab
    resolve = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda _host, _port, *rest: resolve("127.0.0.1", url.port, *rest))
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(ca))


def log_in(authorize, token, scope):
    session = OAuth2Session("shop", "a-secret-of-32-letters-and-digits", scope=scope, code_challenge_method="S256",
                            redirect_uri="https://shop.example/callback")
    verifier = "a-code-verifier-of-at-least-43-characters--"
    request, _ = session.create_authorization_url(authorize, code_verifier=verifier)
    response = requests.get(request, allow_redirects=False)
    session.fetch_token(token, authorization_response=response.headers["Location"], code_verifier=verifier)
    return session


def test_signs_in_at_google():
    metadata = requests.get(f"{GOOGLE}/.well-known/openid-configuration").json()
    assert metadata["token_endpoint"] == "https://oauth2.googleapis.com/token"
    session = log_in(metadata["authorization_endpoint"], metadata["token_endpoint"], "openid email")
    keys = JsonWebKey.import_key_set(requests.get(metadata["jwks_uri"]).json())
    claims = jwt.decode(session.token["id_token"], keys, claims_options={"iss": {"value": GOOGLE}})
    claims.validate()
    assert claims["email"] == session.get(metadata["userinfo_endpoint"]).json()["email"] == "alice@example.com"


def test_signs_in_at_github():
    session = log_in("https://github.com/login/oauth/authorize", "https://github.com/login/oauth/access_token",
                     "read:user user:email")
    assert session.get("https://api.github.com/user").json()["login"] == "alice"
    assert session.get("https://api.github.com/user/emails").json()[0]["primary"]


def test_trusts_the_lab_for_its_hosts_alone():
    with pytest.raises(requests.exceptions.SSLError):
        requests.get("https://login.example/")
