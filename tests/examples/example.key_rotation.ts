import { hallpass } from "hallpass/testing";
import assert from "node:assert/strict";
import { it } from "node:test";
import { createApi, withToken } from "./apps/api.ts";

const resource = "https://api.example";

it("fetches the new key after the provider has rotated its keys", async (test) => {
  test.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  await using lab = await hallpass({
    clients: [{ id: "job", secret: "job-secret", grantTypes: ["client_credentials"] }],
    resources: [resource],
  });
  using _ = lab.intercept();
  const api = createApi(lab.issuer, resource);
  const requestToken = async () => {
    const headers = { Authorization: `Basic ${btoa("job:job-secret")}` };
    const body = new URLSearchParams({ grant_type: "client_credentials", resource });
    const response = await fetch(`${lab.issuer}/oauth2/token`, { method: "POST", headers, body });
    return (await response.json()).access_token;
  };

  const old = await requestToken();
  assert.equal((await api(withToken(old))).status, 200);
  lab.fault("jwks.rotated", { times: 1 }); // a new key signs from the next token on
  const fresh = await requestToken();
  assert.equal((await api(withToken(fresh))).status, 401); // jose waits before it asks again
  test.mock.timers.tick(31_000);
  assert.equal((await api(withToken(fresh))).status, 200);
  assert.equal((await api(withToken(old))).status, 200);
});
