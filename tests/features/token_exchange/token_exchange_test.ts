import { assertEquals } from "@std/assert";
import { describe } from "node:test";
import type { ClientConfig } from "../../../src/server/features.ts";
import { signJwt } from "../../../src/server/issuer/keys/own_jwt.ts";
import { makeProof, type ProofKey, proofKey } from "../../support/dpop.ts";
import { itWith } from "../../support/it_with.ts";
import {
  basic,
  claimsOf,
  endToken,
  type Fields,
  isActive as isActiveFor,
  type Kit,
  openKit,
  type ReadResponse,
} from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { itRefuses, type Play, toRows } from "../../support/refusals.ts";
import { hasFeature } from "../../support/where_feature.ts";
import type { Tokens } from "../../support/wire.ts";

const it = itWith({ inKit: () => openKit({ clients }), withToken: () => open() });

const grant = "urn:ietf:params:oauth:grant-type:token-exchange";
const type = (name: string) => `urn:ietf:params:oauth:token-type:${name}`;
const redirectUris = ["https://hallpass.test/authorized"];
const orders = "https://orders.example";
const stock = "https://stock.example";

/** An app whose users call `orders`, which calls on to `stock`, which could call on to a third. */
const clients: ClientConfig[] = [
  { id: "demo-spa", redirectUris },
  { id: "other-spa", redirectUris },
  {
    id: "orders",
    secret: "s",
    scopes: ["openid", "read", "offline_access"],
    defaultScope: ["read"],
    resources: [orders],
    grantTypes: ["client_credentials", "authorization_code", "refresh_token", grant],
    redirectUris,
    tokenExchange: {
      subjects: ["demo-spa", "orders"],
      audiences: [stock, "shop"],
      impersonation: true,
      delegation: true,
    },
  },
  {
    id: "stock",
    secret: "s",
    resources: [stock],
    grantTypes: ["client_credentials", grant],
    tokenExchange: { audiences: ["https://third.example"], delegation: true },
  },
  {
    id: "stranger",
    secret: "s",
    grantTypes: [grant],
    tokenExchange: { audiences: [stock], impersonation: true },
  },
];

const caller = { resource: orders, scope: "openid read write offline_access" };

async function open(
  changes: Fields = caller,
): Promise<{ kit: Kit; token: string; tokens: Tokens }> {
  const kit = openKit({ clients });
  const tokens = await kit.tokens(changes);
  return { kit, token: tokens.access_token, tokens };
}

/** The fields of an exchange of an access token. */
const fieldsOf = (subject_token: string): Fields => ({
  grant_type: grant,
  subject_token,
  subject_token_type: type("access_token"),
});

function exchange(
  kit: Kit,
  token: string,
  changes: Fields = {},
  who = "orders",
): Promise<ReadResponse> {
  return kit.token({ ...fieldsOf(token), ...changes }, basic(who, "s"));
}

function isActive(kit: Kit, token: string): Promise<boolean> {
  return isActiveFor(kit, token, basic("orders", "s"));
}

async function ownToken(kit: Kit, who = "orders"): Promise<string> {
  return (await kit.token({ grant_type: "client_credentials" }, basic(who, "s"))).body.access_token;
}

/** What presents a client as the actor. */
async function actorOf(kit: Kit, who = "orders"): Promise<Fields> {
  return { actor_token: await ownToken(kit, who), actor_token_type: type("access_token") };
}

/** Exchanges a token that has been marked for an actor (RFC 8693, section 4.4). */
async function exchangeMarked(kit: Kit, token: string, may_act: object): Promise<ReadResponse> {
  const claims = { ...claimsOf(token), may_act };
  return await exchange(kit, await signJwt(kit.server.context, "RS256", "at+jwt", claims));
}

/** Exchanges a token of a user with changes. */
function exchanging(changes: Fields, asked: Fields = caller, who?: string): Play {
  return async (kit) => exchange(kit, (await kit.tokens(asked)).access_token, changes, who);
}

