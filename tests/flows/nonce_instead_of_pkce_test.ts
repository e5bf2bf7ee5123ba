import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { set as setClient } from "../../src/administration/client_settings.ts";
import { add as addClient } from "../../src/administration/clients.ts";
import { type ClientConfig, type Config, ConfigError } from "../../src/server/mod.ts";
import { openIdScopes } from "../../src/server/model/claims.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { makeClientKey, seconds } from "../support/client_key.ts";
import {
  basic,
  claimsOf,
  errorAt,
  type Fields,
  type Kit,
  mcpProfile,
  openStrictKit,
} from "../support/kit.ts";
import { itRefuses, type Play } from "../support/refusals.ts";
import { needs } from "../support/where_feature.ts";

const redirectUris = ["https://hallpass.test/authorized"];
const secret = "a-secret-of-at-least-22-characters";
const asWeb = basic("web", secret);
const web: ClientConfig = { id: "web", secret, redirectUris };
const nonce = "n".repeat(16);
const key = await makeClientKey("ES256");
const unchallenged: Fields = {
  client_id: "web",
  scope: "openid",
  nonce,
  code_challenge: undefined,
  code_challenge_method: undefined,
};

/** Changes of the client; a member that is undefined is left out. */
type Changes = { [Name in keyof ClientConfig]?: ClientConfig[Name] | undefined };

function openServer(changes: Changes = {}, config: Partial<Config> = {}): Kit {
  const client = { ...web, ...changes } as ClientConfig;
  return openStrictKit({ clients: [client], ...config });
}

const asking = (changes: Fields): Play => (kit) => kit.ask({ ...unchallenged, ...changes });

/** Redeems a code of a request without a challenge. */
async function redeem(kit: Kit, code: string, changes: Fields = {}) {
  const fields = { client_id: undefined, code_verifier: undefined, ...changes };
  return await kit.redeem(code, fields, asWeb);
}

/** Returns the error of a request without a challenge; undefined if a user may sign in. */
const errorOf = (kit: Kit, changes: Fields = {}) => errorAt(kit, { ...unchallenged, ...changes });

describe("A nonce instead of PKCE (RFC 9700, sections 2.1.1 and 4.5.3.2)", () => {
  it("A19 B18 is enough for a client with a secret, and the ID token has it", async () => {
    const kit = openServer();
    const { body } = await redeem(kit, await kit.code(unchallenged));
    assertEquals(claimsOf(body.id_token).nonce, nonce);
  });

  it("A19 is enough for a client with a key", async () => {
    const kit = openServer({ secret: undefined, jwks: { keys: [key.publicJwk] } });
    assertEquals(await errorOf(kit), undefined);
  });

  const clients: ClientConfig[] = [web, { id: "spa", redirectUris }];
  itRefuses({
    "A19 B03 neither challenge nor nonce": ["challenge.or_nonce", asking({ nonce: undefined })],
    "A05 A19 an empty nonce": ["challenge.or_nonce", asking({ nonce: "" })],
    "A19 B18 a nonce that could be guessed": [
      "challenge.or_nonce",
      asking({ nonce: "n".repeat(15) }),
    ],
    "A19 B18 no ID token to bring the nonce": ["challenge.or_nonce", asking({ scope: "email" })],
    "A19 A20 a public client": ["challenge.present", asking({ client_id: "spa" })],
    "B04 T20 T21 a verifier without a challenge (RFC 9700, section 4.8.2)": [
      "verifier.has_challenge",
      async (kit) => {
        await redeem(kit, await kit.code(unchallenged), { code_verifier: "v".repeat(43) });
      },
    ],
  }, { open: openStrictKit as (settings: object) => Kit, settings: { clients } });

  const strict: Record<string, () => Kit> = {
    "if the client must use PKCE": () => openServer({ pkce: "required" }),
    "if the server requires PKCE": () => openServer({}, { pkce: "required" }),
    "if the server is hardened": () => openServer({}, { hardened: true }),
    "under the profile mcp": () => openServer({}, mcpProfile),
    "for a native client": () => openServer({ native: true }),
    "for a client that need not authenticate": () =>
      openServer({
        secret: undefined,
        jwks: { keys: [key.publicJwk] },
        authentication: ["none", "private_key_jwt"],
      }),
    "for a client that also has a redirect URI of an app": () =>
      openServer({ redirectUris: [...redirectUris, "com.example.app:/cb"] }),
  };
  for (const [title, open] of Object.entries(strict)) {
    it(`A19 is not enough ${title}`, async () => {
      assertEquals(await errorOf(open()), "invalid_request");
    });
  }

  it("A19 is enough for a web application of a developer, on loopback", async () => {
    const kit = openServer({ redirectUris: [...redirectUris, "http://localhost:3000/cb"] });
    assertEquals(await errorOf(kit), undefined);
  });

  it("A19 is enough by the client's own setting, although the server requires PKCE", async () => {
    for (const config of [{ pkce: "required" } as const, { hardened: true }, mcpProfile]) {
      assertEquals(await errorOf(openServer({ pkce: "or-nonce" }, config)), undefined);
    }
  });

  it("A19 is not needed by a client of a server on which PKCE is optional", async () => {
    const kit = openServer({}, { pkce: "optional" });
    const { status } = await redeem(kit, await kit.code({ ...unchallenged, nonce: undefined }));
    assertEquals(status, 200);
  });

  const contradictions: Record<string, Changes> = {
    "a public client": { secret: undefined },
    "a native client": { native: true },
    "a client with a redirect URI of an app": { redirectUris: ["com.example.app:/cb"] },
  };
  for (const [title, changes] of Object.entries(contradictions)) {
    it(`A19 cannot be configured for ${title}`, async () => {
      const open = () => Promise.resolve().then(() => openServer({ ...changes, pkce: "or-nonce" }));
      await assertRejects(open, ConfigError, "pkce can");
    });
  }
});

