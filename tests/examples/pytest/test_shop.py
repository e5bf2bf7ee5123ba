"""A login with Authlib, tested with the plugin beside this file."""
import pytest
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, jwt

CALLBACK = "https://shop.example/callback"
SHOP = {"id": "shop", "secret": "a-secret-of-32-letters-and-digits", "redirectUris": [CALLBACK]}


def log_in(hallpass, user):
    session = OAuth2Session(
        "shop", SHOP["secret"], scope="openid profile", redirect_uri=CALLBACK, code_challenge_method="S256"
    )
    verifier = "a-verifier-of-at-least-43-characters-as-rfc-7636-asks"
    url, state = session.create_authorization_url(
        f"{hallpass.url}/oauth2/authorize", code_verifier=verifier, nonce="a-nonce"
    )
    return session, session.fetch_token(
        f"{hallpass.url}/oauth2/token",
        authorization_response=hallpass.authorize(url, user),
        state=state,
        code_verifier=verifier,
    )


@pytest.mark.hallpass(clients=[SHOP])
def test_a_login_tells_who_signed_in(hallpass):
    session, tokens = log_in(hallpass, "alice")
    keys = JsonWebKey.import_key_set(session.get(f"{hallpass.url}/oauth2/jwks").json())
    expected = {"iss": {"value": hallpass.url}, "aud": {"value": "shop"}}
    claims = jwt.decode(tokens["id_token"], keys, claims_options=expected)
    claims.validate()
    assert (claims["sub"], claims["nonce"]) == ("alice", "a-nonce")
    hallpass.assert_clean()


@pytest.mark.hallpass(clients=[SHOP])
def test_a_user_has_roles(hallpass):
    hallpass.lab("/claims", claims={"roles": ["admin"]})
    session, _ = log_in(hallpass, "alice")
    assert session.get(f"{hallpass.url}/oauth2/userinfo").json()["roles"] == ["admin"]


@pytest.mark.hallpass(clients=[SHOP])
def test_a_token_expires(hallpass):
    session, _ = log_in(hallpass, "bob")
    assert session.get(f"{hallpass.url}/oauth2/userinfo").json()["sub"] == "bob"
    hallpass.lab("/clock", advance="2h")
    assert session.get(f"{hallpass.url}/oauth2/userinfo").status_code == 401


@pytest.mark.hallpass(users=[{"name": "zoe"}])
def test_a_token_needs_no_flow(hallpass):
    assert hallpass.mint("zoe", scope="openid")["token_type"] == "Bearer"


def test_a_mistake_is_explained(hallpass):
    with pytest.raises(AssertionError, match="There is no fault"):
        hallpass.lab("/faults", name="token.srver_error")
