import { hallpass } from "hallpass/testing";

await using lab = await hallpass();
const url =
  `${lab.issuer}/oauth2/authorize?response_type=code&client_id=demo-spa&redirect_uri=${lab.issuer}/authorized&scope=openid&state=a-state&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256`;

const token = await lab.mint({
  sub: "alice",
  scope: "read",
  expiresIn: "10m",
  claims: { tier: "gold" },
});
const { callback, code } = await lab.authorize(url, { user: "alice", decision: "allow" });
lab.clock.advance("1h");
lab.fault("token.server_error", { client: "demo-spa", times: 1 });
const tenant = await lab.tenant({
  clients: [{ id: "web", secret: "web-secret" }],
  users: [{ name: "zoe" }],
});
const refused = await lab.fetch(`${lab.issuer}/oauth2/token`, {
  method: "POST",
  body: new URLSearchParams({
    grant_type: "authorization_code",
    client_id: "demo-spa",
    code: code!,
  }),
});
const sent = await lab.waitForRequest({ path: "/oauth2/token" });
const flows = lab.flows();
const report = lab.report();
await lab.reset();

console.log(JSON.stringify({
  token: token.access_token.split(".").length,
  callback: callback.startsWith(`${lab.issuer}/authorized?code=${code}`),
  refused: refused.status,
  sent: sent.parameters.grant_type,
  flows: flows.length,
  clean: report.clean,
  tenant: tenant.issuer,
}));
