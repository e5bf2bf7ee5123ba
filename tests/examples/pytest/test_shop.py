"""A login with Authlib, tested with the plugin beside this file."""
import secrets
from urllib.parse import parse_qs, urlsplit

import pytest
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, JsonWebToken
from authlib.oidc.core import CodeIDToken

CALLBACK = "https://shop.example/callback"
SHOP = {"id": "shop", "secret": "a-secret-of-32-letters-and-digits", "redirectUris": [CALLBACK]}
# By default, Authlib accepts any algorithm, even none.
JWT = JsonWebToken(["RS256"])
HOSTILE = [
    "callback.wrong_state", "callback.without_state", "callback.doubled_state",
    "callback.wrong_iss", "callback.without_iss", "callback.doubled_iss",
    "callback.denied", "callback.error_and_code", "callback.foreign_code",
    "token.without_token_type", "token.wrong_token_type", "token.malformed_json", "token.without_id_token",
    "id_token.wrong_iss", "id_token.wrong_aud", "id_token.wrong_nonce", "id_token.without_nonce",
    "id_token.wrong_azp", "id_token.second_aud", "id_token.without_exp", "id_token.without_iat",
    "id_token.expired", "id_token.foreign_signature", "id_token.alg_none", "id_token.hs256_with_public_key",
]


def log_in(hallpass, user):
    session = OAuth2Session(
        "shop", SHOP["secret"], scope="openid profile", redirect_uri=CALLBACK, code_challenge_method="S256"
    )
    verifier, nonce = secrets.token_urlsafe(32), secrets.token_urlsafe()
    url, state = session.create_authorization_url(
        f"{hallpass.url}/oauth2/authorize", code_verifier=verifier, nonce=nonce
    )
    callback = hallpass.authorize(url, user)
    # Authlib leaves these checks, and that of the token type, to the application.
    response = parse_qs(urlsplit(callback).query)
    assert response["iss"] == [hallpass.url] and "error" not in response
    tokens = session.fetch_token(
        f"{hallpass.url}/oauth2/token", authorization_response=callback, state=state, code_verifier=verifier
    )
    assert tokens["token_type"].lower() == "bearer"
    return session, verify(hallpass, session, tokens["id_token"], nonce)


def verify(hallpass, session, id_token, nonce):
    keys = JsonWebKey.import_key_set(session.get(f"{hallpass.url}/oauth2/jwks").json())
    expected = {"iss": hallpass.url, "aud": "shop"}
    options = {name: {"essential": True, "value": value} for name, value in expected.items()}
    # CodeIDToken also requires sub, exp and iat, and compares azp.
    params = {"client_id": "shop", "nonce": nonce}
    claims = JWT.decode(id_token, keys, CodeIDToken, claims_options=options, claims_params=params)
    claims.validate()
    return claims


@pytest.mark.hallpass(clients=[SHOP])
def test_a_login_tells_who_signed_in(hallpass):
    _, claims = log_in(hallpass, "alice")
    assert (claims["sub"], claims["name"]) == ("alice", "Alice Adler")
    hallpass.assert_clean(refused=True)


@pytest.mark.hallpass(clients=[SHOP])
@pytest.mark.parametrize("fault", HOSTILE)
def test_a_hostile_login_fails(hallpass, fault):
    hallpass.lab("/faults", name=fault)
    with pytest.raises(Exception):
        log_in(hallpass, "alice")
    assert not hallpass.lab("/report", method="GET")["idleFaults"]


@pytest.mark.hallpass(clients=[SHOP])
def test_a_user_has_roles(hallpass):
    hallpass.lab("/faults", name="token.claims", claims={"roles": ["admin"]})
    session, _ = log_in(hallpass, "alice")
    assert session.get(f"{hallpass.url}/oauth2/userinfo").json()["roles"] == ["admin"]


@pytest.mark.hallpass(clients=[SHOP])
def test_a_token_expires(hallpass):
    session, _ = log_in(hallpass, "bob")
    assert session.get(f"{hallpass.url}/oauth2/userinfo").json()["sub"] == "bob"
    hallpass.lab("/clock", advance="2h")
    assert session.get(f"{hallpass.url}/oauth2/userinfo").status_code == 401
    hallpass.lab("/requests", method="DELETE")  # of this test alone: the refusal is on purpose


@pytest.mark.hallpass(users=[{"name": "zoe"}])
def test_a_token_needs_no_flow(hallpass):
    assert hallpass.mint("zoe", scope="openid")["token_type"] == "Bearer"


@pytest.mark.hallpass(issuer="https://login.example")
def test_an_issuer_at_any_host_has_its_lab(hallpass):
    assert hallpass.url == "https://login.example"
    assert hallpass.mint("alice")["token_type"] == "Bearer"


def test_a_mistake_is_explained(hallpass):
    with pytest.raises(AssertionError, match="There is no fault"):
        hallpass.lab("/faults", name="token.srver_error")
