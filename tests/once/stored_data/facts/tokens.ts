import { assert, assertEquals } from "@std/assert";
import { importJWK, type JWK } from "jose";
import { rotateKey } from "../../../../src/server/issuer/keys/rotate_keys.ts";
import { makeProof, proofKey } from "../../../support/dpop.ts";
import { read } from "../../../support/kit.ts";
import { codeOf, isActive, refreshOf, revoke, storeUser, tokensOf } from "../steps.ts";
import { fact, type StoredFact } from "../stored_fact.ts";
import { api, apiUrl, exchangeGrant, stockUrl, type StoredKit } from "../stored_server.ts";

async function kidsOf(kit: StoredKit): Promise<string[]> {
  const { body } = await read(await kit.get("/.well-known/openid-configuration"));
  const { pathname } = new URL(body.jwks_uri);
  return (await read(await kit.get(pathname))).body.keys.map(({ kid }) => kid);
}

/** Refreshes with a proof of a key, as a public client. */
async function refreshWithProof(kit: StoredKit, refresh_token: string, privateJwk: JWK) {
  const { d: _, ...jwk } = privateJwk;
  const privateKey = await importJWK(privateJwk, "ES256") as CryptoKey;
  const key = { alg: "ES256", jwk, privateJwk, privateKey, jkt: "" };
  const { now } = kit.clock;
  const proof = await makeProof(key, "POST", `${kit.issuer}/oauth2/token`, { now });
  const fields = { grant_type: "refresh_token", refresh_token, client_id: "app" };
  return await kit.token(fields, { DPoP: proof });
}

/** What is stored about tokens, codes and keys. */
export const tokenFacts: readonly StoredFact[] = [
  fact(
    "a refresh token works once, and its replay ends what came from it",
    async (kit) => {
      const { refresh_token } = await tokensOf(kit, { user: await storeUser(kit, "lena") });
      return { used: refresh_token, next: (await refreshOf(kit, refresh_token)).body };
    },
    async (kit, { used, next }) => {
      const { status, body } = await refreshOf(kit, next.refresh_token);
      assertEquals([status, await isActive(kit, body.access_token)], [200, true]);
      assertEquals((await refreshOf(kit, used)).body.error, "invalid_grant");
      assertEquals(await isActive(kit, body.access_token), false);
      assertEquals((await refreshOf(kit, body.refresh_token)).body.error, "invalid_grant");
    },
  ),
  fact(
    "a refresh token that is bound to a key needs it",
    async (kit) => {
      const key = await proofKey();
      const code = await codeOf(kit, { user: await storeUser(kit, "mike") });
      const { now } = kit.clock;
      const DPoP = await makeProof(key, "POST", `${kit.issuer}/oauth2/token`, { now });
      const { body } = await kit.redeem(code, { client_id: "app" }, { DPoP });
      return { key: key.privateJwk, token: body.refresh_token };
    },
    async (kit, { key, token }) => {
      assertEquals((await refreshOf(kit, token)).status, 400);
      assertEquals((await refreshWithProof(kit, token, key)).body.token_type, "DPoP");
    },
  ),
  fact(
    "an access token is active, as a JWT and as an opaque one",
    async (kit) => {
      const user = await storeUser(kit, "nora");
      const jwt = await tokensOf(kit, { user });
      const opaque = await tokensOf(kit, { user, client: "opaque" });
      return [jwt.access_token, opaque.access_token];
    },
    async (kit, tokens) => {
      for (const token of tokens) {
        assertEquals(await isActive(kit, token), true);
        const headers = { Authorization: `Bearer ${token}` };
        assertEquals((await read(await kit.get("/oauth2/userinfo", headers))).body.sub, "nora");
      }
    },
  ),
  fact(
    "a revoked token stays revoked",
    async (kit) => {
      const user = await storeUser(kit, "olaf");
      const one = await tokensOf(kit, { user });
      await revoke(kit, one.access_token);
      const two = await tokensOf(kit, { user, client: "opaque" });
      await revoke(kit, two.access_token, "opaque");
      const three = await tokensOf(kit, { user });
      await revoke(kit, three.refresh_token);
      return [one.access_token, two.access_token, three.access_token, three.refresh_token];
    },
    async (kit, tokens) => {
      for (const token of tokens) assertEquals(await isActive(kit, token), false);
    },
  ),
  fact(
    "an exchanged token is active",
    async (kit) => {
      const user = await storeUser(kit, "pete");
      const { access_token } = await tokensOf(kit, { user, scope: "read", resource: apiUrl });
      const { status, body } = await kit.token({
        grant_type: exchangeGrant,
        subject_token: access_token,
        subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
        audience: stockUrl,
      }, api);
      assertEquals(status, 200);
      return body.access_token;
    },
    async (kit, token) => assertEquals(await isActive(kit, token), true),
  ),
  fact(
    "a code can be redeemed, and only once",
    async (kit) => codeOf(kit, { user: await storeUser(kit, "rita") }),
    async (kit, code) => {
      const { status, body } = await kit.redeem(code, { client_id: "app" });
      assertEquals([status, await isActive(kit, body.access_token)], [200, true]);
      assertEquals((await kit.redeem(code, { client_id: "app" })).status, 400);
    },
  ),
  fact(
    "a code that was redeemed ends its tokens when it comes again",
    async (kit) => {
      const code = await codeOf(kit, { user: await storeUser(kit, "sven") });
      const { access_token } = (await kit.redeem(code, { client_id: "app" })).body;
      return { code, access_token };
    },
    async (kit, { code, access_token }) => {
      assertEquals(await isActive(kit, access_token), true);
      assertEquals((await kit.redeem(code, { client_id: "app" })).body.error, "invalid_grant");
      assertEquals(await isActive(kit, access_token), false);
    },
  ),
  fact(
    "the keys are published, the next one too",
    async (kit) => {
      await rotateKey(kit.server.context);
      return await kidsOf(kit);
    },
    async (kit, kids) => {
      const published = await kidsOf(kit);
      assert(kids.every((kid) => published.includes(kid)), `${kids} are not in ${published}`);
    },
  ),
];
