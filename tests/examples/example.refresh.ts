import { hallpass } from "hallpass/testing";
import assert from "node:assert/strict";
import { it } from "node:test";
import * as openid from "openid-client";
import { redirectUri } from "./app.ts";

it("refreshes an expired token, and notices that Alice has to sign in again", async (test) => {
  test.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  await using lab = await hallpass({ clients: [{ id: "web", redirectUris: [redirectUri] }] });
  const options = { [openid.customFetch]: lab.fetch };
  const server = new URL(lab.issuer);
  const config = await openid.discovery(server, "web", undefined, openid.None(), options);
  const login = await lab.mint({ sub: "alice", client: "web", scope: "openid offline_access" });

  test.mock.timers.tick(61 * 60_000); // access tokens last for an hour
  await assert.rejects(openid.fetchUserInfo(config, login.access_token, "alice"));
  const tokens = await openid.refreshTokenGrant(config, login.refresh_token!);
  assert.equal((await openid.fetchUserInfo(config, tokens.access_token, "alice")).sub, "alice");
  assert.notEqual(tokens.refresh_token, login.refresh_token); // each works once

  lab.fault("refresh.invalid_grant", { times: 1 });
  const refused = openid.refreshTokenGrant(config, tokens.refresh_token!);
  await assert.rejects(refused, { error: "invalid_grant" });
  lab.assertClean(); // a client that uses a refresh token twice would break a rule
});
