"""social-auth-core, which Django and Flask use, at every provider that it shares with the lab."""
import json
import socket
from urllib.parse import parse_qsl, urlsplit

import jwt
import pytest
import requests
from cryptography.hazmat.primitives import serialization
from pytest_hallpass import Issuer, start_lab
from social_core.exceptions import AuthResponseError, SocialAuthBaseException
from social_core.strategy import BaseStrategy
from social_core.utils import module_member

CLIENT = {"id": "web", "secret": "a-secret-of-32-characters-or-more", "redirectUris": ["https://app.example/callback"]}

HOSTS = {
    "okta": "https://dev-1.okta.com/oauth2/default",
    "auth0": "https://shop.eu.auth0.com/",
    "cognito": "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Ab1",
    "keycloak": "https://sso.example.com/realms/shop",
}
TENANT = "aaaabbbb-0000-cccc-1111-dddd2222eeee"
COGNITO = "https://cognito-idp.eu-west-1.amazonaws.com"
KEYCLOAK = f"{HOSTS['keycloak']}/protocol/openid-connect"

# Those that sign users in by configuration alone, and without a refusal.
SIGN_IN = [
    ("google", "google.GoogleOAuth2", {}),
    ("github", "github.GithubOAuth2", {"SCOPE": ["user:email"]}),
    ("gitlab", "gitlab.GitLabOAuth2", {}),
    ("discord", "discord.DiscordOAuth2", {"SCOPE": ["email"]}),
    ("linkedin", "linkedin.LinkedinOpenIdConnect", {}),
    ("entra", "microsoft.MicrosoftOAuth2", {}),
    ("entra", "azuread_tenant.AzureADV2TenantOAuth2", {"TENANT_ID": TENANT}),
    ("okta", "okta.OktaOAuth2", {"API_URL": HOSTS["okta"]}),
    ("okta", "okta_openidconnect.OktaOpenIdConnect", {"API_URL": HOSTS["okta"]}),
    ("auth0", "auth0_openidconnect.Auth0OpenIdConnectAuth", {"DOMAIN": "shop.eu.auth0.com"}),
    ("cognito", "cognito.CognitoOAuth2", {"POOL_DOMAIN": COGNITO}),
]

# Those that the lab refuses, with its rule, and what it says.
REFUSED = [
    # It adds `redirect_state` to the redirect URI, which Auth0 compares as a whole.
    ("auth0", "auth0.Auth0OAuth2", {"DOMAIN": "shop.eu.auth0.com"}, "redirect_uri.registered"),
    ("linkedin", "linkedin.LinkedinOAuth2", {}, "scope.allowed .* r_liteprofile"),
    # Interfaces before OpenID Connect, which the presets leave out.
    ("slack", "slack.SlackOAuth2", {}, "not_found .* does not play this path"),
    ("entra", "azuread.AzureADOAuth2", {}, "not_found .* does not play this path"),
]

# Those that do not accept what the provider issues, with the claim that they reject.
REJECTING = [
    # It expects "accounts.google.com", as the first tokens of Google had it.
    ("google", "google_openidconnect.GoogleOpenIdConnect", {}, "iss"),
    # It expects its client in the access token, which Keycloak adds if a mapper is configured.
    ("keycloak", "keycloak.KeycloakOAuth2", {
        "AUTHORIZATION_URL": f"{KEYCLOAK}/auth", "ACCESS_TOKEN_URL": f"{KEYCLOAK}/token",
    }, "aud"),
]


class Nonces:
    """The states that were used, of which a site keeps a table."""

    use = consume = staticmethod(lambda *_args, **_kwargs: True)


class Associations(list):
    """The nonces of OpenID Connect, of which a site keeps another table."""

    def store(self, _url, association):
        association.id, association.is_expired = len(self), lambda: False
        self.append(association)

    def get(self, handle=None, **_kwargs):
        return [association for association in self if association.handle == handle]

    def remove(self, _ids):
        pass


class Storage:
    """The database of a site."""

    nonce, association = Nonces(), Associations()
    is_integrity_error = staticmethod(lambda _error: False)


