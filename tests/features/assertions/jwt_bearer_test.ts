import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { importJWK, type JWK, SignJWT } from "jose";
import { describe, it } from "node:test";
import { demoIssuerKey } from "../../../src/lab/demo/demo_keys.ts";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { makeKeyPair } from "../../support/key_pairs.ts";
import {
  basic,
  claimsOf,
  type Fields,
  isActive,
  type Kit,
  openKit,
  type ReadResponse,
  service,
  spa,
  startOfTime,
  web,
} from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { itRefuses, type Play, toRows } from "../../support/refusals.ts";
import { failingStore } from "../../support/stores.ts";
import { hasFeature } from "../../support/where_feature.ts";

const grant = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const now = startOfTime / 1000;

/** What a test changes about an assertion; a member that is undefined is left out. */
interface Changes {
  header?: Record<string, unknown>;
  key?: JWK;
}

let made = 0;

/** The demo issuer's word for alice, in order but for what a test changes. */
async function assertionOf(
  claims: Record<string, unknown> = {},
  { header = {}, key = demoIssuerKey }: Changes = {},
): Promise<string> {
  const all = {
    iss: "https://issuer.example",
    sub: "alice",
    aud: "https://hallpass.test",
    exp: now + 300,
    iat: now,
    jti: `assertion-${made++}`,
    ...claims,
  };
  const signer = new SignJWT(defined(all)).setProtectedHeader(
    defined({ alg: "ES256", kid: key.kid, ...header }) as { alg: string },
  );
  return await signer.sign(await importJWK(key, "ES256"));
}

