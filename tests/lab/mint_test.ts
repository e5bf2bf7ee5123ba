import { assertEquals, assertRejects } from "@std/assert";
import { createLocalJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify } from "jose";
import { describe } from "node:test";
import { openLab } from "../../src/lab/open_lab.ts";
import { hallpass, LabError, type MintKind, type TestLab } from "../../src/lab/testing/mod.ts";
import { readIdTokenHint } from "../../src/server/issuer/requests/id_token_hint.ts";
import { service } from "../support/flow_kit.ts";
import { itWith } from "../support/it_with.ts";
import { testClient } from "../support/test_client.ts";
import { needs } from "../support/where_feature.ts";

const it = itWith({
  inLab: () => hallpass(),
  inLabWithIntrospection: { ...needs("introspection"), open: () => hallpass() },
});

async function verify(lab: TestLab, token: string): Promise<JWTPayload> {
  const keys = await (await lab.fetch(`${lab.issuer}/oauth2/jwks`)).json();
  const currentDate = new Date(lab.clock.now());
  return (await jwtVerify(token, createLocalJWKSet(keys), { currentDate })).payload;
}

async function isActive(lab: TestLab, token: string): Promise<boolean> {
  return (await testClient().introspect(lab, token, {}, service)).body.active;
}

const options = { sub: "alice", scope: "openid read", client: "demo-web" };

