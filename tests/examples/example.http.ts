import { hallpass } from "hallpass/testing";
import assert from "node:assert/strict";
import { once } from "node:events";
import https from "node:https";
import { text } from "node:stream/consumers";
import { it } from "node:test";

it("answers an application that uses node:https and an agent of its own", async () => {
  await using lab = await hallpass();
  using _ = lab.intercept({ http: true });
  const agent = new https.Agent({ keepAlive: true });
  const get = async (path: string, headers = {}) => {
    const [response] = await once(https.get(lab.issuer + path, { agent, headers }), "response");
    return JSON.parse(await text(response));
  };
  const { access_token } = await lab.mint({ sub: "alice", scope: "openid" });
  const headers = { Authorization: `Bearer ${access_token}` };
  assert.equal((await get("/oauth2/userinfo", headers)).sub, "alice");
  assert.equal((await get("/.well-known/openid-configuration")).issuer, lab.issuer);
});
