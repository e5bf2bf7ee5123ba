"""A client of any MCP server that is protected with OAuth, with the official SDK for Python."""
from contextlib import asynccontextmanager
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

CALLBACK = "http://localhost:3000/callback"


class Memory:
    """What the client keeps. A real one keeps it in a file or a keychain."""

    def __init__(self, client=None):
        self.tokens, self.client = None, client

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


def sign_in_with(open_browser, url, memory, document_url=None):
    """Signs in when the server asks for it. `open_browser` returns the URL of the callback."""
    opened = []

    async def visit(authorization_url):
        opened.append(authorization_url)

    async def wait_for_callback():
        response = parse_qs(urlsplit(await open_browser(opened[-1])).query)
        first = {name: values[0] for name, values in response.items()}
        return AuthorizationCodeResult(code=first["code"], state=first["state"], iss=first["iss"])

    metadata = OAuthClientMetadata(
        client_name="Notes",
        redirect_uris=[CALLBACK],
        grant_types=["authorization_code", "refresh_token"],
        token_endpoint_auth_method="none",
        application_type="native",
    )
    return OAuthClientProvider(url, metadata, memory, visit, wait_for_callback, document_url)


@asynccontextmanager
async def connect(url, auth, **options):
    """Connects to the server at a URL. Nothing else is known of it."""
    async with httpx2.AsyncClient(auth=auth) as http:
        async with Client(streamable_http_client(url, http_client=http), **options) as client:
            yield client
