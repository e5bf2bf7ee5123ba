import { hallpass, type TestLab } from "hallpass/testing";
import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { beginLogin, redirectUri } from "./app.ts";

const lab = await hallpass(); // one for the worker; each test has its own tenant
after(() => lab.close());

const openTenant = () => lab.tenant({ clients: [{ id: "web", redirectUris: [redirectUri] }] });

async function signIn(tenant: TestLab, user: string) {
  const login = await beginLogin(tenant.issuer, tenant.fetch);
  return await login.finish((await tenant.authorize(login.url, { user })).callback);
}

describe("Tests that run at the same time", { concurrency: true }, () => {
  it("sign different users in", async () => {
    const tenant = await openTenant();
    const users = ["alice", "bob", "carol"];
    const signedIn = await Promise.all(users.map((user) => signIn(tenant, user)));
    assert.deepEqual(signedIn.map(({ sub }) => sub), users);
  });

  it("break the token endpoint for nobody else", async () => {
    const tenant = await openTenant();
    tenant.fault("token.server_error");
    await assert.rejects(signIn(tenant, "alice"));
  });

  it("move a clock of their own", async () => {
    const tenant = await openTenant();
    const { profile } = await signIn(tenant, "alice");
    tenant.clock.advance("1d");
    await assert.rejects(profile);
  });
});
