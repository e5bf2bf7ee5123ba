import { assertEquals } from "@std/assert";
import { importJWK } from "jose";
import { describe, it } from "node:test";
import * as openid from "openid-client";
import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";
import {
  type Encryption,
  encryptions,
  redirectUri,
  registerFor,
} from "../../lab/features/jwe/every_algorithm.ts";

/** Registers a client, and returns it as openid-client has it. */
async function configure(lab: TestLab, encryption: Encryption, ...switches: Switch[]) {
  const { alg, enc } = encryption;
  const { client_id, client_secret, privateJwk } = await registerFor(lab, encryption);
  const key = await importJWK({ ...privateJwk, alg }, alg) as CryptoKey;
  const decrypting: Switch = (config) =>
    openid.enableDecryptingResponses(config, [enc], { key, alg, kid: "enc" });
  return await openid.discovery(
    new URL(lab.issuer),
    client_id,
    { client_secret, userinfo_signed_response_alg: "RS256" },
    openid.ClientSecretPost(client_secret),
    {
      [openid.customFetch]: (url, init) => lab.fetch(url, init as object),
      execute: [openid.enableNonRepudiationChecks, decrypting, ...switches],
    },
  );
}

type Switch = (config: openid.Configuration) => void;

/** Signs alice in, and returns her claims. */
async function logIn(lab: TestLab, config: openid.Configuration): Promise<openid.UserInfoResponse> {
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()];
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: "openid profile",
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  });
  const { callback } = await lab.authorize(url.href, { user: "alice" });
  const checks = { pkceCodeVerifier, expectedState, expectedNonce };
  const tokens = await openid.authorizationCodeGrant(config, new URL(callback), checks);
  assertEquals(tokens.id_token?.split(".").length, 5);
  const { sub = "" } = tokens.claims() ?? {};
  return await openid.fetchUserInfo(config, tokens.access_token, sub);
}

/** The kinds of keys that it has. */
const kinds = ["RSA", "P-256", "X25519"];

describe("openid-client, which registered for encryption", () => {
  const responseTypes = ["code", "code id_token", "fragment"] as const;
  const flows: Array<[flow: string, use: Switch]> = [
    ["JARM", openid.useJwtResponseMode],
    ["X10: code id_token", openid.useCodeIdTokenResponseType],
  ];
  for (const encryption of encryptions.filter(({ kind }) => kinds.includes(kind))) {
    const { kind, alg, enc } = encryption;
    for (const [flow, use] of flows) {
      it(`X1: signs in with ${kind}, ${alg} and ${enc}, and ${flow}`, async () => {
        await using lab = await hallpass({ jwe: true, responseTypes: [...responseTypes] });
        const { name } = await logIn(lab, await configure(lab, encryption, use));
        assertEquals(name, "Alice Adler");
      });
    }
  }
});
