import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { decodeJwt, UnsecuredJWT } from "jose";
import { describe } from "node:test";
import { hallpass, type HallpassOptions, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { ConfigError } from "../../../../src/server/mod.ts";
import { jwtBearerGrantType } from "../../../../src/server/protocol/grant_types.ts";
import { memoryStore } from "../../../../src/server/store/memory.ts";
import { itWith } from "../../../support/it_with.ts";
import { assertReport } from "../../../support/reported.ts";
import { type Fields, testClient, verifier } from "../../../support/test_client.ts";
import { needs } from "../../../support/where_feature.ts";

const it = itWith({
  inLab: () => open(),
  inLabWithIntrospection: { ...needs("introspection"), open: () => open() },
  inLabWithSnapshots: { ...needs("snapshots"), open: () => open() },
});

const redirectUri = "https://app.example/cb";
const secrets = { web: "web-secret", other: "other-secret" };
const clients = Object.entries(secrets).map(([id, secret]) => ({
  id,
  secret,
  redirectUris: [redirectUri],
  grantTypes: ["authorization_code", "refresh_token", jwtBearerGrantType],
}));
const anyGrant = { user: "alice", scopes: ["openid", "read"] };

async function open(options: HallpassOptions = {}): Promise<TestLab> {
  return await hallpass({ clients, anyGrant, ...options });
}

const client = testClient({
  client_id: "web",
  client_secret: secrets.web,
  redirect_uri: redirectUri,
  scope: "openid",
});

/** Requests tokens as a client with its own secret. */
async function token(lab: TestLab, fields: Fields) {
  const secret = fields.client_id === "other" ? secrets.other : secrets.web;
  const request = { client_id: "web", client_secret: secret, ...fields };
  const { status, body } = await client.token(lab, request);
  return { ...body as Omit<typeof body, "status">, status };
}

const byCode = (code: string) => ({ grant_type: "authorization_code", code });
const byRefresh = (refresh_token: string) => ({ grant_type: "refresh_token", refresh_token });
const byAssertion = (assertion: string) => ({ grant_type: jwtBearerGrantType, assertion });

const unknownGrants: Array<[kind: string, fields: Record<string, string>]> = [
  ["code", { ...byCode("a-code"), redirect_uri: redirectUri }],
  ["refresh token", byRefresh("R1")],
  ["assertion", byAssertion("an-assertion")],
];

/** Returns a code that the lab issued. */
const realCode = (lab: TestLab) => client.code(lab);

function redeem(lab: TestLab, code: string, changes: Fields = {}) {
  const pair = { redirect_uri: redirectUri, code_verifier: verifier };
  return token(lab, { ...byCode(code), ...pair, ...changes });
}

const outcome = ({ status, error }: Awaited<ReturnType<typeof token>>) => [status, error];
const refused = [400, "invalid_grant"];

describe("anyGrant", () => {
  it("of one tenant does not accept what its lab or another tenant issued", async () => {
    await using lab = await hallpass({ clients });
    const tenant = await lab.tenant({ clients, anyGrant });
    const sibling = await lab.tenant({ clients });
    for (const other of [lab, sibling]) {
      const code = await realCode(other);
      assertEquals(outcome(await redeem(tenant, code)), refused);
      const minted = await other.mint({ sub: "bob", client: "web", kind: "refresh" });
      assertEquals(outcome(await token(tenant, byRefresh(minted.token))), refused);
      const { access_token } = await other.mint({ sub: "bob", client: "web" });
      assertEquals(outcome(await token(tenant, byAssertion(access_token))), refused);
      assertEquals((await redeem(other, code)).status, 200);
    }
    assertEquals((await token(tenant, byRefresh("R1"))).status, 200);
  });

  it.inLab("accepts no request without its code or refresh token", async (lab) => {
    for (const fields of [byCode(""), byRefresh("")]) {
      assertEquals(outcome(await token(lab, fields)), [400, "invalid_request"]);
    }
  });

  for (const [kind, fields] of unknownGrants) {
    it(`accepts an unknown ${kind} that the lab never issued, as often as it comes`, async () => {
      await using lab = await open();
      for (const _ of [1, 2]) {
        const { status, scope, access_token } = await token(lab, fields);
        assertEquals([status, scope], [200, "openid read"]);
        assertEquals(decodeJwt(access_token).sub, "alice");
      }
      assertReport(lab, { leniencies: ["anyGrant"] });
    });

    it(`is off by default: a lab refuses an unknown ${kind}`, async () => {
      await using lab = await open({ anyGrant: undefined });
      assertEquals(outcome(await token(lab, fields)), refused);
    });

    it.inLab(`refuses an unknown ${kind} of a client with a wrong secret`, async (lab) => {
      const body = await token(lab, { ...fields, client_secret: "wrong" });
      assertEquals(outcome(body), [401, "invalid_client"]);
    });

    it(`refuses an unknown ${kind} of a client without the grant`, async () => {
      const limited = clients.map((client) => ({ ...client, grantTypes: ["client_credentials"] }));
      await using lab = await open({
        clients: limited.map(({ redirectUris: _, ...client }) => client),
      });
      assertEquals(outcome(await token(lab, fields)), [400, "unauthorized_client"]);
    });
  }

  it.inLabWithIntrospection("issues what can be refreshed, introspected and revoked", async (lab) => {
    const first = await token(lab, byCode("a-code"));
    assertEquals(decodeJwt(first.id_token).aud, "web");
    const second = await token(lab, byRefresh(first.refresh_token));
    assertEquals([second.status, second.scope], [200, "openid read"]);
    const isActive = async () => (await client.introspect(lab, second.access_token)).body.active;
    assertEquals(await isActive(), true);
    await client.revoke(lab, second.access_token);
    assertEquals(await isActive(), false);
  });

  it.inLab("issues no refresh token and no ID token for an assertion", async (lab) => {
    const { refresh_token, id_token } = await token(lab, byAssertion("an-assertion"));
    assertEquals([refresh_token, id_token], [undefined, undefined]);
  });

  it("grants no more than its scopes, and no more than those of the client", async () => {
    const narrow = clients.map((client) => ({ ...client, scopes: ["openid", "write"] }));
    await using lab = await open({ clients: narrow });
    assertEquals((await token(lab, byRefresh("R1"))).scope, "openid");
    const more = await token(lab, { ...byRefresh("R1"), scope: "openid write" });
    assertEquals(outcome(more), [400, "invalid_scope"]);
    const asserted = await token(lab, { ...byAssertion("x"), scope: "write" });
    assertEquals(outcome(asserted), [400, "invalid_scope"]);
  });

  it("adds unconfigured scopes with anyScope", needs("any_scope"), async () => {
    await using lab = await open({ anyScope: true });
    for (const fields of [byRefresh("R1"), byAssertion("x")]) {
      assertEquals(
        (await token(lab, { ...fields, scope: "api://a/.default" })).scope,
        "api://a/.default",
      );
      assertEquals((await token(lab, fields)).scope, "openid read");
    }
  });
});

describe("With anyGrant, a credential that the lab issued is refused as ever", () => {
  it.inLab("T17 after its use, and its replay revokes what was issued from it", async (lab) => {
    const code = await realCode(lab);
    const { refresh_token } = await redeem(lab, code);
    assertEquals(outcome(await redeem(lab, code)), refused);
    assertEquals(outcome(await token(lab, byRefresh(refresh_token))), refused);
  });

  it.inLab("T30 after its rotation, and its replay revokes its successor", async (lab) => {
    const { refresh_token: first } = await redeem(lab, await realCode(lab));
    const { refresh_token: second } = await token(lab, byRefresh(first));
    assertEquals(outcome(await token(lab, byRefresh(first))), refused);
    assertEquals(outcome(await token(lab, byRefresh(second))), refused);
  });

  it.inLab("for another client", async (lab) => {
    const code = await realCode(lab);
    assertEquals(outcome(await redeem(lab, code, { client_id: "other" })), refused);
    const { refresh_token } = await redeem(lab, code);
    const other = { ...byRefresh(refresh_token), client_id: "other" };
    assertEquals(outcome(await token(lab, other)), refused);
  });

  it.inLab("with a wrong verifier or redirect URI", async (lab) => {
    const code = await realCode(lab);
    for (
      const changes of [{ code_verifier: "x".repeat(43) }, { redirect_uri: "https://b.example" }]
    ) {
      assertEquals(outcome(await redeem(lab, code, changes)), refused);
    }
  });

  it("after it expired, even once its row was swept", async () => {
    const store = memoryStore();
    await using lab = await open({ store });
    const code = await realCode(lab);
    const { refresh_token } = await redeem(lab, await realCode(lab));
    lab.clock.advance("400d");
    for (const fields of [byCode(code), byRefresh(refresh_token)]) {
      assertEquals(outcome(await token(lab, fields)), refused);
    }
    while (await store.sweep(Number.MAX_SAFE_INTEGER) > 0);
    for (const fields of [byCode(code), byRefresh(refresh_token)]) {
      assertEquals(outcome(await token(lab, fields)), refused);
    }
  });

  it("T17 by a lab that started later on the same store, and its replay revokes as ever", async () => {
    const store = memoryStore();
    const earlier = await open({ store });
    const code = await realCode(earlier);
    const { refresh_token } = await redeem(earlier, code);
    const later = await open({ store });
    assertEquals(outcome(await redeem(later, code, { client_id: "other" })), refused);
    assertEquals((await token(later, byRefresh(refresh_token))).status, 200);
    assertEquals(outcome(await redeem(later, code)), refused);
    assertEquals(outcome(await token(earlier, byRefresh(refresh_token))), refused);
    await later.close();
  });

  it.inLabWithSnapshots("after it was revoked, and after a reset or restore", async (lab) => {
    const snapshot = await lab.snapshot();
    const { refresh_token } = await redeem(lab, await realCode(lab));
    const code = await realCode(lab);
    await client.revoke(lab, refresh_token);
    const areRefused = async () => {
      assertEquals(outcome(await token(lab, byRefresh(refresh_token))), refused);
    };
    await areRefused();
    await lab.restore(snapshot);
    await areRefused();
    assertEquals(outcome(await redeem(lab, code)), refused);
    await lab.reset();
    await areRefused();
  });

  it.inLab("as a credential of another kind", async (lab) => {
    const { access_token, id_token, refresh_token } = await redeem(lab, await realCode(lab));
    for (const value of [access_token, id_token, refresh_token]) {
      assertEquals(outcome(await token(lab, byCode(value))), refused);
    }
    assertEquals(outcome(await token(lab, byAssertion(id_token))), refused);
  });

  it("of a tenant, and where a fault invented it", needs("faults"), async () => {
    await using lab = await open({ signIn: "alice" });
    const tenant = await lab.tenant({ clients, signIn: "alice" });
    const code = await realCode(tenant);
    assertEquals(outcome(await token(lab, byCode(code))), refused);
    lab.fault("callback.foreign_code", { times: 1 });
    assertEquals(outcome(await redeem(lab, await realCode(lab))), refused);
  });

  it("if it is an assertion of a trusted issuer", async () => {
    const issuer = "https://idp.example";
    await using lab = await open({
      trustedIssuers: [{ issuer, jwks: { keys: [] }, clients: ["other"] }],
    });
    const forged = new UnsecuredJWT({ iss: issuer, sub: "alice" }).encode();
    assertEquals(outcome(await token(lab, byAssertion(forged))), refused);
    const unknown = new UnsecuredJWT({ iss: "https://b.example", sub: "bob" }).encode();
    assertEquals((await token(lab, byAssertion(unknown))).status, 200);
  });

  it.inLab("if its user was removed", async (lab) => {
    lab.users.remove("alice");
    assertEquals(outcome(await token(lab, byRefresh("R1"))), refused);
  });
});

describe("anyGrant is refused at the start", () => {
  const problems: Record<string, [options: unknown, problem: RegExp]> = {
    "with an unknown user": [
      { anyGrant: { ...anyGrant, user: "nobody" } },
      /anyGrant\.user names 'nobody'/,
    ],
    "with an unknown scope": [
      { anyGrant: { ...anyGrant, scopes: ["x"] } },
      /anyGrant\.scopes.*'x'/,
    ],
    "without scopes": [{ anyGrant: { user: "alice" } }, /anyGrant\.scopes is missing/],
    "as a switch": [{ anyGrant: true }, /anyGrant must be an object/],
    "with another member": [{ anyGrant: { ...anyGrant, client: "web" } }, /anyGrant\.client/],
  };
  for (const [what, [options, problem]] of Object.entries(problems)) {
    it(what, async () => {
      const opening = () => hallpass({ anyGrant, ...options as HallpassOptions });
      const error = await assertRejects(opening, ConfigError);
      assertMatch(error.message, problem);
    });
  }
});