describe("Token exchange (RFC 8693)", () => {
  it.withToken("issues a token for the same user and the API behind, and names its type", async ({ kit, token }) => {
    const { status, body } = await exchange(kit, token, { audience: stock });
    assertEquals(status, 200);
    assertEquals(body.issued_token_type, type("access_token"));
    assertEquals(body.token_type, "Bearer");
    assertEquals(body.scope, "openid read");
    const { sub, client_id, aud, act } = claimsOf(body.access_token);
    assertEquals([sub, client_id, aud, act], ["alice", "orders", stock, undefined]);
  });

  it.withToken("gives neither a refresh token nor an ID token", async ({ kit, token }) => {
    const { body } = await exchange(kit, token, { scope: "openid read" });
    assertEquals(Object.keys(body), [
      "access_token",
      "token_type",
      "expires_in",
      "scope",
      "issued_token_type",
    ]);
  });

  it.withToken("names the actor where one is presented, and never forgets an earlier one (RFC 8693, section 4.1)", async ({ kit, token }) => {
    const actor = { ...await actorOf(kit), resource: stock };
    const first = (await exchange(kit, token, actor)).body.access_token;
    assertEquals(claimsOf(first).act, { sub: "orders" });
    const second = await exchange(kit, first, await actorOf(kit, "stock"), "stock");
    const { sub, act } = claimsOf(second.body.access_token);
    assertEquals([sub, act], ["alice", { sub: "stock", act: { sub: "orders" } }]);
  });

  if (hasFeature("introspection")) {
    it("shows who acts when the token is introspected", async () => {
      const { kit, token } = await open();
      const made = (await exchange(kit, token, await actorOf(kit))).body.access_token;
      const { body } = await kit.introspect(made, {}, basic("stock", "s"));
      assertEquals([body.active, body.sub, body.client_id], [true, "alice", "orders"]);
      assertEquals(body.act, { sub: "orders" });
    });
  }

  it.inKit("takes an ID token that was made for the client", async (kit) => {
    const code = await kit.code({ client_id: "orders", scope: "openid read" });
    const { id_token } = (await kit.redeem(code, {}, basic("orders", "s"))).body;
    const ofIdToken = { subject_token_type: type("id_token") };
    const { status, body } = await exchange(kit, id_token, ofIdToken);
    assertEquals(status, 200);
    assertEquals(claimsOf(body.access_token).sub, "alice");
    assertEquals(body.scope, "openid read");
  });

  it.inKit("takes a client's own token, which stays about that client", async (kit) => {
    const { body } = await exchange(kit, await ownToken(kit));
    assertEquals(claimsOf(body.access_token).sub, "orders");
    assertEquals(await isActive(kit, body.access_token), true);
  });

  it.withToken("responds with the requested type, if that is another name for the same", async ({ kit, token }) => {
    const { body } = await exchange(kit, token, { requested_token_type: type("jwt") });
    assertEquals(body.issued_token_type, type("jwt"));
  });

  it.withToken("gives no token that outlives the one it was exchanged for", async ({ kit, token }) => {
    kit.clock.advance(3000);
    const { body } = await exchange(kit, token);
    assertEquals([body.expires_in, claimsOf(body.access_token).exp], [600, claimsOf(token).exp]);
  });

  const narrowings: Array<[what: string, fields: Fields, scope: string, aud: string | string[]]> = [
    ["what the client may have of it, for all that its policy names", {}, "openid read", [
      stock,
      "shop",
    ]],
    ["a part of it", { scope: "read", audience: "shop" }, "read", "shop"],
    ["several targets", { resource: stock, audience: "shop" }, "openid read", [stock, "shop"]],
    ["the same audience twice", { audience: ["shop", "shop"] }, "openid read", "shop"],
  ];
  for (const [what, fields, scope, aud] of narrowings) {
    it(`gives ${what}`, async () => {
      const { kit, token } = await open();
      const claims = claimsOf((await exchange(kit, token, fields)).body.access_token);
      assertEquals([claims.scope, claims.aud], [scope, aud]);
    });
  }

  describe("refuses (RFC 8693, section 2.1)", () => {
    const refusals: Record<string, [rule: string, fields: Fields]> = {
      "no subject_token": ["subject_token.present", { subject_token: undefined }],
      "no subject_token_type": ["subject_token_type.present", { subject_token_type: undefined }],
      "a token that is none": ["exchange.token", { subject_token: "x" }],
      "an access token that is said to be an ID token": ["exchange.token", {
        subject_token_type: type("id_token"),
      }],
      "the type of a refresh token": ["exchange.subject_token_type", {
        subject_token_type: type("refresh_token"),
      }],
      "an unknown type": ["exchange.subject_token_type", { subject_token_type: type("saml2") }],
      "a request for a refresh token": ["exchange.requested_type", {
        requested_token_type: type("refresh_token"),
      }],
      "a request for an ID token": ["exchange.requested_type", {
        requested_token_type: type("id_token"),
      }],
      "an actor_token without its type": ["actor_token_type.present", { actor_token: "x" }],
      "an actor_token_type without a token": ["actor_token.present", {
        actor_token_type: type("jwt"),
      }],
      "an actor_token that is none": ["exchange.token", {
        actor_token: "x",
        actor_token_type: type("jwt"),
      }],
      "a subject_token twice": ["form.unique", { subject_token: ["a", "b"] }],
      "CVE-2026-56668 a scope that the subject token does not have": ["scope.allowed", {
        scope: "profile",
      }],
      "CVE-2026-56668 a scope that this client may not have": ["scope.allowed", { scope: "write" }],
      "offline access": ["scope.allowed", { scope: "offline_access" }],
      "CVE-2026-67332 a resource that the policy does not name": ["resource.granted", {
        resource: "https://third.example",
      }],
      "an audience that the policy does not name": ["resource.granted", { audience: "admin" }],
      "one of two that the policy does not name": ["resource.granted", {
        audience: ["shop", "admin"],
      }],
      "a resource that is no URI": ["resource.form", { resource: "shop" }],
    };
    itRefuses({
      ...toRows(refusals, ([rule, fields]) => [rule, exchanging(fields)]),
      "a token whose scope the client may not have at all": [
        "exchange.scope",
        exchanging({}, { resource: orders, scope: "write offline_access" }),
      ],
      "a token that is meant for others": [
        "exchange.token",
        exchanging({}, { ...caller, resource: undefined }),
      ],
      "a token that is meant for another client": [
        "exchange.token",
        exchanging({}, caller, "stranger"),
      ],
      "GHSA-7qjx-gp9h-65qj a token of a client that the policy does not name": [
        "exchange.subject",
        async (kit) => {
          const code = await kit.code({ ...caller, client_id: "other-spa" });
          const { body } = await kit.redeem(code, { client_id: "other-spa" });
          return exchange(kit, body.access_token);
        },
      ],
      "an ID token of another client": ["exchange.token", async (kit) => {
        const { id_token } = await kit.tokens(caller);
        return exchange(kit, id_token, { subject_token_type: type("id_token") });
      }],
      "an actor's token that the client does not hold by right": ["exchange.token", async (kit) => {
        const { access_token } = await kit.tokens(caller);
        const actor_token = (await kit.tokens()).access_token;
        const actor_token_type = type("access_token");
        return exchange(kit, access_token, { actor_token, actor_token_type });
      }],
    }, { settings: { clients } });
  });

  it("distinguishes impersonation and delegation, and follows the policy", async () => {
    const { kit, token } = await open({ ...caller, resource: stock });
    assertEquals((await exchange(kit, token, {}, "stock")).body.error, "unauthorized_client");
    const actor = await actorOf(kit, "stock");
    assertEquals((await exchange(kit, token, actor, "stranger")).body.error, "unauthorized_client");
  });

  it.withToken("is nothing for public clients, and for clients that the grant is not listed for", async ({ kit, token }) => {
    const { body } = await kit.token({ ...fieldsOf(token), client_id: "demo-spa" });
    assertEquals(body.error, "unauthorized_client");
  });

  it.withToken("honours a token with this client in may_act (RFC 8693, section 4.4)", async ({ kit, token }) => {
    assertEquals((await exchangeMarked(kit, token, { sub: "orders" })).status, 200);
  });

  const others: Record<string, object> = {
    "another subject": { sub: "stock" },
    "a subject of another issuer": { sub: "orders", iss: "https://elsewhere.example" },
    "another member": { sub: "orders", email: "x" },
  };
  describe("refuses a token whose may_act has", () => {
    itRefuses(
      toRows(others, (mayAct) => ["exchange.may_act", async (kit) => {
        const { access_token } = await kit.tokens(caller);
        return exchangeMarked(kit, access_token, mayAct);
      }]),
      { settings: { clients } },
    );
  });

  it.inKit("CVE-2024-49755 takes a token that is bound to a key with a proof of that key alone, and binds the new one to it", async (kit) => {
    const [key, another] = [await proofKey("ES256"), await proofKey("ES256 another")];
    const url = `${kit.issuer}/oauth2/token`;
    const proof = async (by: ProofKey) => ({ DPoP: await makeProof(by, "POST", url) });
    const asOrders = async (by: ProofKey) => ({ ...await proof(by), ...basic("orders", "s") });
    const { access_token } = (await kit.redeem(await kit.code(caller), {}, await proof(key))).body;
    const fields = fieldsOf(access_token);
    for (const headers of [basic("orders", "s"), await asOrders(another)]) {
      assertEquals((await kit.token(fields, headers)).body.error, "invalid_request");
    }
    const { body } = await kit.token(fields, await asOrders(key));
    assertEquals([body.token_type, claimsOf(body.access_token).cnf], ["DPoP", { jkt: key.jkt }]);
  });

  it.withToken("ends a line of exchanges that grows without end", async ({ kit, token }) => {
    let latest = token;
    for (let count = 0; count < 9; count++) {
      latest = (await exchange(kit, latest, { audience: stock })).body.access_token;
    }
    const { status, body } = await exchange(kit, latest, { audience: stock });
    assertEquals([status, body.error], [400, "invalid_request"]);
  });

  it.withToken("ends a chain of actors that grows without end", async ({ kit, token }) => {
    const chain = (length: number): object => ({
      sub: "x",
      ...length > 1 && { act: chain(length - 1) },
    });
    const actor = await actorOf(kit);
    for (const [length, status] of [[7, 200], [8, 400]]) {
      const claims = { ...claimsOf(token), act: chain(present(length)) };
      const marked = await signJwt(kit.server.context, "RS256", "at+jwt", claims);
      assertEquals((await exchange(kit, marked, actor)).status, status);
    }
  });
});

