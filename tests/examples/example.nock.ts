import { hallpass } from "hallpass/testing";
import nock from "nock";
import assert from "node:assert/strict";
import { it } from "node:test";
import { beginLogin, redirectUri } from "./app.ts";

it("signs Alice in through nock, without a change to the application", async () => {
  await using lab = await hallpass({ clients: [{ id: "web", redirectUris: [redirectUri] }] });
  const respond = async (request: Request) => {
    const response = await lab.fetch(request);
    return [response.status, await response.text(), Object.fromEntries(response.headers)] as const;
  };
  for (const method of ["GET", "POST"]) {
    nock(lab.issuer).persist().intercept(/.*/, method).reply(respond);
  }
  nock.disableNetConnect();
  try {
    const login = await beginLogin(lab.issuer);
    const { callback } = await lab.authorize(login.url, { user: "alice" });
    assert.equal((await login.finish(callback)).sub, "alice");
  } finally {
    nock.cleanAll();
    nock.restore();
  }
});
