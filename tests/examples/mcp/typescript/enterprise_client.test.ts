/** The client, in a lab that is both the company and the authorization server. */
import { hallpass, type TestLab } from "hallpass/testing";
import assert from "node:assert/strict";
import { it } from "node:test";
import * as openid from "openid-client";
import { connectAsEmployee } from "./enterprise_client.ts";

const agent = { clientId: "agent", clientSecret: "agent-secret" };
const agentAtServer = { clientId: "agent-at-mcp", clientSecret: "agent-at-mcp-secret" };

/** Signs an employee in at the company, and returns the ID token. */
async function signIn(company: TestLab, user: string): Promise<string> {
  const options = { [openid.customFetch]: company.fetch as openid.CustomFetch };
  const { clientId, clientSecret } = agent;
  const url = new URL(company.issuer);
  const config = await openid.discovery(url, clientId, clientSecret, undefined, options);
  const verifier = openid.randomPKCECodeVerifier();
  const asked = openid.buildAuthorizationUrl(config, {
    redirect_uri: `${company.issuer}/authorized`,
    scope: "openid",
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  const { callback } = await company.authorize(asked.href, { user });
  const checks = { pkceCodeVerifier: verifier };
  const tokens = await openid.authorizationCodeGrant(config, new URL(callback), checks);
  return tokens.id_token!;
}

async function open(user: string) {
  const lab = await hallpass({ enterprise: true });
  const company = lab.provider("company");
  const { url } = lab.mcp();
  const connect = () =>
    connectAsEmployee(url, {
      company: { ...agent, issuer: company.issuer },
      server: { ...agentAtServer, issuer: lab.issuer },
      idToken: () => signIn(company, user),
      fetch: lab.fetch,
    });
  return { lab, connect };
}

it("reaches whoami without a sign-in at the authorization server of the MCP server", async () => {
  const { lab, connect } = await open("alice");
  const client = await connect();
  const { structuredContent } = await client.callTool({ name: "whoami" });
  assert.partialDeepStrictEqual(structuredContent, { subject: "alice", client: "agent-at-mcp" });
  lab.assertClean();
});

it("steps up as far as the policy of the company goes", async () => {
  for (const [user, may] of [["alice", true], ["bob", false]] as const) {
    const { connect } = await open(user);
    const client = await connect();
    const write = client.callTool({ name: "write_note", arguments: { text: "Call Bob" } });
    if (may) await write;
    else await assert.rejects(write);
  }
});

it("is refused for an employee to whom the company issues no ID-JAG", async () => {
  const { lab, connect } = await open("carol");
  await assert.rejects(connect);
  assert.equal(lab.requests().findLast(({ refusal }) => refusal)?.refusal?.rule, "id_jag.user");
});

it("gets a new token when the old one has expired", async () => {
  const { lab, connect } = await open("alice");
  const client = await connect();
  lab.clock.advance("2h");
  assert.ok(await client.callTool({ name: "whoami" }));
});