describe("mint", () => {
  it.inLab("returns the token of each kind", needs("introspection"), async (lab) => {
    const access = await lab.mint(options);
    assertEquals(access.token, access.access_token);
    const id = await lab.mint({ ...options, scope: "read", kind: "id" });
    assertEquals([id.token, (await verify(lab, id.token)).aud], [id.id_token, "demo-web"]);
    const refresh = await lab.mint({ ...options, kind: "refresh" });
    assertEquals(refresh.token, refresh.refresh_token);
    assertEquals(await isActive(lab, refresh.token), true);
    const { token } = await lab.mint({ ...options, kind: "logout" });
    assertEquals(decodeProtectedHeader(token).typ, "logout+jwt");
    const { events, aud, sub, sid } = await verify(lab, token);
    assertEquals([aud, sub, sid], ["demo-web", "alice", undefined]);
    const names = Object.keys(events as object);
    assertEquals(names, ["http://schemas.openid.net/event/backchannel-logout"]);
  });

  it.inLab("changes header, claims and audience of the requested kind only", async (lab) => {
    const { token, access_token } = await lab.mint({
      ...options,
      kind: "id",
      audience: "another",
      claims: { nonce: "n" },
      header: { typ: null, kid: "unknown" },
      omit: ["auth_time"],
    });
    const { kid, typ } = decodeProtectedHeader(token);
    assertEquals([kid, typ], ["unknown", undefined]);
    assertEquals(decodeProtectedHeader(access_token).typ, "at+jwt");
    const claims = JSON.parse(atob(token.split(".")[1]!.replaceAll("-", "+").replaceAll("_", "/")));
    assertEquals([claims.aud, claims.nonce, "auth_time" in claims], ["another", "n", false]);
  });

  it.inLabWithIntrospection("binds a token to a key, as a flow with DPoP would", async (lab) => {
    const minted = await lab.mint({ ...options, claims: { cnf: { jkt: "k".repeat(43) } } });
    assertEquals(minted.token_type, "DPoP");
    assertEquals(
      (await testClient().introspect(lab, minted.token, {}, service)).body.token_type,
      "DPoP",
    );
  });

  it.inLabWithIntrospection("signs with the secret that an API shares with its provider", async (lab) => {
    const secret = "a-secret-of-an-api-with-32-bytes";
    const { token, id_token = "" } = await lab.mint({ ...options, kind: "access", secret });
    assertEquals(decodeProtectedHeader(token), { alg: "HS256", typ: "at+jwt" });
    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret));
    assertEquals([payload.sub, await isActive(lab, token)], ["alice", false]);
    assertEquals(decodeProtectedHeader(id_token).alg, "RS256");
    const named = await lab.mint({ ...options, secret, header: { kid: "shared", typ: "JWT" } });
    assertEquals(decodeProtectedHeader(named.token), { alg: "HS256", kid: "shared", typ: "JWT" });
    const attempt = () => lab.mint({ ...options, secret: "" });
    await assertRejects(attempt, LabError, "'secret' must not be");
    const refresh = lab.mint({ ...options, kind: "refresh", secret });
    await assertRejects(() => refresh, LabError, "without 'audience'");
  });

  it("makes a token for any audience", async () => {
    await using lab = await hallpass({ resources: ["https://api.example"] });
    for (const audience of ["my-api", "5b0e-guid", "https://unknown.example", "/path"]) {
      const { token } = await lab.mint({ ...options, audience });
      assertEquals((await verify(lab, token)).aud, audience);
    }
  });

  it.inLabWithIntrospection("makes a token for any subject: its signature is valid, and the server knows it not", async (lab) => {
    const { token, id_token = "" } = await lab.mint({ ...options, sub: "auth0|42" });
    assertEquals((await verify(lab, token)).sub, "auth0|42");
    assertEquals((await verify(lab, id_token)).sub, "auth0|42");
    assertEquals(await isActive(lab, token), false);
  });

  it.inLab("gives a refresh token another expiration", needs("introspection"), async (lab) => {
    const { token } = await lab.mint({ ...options, kind: "refresh", expiresIn: "-1m" });
    assertEquals(await isActive(lab, token), false);
  });

  it("makes an access token of the type JWT, which is still no ID token", async () => {
    await using lab = openLab({ issuer: "https://hallpass.test" });
    const { token } = await lab.mint({
      ...options,
      claims: { aud: "demo-web" },
      header: { typ: "JWT" },
    });
    assertEquals(decodeProtectedHeader(token).typ, "JWT");
    assertEquals(await readIdTokenHint(lab.context, token), undefined);
  });

  it.inLabWithIntrospection("makes a bare token of five claims, and those that the test adds", async (lab) => {
    const bare = { ...options, bare: true };
    const { token, id_token = "" } = await lab.mint({ ...bare, claims: { roles: ["admin"] } });
    const names = ["aud", "exp", "iat", "iss", "roles", "sub"];
    assertEquals(Object.keys(await verify(lab, token)).sort(), names);
    assertEquals(Object.keys(await verify(lab, id_token)).sort(), names);
    assertEquals(await isActive(lab, token), false);
    assertEquals((await testClient().userinfo(lab, token)).status, 401);
    const secret = "a-secret-of-an-api-with-32-bytes";
    const shared = await lab.mint({ ...bare, secret, expiresIn: "5m", omit: ["aud"] });
    const { payload } = await jwtVerify(shared.token, new TextEncoder().encode(secret));
    assertEquals(Object.keys(payload).sort(), ["exp", "iat", "iss", "sub"]);
    assertEquals((payload.exp ?? 0) - (payload.iat ?? 0), 300);
    const id = await lab.mint({ ...bare, kind: "id" });
    const five = ["aud", "exp", "iat", "iss", "sub"];
    assertEquals(Object.keys(await verify(lab, id.token)).sort(), five);
    assertEquals(await isActive(lab, id.access_token), true);
    lab.clients.put({ ...lab.clients.get("demo-web"), accessTokenFormat: "opaque" });
    await assertRejects(() => lab.mint(bare), LabError, "A bare token is a JWT");
    const refresh = lab.mint({ ...bare, kind: "refresh" });
    await assertRejects(() => refresh, LabError, "and 'bare'");
  });

  it.inLab("has the documented claims by default, no others", needs("logout"), async (lab) => {
    const { token, id_token = "" } = await lab.mint(options);
    assertEquals(Object.keys(await verify(lab, token)).sort(), [
      ...["aud", "auth_time", "client_id", "exp", "iat", "iss", "jti", "scope", "sub"],
    ]);
    assertEquals(Object.keys(await verify(lab, id_token)).sort(), [
      ...["amr", "at_hash", "aud", "auth_time", "exp", "iat", "iss", "jti", "sid", "sub"],
    ]);
    const own = await lab.mint({ sub: "demo-service", client: "demo-service" });
    assertEquals(Object.keys(await verify(lab, own.token)).sort(), [
      ...["aud", "client_id", "exp", "iat", "iss", "jti", "scope", "sub"],
    ]);
  });

  it.inLab("makes tokens that live, or ended, at most 100 years from now", async (lab) => {
    const mint = (kind: MintKind, expiresIn: string | number) =>
      lab.mint({ ...options, scope: "openid offline_access", kind, expiresIn: expiresIn as "1s" });
    for (const kind of ["access", "id", "refresh", "logout"] as const) {
      for (const expiresIn of ["36500d", "-36500d"]) await mint(kind, expiresIn);
      for (const expiresIn of [1e308, -1e308, "36501d", "-36501d"]) {
        const message = "'expiresIn' must be at most 36500d, before or after now";
        await assertRejects(() => mint(kind, expiresIn), LabError, message);
      }
    }
  });
});
