# MCP Python SDK 1.30, by its README: an MCP server that takes the tokens of another server, and a
# client that knows the address of the MCP server alone. The client shows what a tool answered.
import asyncio
import os

import jwt
import uvicorn
from mcp import ClientSession
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamablehttp_client
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.fastmcp import FastMCP
from mcp.shared.auth import OAuthClientMetadata
from starlette.responses import PlainTextResponse, RedirectResponse

issuer, base, port = os.environ["ISSUER"], os.environ["BASE_URL"], int(os.environ["PORT"])
url = f"{base}/mcp"
keys = jwt.PyJWKClient(f"{issuer}/oauth2/jwks")


class Verifier:
    async def verify_token(self, token):
        try:
            key = await asyncio.to_thread(keys.get_signing_key_from_jwt, token)
            claims = jwt.decode(token, key, [key.algorithm_name], audience=url, issuer=issuer)
        except jwt.PyJWTError:
            return None
        scopes = claims.get("scope", "").split()
        return AccessToken(token=token, client_id=claims["client_id"], scopes=scopes, resource=url)


server = FastMCP(
    "notes",
    token_verifier=Verifier(),
    auth=AuthSettings(
        issuer_url=issuer,
        resource_server_url=url,
        required_scopes=["reports"],
        validate_token_resource=True,
    ),
)


@server.tool()
def read_notes() -> str:
    return f"The notes of {get_access_token().client_id}"


class Storage:
    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


opened, answered = asyncio.Queue(), asyncio.Queue()
provider = OAuthClientProvider(
    url,
    OAuthClientMetadata(client_name="Reader", redirect_uris=[f"{base}/callback"]),
    Storage(),
    redirect_handler=opened.put,
    callback_handler=answered.get,
)


async def call_tool():
    async with streamablehttp_client(url, auth=provider) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()
            result = await session.call_tool("read_notes", {})
            return PlainTextResponse(result.content[0].text)


pending = None


async def account(request):
    """Calls the tool, or leads to where the user is asked."""
    global pending
    if "expired" in request.query_params:
        provider.context.token_expiry_time = 1
    pending = asyncio.create_task(call_tool())
    leads = asyncio.create_task(opened.get())
    await asyncio.wait({pending, leads}, return_when=asyncio.FIRST_COMPLETED)
    if not leads.done():
        leads.cancel()
        return await pending
    return RedirectResponse(await leads)


async def callback(request):
    await answered.put((request.query_params["code"], request.query_params["state"]))
    return await pending


app = server.streamable_http_app()
app.add_route("/account", account)
app.add_route("/callback", callback)
uvicorn.run(app, host="localhost", port=port, log_level="warning")
