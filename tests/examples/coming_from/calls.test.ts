// What replaces the calls of other mock servers; the tables of the cookbook quote it.
import { hallpass, type TestLab } from "hallpass/testing";
import { decodeJwt } from "jose";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { beginLogin, redirectUri } from "../app.ts";

const openLab = () =>
  hallpass({
    signIn: "alice",
    lifetimes: { accessToken: "1m" },
    paths: { token: "/oauth/token" },
    clients: [
      { id: "web", redirectUris: [redirectUri] },
      { id: "api", secret: "api-secret", introspect: "any" },
    ],
    users: [{ name: "alice", claims: { name: "Alice Adler" } }],
  });

async function signIn(lab: TestLab) {
  const login = await beginLogin(lab.issuer, lab.fetch);
  return await login.finish((await lab.authorize(login.url)).callback);
}

async function post(lab: TestLab, path: string, token: string) {
  const headers = { Authorization: `Basic ${btoa("api:api-secret")}` };
  const body = new URLSearchParams({ token });
  return await lab.fetch(lab.issuer + path, { method: "POST", headers, body });
}

describe("In place of the events of oauth2-mock-server", () => {
  it("beforeTokenSigning", async () => {
    await using lab = await openLab();
    lab.on("id_token", ({ claims }) => {
      claims.roles = ["admin"];
    }, { times: 1 });
    assert.deepEqual((await signIn(lab)).claims.roles, ["admin"]);
    assert.equal((await signIn(lab)).claims.roles, undefined);
  });

  it("beforeResponse", async () => {
    await using lab = await openLab();
    lab.next("token", { status: 400, body: { error: "invalid_grant" } });
    await assert.rejects(signIn(lab));
    assert.equal((await signIn(lab)).sub, "alice");
  });

  it("beforeUserinfo", async () => {
    await using lab = await openLab();
    lab.on("userinfo", ({ claims }) => {
      claims.name = "Zoe";
    });
    assert.equal((await (await signIn(lab)).profile()).name, "Zoe");
  });

  it("beforeAuthorizeRedirect", async () => {
    await using lab = await openLab();
    lab.on("redirect", ({ parameters }) => {
      parameters.state = "another";
    });
    await assert.rejects(signIn(lab));
  });

  it("beforeIntrospect and beforeRevoke", async () => {
    await using lab = await openLab();
    lab.next("introspect", { body: { active: false } });
    lab.next("revoke", { status: 503 });
    const { token } = await lab.mint({ sub: "alice", client: "web" });
    for (const active of [false, true]) {
      const response = await post(lab, "/oauth2/introspect", token);
      assert.equal((await response.json()).active, active);
    }
    assert.equal((await post(lab, "/oauth2/revoke", token)).status, 503);
  });
});

describe("In place of the calls of mock-oauth2-server", () => {
  it("issuerUrl", async () => {
    await using lab = await hallpass({ listen: true });
    const { issuer } = lab;
    assert.equal((await lab.tenant({ id: "acme" })).issuer, `${issuer}/t/acme`);
  });

  it("issueToken and anyToken", async () => {
    await using lab = await openLab();
    const [claims, issuerUrl] = [{ roles: ["admin"] }, "https://other.example"];
    const issued = await lab.mint({ sub: "alice", audience: "https://api.example", claims });
    assert.deepEqual(decodeJwt(issued.token).roles, ["admin"]);
    const any = await lab.mint({ sub: "alice", bare: true, claims: { iss: issuerUrl } });
    assert.equal(decodeJwt(any.token).iss, issuerUrl);
  });

  it("systemTime", async () => {
    await using lab = await openLab();
    lab.clock.set("2030-01-01T00:00:00Z");
    const { token } = await lab.mint({ sub: "alice" });
    assert.equal(decodeJwt(token).iat, Date.parse("2030-01-01T00:00:00Z") / 1000);
  });
});

describe("In place of what a test does with oidc-provider", () => {
  it("waits for an event, and lets time pass", async () => {
    await using lab = await openLab();
    const { profile } = await signIn(lab);
    const { path } = await lab.waitForRequest({ path: "/oauth/token" });
    assert.equal(path, "/oauth/token");
    lab.clock.advance("2m");
    await assert.rejects(profile);
  });
});

describe("In place of handlers of MSW for one test", () => {
  it("breaks an endpoint, once", async () => {
    await using lab = await openLab();
    lab.fault("token.server_error", { times: 1 });
    await assert.rejects(signIn(lab));
    lab.fault("token.dropped", { times: 1 });
    await assert.rejects(signIn(lab));
    lab.fault("token.slow", { delay: "10ms" });
    assert.equal((await signIn(lab)).sub, "alice");
    assert.equal(lab.requests({ path: "/oauth/token" }).length, 3);
  });

  it("makes tokens that are no good", async () => {
    await using lab = await openLab();
    const { token } = await lab.mint({ sub: "alice", expiresIn: "-1m" });
    assert.equal((await (await post(lab, "/oauth2/introspect", token)).json()).active, false);
    lab.fault("id_token.wrong_aud");
    await assert.rejects(signIn(lab));
  });
});

describe("In place of Keycloak's admin client", () => {
  it("creates a user", async () => {
    await using lab = await openLab();
    lab.users.put({ name: "zoe" });
    lab.signIn("zoe");
    assert.equal((await signIn(lab)).sub, "zoe");
  });
});
