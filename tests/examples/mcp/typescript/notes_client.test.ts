/** The client, against the MCP server of a lab. It knows nothing but the URL of that server. */
import { hallpass } from "hallpass/testing";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { callback, connect, type Identity, type NotesClient } from "./notes_client.ts";

const documentUrl = "https://notes.example/client.json";
const issuer = "https://id.example";
const ways: Record<string, Identity> = {
  registration: {},
  "a metadata document": { documentUrl },
  configuration: { configured: { clientId: "notes", issuer } },
};

/** Opens a lab, and connects to its MCP server. */
async function open(identity: Identity) {
  const lab = await hallpass({ issuer, clients: [{ id: "notes", redirectUris: [callback] }] });
  lab.clientDocument({
    client_id: documentUrl,
    client_name: "Notes",
    redirect_uris: [callback],
    // Without refresh_token, the server issues none.
    grant_types: ["authorization_code", "refresh_token"],
  });
  const asked: URL[] = [];
  const client = await connect(lab.mcp().url, {
    identity,
    fetch: lab.fetch,
    async browser(url) {
      asked.push(url);
      return (await lab.authorize(url.href, { user: "alice" })).callback;
    },
  });
  return { lab, asked, client };
}

async function whoAmI(client: NotesClient): Promise<unknown> {
  const { structuredContent } = await client.call("whoami");
  return (structuredContent as { subject?: unknown } | undefined)?.subject;
}

for (const [way, identity] of Object.entries(ways)) {
  describe(`A client known by ${way}`, () => {
    it("reaches whoami", async () => {
      const { lab, client } = await open(identity);
      assert.equal(await whoAmI(client), "alice");
      assert.equal(client.version(), "2026-07-28");
      lab.assertClean();
    });

    it("steps up for a tool that needs another scope", async () => {
      const { lab, asked, client } = await open(identity);
      await client.call("write_note", { text: "Call Bob" });
      await client.call("read_notes");
      const scopes = asked.map((url) => url.searchParams.get("scope")?.split(" ") ?? []);
      assert.deepEqual(scopes.map((each) => each.includes("write")), [false, true]);
      lab.assertClean();
    });

    it("refreshes a token that has expired", async () => {
      const { lab, asked, client } = await open(identity);
      lab.clock.advance("2h");
      assert.equal(await whoAmI(client), "alice");
      assert.equal(asked.length, 1);
      lab.assertClean();
    });
  });
}

it("A client refuses the response of another issuer", async () => {
  await using lab = await hallpass();
  lab.fault("callback.wrong_iss");
  const browser = async (url: URL) => (await lab.authorize(url.href, { user: "alice" })).callback;
  await assert.rejects(connect(lab.mcp().url, { browser, fetch: lab.fetch }));
  assert.deepEqual(lab.report().idleFaults, []);
});
