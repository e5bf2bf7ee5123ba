"""A client whose company decides which MCP servers its employees may use, with the official SDK.

The SDK redeems the ID-JAG (Enterprise-Managed Authorization). Getting it is up to the application.
"""
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
from mcp.client.auth.extensions.identity_assertion import IdentityAssertionOAuthProvider
from mcp.client.auth.oauth2 import PKCEParameters

TOKEN_TYPE = "urn:ietf:params:oauth:token-type"


@dataclass
class Company:
    """The identity provider of a company, and how it knows the client."""

    issuer: str
    client_id: str
    client_secret: str
    redirect_uri: str

    async def sign_in(self, open_browser):
        """Signs the employee in, and returns the ID token."""
        keys = PKCEParameters.generate()
        asked = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "scope": "openid",
            "code_challenge": keys.code_challenge,
            "code_challenge_method": "S256",
        }
        metadata = await self.discover()
        callback = await open_browser(f"{metadata['authorization_endpoint']}?{urlencode(asked)}")
        response = parse_qs(urlsplit(callback).query)
        assert response["iss"] == [self.issuer]
        tokens = await self.request_token(
            grant_type="authorization_code",
            code=response["code"][0],
            redirect_uri=self.redirect_uri,
            code_verifier=keys.code_verifier,
        )
        return tokens["id_token"]

    async def issue_id_jag(self, id_token, audience, resource):
        """Exchanges the ID token for an ID-JAG: what the employee may do there, signed by the company."""
        issued = await self.request_token(
            grant_type="urn:ietf:params:oauth:grant-type:token-exchange",
            requested_token_type=f"{TOKEN_TYPE}:id-jag",
            subject_token_type=f"{TOKEN_TYPE}:id_token",
            subject_token=id_token,
            audience=audience,
            resource=resource,
        )
        return issued["access_token"]

    async def discover(self):
        async with httpx2.AsyncClient() as http:
            found = await http.get(f"{self.issuer}/.well-known/openid-configuration")
            return found.raise_for_status().json()

    async def request_token(self, **form):
        metadata = await self.discover()
        async with httpx2.AsyncClient(auth=(self.client_id, self.client_secret)) as http:
            response = await http.post(metadata["token_endpoint"], data=form)
            return response.raise_for_status().json()


def as_employee(url, issuer, client_id, client_secret, company, id_token, memory):
    """Gets access tokens for the MCP server at a URL from its authorization server, the issuer."""

    async def issue(audience, resource):
        return await company.issue_id_jag(id_token, audience, resource)

    return IdentityAssertionOAuthProvider(url, memory, client_id, client_secret, issuer, issue)