class Strategy(BaseStrategy):
    """What a framework does for the library: its settings, the session and the request of a user."""

    def __init__(self, settings):
        super().__init__(Storage)
        self.settings, self.session, self.data = settings, {}, {}

    def get_setting(self, name):
        return self.settings[name]

    def request_data(self, merge=True):
        return self.data

    def request_host(self):
        return "app.example"

    def build_absolute_uri(self, path=None):
        return path

    def session_get(self, name, default=None):
        return self.session.get(name, default)

    def session_set(self, name, value):
        self.session[name] = value

    def session_pop(self, name):
        return self.session.pop(name, None)

    def redirect(self, url):
        return url

    def html(self, content):
        return content

    def authenticate(self, backend, *_args, response, **_kwargs):
        return backend.get_user_details(response)


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    providers = sorted({provider for provider, *_ in [*SIGN_IN, *REFUSED, *REJECTING]})
    config = {"providers": providers, "hosts": HOSTS, "clients": [CLIENT], "signIn": "alice"}
    (folder / "lab.json").write_text(json.dumps(config))
    with start_lab("--config", "lab.json", folder=folder) as url:
        yield urlsplit(url), folder / "hallpass-ca.pem"


@pytest.fixture(autouse=True)
def hosts(lab, monkeypatch):
    """What the hosts file and the environment do for a program that runs by itself."""
    url, ca = lab
    resolve = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda _host, _port, *rest: resolve("127.0.0.1", url.port, *rest))
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(ca))
    monkeypatch.setenv("SSL_CERT_FILE", str(ca))


def issuer_of(lab, provider):
    issuer = Issuer(f"{lab[0].geturl()}/t/{provider}")
    issuer.lab("/reset")
    return issuer


def public_key():
    """What an administrator copies from Keycloak's page of keys."""
    keys = requests.get(f"{KEYCLOAK}/certs").json()["keys"]
    key = next(jwt.PyJWK(key).key for key in keys if key["alg"] == "RS256")
    text = key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return "".join(text.decode().splitlines()[1:-1])


def sign_in(name, settings):
    """Signs alice in as a site does, and returns what it learns of her."""
    backend_class = module_member(f"social_core.backends.{name}")
    prefix = "SOCIAL_AUTH_" + backend_class.name.upper().replace("-", "_") + "_"
    settings = {"KEY": CLIENT["id"], "SECRET": CLIENT["secret"], **settings}
    strategy = Strategy({prefix + key: value for key, value in settings.items()})
    backend = backend_class(strategy, CLIENT["redirectUris"][0])
    response = requests.get(backend.start(), allow_redirects=False)
    callback = response.headers.get("Location", "")
    backend.data = strategy.data = dict(parse_qsl(urlsplit(callback).query))
    return backend.complete()


def cases(rows):
    return [pytest.param(*row, id=row[1]) for row in rows]


@pytest.mark.parametrize("provider, name, settings", cases(SIGN_IN))
def test_signs_in(lab, provider, name, settings):
    issuer = issuer_of(lab, provider)
    details = sign_in(name, settings)
    assert "alice" in json.dumps(details).lower(), details
    issuer.assert_clean(refused=True)


@pytest.mark.parametrize("provider, name, settings, refusal", cases(REFUSED))
def test_is_refused(lab, provider, name, settings, refusal):
    issuer = issuer_of(lab, provider)
    with pytest.raises(SocialAuthBaseException):
        sign_in(name, settings)
    with pytest.raises(AssertionError, match=f"(?s)^refused {refusal}"):
        issuer.assert_clean(refused=True)


@pytest.mark.parametrize("provider, name, settings, claim", cases(REJECTING))
def test_rejects_a_claim(lab, provider, name, settings, claim):
    issuer = issuer_of(lab, provider)
    if provider == "keycloak":
        settings = {**settings, "PUBLIC_KEY": public_key()}
    with pytest.raises(AuthResponseError) as error:
        sign_in(name, settings)
    assert error.value.claim == claim
    issuer.assert_clean(refused=True)
