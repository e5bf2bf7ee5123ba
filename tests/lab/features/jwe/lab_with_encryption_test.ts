import { assert, assertEquals, assertMatch } from "@std/assert";
import type { JWK } from "jose";
import { describe, it } from "node:test";
import { checkFactsOf } from "../../../../src/lab/flows/checks/check_facts.ts";
import { checksOf } from "../../../../src/lab/flows/checks/checks.ts";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { hallpass } from "../../../../src/lab/testing/mod.ts";
import { present } from "../../../support/present.ts";
import { idTokenOf, makeEncryptedClient } from "./encrypted_client.ts";

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

  it("finds nothing wrong in an ID token that only its client can read", async () => {
    await using lab = await openLab({ issuer: "https://id.example", ...ec.options });
    await idTokenOf(lab, ec);
    const exchanges = lab.exchanges();
    const last = present(exchanges.at(-1));
    const checks = checksOf(checkFactsOf(lab.issuer, last, exchanges));
    assertEquals(checks.filter(({ isPassed }) => !isPassed), []);
  });
});
