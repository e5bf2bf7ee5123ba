import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { protectedResource } from "../../../src/resource/protected_resource.ts";
import { tokenExchangeGrantType } from "../../../src/server/protocol/grant_types.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { sqliteStore } from "../../../src/server/store/sqlite.ts";
import type { Store } from "../../../src/server/store/store.ts";
import { assertionType } from "../../support/client_key.ts";
import {
  agent,
  agentThere,
  chat,
  company,
  type Enterprise,
  type EnterpriseKit,
  mcp,
  openCompany,
  openEnterprise,
} from "../../support/enterprise.ts";
import {
  basic,
  claimsOf,
  type Fields,
  isActive,
  type Kit,
  read,
  startOfTime,
} from "../../support/kit.ts";
import { itRefuses, type Play, type Refusals } from "../../support/refusals.ts";
import { hasFeature } from "../../support/where_feature.ts";

const now = startOfTime / 1000;

/** Presents an ID-JAG somewhere. */
function presenting(use: (kit: Kit, jwt: string) => unknown): Play<EnterpriseKit> {
  return async ({ enterprise: { idp, idJag } }) => use(idp, await idJag());
}

function atToken(fields: (jwt: string) => Fields, headers?: Record<string, string>) {
  return (kit: Kit, jwt: string) => kit.post("/oauth2/token", fields(jwt), headers);
}

const subject = (jwt: string, type: string) => ({
  grant_type: tokenExchangeGrantType,
  subject_token: jwt,
  subject_token_type: `urn:ietf:params:oauth:token-type:${type}`,
});
const without = basic("without", "s");

/** Everything at the company that takes a token. */
const uses: Refusals<EnterpriseKit> = {
  "an access token at userinfo": [
    "token.active",
    presenting((kit, jwt) => kit.get("/oauth2/userinfo", { Authorization: `Bearer ${jwt}` })),
  ],
  "an access token in the body": [
    "token.active",
    presenting((kit, jwt) => kit.post("/oauth2/userinfo", { access_token: jwt })),
  ],
  "a code": [
    "code.known",
    presenting(atToken((code) => ({ grant_type: "authorization_code", code }), agent)),
  ],
  "a refresh token": [
    "refresh_token.known",
    presenting(atToken((refresh_token) => ({ grant_type: "refresh_token", refresh_token }), agent)),
  ],
  "a client assertion": [
    "client.authenticated",
    presenting(atToken((client_assertion) => ({
      grant_type: "client_credentials",
      client_assertion_type: assertionType,
      client_assertion,
    }))),
  ],
  "a client secret": [
    "client.authenticated",
    presenting(atToken((client_secret) => ({
      grant_type: "client_credentials",
      client_id: "agent",
      client_secret,
    }))),
  ],
  "an access token to exchange": [
    "exchange.token",
    presenting(atToken((jwt) => subject(jwt, "access_token"), without)),
  ],
  "an ID token to exchange": [
    "exchange.token",
    presenting(atToken((jwt) => subject(jwt, "id_token"), without)),
  ],
  "a JWT to exchange": [
    "exchange.token",
    presenting(atToken((jwt) => subject(jwt, "jwt"), without)),
  ],
  "an ID-JAG to exchange": [
    "exchange.subject_token_type",
    presenting(atToken((jwt) => subject(jwt, "id-jag"), without)),
  ],
  "a DPoP proof": [
    "dpop.typ",
    presenting((kit, DPoP) =>
      kit.post("/oauth2/token", { grant_type: "refresh_token" }, { ...agent, DPoP })
    ),
  ],
  "a hint of who should sign in": [
    "id_token_hint.known",
    presenting((kit, id_token_hint) =>
      kit.ask({ client_id: "agent", scope: "openid", prompt: "none", id_token_hint })
    ),
  ],
};

describe("An ID-JAG is accepted only by the grant, and never", () => {
  describe("J25 at the server that issued it, as", () => {
    itRefuses(uses, { open: openCompany });
  });

  it("J25 as a token to introspect of the server that issued it", async () => {
    const { idp, idJag } = openEnterprise();
    assertEquals(await isActive(idp, await idJag(), agent), false);
  });

  it("J25 as an access token of the server that redeems it", async () => {
    const { chat, idJag } = openEnterprise();
    assertEquals((await chat.userinfo(await idJag())).body.error, "invalid_token");
  });

  if (hasFeature("assertions")) {
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
  }

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

for (const [name, open] of Object.entries(hasFeature("assertions") ? stores : {})) {
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
        assertEquals(body.error, "invalid_grant");
        assertEquals(body.error_description.includes("used before"), true);
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
