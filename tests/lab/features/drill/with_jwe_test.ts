import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { encryptionRows } from "../../../../src/lab/features/jwe/drill.ts";
import { type FaultName, hallpass, LabError } from "../../../../src/lab/testing/mod.ts";
import type { ClientConfig } from "../../../../src/server/features.ts";
import { makeEncryptedClient } from "../jwe/encrypted_client.ts";

const ec = await makeEncryptedClient("ECDH-ES+A256KW");

function rowsFor(clients: readonly ClientConfig[] = []) {
  return encryptionRows.filter(({ isFor }) => isFor && clients.some(isFor))
    .flatMap(({ rows }) => rows);
}

describe("A drill of a client that gets everything encrypted", () => {
  const variants = rowsFor(ec.options.clients);
  const only = variants.map(({ fault }) => fault);
  const inside: FaultName[] = ["id_token.wrong_aud", "jarm.wrong_iss"];
  const faultsOf = (expectation: string) =>
    variants.filter((each) => each.expectation === expectation).map(({ fault }) => fault);

  it("blames none that checks the encryption, and what is inside", async () => {
    await using lab = await hallpass(ec.options);
    const result = await lab.drill(() => ec.logIn(lab, true), [...only, ...inside]);
    assertEquals([result.findings, result.unmet], [[], []]);
  });

  it("CVE-2026-9793: names the section and the fix for one that checks nothing", async () => {
    await using lab = await hallpass(ec.options);
    const result = await lab.drill(() => ec.logIn(lab, false), [...only, ...inside]);
    const { accepted, refused, tolerated, findings } = result;
    const hostile = [...inside, ...faultsOf("refuse")];
    assertEquals(refused, ["id_token.encrypted_for_other_key"]);
    assertEquals(
      new Set(accepted.map(({ fault }) => fault)),
      new Set(hostile.filter((fault) => !refused.includes(fault))),
    );
    assertEquals(new Set(tolerated), new Set(faultsOf("either")));
    const unsigned = findings.find(({ id }) => id === "id_token.encrypted_unsigned");
    assertEquals(unsigned?.see, "OpenID Connect Core, section 10.2");
    assertMatch(unsigned?.fix ?? "", /^Verify the signature/);
    const alg = findings.find(({ id }) => id === "id_token.wrong_encryption_alg");
    assertMatch(alg?.fix ?? "", /the alg and the enc that the client registered/);
  });

  it("tries these only where a client asks for encryption", async () => {
    await using lab = await hallpass();
    await assertRejects(
      () => lab.drill(async () => {}, ["id_token.unencrypted"]),
      LabError,
      "It is about a client that gets this encrypted, and the lab has none.",
    );
    const [app] = ec.options.clients ?? [];
    const { idTokenEncryptionAlg: _, idTokenEncryptionEnc: _enc, ...others } = app ?? { id: "app" };
    const places = rowsFor([others]).map(({ fault }) => fault.split(".")[0]);
    assertEquals(new Set(places), new Set(["userinfo", "jarm"]));
  });
});
