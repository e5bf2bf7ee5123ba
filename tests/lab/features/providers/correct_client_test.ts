import { assertEquals } from "@std/assert";
import { decodeJwt, UnsecuredJWT } from "jose";
import { describe, it } from "node:test";
import type { TestLab } from "../../../../src/lab/testing/mod.ts";
import { encodeBase64url } from "../../../../src/server/util/bytes/encoding.ts";
import { clientAt, openProvider } from "../../../support/provider_login.ts";
import { assertClean } from "../../../support/reported.ts";
import { needs } from "../../../support/where_feature.ts";
import type { ResponseBody } from "../../../support/wire.ts";

const api = "https://api.example.com";

/** How a login gets a token for an API, and the audience that the token then names. */
interface ApiLogin {
  provider: "okta" | "entra" | "keycloak" | "auth0";
  asked?: Record<string, string>;
  aud: unknown;
}

const apiLogins: readonly ApiLogin[] = [
  { provider: "okta", aud: "api://default" },
  { provider: "entra", aud: "https://graph.microsoft.com" },
  { provider: "keycloak", aud: "account" },
  { provider: "auth0", asked: { audience: api }, aud: [api, "https://hallpass.test/userinfo"] },
];

/** Signs in by the metadata of a provider. */
async function signIn(lab: TestLab, asked: Record<string, string> = {}) {
  const url = `${lab.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const metadata = await (await lab.fetch(url)).json();
  const app = clientAt(lab, [metadata.authorization_endpoint, metadata.token_endpoint]);
  const { tokens } = await app.logIn({ scope: "openid profile email", ...asked });
  return { metadata, tokens };
}

/** Sends an access token to userinfo. */
async function askUserinfo(lab: TestLab, metadata: ResponseBody, access_token: string) {
  const headers = { Authorization: `Bearer ${access_token}` };
  const response = await lab.fetch(metadata.userinfo_endpoint, { headers });
  return { status: response.status, user: await response.json() };
}

async function callUserinfo(lab: TestLab, asked?: Record<string, string>) {
  const { metadata, tokens: { access_token } } = await signIn(lab, asked);
  const { status } = await askUserinfo(lab, metadata, access_token);
  return { status, claims: decodeJwt(access_token) };
}

describe("The report on a correct client of a provider", () => {
  for (const { provider, asked, aud } of apiLogins) {
    it(`Z1: is clean for userinfo with a token for an API: ${provider}`, async () => {
      await using lab = await openProvider(provider);
      const { status, claims } = await callUserinfo(lab, asked);
      assertEquals([status, claims.aud], [200, aud]);
      assertClean(lab, { refused: true });
    });
  }
});

describe("An access token of a provider, changed by a hook of the test", () => {
  for (const { provider, asked } of [{ provider: "cognito", asked: {} } as const, ...apiLogins]) {
    it(`is valid for userinfo with an added claim: ${provider}`, needs("faults"), async () => {
      await using lab = await openProvider(provider);
      lab.fault("token.claims", { claims: { plan: "pro" } });
      const { status, claims } = await callUserinfo(lab, asked);
      assertEquals([status, claims.plan], [200, "pro"]);
    });

    it(`is as invalid as its claims are: ${provider}`, needs("hooks"), async () => {
      await using lab = await openProvider(provider);
      lab.on("token", ({ claims }) => void (claims.exp = 1));
      assertEquals((await callUserinfo(lab, asked)).status, 401);
    });
  }
});

/** What a hook of the test puts in place of an access token, without the key of the server. */
const forgeries: Readonly<Record<string, (token: string) => string>> = {
  "with another signature": (token) => `${token.slice(0, token.lastIndexOf("."))}.AAAA`,
  "without a signature": (token) => new UnsecuredJWT(decodeJwt(token)).encode(),
  "signed by the hook": (token) => token.replace(/^[^.]+/, encodeBase64url('{"alg":"HS512"}')),
};

describe("An access token that a hook of the test forges", () => {
  for (const [what, forge] of Object.entries(forgeries)) {
    it(`is sent to the client, and refused by userinfo: ${what}`, needs("hooks"), async () => {
      await using lab = await openProvider("okta");
      lab.on("response", (draft) => {
        const tokens = JSON.parse(draft.body);
        draft.body = JSON.stringify({ ...tokens, access_token: forge(tokens.access_token) });
      }, { at: "token" });
      const { tokens, metadata } = await signIn(lab);
      assertEquals((await askUserinfo(lab, metadata, tokens.access_token)).status, 401);
    });
  }

  it("is what it was before if it is that of another user", needs("faults"), async () => {
    await using lab = await openProvider("auth0");
    const { tokens: { access_token }, metadata } = await signIn(lab, { audience: api });
    await lab.form(metadata.revocation_endpoint, { token: access_token });
    lab.signIn("bob");
    lab.fault("token.changed", { set: { access_token } });
    await signIn(lab, { audience: api });
    assertEquals((await askUserinfo(lab, metadata, access_token)).status, 401);
  });
});

describe("An access token of a provider, changed by a fault", () => {
  it("is valid with less scope after a refresh, and says so", needs("faults"), async () => {
    await using lab = await openProvider("okta");
    lab.fault("refresh.less_scope");
    const { tokens, metadata } = await signIn(lab, { scope: "openid email offline_access" });
    const { body: refreshed } = await lab.refresh(tokens.refresh_token);
    const { status, user } = await askUserinfo(lab, metadata, refreshed.access_token);
    assertEquals([refreshed.scope, status, "email" in user], ["openid", 200, false]);
  });

  for (const forgery of ["wrong_iss", "expired", "alg_none", "foreign_signature"] as const) {
    it(`is refused if it is forged: ${forgery}`, needs("faults"), async () => {
      await using lab = await openProvider("okta");
      lab.fault(`access_token.${forgery}`);
      const { tokens, metadata } = await signIn(lab, {});
      assertEquals((await askUserinfo(lab, metadata, tokens.access_token)).status, 401);
    });
  }
});