describe("An exchanged token", () => {
  const ends: Record<string, (kit: Kit, tokens: Tokens & { code: string }) => unknown> = {
    "its authorization is revoked": (kit, { refresh_token }) => endToken(kit, refresh_token),
    "the token it was exchanged for is revoked": (kit, { access_token }) =>
      endToken(kit, access_token),
    "a code is used twice": (kit, { code }) => kit.redeem(code),
    "its time is over": (kit) => kit.clock.advance(3600),
  };
  for (const [what, end] of Object.entries(ends)) {
    it.inKit(`is active until ${what}`, async (kit) => {
      const code = await kit.code(caller);
      const tokens = (await kit.redeem(code)).body;
      const made = (await exchange(kit, tokens.access_token)).body.access_token;
      const again = (await exchange(kit, made)).body.access_token;
      assertEquals([await isActive(kit, made), await isActive(kit, again)], [true, true]);
      await end(kit, { ...tokens, code });
      assertEquals([await isActive(kit, made), await isActive(kit, again)], [false, false]);
    });
  }

  if (hasFeature("revocation")) {
    it("is revoked alone by the client that it was issued to, and by no other", async () => {
      const { kit, token } = await open();
      const made = (await exchange(kit, token)).body.access_token;
      assertEquals((await kit.revoke(made)).body.error, "invalid_grant");
      await kit.revoke(made, {}, basic("orders", "s"));
      assertEquals([await isActive(kit, made), await isActive(kit, token)], [false, true]);
    });
  }

  it.inKit("falls with the client's own token that it was exchanged for", async (kit) => {
    const own = await ownToken(kit);
    const made = (await exchange(kit, own)).body.access_token;
    await endToken(kit, own, basic("orders", "s"));
    assertEquals(await isActive(kit, made), false);
    assertEquals((await exchange(kit, own)).body.error, "invalid_request");
  });

  it.withToken("GHSA-cxgj-hwwh-855g represents only the client it was made for", async ({ kit, token }) => {
    const made = (await exchange(kit, token)).body.access_token;
    const ofOthers = [
      { ...claimsOf(token), client_id: "orders" },
      { ...claimsOf(made), client_id: "nobody" },
    ];
    for (const claims of ofOthers) {
      const forged = await signJwt(kit.server.context, "RS256", "at+jwt", claims);
      assertEquals(await isActive(kit, forged), false);
    }
  });
});

