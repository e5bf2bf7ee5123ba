import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { decodeJwt } from "jose";
import { describe, it } from "node:test";
import { hallpass, type ProviderName, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { textOf } from "../../../../src/lab/util/html_forms.ts";
import { LabError } from "../../../../src/lab/util/lab_error.ts";
import { logIn, openProvider, readJson } from "../../../support/provider_login.ts";

/** What differs each time that tokens are issued. */
const fresh = ["jti", "iat", "nbf", "exp", "auth_time", "nonce", "at_hash", "sid", "uti", "rh"];

function lasting(claims: Record<string, unknown> | undefined): Record<string, unknown> {
  const entries = Object.entries(claims ?? {}).filter(([name]) => !fresh.includes(name));
  return Object.fromEntries(entries);
}

/** Returns the token response that a client of a lab really gets, and its ID token. */
async function realTokens(lab: TestLab, scope: string) {
  const metadata = await readJson(lab, new URL(lab.issuer).pathname.replace(/\/$/, "") + discovery);
  const urls = { authorize: metadata.authorization_endpoint, token: metadata.token_endpoint };
  const { tokens } = await logIn(lab, urls, { scope, nonce: "n" });
  return { names: Object.keys(tokens).sort(), claims: lasting(decodeJwt(tokens.id_token)) };
}

const discovery = "/.well-known/openid-configuration";
const providers: readonly ProviderName[] = ["google", "entra", "slack", "okta", "gitlab"];

describe("An evaluation of a lab that plays a provider", () => {
  it("names the endpoint of the provider at which a request is refused", async () => {
    await using lab = await hallpass({ provider: "entra" });
    const options = { user: "alice", client: "demo-spa", scope: "unknown" };
    const { refusal } = await lab.evaluate(options);
    assertMatch(refusal?.at ?? "", /^GET \/[-\da-f]{36}\/oauth2\/v2.0\/authorize$/);
  });

  it("has the token response of GitHub, which is a form with commas in the scope", async () => {
    await using lab = await hallpass({ provider: "github" });
    const { token_response, scope } = await lab.evaluate({ user: "alice", scope: "repo gist" });
    assertEquals(token_response?.content_type, "application/x-www-form-urlencoded; charset=utf-8");
    const members = new URLSearchParams(token_response?.body);
    assertMatch(members.get("access_token") ?? "", /^gho_\w{36}$/);
    assertEquals([members.get("scope"), members.get("token_type")], ["repo,gist", "bearer"]);
    assertEquals(scope.granted, ["repo", "gist"]);
  });

  it("calls the API that describes the user where there is no userinfo", async () => {
    await using lab = await hallpass({ provider: "github" });
    const { userinfo, introspection, access_token } = await lab.evaluate({ user: "alice" });
    const expected = [true, "alice", "User"];
    assertEquals([userinfo.comes, userinfo.claims.login, userinfo.claims.type], expected);
    assertEquals(introspection.why, "The provider has no introspection endpoint.");
    assertEquals(access_token.why, "An opaque token: only the provider knows these claims.");
  });

  for (const provider of providers) {
    it(`has the response and the ID token that a client of '${provider}' gets`, async () => {
      await using lab = await openProvider(provider);
      lab.clock.freeze();
      const scope = "openid email";
      // The first token makes the key of pairwise subjects.
      const real = await realTokens(lab, scope);
      const evaluation = await lab.evaluate({ user: "alice", client: "web", scope });
      const members = JSON.parse(evaluation.token_response?.body ?? "{}");
      const evaluated = {
        names: Object.keys(members).sort(),
        claims: lasting(evaluation.id_token.claims),
      };
      assertEquals(evaluated, real);
    });
  }

  it("changes nothing that the provider does once: Google still sends a refresh token", async () => {
    await using lab = await hallpass({ provider: "google" });
    const seen = async () => (await lab.evaluate({ user: "alice" })).refresh_token.comes;
    assertEquals([await seen(), await seen()], [false, false]);
    assertEquals(lab.requests(), []);
  });

  it("cuts JWTs, so that an evaluation mints nothing", async () => {
    await using lab = await hallpass();
    const { token_response } = await lab.evaluate({ user: "alice", scope: "openid" });
    assertMatch(token_response?.body ?? "", /"id_token":"eyJ[\w-]{21}…"/);
  });

  it("refuses if clients get no tokens", async () => {
    await using lab = await hallpass({ dialect: { missingEndpoints: ["token"] } });
    const error = await assertRejects(() => lab.evaluate({ user: "alice" }), LabError);
    assertMatch(error.message, /no token endpoint\.$/);
  });

  it("is on the page as it comes", async () => {
    await using lab = await hallpass({ provider: "github" });
    const url = `${lab.issuer}/lab/evaluate?user=alice&client=demo-web&scope=gist`;
    const html = await (await lab.fetch(url, { headers: { Accept: "text/html" } })).text();
    const shown = textOf(html);
    assertMatch(shown, /Token response.*form-urlencoded.*access_token=gho_\w+&.*scope=gist/s);
  });
});