describe("A code that was requested with a nonce, without a challenge", () => {
  it("T21 is refused where openid was not granted, so that no ID token brings the nonce", async () => {
    const policies = { scope: () => ["email"] };
    const kit = openServer({}, { policies });
    const code = await kit.code({ ...unchallenged, scope: "openid email" });
    assertEquals((await redeem(kit, code)).body.error, "invalid_grant");
  });

  it("T21 is refused if the client must use PKCE since then", async () => {
    const store = memoryStore();
    const code = await openServer({}, { store }).code(unchallenged);
    const later = openServer({ pkce: "required" }, { store });
    assertEquals((await redeem(later, code)).body.error, "invalid_grant");
  });
});

/** Sends a signed request object of the client `web`, beside other parameters. */
async function askBySignedRequest(kit: Kit, inside: Fields, outside: Fields): Promise<Response> {
  const parameters = { ...kit.parameters({ ...unchallenged, ...inside }) };
  const request = await key.sign({ ...parameters, aud: kit.issuer, exp: seconds(kit) + 60 });
  const query = new URLSearchParams({ client_id: "web", request, ...outside as object });
  return await kit.get(`/oauth2/authorize?${query}`);
}

describe("A nonce instead of PKCE in a signed request (RFC 9101, section 6.3)", () => {
  const open = () => openServer({ jwks: { keys: [key.publicJwk] } });
  const isRefused = (response: Response) =>
    (response.headers.get("Location") ?? "").includes("error=invalid_request");

  it("A19 counts if it is signed", async () => {
    assertEquals(isRefused(await askBySignedRequest(open(), {}, {})), false);
  });

  it("A19 does not count beside the signed request, and neither does a scope there", async () => {
    const withNonce = await askBySignedRequest(open(), { nonce: undefined }, { nonce });
    const withScope = await askBySignedRequest(open(), { scope: "email" }, { scope: "openid" });
    assertEquals([isRefused(withNonce), isRefused(withScope)], [true, true]);
  });
});

describe("The PKCE of a stored client", () => {
  async function openStored(changes: Partial<ClientConfig> = {}) {
    const store = memoryStore();
    const { context } = openStrictKit({ store }).server;
    await addClient(context, { ...web, ...changes });
    return { store, context };
  }

  it("A19 follows the server and its profile, as its row has none", async () => {
    const { store, context } = await openStored();
    assertEquals((await context.records.clients.find("web"))?.pkce, undefined);
    const servers = [{}, mcpProfile, { hardened: true }, { pkce: "required" } as const];
    const errors = servers.map((config) => errorOf(openStrictKit({ store, ...config })));
    assertEquals(await Promise.all(errors), [undefined, ...Array(3).fill("invalid_request")]);
  });

  it("A19 stays as it was given, and follows again once that is unset", async () => {
    const { store, context } = await openStored({ pkce: "required" });
    assertEquals(await errorOf(openStrictKit({ store })), "invalid_request");
    const admin = { ...context, action: { by: "root", command: "client set" } };
    await setClient(admin, "web", ({ given: { pkce: _, ...given } }) => given);
    assertEquals(await errorOf(openStrictKit({ store })), undefined);
  });
});

describe("The PKCE of clients that register themselves", () => {
  it("A19 A20 is required", needs("registration"), async () => {
    const kit = openStrictKit({ registration: "open", scopes: { ...openIdScopes } });
    const apps = [...redirectUris, "com.example.app:/cb"];
    const body = JSON.stringify({ redirect_uris: apps });
    const headers = { "Content-Type": "application/json" };
    const response = await kit.request("/oauth2/register", { method: "POST", headers, body });
    const { client_id, client_secret } = await response.json();
    assertEquals(typeof client_secret, "string");
    const { html } = await kit.browser().open(kit.authorizationUrl({ ...unchallenged, client_id }));
    assertEquals(html.includes("code_challenge"), true);
  });
});
