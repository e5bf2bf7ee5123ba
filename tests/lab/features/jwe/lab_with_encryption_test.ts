import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { decodeJwt, importJWK, type JWK, SignJWT } from "jose";
import { describe, it } from "node:test";
import { testDecryptionKey } from "../../../../src/lab/features/jwe/test_decryption_key.ts";
import { checkFactsOf } from "../../../../src/lab/flows/check_facts.ts";
import { flowChecksOf } from "../../../../src/lab/flows/flow_checks.ts";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { hallpass } from "../../../../src/lab/testing/mod.ts";
import { changeToken } from "../../../../src/lab/tokens/signed_tokens.ts";
import { LabError } from "../../../../src/lab/util/lab_error.ts";
import { openKit } from "../../../support/kit.ts";
import { present } from "../../../support/present.ts";
import { testClient } from "../../../support/test_client.ts";
import { idTokenOf, makeEncryptedClient } from "./encrypted_client.ts";

const client = testClient();
const ec = await makeEncryptedClient("ECDH-ES");

describe("A lab with encryption", () => {
  it("has a baked RSA key for requests, so that no test waits for one", async () => {
    const keys = await Promise.all([1, 2].map(async () => {
      await using lab = await hallpass({ jwe: true });
      const set = await (await lab.fetch(`${lab.issuer}/oauth2/jwks`)).json();
      return set.keys.find(({ alg }: JWK) => alg === "RSA-OAEP-256");
    }));
    assertEquals(keys[0].n, keys[1].n);
    assert(keys[0].kid !== keys[1].kid && keys[0].use === "enc");
    assertMatch(keys[0].kid, /^TEST-ONLY-/);
  });

  for (const alg of ["RS256", "PS256"]) {
    it(`E04: refuses a token that the baked key signed, which is public: ${alg}`, async () => {
      await using lab = await hallpass({ jwe: true });
      const { keys } = await (await lab.fetch(`${lab.issuer}/oauth2/jwks`)).json();
      const { token } = await lab.mint({ sub: "alice", scope: "openid" });
      const baked = present(testDecryptionKey("RSA-OAEP-256", "any"));
      const key = await importJWK({ ...baked, alg, use: "sig" }, alg);
      const rsaKeys = keys.filter(({ kty }: JWK) => kty === "RSA");
      assert(rsaKeys.some(({ alg, n }: JWK) => alg === "RSA-OAEP-256" && n === baked.n));
      for (const { kid } of rsaKeys) {
        const forged = await new SignJWT(decodeJwt(token))
          .setProtectedHeader({ alg, kid, typ: "at+jwt" }).sign(key);
        assertEquals((await client.userinfo(lab, forged)).status, 401);
      }
      assertEquals((await client.userinfo(lab, token)).status, 200);
    });
  }

  it("X10: mints an ID token with the claims of a test, and encrypts it", async () => {
    await using lab = await hallpass(ec.options);
    const minted = { sub: "alice", client: "app", kind: "id", claims: { level: 7 } } as const;
    assertEquals(decodeJwt(await ec.open((await lab.mint(minted)).token)).level, 7);
  });

  it("X10: changes no token that it cannot read, and says so", async () => {
    const { context } = openKit().server;
    const change = () => changeToken(context, "a.b.c.d.e", (draft) => draft);
    await assertRejects(change, LabError, "cannot change a token that it cannot read");
  });

  it("finds nothing wrong in an ID token that only its client can read", async () => {
    await using lab = await openLab({ issuer: "https://id.example", ...ec.options });
    await idTokenOf(lab, ec);
    const exchanges = lab.exchanges();
    const last = present(exchanges.at(-1));
    const checks = flowChecksOf(checkFactsOf(lab.issuer, last, exchanges));
    assertEquals(checks.filter(({ isPassed }) => !isPassed), []);
  });
});
