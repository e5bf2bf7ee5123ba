/** The server, with the tokens of a lab. Nothing listens. */
import type { FetchLike } from "@modelcontextprotocol/client";
import { hallpass } from "hallpass/testing";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { connect } from "./notes_client.ts";
import { createNotesServer } from "./notes_server.ts";

const url = "https://notes.example/mcp";
const metadata = "https://notes.example/.well-known/oauth-protected-resource";
const elsewhere = "https://other.example/mcp";

async function open() {
  const lab = await hallpass({ profile: "mcp", resources: [url] });
  const now = () => lab.clock.now();
  const server = createNotesServer({ url, issuer: lab.issuer, fetch: lab.fetch, now });
  const fetch: FetchLike = (input, init) => {
    const { origin } = new URL(input);
    return origin === new URL(url).origin
      ? server(new Request(input, init))
      : lab.fetch(input, init);
  };
  return { lab, server, fetch };
}

/** Sends a request without the SDK. */
function post(token?: string, headers: Record<string, string> = {}): Request {
  return new Request(url, {
    method: "POST",
    headers: { ...token !== undefined && { Authorization: `Bearer ${token}` }, ...headers },
  });
}

describe("The server", () => {
  it("lets a client sign in that knows nothing but the URL, and step up", async () => {
    const { lab, fetch } = await open();
    const browser = async (url: URL) => (await lab.authorize(url.href, { user: "alice" })).callback;
    const client = await connect(url, { browser, fetch });
    assert.deepEqual((await client.call("whoami")).content, [{ type: "text", text: "alice" }]);
    await client.call("write_note", { note: "Call Bob" });
    const [first] = (await client.call("read_notes")).content;
    assert.match(first?.type === "text" ? first.text : "", /Call Bob/);
    lab.assertClean();
  });

  it("describes itself at both places where clients look", async () => {
    const { server, lab } = await open();
    for (const place of [metadata, `${metadata}/mcp`]) {
      const { resource, authorization_servers, scopes_supported } = await (await server(
        new Request(place),
      )).json();
      assert.deepEqual([resource, authorization_servers], [url, [lab.issuer]]);
      assert.deepEqual(scopes_supported, ["read", "write"]);
    }
  });

  it("names its metadata and a first scope if a request has no token", async () => {
    const { server } = await open();
    const { status, headers } = await server(post());
    const challenge = headers.get("WWW-Authenticate") ?? "";
    assert.equal(status, 401);
    assert.ok(challenge.includes(`scope="read", resource_metadata="${metadata}/mcp"`), challenge);
  });

  it("refuses tokens for another server, of another lab, and old ones", async () => {
    const { server, lab } = await open();
    const other = await hallpass({ issuer: "https://other.example", resources: [url] });
    const { access_token: late } = await lab.mint({ sub: "alice", scope: "read", audience: url });
    lab.clock.advance("2h");
    const tokens = [
      late,
      (await lab.mint({ sub: "alice", scope: "read", audience: elsewhere })).access_token,
      (await other.mint({ sub: "alice", scope: "read", audience: url })).access_token,
      "nonsense",
    ];
    for (const token of tokens) assert.equal((await server(post(token))).status, 401);
  });

  it("refuses a page of another site", async () => {
    const { server } = await open();
    assert.equal((await server(post(undefined, { Origin: "https://evil.example" }))).status, 403);
  });
});
