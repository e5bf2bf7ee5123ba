import {
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import { describe, it } from "node:test";
import { openLab } from "../../src/lab/open_lab.ts";
import { ConfigError } from "../../src/server/config/problems.ts";
import type { Config } from "../../src/server/features.ts";
import { findClient } from "../../src/server/issuer/clients/clients.ts";
import { readIdTokenHint } from "../../src/server/issuer/requests/id_token_hint.ts";
import { signForClient } from "../../src/server/issuer/tokens/issue_tokens.ts";
import { tokenExchangeGrantType } from "../../src/server/protocol/grant_types.ts";
import {
  basic,
  claimsOf,
  type Kit,
  openKit,
  openStrictKit,
  startOfTime,
  verifier,
} from "../support/kit.ts";
import { authorizationUrl } from "../support/login.ts";
import { present } from "../support/present.ts";
import { register, sendJson } from "../support/registration.ts";
import { hasFeature, needs } from "../support/where_feature.ts";

const secret = "a-secret-with-32-bytes-or-more-12";
const redirectUris = ["https://hallpass.test/authorized"];
const app = { id: "app", secret, redirectUris, idTokenAlg: "HS256" as const };
const stock = "https://stock.example";

const signed = (claims: object, key: string) =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .sign(new TextEncoder().encode(key));

async function idTokenOf(kit: Kit): Promise<string> {
  const code = await kit.code({ client_id: "app", scope: "openid" });
  const { body } = await kit.redeem(code, {}, basic("app", secret));
  return body.id_token;
}

/** The last character of 32 bytes in base64url has two bits that mean nothing. */
function anotherSpelling(jwt: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return jwt.slice(0, -1) + alphabet.charAt(alphabet.indexOf(jwt.slice(-1)) + 1);
}

describe("An ID token with HS256 (OpenID Connect Core, section 10.1)", () => {
  const clients = [app, { id: "other", redirectUris }];

  it("O15 is signed with the secret of the client that is registered for it", async () => {
    const kit = openKit({ clients });
    const idToken = await idTokenOf(kit);
    assertEquals(decodeProtectedHeader(idToken), { alg: "HS256", typ: "JWT" });
    const currentDate = new Date(kit.clock.now);
    const key = new TextEncoder().encode(secret);
    const { payload } = await jwtVerify(idToken, key, { currentDate, audience: "app" });
    assertEquals([payload.sub, typeof payload.at_hash], ["alice", "string"]);
  });

  it("is a hint, also when it has expired, unless it is forged", async () => {
    const kit = openKit({ clients });
    const { context } = kit.server;
    const idToken = await idTokenOf(kit);
    kit.clock.advance(2 * 60 * 60);
    assertEquals((await readIdTokenHint(context, idToken))?.subject, "alice");
    const claims = claimsOf(idToken);
    const forged = [
      await signed(claims, "another-secret-with-32-bytes-or-m"),
      await signed({ ...claims, aud: "other" }, secret),
      await signed({ ...claims, client_id: "app", scope: "openid" }, secret),
      await signed({ ...claims, iss: "https://evil.example" }, secret),
      `${idToken}A`,
      anotherSpelling(idToken),
    ];
    for (const text of forged) assertEquals(await readIdTokenHint(context, text), undefined);
  });

  it("cannot be signed for a client whose secret is not known", async () => {
    const { context } = openKit({ clients }).server;
    const client = present(await findClient(context, "app"));
    const without = {
      ...client,
      secrets: client.secrets.map(({ hash, isLong }) => ({ hash, isLong })),
    };
    const token = { typ: "JWT", claims: {} };
    await assertRejects(() => signForClient(context, without, token), Error, "has no secret");
  });

  if (hasFeature("registration")) {
    it("is still signed with the secret of a client that changed its registration", async () => {
      const kit = openKit({ clients });
      const metadata = {
        id_token_signed_response_alg: "HS256",
        token_endpoint_auth_method: "client_secret_post",
        redirect_uris: redirectUris,
      };
      const { body } = await register(kit, metadata);
      const { client_id, client_secret, registration_access_token, registration_client_uri } = body;
      const change = (changes: object) =>
        sendJson(
          kit,
          "PUT",
          registration_client_uri,
          { ...metadata, client_id, ...changes },
          registration_access_token,
        );
      assertEquals((await change({ client_name: "App" })).status, 200);
      assertEquals(kit.events.some(({ type }) => type === "client.changed"), true);
      const code = await kit.code({ client_id, scope: "openid" });
      const redeemed = await kit.redeem(code, { client_id, client_secret });
      const key = new TextEncoder().encode(client_secret);
      const currentDate = new Date(kit.clock.now);
      await jwtVerify(redeemed.body.id_token, key, { currentDate, audience: client_id });
      assertEquals((await change({ id_token_signed_response_alg: "RS256" })).status, 200);
      const replaced = await change({});
      assertEquals(replaced.status, 200);
      assertEquals(typeof replaced.body.client_secret, "string");
      assertNotEquals(replaced.body.client_secret, client_secret);
    });
  }

  if (hasFeature("token exchange")) {
    it("is not taken in an exchange, because the client could have made it", async () => {
      const kit = openKit({
        clients: [{
          ...app,
          grantTypes: ["authorization_code", tokenExchangeGrantType],
          tokenExchange: { audiences: [stock], impersonation: true },
        }],
      });
      const { status, body } = await kit.token({
        grant_type: tokenExchangeGrantType,
        subject_token: await idTokenOf(kit),
        subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
        audience: stock,
      }, basic("app", secret));
      assertEquals([status, body.error], [400, "invalid_request"]);
    });
  }

  if (hasFeature("registration")) {
    it("is advertised only where a configured client has it, and others may register then", async () => {
      const algsOf = (kit: Kit) =>
        kit.server.context.metadata().id_token_signing_alg_values_supported as string[];
      const metadata = {
        id_token_signed_response_alg: "HS256",
        token_endpoint_auth_method: "client_secret_basic",
      };
      const without = openKit();
      assertEquals(algsOf(without).includes("HS256"), false);
      assertEquals((await register(without, metadata)).status, 400);
      const kit = openKit({ clients });
      assertEquals(algsOf(kit).includes("HS256"), true);
      assertEquals((await register(kit, metadata)).status, 201);
      const asPublic = { ...metadata, token_endpoint_auth_method: "none" };
      assertEquals((await register(kit, asPublic)).status, 400);
    });
  }

  it("can be changed by a lab, which signs it with the same secret again", async () => {
    const issuer = "https://hallpass.test";
    await using lab = openLab({ issuer, clients, now: () => startOfTime });
    const minted = { sub: "alice", client: "app", kind: "id" as const };
    const { token } = await lab.mint({ ...minted, claims: { nonce: "n" }, omit: ["sid"] });
    assertEquals((await readIdTokenHint(lab.context, token))?.subject, "alice");
    assertEquals(claimsOf(token).nonce, "n");
  });

  for (
    const fault of [
      "id_token.wrong_aud",
      "id_token.foreign_signature",
      "id_token.hs256_with_public_key",
    ] as const
  ) {
    it(`can have the fault ${fault}`, needs("faults"), async () => {
      await using lab = openLab({ issuer: "https://hallpass.test", clients });
      const { callback } = await lab.authorize(
        authorizationUrl(lab, { client_id: "app", scope: "openid" }),
        { user: "alice" },
      );
      lab.fault(fault);
      const response = await lab.fetch(
        new Request(`${lab.issuer}/oauth2/token`, {
          method: "POST",
          headers: basic("app", secret),
          body: new URLSearchParams({
            grant_type: "authorization_code",
            code: new URL(callback).searchParams.get("code") ?? "",
            redirect_uri: `${lab.issuer}/authorized`,
            code_verifier: verifier,
          }),
        }),
      );
      assertEquals(response.status, 200);
    });
  }

  const refusals: Array<[client: object, problem: RegExp, config?: Partial<Config>]> = [
    [{ secret: undefined }, /idTokenAlg can be HS256 only for a client with a secret/],
    [{ secret: "a".repeat(31) }, /secret must have at least 32 bytes for the idTokenAlg HS256/],
    [{}, /idTokenAlg must be one of PS256, ES256, EdDSA under/, { profile: "fapi-2.0" }],
  ];
  for (const [client, problem, config] of refusals) {
    it(`O15 is a problem of the configuration: ${problem.source}`, () => {
      const open = () => openStrictKit({ clients: [{ ...app, ...client }], ...config });
      assertMatch(assertThrows(open, ConfigError).message, problem);
    });
  }

  it("is no choice for signed userinfo, introspection and authorization responses", () => {
    for (const member of ["userinfoAlg", "introspectionAlg", "authorizationResponseAlg"]) {
      const open = () => openStrictKit({ clients: [{ ...app, [member]: "HS256" }] });
      assertStringIncludes(assertThrows(open, ConfigError).message, `clients[0].${member}`);
    }
  });
});
