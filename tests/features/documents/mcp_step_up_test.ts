import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe } from "node:test";
import type { Config } from "../../../src/server/features.ts";
import { type Browser, type Page, textOf } from "../../support/browser.ts";
import { itWith } from "../../support/it_with.ts";
import { type Fields, type Kit, openStrictKit } from "../../support/kit.ts";
import { present } from "../../support/present.ts";

const it = itWith({ withKit: () => openMcp() });

const resource = "https://mcp.example/tools";
const documentUrl = "https://editor.example/client.json";
const redirect_uri = "https://editor.example/callback";
const grant_types = ["authorization_code", "refresh_token"];

/** A server of the profile mcp, with a configured client and one that is known by its document. */
function openMcp(config: Partial<Config> = {}): Kit {
  const document = {
    client_id: documentUrl,
    client_name: "Editor",
    redirect_uris: [redirect_uri],
    grant_types,
    token_endpoint_auth_method: "none",
  };
  return openStrictKit({
    profile: "mcp",
    resources: [resource],
    scopes: { read: "Read your notes", write: "Change your notes" },
    clients: [{ id: "app", redirectUris: [redirect_uri], grantTypes: grant_types }],
    fetchUntrusted: () => Promise.resolve(Response.json(document)),
    ...config,
  });
}

const request = (client_id: string, scope: string, more: Fields = {}): Fields => ({
  client_id,
  redirect_uri,
  resource,
  scope,
  ...more,
});

/** Signs in for `read`, and returns the tokens, and the browser in which Alice stays signed in. */
async function begin(kit: Kit, client_id: string) {
  const browser = kit.browser();
  const { redirect_uri: _, ...fields } = request(client_id, "read");
  const code = await kit.authorize(request(client_id, "read"), {}, browser);
  const { body } = await kit.redeem(present(code.get("code")), { ...fields, redirect_uri });
  return { browser, tokens: body };
}

/** Opens the consent page of the step-up, which asks for the old scope and the new one. */
async function stepUp(kit: Kit, browser: Browser, client_id: string): Promise<Page> {
  return await browser.open(kit.authorizationUrl(request(client_id, "read write")));
}

const isActive = async (kit: Kit, client_id: string, refresh_token: string) =>
  (await kit.refresh(refresh_token, { client_id })).status === 200;

describe("A step-up (MCP 2026-07-28, Step-Up Authorization Flow; SEP-2350)", () => {
  it("P15 asks for what is new, and shows apart what a configured client has", async () => {
    const kit = openMcp();
    const { browser } = await begin(kit, "app");
    const { html } = await stepUp(kit, browser, "app");
    const [asked = "", before = ""] = textOf(html).split("Already allowed");
    assertMatch(asked, /Change your notes/);
    assertNotMatch(asked, /Read your notes/);
    assertMatch(before, /Read your notes/);
  });

  it.withKit("P15 asks for all of it again for a client that described itself, and claims nothing before", async (kit) => {
    const { browser } = await begin(kit, documentUrl);
    const text = textOf((await stepUp(kit, browser, documentUrl)).html);
    assertMatch(text, /Change your notes/);
    assertMatch(text, /Read your notes/);
    assertNotMatch(text, /Already allowed/);
  });

  for (const client_id of ["app", documentUrl]) {
    it.withKit(`P15 gives a token for both scopes, and leaves the first tokens active: ${client_id}`, async (kit) => {
      const { browser, tokens } = await begin(kit, client_id);
      const callback = await kit.authorize(request(client_id, "read write"), {}, browser);
      const code = present(callback.get("code"));
      const { body } = await kit.redeem(code, { client_id, redirect_uri, resource });
      assertEquals([tokens.scope, body.scope], ["read", "read write"]);
      assert(await isActive(kit, client_id, tokens.refresh_token));
      assert(await isActive(kit, client_id, body.refresh_token));
    });

    it.withKit(`P15 leaves a client what it has if the user denies: ${client_id}`, async (kit) => {
      const { browser, tokens } = await begin(kit, client_id);
      const page = await stepUp(kit, browser, client_id);
      const { url, html } = await browser.decide(page, "deny");
      assertMatch(url + html, /access_denied/);
      assert(await isActive(kit, client_id, tokens.refresh_token));
    });

    it.withKit(`P15 is never silent: ${client_id}`, async (kit) => {
      const { browser } = await begin(kit, client_id);
      const fields = request(client_id, "read write", { prompt: "none" });
      const { url, html } = await browser.open(kit.authorizationUrl(fields));
      assertMatch(url + html, /consent_required|interaction_required|access_denied/);
      assertNotMatch(url, /[?&]code=/);
    });
  }

  it.withKit("P15 cannot be had at the token endpoint", async (kit) => {
    const { tokens } = await begin(kit, "app");
    const { refresh_token } = tokens;
    const fields = { grant_type: "refresh_token", client_id: "app", refresh_token };
    const { body } = await kit.token({ ...fields, scope: "read write" });
    assertEquals(body.error, "invalid_scope");
  });
});
