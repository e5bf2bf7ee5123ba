"""The client, in a lab that is both the company and the authorization server."""
import time

import anyio
import pytest
from pytest_hallpass import Issuer, start_lab

from enterprise_client import Company, as_employee
from notes_client import Memory, connect


@pytest.fixture(scope="module")
def enterprise_lab():
    with start_lab("--enterprise") as url:
        yield url


@pytest.fixture
def lab(enterprise_lab):
    lab = Issuer(enterprise_lab)
    yield lab
    lab.lab("/reset")


def run(lab, user, use):
    """Signs an employee in, and uses the MCP server."""
    url, idp = f"{lab.url}/mcp", Issuer(f"{lab.url}/t/company")
    company = Company(idp.url, "agent", "agent-secret", f"{idp.url}/authorized")

    async def browser(authorization_url):
        return idp.authorize(authorization_url, user)

    async def main():
        id_token = await company.sign_in(browser)
        auth = as_employee(
            url, lab.url, "agent-at-mcp", "agent-at-mcp-secret", company, id_token, Memory()
        )
        async with connect(url, auth) as client:
            return await use(client)

    return anyio.run(main)


def who_am_i(client):
    return client.call_tool("whoami")


def write(client):
    return client.call_tool("write_note", {"text": "Call Bob"})


def test_it_reaches_whoami_without_a_sign_in_at_the_server(lab):
    claims = run(lab, "alice", who_am_i).structured_content
    assert (claims["subject"], claims["client"]) == ("alice", "agent-at-mcp")
    lab.assert_clean()


def test_it_gets_what_the_policy_of_the_company_allows(lab):
    assert run(lab, "alice", write).structured_content["notes"][-1] == "Call Bob"
    with pytest.raises(Exception):
        run(lab, "bob", write)


def test_it_is_refused_for_an_employee_without_id_jag(lab):
    with pytest.raises(Exception):
        run(lab, "carol", who_am_i)
    refused = lab.lab("/report", method="GET")["refused"]
    assert [each["id"] for each in refused] == ["id_jag.user"]


def test_it_gets_a_new_token_when_the_old_one_has_expired(lab, monkeypatch):
    async def wait_and_ask(client):
        await client.call_tool("whoami")
        lab.lab("/clock", advance="10m")
        now = time.time
        monkeypatch.setattr(time, "time", lambda: now() + 10 * 60)
        return await client.call_tool("whoami")

    assert run(lab, "alice", wait_and_ask).structured_content["subject"] == "alice"