function defined(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

async function bring(
  kit: Kit,
  assertion: string | Promise<string>,
  fields: Fields = {},
  headers = service,
): Promise<ReadResponse> {
  return await kit.token({ grant_type: grant, assertion: await assertion, ...fields }, headers);
}

/** The same issuer, with what a test changes about it. */
function trusting(changes: object): Partial<LabConfig> {
  const { d: _, ...key } = demoIssuerKey;
  return {
    trustedIssuers: [{
      issuer: "https://issuer.example",
      jwks: { keys: [key] },
      clients: ["demo-service"],
      ...changes,
    }],
  };
}

/** Brings an assertion with changes. */
function bringing(claims: Record<string, unknown>, changes?: Changes, fields?: Fields): Play {
  return (kit) => bring(kit, assertionOf(claims, changes), fields);
}

describe("The JWT bearer grant (RFC 7523, section 2.1)", () => {
  it("issues only an access token, for the user whom a trusted issuer asserts", async () => {
    const kit = openKit();
    const { status, body } = await bring(kit, assertionOf(), { scope: "read" });
    assertEquals(status, 200);
    assertEquals(Object.keys(body), ["access_token", "token_type", "expires_in", "scope"]);
    const { sub, client_id, scope, auth_time } = claimsOf(body.access_token);
    assertEquals([sub, client_id, scope, auth_time], ["alice", "demo-service", "read", undefined]);
    assertEquals(await isActive(kit, body.access_token), true);
    if (!hasFeature("introspection")) return;
    const told = await kit.introspect(body.access_token, {}, service);
    assertEquals(told.body.username, "alice");
  });

  it("Q4: ends what an issuer asserted once it is no longer trusted, or not for that client", async () => {
    const store = memoryStore();
    const issued = await bring(openKit({ store, ...trusting({}) }), assertionOf());
    const later: Array<[config: Partial<LabConfig>, expected: boolean]> = [
      [trusting({ clients: ["demo-web", "demo-service"] }), true],
      [trusting({ clients: ["demo-web"] }), false],
      [trusting({ issuer: "https://another.example" }), false],
    ];
    for (const [config, expected] of later) {
      const kit = openKit({ store, ...config });
      assertEquals(await isActive(kit, issued.body.access_token), expected);
    }
  });

  it("issues neither a refresh token nor an ID token to a client that may have them", async () => {
    const shop = spa({
      id: "shop",
      secret: "s",
      grantTypes: [grant, "authorization_code", "refresh_token"],
    });
    const kit = openKit({ ...trusting({ clients: ["shop"] }), clients: [shop] });
    const fields = { scope: "openid read" };
    const { status, body } = await bring(kit, assertionOf(), fields, basic("shop", "s"));
    assertEquals([status, body.scope], [200, "openid read"]);
    assertEquals([body.refresh_token, body.id_token], [undefined, undefined]);
  });

  it("L7: gives no token for a resource that its client may not ask for, though the assertion names it", async () => {
    const kit = openKit(trusting({ clients: ["limited"] }));
    const { records, settings } = kit.server.context;
    const known = present(await settings.clients.get("demo-service"));
    const limited = { ...known, id: "limited", allowedResources: [kit.issuer] };
    await records.clients.put("limited", limited, 8.64e15);
    const headers = basic("limited", "demo-service-secret");
    const bringFor = (resource: string) =>
      bring(kit, assertionOf({ resource }), { scope: "read" }, headers);
    assertEquals((await bringFor("https://api.example")).body.error, "invalid_target");
    assertEquals((await bringFor(kit.issuer)).status, 200);
  });

  it("is advertised if issuers are trusted, and only then", async () => {
    const without = openKit({ grantTypes: ["authorization_code"], clients: [] });
    for (const [kit, expected] of [[openKit(), true], [without, false]] as const) {
      assertEquals((await kit.metadata()).grant_types_supported.includes(grant), expected);
    }
  });

  const accepted: Array<[what: string, claims: Record<string, unknown>, changes?: Changes]> = [
    ["without iat", { iat: undefined }],
    ["from a clock that is ten seconds ahead", { iat: now + 10, nbf: now + 10 }],
    ["with the typ JWT", {}, { header: { typ: "JWT" } }],
    ["without a kid", {}, { header: { kid: undefined } }],
    ["for this client alone (ID-JAG)", { client_id: "demo-service" }, {
      header: { typ: "oauth-id-jag+jwt" },
    }],
    ["of that type in another spelling", { client_id: "demo-service" }, {
      header: { typ: "application/OAuth-ID-JAG+JWT" },
    }],
    ["that lives for an hour", { exp: now + 3600 }],
  ];
  for (const [what, claims, changes] of accepted) {
    it(`takes an assertion ${what}`, async () => {
      assertEquals((await bring(openKit(), assertionOf(claims, changes))).status, 200);
    });
  }

  describe("refuses an assertion (RFC 7523, section 3)", () => {
    const refused: Record<string, [rule: string, claims: Record<string, unknown>]> = {
      "without iss": ["assertion.issuer", { iss: undefined }],
      "of an issuer that is not trusted": ["assertion.issuer", {
        iss: "https://elsewhere.example",
      }],
      "of an issuer whose name is almost that of a trusted one": ["assertion.issuer", {
        iss: "https://issuer.example/",
      }],
      "without sub": ["assertion.sub", { sub: undefined }],
      "for an unknown user": ["assertion.user", { sub: "mallory" }],
      "for a name that every object seems to have": ["assertion.user", { sub: "constructor" }],
      "with a sub that is no text": ["assertion.sub", { sub: ["alice"] }],
      "without aud": ["assertion.audience", { aud: undefined }],
      "for another server": ["assertion.audience", { aud: "https://elsewhere.example" }],
      "for the token endpoint, which is not the issuer (RFC 10070)": ["assertion.audience", {
        aud: "https://hallpass.test/oauth2/token",
      }],
      "with aud as a list": ["assertion.audience", { aud: ["https://hallpass.test"] }],
      "without exp": ["assertion.times", { exp: undefined }],
      "that ended before": ["assertion.times", { exp: now - 11 }],
      "that ends in the far future": ["assertion.times", { exp: now + 3700 }],
      "whose exp is a text": ["assertion.times", { exp: "2026" }],
      "from a clock that is a minute ahead": ["assertion.times", { iat: now + 61 }],
      "that is not yet valid": ["assertion.times", { nbf: now + 61 }],
      "without jti": ["assertion.jti", { jti: undefined }],
      "with a scope as a list, which might be all that it leaves": ["assertion.scope_form", {
        scope: ["read"],
      }],
      "with a resource that is no text": ["assertion.resource_form", {
        resource: { uri: "https://api.example" },
      }],
      "with a list of resources of which one is no text": ["assertion.resource_form", {
        resource: ["https://api.example", 5],
      }],
      "with a list of resources that names none": ["assertion.resource_form", { resource: [] }],
      "for another client": ["assertion.client", { client_id: "demo-web" }],
      "of this very server": ["assertion.foreign", { iss: "https://hallpass.test" }],
      "that is bound to a key, without a proof of it": ["assertion.key", { cnf: { jkt: "a" } }],
    };
    itRefuses({
      ...toRows(refused, ([rule, claims]) => [rule, bringing(claims)]),
      "of another type": ["assertion.signature", bringing({}, { header: { typ: "at+jwt" } })],
      "of the type ID-JAG without a client": [
        "assertion.client",
        bringing({}, { header: { typ: "oauth-id-jag+jwt" } }),
      ],
      "of the type ID-JAG in capitals, without a client": [
        "assertion.client",
        bringing({}, { header: { typ: "OAUTH-ID-JAG+JWT" } }),
      ],
      "of the type ID-JAG as a whole media type, without a client": [
        "assertion.client",
        bringing({}, { header: { typ: "application/oauth-id-jag+jwt" } }),
      ],
      "with a kid that is not known": [
        "assertion.signature",
        bringing({}, { header: { kid: "another" } }),
      ],
    });
  });

  it("refuses one that another party signed", async () => {
    const { privateJwk } = await makeKeyPair("ES256");
    const key = { ...privateJwk, kid: present(demoIssuerKey.kid) };
    assertEquals((await bring(openKit(), assertionOf({}, { key }))).body.error, "invalid_grant");
  });

  it("refuses algorithms that are none, or that take a public key for a secret", async () => {
    const [, payload] = (await assertionOf()).split(".");
    const encode = (header: object) => btoa(JSON.stringify(header)).replaceAll("=", "");
    const header = { alg: "HS256" };
    const hmac = await new SignJWT(JSON.parse(atob(present(payload)))).setProtectedHeader(header)
      .sign(new TextEncoder().encode(demoIssuerKey.x!));
    for (const assertion of [`${encode({ alg: "none" })}.${payload}.`, hmac, "x", "a.b.c"]) {
      assertEquals((await bring(openKit(), assertion)).body.error, "invalid_grant");
    }
  });

  itRefuses({
    "no assertion": ["assertion.present", bringing({}, {}, { assertion: undefined })],
    "an empty assertion": ["assertion.present", bringing({}, {}, { assertion: "" })],
    "two assertions": ["form.unique", bringing({}, {}, { assertion: ["a", "b"] })],
    "an assertion in the URI": [
      "request.no_secret_in_uri",
      (kit) => kit.sendForm("/oauth2/token?assertion=x", { grant_type: grant }, service),
    ],
  });

  it("takes each assertion once, however many bring it at a time", async () => {
    const kit = openKit();
    const assertion = await assertionOf();
    const answers = await Promise.all(Array.from({ length: 5 }, () => bring(kit, assertion)));
    assertEquals(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400]);
    const winner = answers.find(({ status }) => status === 200)!;
    assertEquals(await isActive(kit, winner.body.access_token), true);
    const revoked = kit.events.filter(({ type }) => type === "authorization.revoked");
    assertEquals(revoked.length, 4);
    kit.clock.advance(309);
    assertEquals((await bring(kit, assertion)).body.error, "invalid_grant");
  });

  it("does not burn the assertion when the request is wrong, or the store fails", async () => {
    const store = failingStore();
    const kit = openKit({ store });
    const assertion = await assertionOf();
    assertEquals((await bring(kit, assertion, { scope: "admin" })).body.error, "invalid_scope");
    store.failing.add("add");
    assertEquals((await bring(kit, assertion)).status, 503);
    store.failing.clear();
    assertEquals((await bring(kit, assertion)).status, 200);
  });

  it("CVE-2026-1609: gives nothing for a user who is disabled, and what was given is void", async () => {
    const store = failingStore();
    const kit = openKit({ store });
    const { users } = kit.server.context.records;
    const add = (disabled: boolean) =>
      users.put("dora", { name: "dora", subject: "dora", claims: {}, disabled }, 8.64e15);
    await add(false);
    const { access_token } = (await bring(kit, assertionOf({ sub: "dora" }))).body;
    assertEquals(await isActive(kit, access_token), true);
    await add(true);
    assertEquals((await bring(kit, assertionOf({ sub: "dora" }))).body.error, "invalid_grant");
    assertEquals(await isActive(kit, access_token), false);
  });

  it("CVE-2026-1486: gives nothing for an issuer that is no longer trusted", async () => {
    const kit = openKit(trusting({ issuer: "https://another.example" }));
    assertEquals((await bring(kit, assertionOf())).body.error, "invalid_grant");
  });

  it("takes an issuer's word only where one of its clients brings it", async () => {
    const kit = openKit(trusting({ clients: ["demo-web"] }));
    assertEquals((await bring(kit, assertionOf())).body.error, "invalid_grant");
    const asWeb = await bring(kit, assertionOf(), {}, web);
    const unproven = await kit.token({ grant_type: grant, assertion: "x", client_id: "demo-spa" });
    for (const { body } of [asWeb, unproven]) assertEquals(body.error, "unauthorized_client");
  });

  it("gives no more than the client, the issuer and the assertion leave together", async () => {
    const narrow = openKit(trusting({ scopes: ["write", "openid"] }));
    for (const scope of ["read", "openid"]) {
      assertEquals((await bring(narrow, assertionOf(), { scope })).body.error, "invalid_scope");
    }
    assertEquals((await bring(narrow, assertionOf(), { scope: "write" })).body.scope, "write");
    const kit = openKit();
    const wider = await bring(kit, assertionOf({ scope: "read" }), { scope: "read write" });
    assertEquals(wider.body.error, "invalid_scope");
    assertEquals((await bring(kit, assertionOf({ scope: "read" }))).body.scope, "read");
  });

  it("stays at the resources that the assertion names", async () => {
    const kit = openKit();
    const claims = { resource: ["https://a.example", "https://b.example"] };
    assertEquals(
      claimsOf((await bring(kit, assertionOf(claims))).body.access_token).aud,
      claims.resource,
    );
    const one = await bring(kit, assertionOf(claims), { resource: "https://a.example" });
    assertEquals(claimsOf(one.body.access_token).aud, "https://a.example");
    assertEquals(
      (await bring(kit, assertionOf(claims), { resource: "https://c.example" })).body.error,
      "invalid_target",
    );
    const strict = openKit({ resources: ["https://a.example"] });
    assertEquals((await bring(strict, assertionOf(claims))).body.error, "invalid_target");
  });

  it("finds users by a table, if there is one", async () => {
    const kit = openKit(trusting({ users: { "0815": "bob" } }));
    assertEquals(
      claimsOf((await bring(kit, assertionOf({ sub: "0815" }))).body.access_token).sub,
      "bob",
    );
    assertEquals((await bring(kit, assertionOf({ sub: "bob" }))).body.error, "invalid_grant");
    assertEquals(
      (await bring(kit, assertionOf({ sub: "constructor" }))).body.error,
      "invalid_grant",
    );
  });

  it("fetches the issuer's keys, and reports a failure", async () => {
    const { d: _, ...key } = demoIssuerKey;
    let answer = Response.json({ keys: [key] });
    const fetched: string[] = [];
    const fetch = (url: string) => Promise.resolve((fetched.push(url), answer.clone()));
    const kit = openKit({
      ...trusting({ jwks: undefined, jwksUri: "https://issuer.example/jwks" }),
      fetch,
    });
    for (let time = 0; time < 2; time++) {
      assertEquals((await bring(kit, assertionOf())).status, 200);
    }
    assertEquals(fetched, ["https://issuer.example/jwks"]);
    answer = new Response("no", { status: 500 });
    kit.clock.advance(301);
    const { status, body } = await bring(kit, assertionOf({ exp: now + 600, iat: now + 300 }));
    assertEquals([status, body.error], [400, "invalid_grant"]);
    assertStringIncludes(body.error_description, "could not be fetched");
    assert(kit.events.some(({ type }) => type === "outbound.failed"));
  });

  it("leaves an authorization that the user can revoke, which ends it at once", async () => {
    const kit = openKit();
    const { access_token } = (await bring(kit, assertionOf())).body;
    const parent = claimsOf(access_token).jti.split(".")[0];
    await kit.server.context.records.authorizations.delete(present(parent));
    assertEquals(await isActive(kit, access_token), false);
  });
});
