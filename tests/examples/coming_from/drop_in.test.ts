// What a suite can turn on, one by one, once it has changed its import.
import { OAuth2Server } from "hallpass/compat/oauth2-mock-server";
import assert from "node:assert/strict";
import { after, before, it } from "node:test";

const server = new OAuth2Server();

before(async () => {
  await server.issuer.keys.generate("RS256");
  await server.start(0, "localhost");
});

after(() => server.stop());

async function login(): Promise<void> {
  const code = new URLSearchParams({
    response_type: "code",
    client_id: "web",
    redirect_uri: "http://localhost:3000/callback",
    scope: "openid",
    state: "a-state",
  });
  const { issuer } = server.lab;
  const redirect = await fetch(`${issuer}/authorize?${code}`, { redirect: "manual" });
  const callback = new URL(redirect.headers.get("Location") ?? "");
  assert.equal(callback.searchParams.get("state"), "a-state");
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    client_id: "web",
    redirect_uri: "http://localhost:3000/callback",
    code: callback.searchParams.get("code") ?? "",
  });
  const response = await fetch(`${issuer}/token`, { method: "POST", body });
  assert.equal(response.status, 200);
}

it("has clock, faults, flows and drill behind the old interface", async () => {
  await login();
  server.lab.clock.advance("1h");
  server.lab.fault("userinfo.server_error", { times: 1 });
  assert.equal((await fetch(`${server.lab.issuer}/userinfo`)).status, 500);
  const [flow] = server.lab.flows();
  assert.match(await server.lab.exportFlow(flow?.id ?? ""), /<html/);
  assert.throws(() => server.lab.report(), /counts as changed by the test/);
  const { outcomes } = await server.lab.drill(login, ["callback.wrong_state"]);
  assert.deepEqual(outcomes.map(({ outcome }) => outcome), ["refused"]);
});
