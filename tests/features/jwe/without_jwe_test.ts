import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { textOf } from "../../support/browser.ts";
import { itKnowsNoClient, openWithAndWithout } from "../../support/without_feature.ts";
import { encrypt, encryptionKeys, makeEncryptingClient } from "./encrypting_client.ts";

const { config, signing } = await makeEncryptingClient("ECDH-ES");

describe("A server without encryption, on the store of one that has it", () => {
  const encrypted = { idTokenEncryptionAlg: "ECDH-ES", idTokenEncryptionEnc: "A256GCM" } as const;
  itKnowsNoClient("asks for encrypted tokens", { ...config, ...encrypted }, "encryption");

  it("publishes no key for encryption, and decrypts no request object", async () => {
    const { whole, without } = openWithAndWithout("encryption", {}, { jwe: true });
    await addClient(whole.server.context, config);
    const [key = {}] = await encryptionKeys(whole);
    const jwe = await encrypt(await signing.sign({ client_id: "app" }), key);
    const page = await without.ask({ client_id: "app", request: jwe });
    assertMatch(textOf(await page.text()), /it cannot be decrypted/);
    assertEquals(await encryptionKeys(without), []);
  });
});
