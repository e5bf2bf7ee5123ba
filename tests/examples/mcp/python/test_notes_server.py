"""The server, with the tokens of a lab."""
import socket
import threading

import anyio
import httpx2
import pytest
import uvicorn

from notes_client import Memory, connect, sign_in_with
from notes_server import create_app

SOCKET = socket.create_server(("localhost", 0))
ORIGIN = f"http://localhost:{SOCKET.getsockname()[1]}"
URL = f"{ORIGIN}/mcp"
METADATA = f"{ORIGIN}/.well-known/oauth-protected-resource/mcp"
pytestmark = pytest.mark.hallpass(profile="mcp", resources=[URL])


@pytest.fixture(autouse=True)
def notes_server(hallpass):
    """Runs the server in a thread, with the issuer of the test."""
    config = uvicorn.Config(create_app(URL, hallpass.url), log_level="warning")
    server = uvicorn.Server(config)
    with socket.socket(fileno=SOCKET.dup().detach()) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield
        server.should_exit = True
        thread.join()


def post(token=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return httpx2.post(URL, headers=headers, json={})


def test_a_client_signs_in_that_knows_nothing_but_the_url(hallpass):
    async def browser(url):
        return hallpass.authorize(url)

    async def main():
        async with connect(URL, sign_in_with(browser, URL, Memory())) as client:
            assert (await client.call_tool("whoami")).content[0].text == "alice"
            result = await client.call_tool("write_note", {"note": "Call Bob"})
            assert result.structured_content == {"result": ["Buy milk", "Call Bob"]}

    anyio.run(main)
    hallpass.assert_clean()


def test_it_names_its_metadata_if_a_request_has_no_token(hallpass):
    refused = post()
    assert refused.status_code == 401
    assert f'resource_metadata="{METADATA}"' in refused.headers["WWW-Authenticate"]
    metadata = httpx2.get(METADATA).json()
    assert (metadata["resource"], metadata["authorization_servers"]) == (URL, [hallpass.url])


REFUSED = {
    "for another server": {"audience": "https://other.example/mcp"},
    "of another issuer": {"claims": {"iss": "https://other.example"}},
    "that has expired": {"expiresIn": "-5m"},
    "that is an ID token": {"kind": "id"},
    "without a client": {"omit": ["client_id"]},
}


@pytest.mark.parametrize("what", REFUSED)
def test_it_refuses_a_token(hallpass, what):
    options = {"audience": URL, "scope": "openid read", **REFUSED[what]}
    minted = hallpass.mint("alice", **options)
    assert post(minted["token"]).status_code == 401


def test_it_accepts_the_token_of_a_user(hallpass):
    # The body is no message of MCP; the token is fine.
    assert post(hallpass.mint("alice", audience=URL, scope="read")["token"]).status_code == 400


def test_it_refuses_a_token_without_the_scope_that_all_tools_need(hallpass):
    token = hallpass.mint("alice", audience=URL, scope="write")["access_token"]
    assert post(token).status_code == 403
