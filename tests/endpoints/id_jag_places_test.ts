import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { protectedResource } from "../../src/resource/protected_resource.ts";
import { tokenExchangeGrantType } from "../../src/server/protocol/grant_types.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { sqliteStore } from "../../src/server/store/sqlite.ts";
import type { Store } from "../../src/server/store/store.ts";
import { assertionType } from "../support/client_key.ts";
import {
  agent,
  agentThere,
  chat,
  company,
  type Enterprise,
  mcp,
  openEnterprise,
} from "../support/enterprise.ts";
import { basic, claimsOf, type Fields, type Kit, read, startOfTime } from "../support/kit.ts";

const now = startOfTime / 1000;

/** Presents an ID-JAG somewhere, and returns what shows that it was not accepted. */
type Use = (kit: Kit, jwt: string) => Promise<unknown>;

async function errorOf(response: Promise<Response>): Promise<unknown> {
  const { status, body } = await read(await response);
  return body.error ?? status;
}

function atToken(fields: (jwt: string) => Fields, headers: Record<string, string> = {}): Use {
  return (kit, jwt) => errorOf(kit.post("/oauth2/token", fields(jwt), headers));
}

const subject = (jwt: string, type: string) => ({
  grant_type: tokenExchangeGrantType,
  subject_token: jwt,
  subject_token_type: `urn:ietf:params:oauth:token-type:${type}`,
});
const without = basic("without", "s");

/** Everything at the company that takes a token. */
const uses: Record<string, [use: Use, expected: unknown]> = {
  "an access token at userinfo": [
    (kit, jwt) => errorOf(kit.get("/oauth2/userinfo", { Authorization: `Bearer ${jwt}` })),
    "invalid_token",
  ],
  "an access token in the body": [
    (kit, jwt) => errorOf(kit.post("/oauth2/userinfo", { access_token: jwt })),
    "invalid_token",
  ],
  "a token to introspect": [
    async (kit, jwt) => (await kit.introspect(jwt, {}, agent)).body.active,
    false,
  ],
  "a code": [
    atToken((code) => ({ grant_type: "authorization_code", code }), agent),
    "invalid_grant",
  ],
  "a refresh token": [
    atToken((refresh_token) => ({ grant_type: "refresh_token", refresh_token }), agent),
    "invalid_grant",
  ],
  "a client assertion": [
    atToken((client_assertion) => ({
      grant_type: "client_credentials",
      client_assertion_type: assertionType,
      client_assertion,
    })),
    "invalid_client",
  ],
  "a client secret": [
    atToken((client_secret) => ({
      grant_type: "client_credentials",
      client_id: "agent",
      client_secret,
    })),
    "invalid_client",
  ],
  "an access token to exchange": [
    atToken((jwt) => subject(jwt, "access_token"), without),
    "invalid_request",
  ],
  "an ID token to exchange": [
    atToken((jwt) => subject(jwt, "id_token"), without),
    "invalid_request",
  ],
  "a JWT to exchange": [atToken((jwt) => subject(jwt, "jwt"), without), "invalid_request"],
  "an ID-JAG to exchange": [atToken((jwt) => subject(jwt, "id-jag"), without), "invalid_request"],
  "a DPoP proof": [
    (kit, DPoP) =>
      errorOf(kit.post("/oauth2/token", { grant_type: "refresh_token" }, { ...agent, DPoP })),
    "invalid_dpop_proof",
  ],
  "a hint of who should sign in": [async (kit, jwt) => {
    const url = kit.authorizationUrl({
      client_id: "agent",
      scope: "openid",
      prompt: "none",
      id_token_hint: jwt,
    });
    const location = (await kit.get(url.slice(kit.issuer.length))).headers.get("Location") ?? "";
    return new URL(location).searchParams.get("error");
  }, "invalid_request"],
};

describe("An ID-JAG is accepted only by the grant, and never", () => {
  for (const [what, [use, expected]] of Object.entries(uses)) {
    it(`J25 as ${what} of the server that issued it`, async () => {
      const { idp, idJag } = openEnterprise();
      assertEquals(await use(idp, await idJag()), expected);
    });
  }

  it("J25 as an access token of the server that redeems it", async () => {
    const { chat, idJag } = openEnterprise();
    const headers = { Authorization: `Bearer ${await idJag()}` };
    assertEquals(await errorOf(chat.get("/oauth2/userinfo", headers)), "invalid_token");
  });

  it("J25 as a client assertion there, though the client has the key of the company", async () => {
    const enterprise = openEnterprise();
    const { keys } = (await read(await enterprise.idp.get("/oauth2/jwks"))).body;
    const there = openEnterprise({
      chat: {
        grantTypes: ["client_credentials"],
        trustedIssuers: [],
        clients: [{
          id: "alice",
          jwks: { keys },
          grantTypes: ["client_credentials"],
          authentication: ["private_key_jwt"],
        }],
        users: [],
      },
    });
    const fields = {
      grant_type: "client_credentials",
      client_assertion_type: assertionType,
      client_assertion: await enterprise.idJag(),
    };
    assertEquals((await there.chat.token(fields)).body.error, "invalid_client");
  });

  for (const resource of [chat, mcp, company]) {
    it(`J25 as an access token of an API at ${resource} that trusts the company`, async () => {
      const { idp, idJag } = openEnterprise();
      const api = protectedResource({
        resource,
        authorizationServers: [company],
        now: () => idp.clock.now,
        fetch: (url, { signal: _, ...init }) => idp.server.fetch(new Request(url, init)),
      });
      const headers = { Authorization: `Bearer ${await idJag()}` };
      const access = await api.require(new Request(resource, { headers }));
      assertEquals(access instanceof Response && access.status, 401);
    });
  }
});

const stores: Record<string, () => Store> = {
  memory: memoryStore,
  SQLite: () => sqliteStore(":memory:"),
};

for (const [name, open] of Object.entries(stores)) {
  describe(`An ID-JAG with its id in ${name}`, () => {
    const openWith = (): Enterprise => openEnterprise({ chat: { store: open() } });

    it("J20 is redeemed once, however many present it at a time", async () => {
      const enterprise = openWith();
      const jwt = await enterprise.idJag();
      const answers = await Promise.all(Array.from({ length: 8 }, () => enterprise.redeem(jwt)));
      assertEquals(answers.filter(({ status }) => status === 200).length, 1);
      const errors = answers.flatMap(({ body }) => body.error ?? []);
      assertEquals(errors, Array(7).fill("invalid_grant"));
    });

    it("J20 is remembered until it has expired for every clock", async () => {
      const enterprise = openWith();
      const jwt = await enterprise.idJag();
      assertEquals((await enterprise.redeem(jwt)).status, 200);
      const later = claimsOf(jwt).exp - now + 9;
      for (const seconds of [0, 60, later - 60]) {
        enterprise.chat.clock.advance(seconds);
        const { body } = await enterprise.redeem(jwt);
        assertEquals([body.error, body.error_description.includes("used before")], [
          "invalid_grant",
          true,
        ]);
      }
      enterprise.chat.clock.advance(1);
      assertEquals((await enterprise.redeem(jwt)).body.error, "invalid_grant");
    });

    it("J20 is not used up by a request that is refused", async () => {
      const enterprise = openWith();
      const jwt = await enterprise.idJag();
      const { body } = await enterprise.redeem(jwt, { resource: "https://evil.example" });
      assertEquals(body.error, "invalid_target");
      assertEquals((await enterprise.redeem(jwt, {}, agentThere)).status, 200);
    });
  });
}
