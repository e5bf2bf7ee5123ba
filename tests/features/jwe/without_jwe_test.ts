import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { features } from "../../../src/server/features.ts";
import { ConfigError } from "../../../src/server/mod.ts";
import { createInternalServer } from "../../../src/server/server.ts";
import { textOf } from "../../support/browser.ts";
import { openWithAndWithout } from "../../support/without_feature.ts";
import { encrypt, encryptionKeys, makeEncryptingClient, redirectUri } from "./encrypting_client.ts";

const settings = { idTokenEncryptionAlg: "ECDH-ES", idTokenEncryptionEnc: "A256GCM" } as const;

describe("A server without encryption, on the store of one that has it", () => {
  it("knows no stored client that asks for encrypted tokens", async () => {
    const { whole, without } = openWithAndWithout("encryption");
    const { config } = await makeEncryptingClient("ECDH-ES", settings);
    await addClient(whole.server.context, config);
    const request = { client_id: "app", redirect_uri: redirectUri, scope: "openid" };
    assertEquals((await whole.ask(request)).status, 303);
    assertEquals((await without.ask(request)).status, 400);
  });

  it("publishes no key for encryption, and decrypts no request object", async () => {
    const { whole, without } = openWithAndWithout("encryption", {}, { jwe: true });
    const { config, signing } = await makeEncryptingClient("ECDH-ES");
    await addClient(whole.server.context, config);
    const [key = {}] = await encryptionKeys(whole);
    const jwe = await encrypt(await signing.sign({ client_id: "app" }), key);
    const page = await without.ask({ client_id: "app", request: jwe });
    assertMatch(textOf(await page.text()), /it cannot be decrypted/);
    assertEquals(await encryptionKeys(without), []);
  });

  it("refuses the settings of both at its start", async () => {
    const { config } = await makeEncryptingClient("ECDH-ES", settings);
    const rest = features.filter(({ name }) => name !== "encryption");
    for (const changes of [{ jwe: true }, { clients: [config] }]) {
      const given = { issuer: "https://id.example", ...changes };
      assertThrows(() => createInternalServer(given, rest), ConfigError, "is not a setting");
    }
  });
});
