"""An MCP server whose tools need access tokens, with the official SDK for Python.

In tests, a lab issues the tokens. In use, `hallpass serve` does: see ../README.md.
"""
import os
from urllib.parse import urlsplit

import anyio.to_thread
import httpx2
import jwt
from mcp.server import MCPServer
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.routes import build_resource_metadata_url
from mcp.server.auth.settings import AuthSettings
from starlette.responses import Response

ALGORITHMS = ["RS256", "ES256", "PS256", "EdDSA"]
REQUIRED = ["exp", "iat", "sub", "client_id", "jti"]
# What a tool needs beyond the scope that every request needs.
SCOPES = {"write_note": "write"}


class Verifier:
    """Verifies access tokens by RFC 9068, with the keys of the authorization server."""

    def __init__(self, url, issuer):
        self.url, self.issuer, self.keys = url, issuer, None

    async def verify_token(self, token):
        try:
            return await anyio.to_thread.run_sync(self.read, token)
        except jwt.InvalidTokenError:
            return None

    def read(self, token):
        if jwt.get_unverified_header(token).get("typ") != "at+jwt":
            raise jwt.InvalidTokenError("not an access token")
        self.keys = self.keys or jwt.PyJWKClient(self.find_keys())
        claims = jwt.decode(
            token,
            self.keys.get_signing_key_from_jwt(token),
            algorithms=ALGORITHMS,
            audience=self.url,
            issuer=self.issuer,
            options={"require": REQUIRED},
        )
        return AccessToken(
            token=token,
            client_id=claims["client_id"],
            subject=claims["sub"],
            scopes=claims.get("scope", "").split(),
            expires_at=claims["exp"],
            resource=self.url,
            claims=claims,
        )

    def find_keys(self):
        issuer = urlsplit(self.issuer)
        path = "/.well-known/oauth-authorization-server" + issuer.path.rstrip("/")
        metadata = httpx2.get(f"{issuer.scheme}://{issuer.netloc}{path}").raise_for_status().json()
        if metadata["issuer"] != self.issuer:
            raise ValueError(f"The metadata is not of {self.issuer}")
        return metadata["jwks_uri"]


class ScopeChallenge:
    """Asks for the scope of a tool. Version 2.3.0 of the SDK asks for one scope of all tools only."""

    def __init__(self, app, verifier):
        self.app, self.verifier = app, verifier
        self.metadata = build_resource_metadata_url(verifier.url)

    async def __call__(self, scope, receive, send):
        headers = {name.lower(): value.decode() for name, value in scope.get("headers", [])}
        needed = SCOPES.get(headers.get(b"mcp-name", ""))
        _, _, token = headers.get(b"authorization", "").partition(" ")
        access = await self.verifier.verify_token(token) if needed and token else None
        app = self.app
        if access and needed not in access.scopes:
            challenge = f'Bearer error="insufficient_scope", scope="{needed}", resource_metadata="{self.metadata}"'
            app = Response(status_code=403, headers={"WWW-Authenticate": challenge})
        await app(scope, receive, send)


def create_app(url, issuer):
    """Returns the server as an ASGI application. Its URL is the resource of the tokens."""
    verifier = Verifier(url, issuer)
    auth = AuthSettings(
        issuer_url=issuer,
        resource_server_url=url,
        required_scopes=["read"],
        validate_token_resource=True,
    )
    server = MCPServer("notes", token_verifier=verifier, auth=auth)
    notes = ["Buy milk"]

    @server.tool()
    def whoami() -> str:
        return get_access_token().subject

    @server.tool()
    def read_notes() -> list[str]:
        return notes

    @server.tool()
    def write_note(note: str) -> list[str]:
        # Clients of earlier revisions send no header with the name of the tool.
        if "write" not in get_access_token().scopes:
            raise PermissionError("This tool needs the scope 'write'.")
        notes.append(note)
        return notes

    app = server.streamable_http_app(streamable_http_path=urlsplit(url).path, stateless_http=True)
    app.add_middleware(ScopeChallenge, verifier=verifier)
    return app


if __name__ == "__main__":
    import uvicorn

    URL = os.environ.get("NOTES_URL", "http://localhost:3001/mcp")
    ISSUER = os.environ.get("NOTES_ISSUER", "http://localhost:9000")
    uvicorn.run(create_app(URL, ISSUER), port=urlsplit(URL).port)
