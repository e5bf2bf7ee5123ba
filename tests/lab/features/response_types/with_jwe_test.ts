import { assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import { describe, it } from "node:test";
import { hallpass } from "../../../../src/lab/testing/mod.ts";
import { leftHalf } from "../../../../src/server/util/crypto/hash.ts";
import { needs } from "../../../support/where_feature.ts";
import { headerOf, makeEncryptedClient } from "../jwe/encrypted_client.ts";

const app = await makeEncryptedClient("ECDH-ES");

describe("An encrypted ID token in an authorization response (OpenID Connect Core, 3.3.2.11)", () => {
  for (const response_type of ["code id_token", "id_token"] as const) {
    it(`X10 ${response_type}: is bound to what the client gets, and to nothing else`, async () => {
      await using lab = await hallpass({ ...app.options, responseTypes: [response_type] });
      const { parameters } = await app.client.authorize(lab, {
        response_type,
        response_mode: "form_post",
        nonce: "n",
      });
      const { code, id_token = "" } = parameters;
      assertEquals(headerOf(id_token).cty, "JWT");
      const { c_hash, at_hash, nonce } = decodeJwt(await app.open(id_token));
      const expected = code === undefined ? undefined : await leftHalf(code, "RS256");
      assertEquals([c_hash, at_hash, nonce], [expected, undefined, "n"]);
    });
  }

  it(
    "X10: has the shape of the provider, and is a hint once it is decrypted",
    needs("providers"),
    async () => {
      const options = { ...app.options, responseTypes: ["code id_token" as const] };
      await using lab = await hallpass({ ...options, provider: "entra", signIn: "alice" });
      const request = { response_mode: "form_post", nonce: "n", scope: "openid" };
      const ask = async (changes: object) =>
        (await app.client.authorize(lab, { ...request, ...changes }, {})).parameters;
      const { id_token = "" } = await ask({ response_type: "code id_token" });
      const id_token_hint = await app.open(id_token);
      assertEquals(decodeJwt(id_token_hint).ver, "2.0");
      assertEquals((await ask({ id_token_hint, prompt: "none" })).error, undefined);
    },
  );
});