describe("A token of a client with pairwise subjects, exchanged by one that knows user names", () => {
  const members = {
    scopes: ["openid", "read"],
    resources: [orders],
    tokenExchange: { audiences: [stock, "https://hallpass.test"], impersonation: true },
  };
  const pair: ClientConfig[] = [
    { id: "demo-spa", redirectUris, subjectType: "pairwise" },
    { id: "orders", secret: "s", grantTypes: [grant], ...members },
  ];

  async function exchanged() {
    const kit = openKit({ clients: pair });
    const claims = JSON.stringify({ userinfo: { email: null } });
    const { access_token } = await kit.tokens({ scope: "openid read", resource: orders, claims });
    const after: string = (await exchange(kit, access_token)).body.access_token;
    return { kit, before: access_token, after };
  }

  if (hasFeature("introspection")) {
    it("keeps its subject, and does not reveal the name of the user", async () => {
      const { kit, before, after } = await exchanged();
      const { body } = await kit.introspect(after, {}, basic("orders", "s"));
      assertEquals([body.active, body.sub, body.username], [true, claimsOf(before).sub, undefined]);
    });
  }

  it("brings along no claims that the first client had asked for by name", async () => {
    const { kit, after } = await exchanged();
    const { body } = await kit.userinfo(after);
    assertEquals(Object.keys(body), ["sub"]);
  });
});
