import { assertEquals } from "@std/assert";
import { compactDecrypt, decodeJwt, type JWTPayload } from "jose";
import { describe } from "node:test";
import { hallpass, type HallpassOptions, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { leftHalf } from "../../../../src/server/util/crypto/hash.ts";
import { itWith } from "../../../support/it_with.ts";
import { testClient } from "../../../support/test_client.ts";
import { hasFeature, needs } from "../../../support/where_feature.ts";
import { type Encryption, encryptions, redirectUri, registerFor } from "./every_algorithm.ts";

const hybrid: HallpassOptions = hasFeature("response_types")
  ? { responseTypes: ["code", "code id_token"] }
  : {};

const it = itWith({ inLab: () => hallpass({ jwe: true, ...hybrid }) });

/** Registers a client, and returns it with what decrypts by these algorithms alone. */
async function openClient(lab: TestLab, encryption: Encryption) {
  const { alg, enc } = encryption;
  const { privateJwk, client_id, client_secret } = await registerFor(lab, encryption);
  const options = { client_id, client_secret, redirect_uri: redirectUri, scope: "openid" };
  const only = { keyManagementAlgorithms: [alg], contentEncryptionAlgorithms: [enc] };
  const open = async (jwe = ""): Promise<JWTPayload> => {
    const { plaintext } = await compactDecrypt(jwe, { ...privateJwk, alg }, only);
    return decodeJwt(new TextDecoder().decode(plaintext));
  };
  return { client: testClient(options), open };
}

describe("A client that registered for encryption at a lab", () => {
  for (const encryption of encryptions) {
    const { kind, alg, enc } = encryption;
    const title = `X1: decrypts all that it gets, with ${kind}, ${alg} and ${enc}`;
    it.inLab(title, needs("response_types"), async (lab) => {
      const { client, open } = await openClient(lab, encryption);
      const { parameters } = await client.authorize(lab, { response_mode: "jwt" });
      const { code } = await open(parameters.response);
      const { id_token, access_token } = (await client.redeem(lab, String(code))).body;
      const { sub, at_hash } = await open(id_token);
      const userinfo = await open((await client.userinfo(lab, access_token)).text);
      assertEquals([userinfo.sub, at_hash], [sub, await leftHalf(access_token, "RS256")]);
      const request = { response_type: "code id_token", response_mode: "form_post", nonce: "n" };
      const response = (await client.authorize(lab, request)).parameters;
      const { c_hash, nonce } = await open(response.id_token);
      assertEquals([c_hash, nonce], [await leftHalf(response.code ?? "", "RS256"), "n"]);
    });
  }

  for (const response_mode of ["jwt", "form_post.jwt"]) {
    it.inLab(`X1: learns that the user denied its request, by ${response_mode}`, async (lab) => {
      const encryption = { kind: "P-256", alg: "ECDH-ES", enc: "A128GCM" };
      const { client, open } = await openClient(lab, encryption);
      const url = client.authorizationUrl(lab, { response_mode });
      const actions = { user: "alice", decision: "deny" } as const;
      const { error, code, parameters } = await lab.authorize(url, actions);
      assertEquals([error, code], ["access_denied", undefined]);
      assertEquals((await open(parameters.response)).error, "access_denied");
    });
  }

  it.inLab("X1 E08: means A128CBC-HS256 without an enc", async (lab) => {
    const { metadata } = await registerFor(lab, { kind: "P-256", alg: "ECDH-ES" });
    assertEquals(metadata.id_token_encrypted_response_enc, "A128CBC-HS256");
    assertEquals(metadata.request_object_encryption_enc, undefined);
  });
});
