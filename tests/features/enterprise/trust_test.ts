import { assertEquals, assertRejects } from "@std/assert";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { describe } from "node:test";
import { hallpass, LabError, type TenantConfig } from "../../../src/lab/testing/mod.ts";
import { itWith } from "../../support/it_with.ts";
import { basic, type Fields } from "../../support/kit.ts";
import { hasFeature, needs } from "../../support/where_feature.ts";
import { agent, openEnterpriseLab } from "./enterprise_lab.ts";
import { gather, introspect, issuer, misuses, there, userinfo } from "./enterprise_misuses.ts";

const it = itWith({ inLab: openEnterpriseLab, withHooks: needs("hooks") });

/** Every way to redeem an ID-JAG that another client, or no client, tries. */
const strangers: Array<[title: string, headers: Record<string, string>, changes?: Fields]> = [
  ["no client", {}],
  ["its id alone", {}, { client_id: "agent-at-mcp" }],
  ["a wrong secret", basic("agent-at-mcp", "agent-secret")],
  ["the client of the company", agent],
  ["the id of the company with the secret here", basic("agent", "agent-at-mcp-secret")],
  ["another client with the grant", basic("demo-service", "demo-service-secret")],
  ["a public client", {}, { client_id: "demo-spa" }],
];

const encode = (value: unknown) =>
  btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** Rewrites a JWT, and keeps its signature. */
function rewritten(jwt: string, claims: object, header: object = {}): string {
  const [, , signature] = jwt.split(".");
  const newHeader = { ...decodeProtectedHeader(jwt), ...header };
  return [encode(newHeader), encode({ ...decodeJwt(jwt), ...claims }), signature].join(".");
}

const forgeries: Array<[title: string, forge: (jwt: string) => string]> = [
  ["another user", (jwt) => rewritten(jwt, { sub: "carol" })],
  ["more scopes", (jwt) => rewritten(jwt, { scope: "read write" })],
  ["another client", (jwt) => rewritten(jwt, { client_id: "demo-service" })],
  ["another audience", (jwt) => rewritten(jwt, { aud: "https://other.example" })],
  ["a new jti", (jwt) => rewritten(jwt, { jti: "other" })],
  ["a later end", (jwt) => rewritten(jwt, { exp: 9_999_999_999 })],
  ["this lab as its issuer", (jwt) => rewritten(jwt, { iss: issuer })],
  ["another issuer", (jwt) => rewritten(jwt, { iss: `${issuer}/t/other` })],
  ["no signature", (jwt) => rewritten(jwt, {}, { alg: "none" }).replace(/[^.]*$/, "")],
  ["the type of an access token", (jwt) => rewritten(jwt, {}, { typ: "at+jwt" })],
  ["no type", (jwt) => rewritten(jwt, {}, { typ: undefined })],
  ["an algorithm of secrets", (jwt) => rewritten(jwt, {}, { alg: "HS256" })],
  ["another key", (jwt) => rewritten(jwt, {}, { kid: "other" })],
  ["keys of another place", (jwt) => rewritten(jwt, {}, { jku: "https://evil.example/keys" })],
];

describe("Trust between the servers of an enterprise", () => {
  it.inLab("lets no token do anything at the other server but the ID-JAG at the grant", async (open) => {
    const loot = await gather(open);
    for (const [title, attack] of misuses) {
      const { status } = await attack(open, loot);
      assertEquals([title, status >= 400], [title, true]);
    }
    assertEquals((await open.redeem(loot.idJag)).status, 200);
  });

  if (hasFeature("introspection")) {
    it.inLab("accepts each token where it belongs", async (open) => {
      const { companyToken, mcpToken } = await gather(open);
      assertEquals((await userinfo(open.lab, there, companyToken)).status, 200);
      assertEquals((await introspect(open.lab, there, companyToken)).status, 200);
      assertEquals((await introspect(open.lab, issuer, mcpToken)).status, 200);
    });
  }

  it.inLab("lets nobody but its client redeem an ID-JAG", async (open) => {
    const { idJag } = await gather(open);
    for (const [title, headers, changes] of strangers) {
      const { body } = await open.redeem(idJag, changes, headers);
      assertEquals([title, typeof body.error, body.access_token], [title, "string", undefined]);
    }
    assertEquals((await open.redeem(idJag)).status, 200);
  });

  it.inLab("redeems an ID-JAG once, also if it comes several times at once", async (open) => {
    const { idJag } = await gather(open);
    const replies = await Promise.all([1, 2, 3, 4].map(() => open.redeem(idJag)));
    assertEquals(replies.filter(({ status }) => status === 200).length, 1);
    assertEquals((await open.redeem(idJag)).body.error, "invalid_grant");
    assertEquals(open.lab.requests().at(-1)?.refusal?.rule, "assertion.unused");
  });

  it.withHooks("takes no other JWT of the company for an assertion, even if it is for this lab", async () => {
    await using open = await openEnterpriseLab();
    open.company.on("id_token", ({ claims }) => {
      claims.aud = issuer;
    });
    const { id_token } = await open.signIn("alice");
    assertEquals(decodeJwt(id_token).aud, issuer);
    assertEquals((await open.redeem(id_token)).body.error, "invalid_grant");
    assertEquals(open.lab.requests().at(-1)?.refusal?.rule, "assertion.signature");
  });

  it.inLab("refuses every change of an ID-JAG", async (open) => {
    const { idJag } = await gather(open, "bob");
    for (const [title, forge] of forgeries) {
      const { body } = await open.redeem(forge(idJag));
      assertEquals([title, body.error], [title, "invalid_grant"]);
    }
    assertEquals((await open.redeem(idJag)).status, 200);
  });

  it.inLab("refuses an ID-JAG that has expired, and one of another tenant", async (open) => {
    const { idJag, idToken } = await gather(open);
    open.lab.clock.advance("6m");
    assertEquals((await open.redeem(idJag)).body.error, "invalid_grant");
    const { access_token } = (await open.exchange(idToken)).body;
    await using others = await openEnterpriseLab({ issuer: "http://127.0.0.1:9000" });
    const foreign = (await others.exchange((await others.signIn("alice")).id_token)).body;
    assertEquals((await open.redeem(foreign.access_token)).body.error, "invalid_grant");
    assertEquals((await open.redeem(access_token)).status, 200);
  });

  it("asks for keys of the company in this process only, and for no other host", async () => {
    const asked: string[] = [];
    await using open = await openEnterpriseLab({
      fetch: async (url) => {
        asked.push(url);
        return new Response(null, { status: 404 });
      },
      trustedIssuers: [{
        issuer: "https://other.example",
        jwksUri: "https://other.example/t/company/oauth2/jwks",
        clients: ["agent-at-mcp"],
      }],
    });
    const { idJag } = await gather(open);
    await open.redeem(rewritten(idJag, { iss: "https://other.example" }));
    assertEquals(asked, ["https://other.example/t/company/oauth2/jwks"]);
  });

  it.inLab("has no MCP server, no registration and no other client at the company", async (open) => {
    assertEquals((await open.lab.fetch(`${there}/mcp`, { method: "POST" })).status, 404);
    const metadata = await (await open.lab.fetch(`${there}/.well-known/openid-configuration`))
      .json();
    assertEquals(metadata.registration_endpoint, undefined);
    assertEquals(open.company.clients.list().map(({ id }) => id), ["agent"]);
  });

  it("is for a whole lab, not for a tenant", async () => {
    await using lab = await hallpass();
    const open = () => lab.tenant({ enterprise: true } as TenantConfig);
    await assertRejects(open, LabError, "not for a tenant");
  });
});
