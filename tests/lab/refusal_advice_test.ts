import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import type { Lab } from "../../src/lab/lab.ts";
import { explainRefusal } from "../../src/lab/recording/refusal.ts";
import { challenge } from "../support/flow_kit.ts";
import { basic, type Fields, type Kit, openLabKit } from "../support/kit.ts";
import { present } from "../support/present.ts";
import { needs } from "../support/where_feature.ts";

type Play = (kit: Kit & { lab: Lab }) => unknown;

/** Returns how a lab explains the last request that it refused. */
async function explained(play: Play): Promise<string> {
  const kit = openLabKit();
  await using lab = kit.lab;
  await play(kit);
  return explainRefusal(present(present(lab.requests().at(-1)).refusal)).join(" ");
}

function token(fields: Fields, headers?: Record<string, string>): Play {
  return (kit) =>
    kit.post("/oauth2/token", { grant_type: "client_credentials", ...fields }, headers);
}

const refused: Readonly<Record<string, [play: Play, ...sentences: string[]]>> = {
  "an unknown client": [
    token({}, basic("nobody", "a")),
    "Send the client_id of a configured client",
  ],
  "a wrong secret": [token({}, basic("demo-service", "a")), "Send the secret of this client"],
  "no secret": [
    token({ client_id: "demo-service" }),
    "Authenticate the client: it is registered for client_secret_basic or client_secret_post.",
  ],
  "a secret in place of a key": [
    token({}, basic("demo-jwt", "a")),
    "Use another method: it is registered for private_key_jwt.",
  ],
  "no client at the introspection endpoint": [
    (kit) => kit.post("/oauth2/introspect", { token: "a" }),
    "Authenticate the client.",
  ],
  "a refresh beyond the grant": [
    async (kit) => {
      const { refresh_token } = await kit.tokens({ scope: "openid" });
      await kit.refresh(refresh_token, { scope: "openid email" });
    },
    "Received: email. Expected: scopes of the grant.",
  ],
  "no redirect URI": [
    (kit) => kit.get(kit.authorizationUrl({ redirect_uri: "" }).slice(kit.issuer.length)),
    "Received: none. Expected: 'https://hallpass.test/authorized'.",
  ],
  "an unknown redirect URI": [
    (kit) => kit.get(kit.authorizationUrl({ redirect_uri: "https://a/" }).slice(kit.issuer.length)),
    "Demo clients get it by the option --redirect-uri URI.",
  ],
  "a token in the URI": [
    (kit) => kit.get("/oauth2/userinfo?access_token=a"),
    "Received: one in the URI, which the server does not read.",
  ],
  "a code challenge in hex": [
    (kit) =>
      kit.get(kit.authorizationUrl({ code_challenge: "0a".repeat(32) }).slice(kit.issuer.length)),
    "Received: 64 characters of hex.",
    "This looks like a SHA-256 in hex.",
  ],
  "a code challenge in Base64": [
    (kit) =>
      kit.get(
        kit.authorizationUrl({ code_challenge: `${"+/a".repeat(14)}b=` }).slice(kit.issuer.length),
      ),
    "Received: 44 characters of Base64.",
    "This looks like Base64.",
  ],
  "an ID token at userinfo": [
    async (kit) => await kit.userinfo((await kit.tokens()).id_token),
    "Received: an ID token.",
    "Send the access_token, not the id_token.",
  ],
  "text at userinfo": [
    (kit) => kit.userinfo("nonsense"),
    "Received: text that is no token of this server.",
  ],
  "an expired token at userinfo": [
    async (kit) => {
      const { access_token } = await kit.tokens();
      kit.clock.advance(24 * 60 * 60);
      await kit.userinfo(access_token);
    },
    "Received: one that expired",
    "Refresh the access token",
  ],
  "a revoked token at userinfo": [
    async (kit) => {
      const { access_token } = await kit.tokens();
      await kit.post("/oauth2/revoke", { client_id: "demo-spa", token: access_token });
      await kit.userinfo(access_token);
    },
    "Received: an access token that was revoked",
    "Request new tokens: a token that was revoked never becomes active again.",
  ],
  "a refresh token at userinfo": [
    async (kit) => await kit.userinfo((await kit.tokens()).refresh_token),
    "Received: a refresh token.",
    "Send the access_token, not the refresh_token.",
  ],
  "a refresh token that was used before, as the report does": [
    async (kit) => {
      const { refresh_token } = await kit.tokens();
      await kit.refresh(refresh_token);
      await kit.refresh(refresh_token);
    },
    "Store the new refresh token of each response before you use its access token.",
  ],
  "a refresh token in an exchange": [
    async (kit) => {
      const { refresh_token } = await kit.tokens();
      const type = { subject_token_type: "urn:ietf:params:oauth:token-type:access_token" };
      const grant_type = "urn:ietf:params:oauth:grant-type:token-exchange";
      const fields = { grant_type, subject_token: refresh_token, ...type };
      await token(fields, basic("demo-service", "demo-service-secret"))(kit);
    },
    "Received: a refresh token.",
  ],
  "no code verifier": [
    async (kit) => await kit.redeem(await kit.code(), { code_verifier: "" }),
    "Received: none.",
  ],
  "the code challenge in place of the verifier": [
    async (kit) => await kit.redeem(await kit.code(), { code_verifier: challenge }),
    "This code_verifier is the code_challenge itself.",
  ],
  "a code verifier with a character that is not allowed": [
    async (kit) => await kit.redeem(await kit.code(), { code_verifier: `${"a".repeat(42)}!` }),
    "Received: 43 characters, of which '!' is not allowed.",
  ],
  "a code verifier of one character": [
    async (kit) => await kit.redeem(await kit.code(), { code_verifier: "a" }),
    "Received: 1 character.",
  ],
};

describe("A lab explains, for the reason of the refusal,", () => {
  for (const [what, [play, ...sentences]] of Object.entries(refused)) {
    it(what, what.includes("introspection") ? needs("introspection") : {}, async () => {
      const text = await explained(play);
      for (const sentence of sentences) assertStringIncludes(text, sentence);
    });
  }

  it(
    "and why a token is inactive, which the response does not tell",
    needs("introspection"),
    async () => {
      const kit = openLabKit();
      await using lab = kit.lab;
      const token = (await kit.tokens()).access_token;
      const client = basic("demo-web", "demo-web-secret");
      const response = await kit.post("/oauth2/introspect", { token }, client);
      assertEquals(await response.json(), { active: false });
      const { id } = present(lab.requests().at(-1));
      const flow = present(
        lab.flows().find(({ steps }) => steps.some((each) => each.exchange === id)),
      );
      const headers = { Accept: "text/html" };
      const url = `${lab.issuer}/lab/flows/${flow.id}?exchange=${id}`;
      const page = await (await lab.fetch(new Request(url, { headers }))).text();
      assertStringIncludes(page, "one issued to 'demo-spa', for https://hallpass.test");
    },
  );

  it("and a passed rule does not repeat what another one refuses", async () => {
    const came = new Map<string, string | undefined>();
    const kit = openLabKit({
      onEvent(_event, request) {
        for (const each of request?.rules ?? []) came.set(each.rule.id, each.received);
      },
    });
    await using _lab = kit.lab;
    await token({ client_id: "demo-service", client_secret: "wrong" })(kit);
    assertStringIncludes(came.get("client.authenticated") ?? "", "wrong secret");
    assertEquals([came.has("client.no_secret"), came.get("client.no_secret")], [true, undefined]);
  });
});
