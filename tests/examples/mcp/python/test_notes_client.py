"""The client, against the MCP server of a lab. It knows nothing but the URL of that server."""
import time

import anyio
import pytest
from mcp.shared.auth import OAuthClientInformationFull

from notes_client import CALLBACK, Memory, connect, sign_in_with

DOCUMENT = "https://notes.example/client.json"
PUBLIC = {
    "redirect_uris": [CALLBACK],
    "token_endpoint_auth_method": "none",
    # Without refresh_token, the server issues none.
    "grant_types": ["authorization_code", "refresh_token"],
}
NOTES = {"id": "notes", "redirectUris": [CALLBACK]}
WAYS = ["registration", "metadata document", "fixed client"]
pytestmark = pytest.mark.hallpass(clients=[NOTES])


class Application:
    """The client as an application uses it, with a lab in place of its browser."""

    def __init__(self, hallpass, way="registration"):
        self.url, self.asked = f"{hallpass.url}/mcp", []
        self.memory, document = Memory(), None
        if way == "metadata document":
            document = DOCUMENT
            hallpass.lab("/client-documents", client_id=DOCUMENT, client_name="Notes", **PUBLIC)
        if way == "fixed client":
            self.memory.client = OAuthClientInformationFull(
                client_id="notes", issuer=hallpass.url, **PUBLIC
            )

        async def browser(url):
            self.asked.append(url)
            return hallpass.authorize(url)

        self.auth = sign_in_with(browser, self.url, self.memory, document)

    def run(self, use, **options):
        async def main():
            async with connect(self.url, self.auth, **options) as client:
                return await use(client)

        return anyio.run(main)


def who_am_i(client):
    return client.call_tool("whoami")


@pytest.mark.parametrize("mode", ["auto", "2026-07-28", "legacy"])
@pytest.mark.parametrize("way", WAYS)
def test_it_reaches_whoami(hallpass, way, mode):
    application = Application(hallpass, way)
    result = application.run(who_am_i, mode=mode)
    assert result.structured_content["subject"] == "alice"
    assert result.structured_content["audience"] == application.url
    hallpass.assert_clean()


@pytest.mark.parametrize("way", WAYS)
def test_it_steps_up(hallpass, way):
    application = Application(hallpass, way)

    async def write(client):
        await client.call_tool("read_notes")
        return await client.call_tool("write_note", {"text": "Call Bob"})

    assert application.run(write).structured_content["notes"][-1] == "Call Bob"
    assert len(application.asked) == 2
    assert {"read", "write"} <= set(application.memory.tokens.scope.split())
    hallpass.assert_clean()


@pytest.mark.parametrize("way", WAYS)
def test_it_refreshes(hallpass, way, monkeypatch):
    application = Application(hallpass, way)

    async def wait_and_ask(client):
        first = await client.call_tool("whoami")
        hallpass.lab("/clock", advance="2h")
        now = time.time
        monkeypatch.setattr(time, "time", lambda: now() + 2 * 60 * 60)
        return first, await client.call_tool("whoami")

    for result in application.run(wait_and_ask):
        assert result.structured_content["subject"] == "alice"
    assert len(application.asked) == 1
    hallpass.assert_clean()


def test_it_signs_in_again_if_only_the_server_knows_that_the_token_expired(hallpass):
    """The SDK refreshes by its own clock alone; it does not try to after a 401."""
    application = Application(hallpass)

    async def wait_and_ask(client):
        await client.call_tool("whoami")
        hallpass.lab("/clock", advance="2h")
        return await client.call_tool("whoami")

    assert application.run(wait_and_ask).structured_content["subject"] == "alice"
    assert len(application.asked) == 2


@pytest.mark.parametrize("fault", ["callback.wrong_iss", "callback.wrong_state"])
def test_it_refuses_a_hostile_response(hallpass, fault):
    hallpass.lab("/faults", name=fault)
    with pytest.raises(Exception):
        Application(hallpass).run(who_am_i)
    assert not hallpass.lab("/report", method="GET")["idleFaults"]
