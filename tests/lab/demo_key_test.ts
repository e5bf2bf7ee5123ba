import { assertEquals } from "@std/assert";
import { importJWK, SignJWT } from "jose";
import { describe, it } from "node:test";
import { demoKey } from "../../src/lab/demo/demo_keys.ts";
import { assertionClaims, assertionType } from "../support/client_key.ts";
import { openKit } from "../support/kit.ts";

describe("demo-jwt, a client of the lab", () => {
  it("authenticates with its key", async () => {
    const kit = openKit();
    const client_assertion = await new SignJWT(assertionClaims(kit, "demo-jwt"))
      .setProtectedHeader({ alg: "ES256", kid: String(demoKey.kid) })
      .sign(await importJWK(demoKey));
    const { body } = await kit.token({
      grant_type: "client_credentials",
      client_assertion_type: assertionType,
      client_assertion,
    });
    assertEquals(body.scope, "read");
  });

  it("does not show its private key", async () => {
    const kit = openKit();
    for (const path of ["/", "/oauth2/jwks"]) {
      assertEquals((await (await kit.get(path)).text()).includes(String(demoKey.d)), false);
    }
  });
});
