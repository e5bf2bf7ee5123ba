import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { hallpass, type HallpassOptions } from "../../../../src/lab/testing/mod.ts";
import { basic, type Fields } from "../../../support/kit.ts";
import { registerAt } from "../../../support/registration.ts";
import { assertReport } from "../../../support/reported.ts";
import { testClient } from "../../../support/test_client.ts";

const redirectUri = "https://app.example/callback";

/** A lab with a client that registered, and how that client authenticates in either way. */
async function openRegistered(method: string, options: HallpassOptions = {}) {
  const lab = await hallpass({ issuer: "https://hallpass.test", ...options });
  const metadata = { redirect_uris: [redirectUri], token_endpoint_auth_method: method };
  const { client_id: id, client_secret: secret } = (await registerAt(lab, metadata)).body;
  const ways: Record<string, [fields: Fields, headers: Record<string, string>]> = {
    client_secret_basic: [{ client_id: undefined }, basic(id, secret)],
    client_secret_post: [{ client_id: id, client_secret: secret }, {}],
    none: [{ client_id: id }, {}],
    "a wrong secret": [{ client_id: undefined }, basic(id, `${secret}!`)],
  };
  const statusOf = async (way: string) => {
    const client = testClient({ client_id: id, redirect_uri: redirectUri, scope: "openid" });
    const { code } = await lab.authorize(client.authorizationUrl(lab), { user: "alice" });
    const [fields, headers] = ways[way] ?? [];
    const redeemed = { redirect_uri: redirectUri, ...fields };
    return (await client.redeem(lab, code ?? "", redeemed, headers)).status;
  };
  return { lab, id, statusOf };
}

describe("A client of a lab that registered for one way to send its secret (RFC 7591, section 2)", () => {
  const methods = ["client_secret_basic", "client_secret_post"] as const;
  for (const [method, other] of [methods, methods.toReversed()] as const) {
    it(`may send it in the other way, and the report says so: ${other} for ${method}`, async () => {
      const { lab, id, statusOf } = await openRegistered(`${method}`);
      assertEquals(await statusOf(`${method}`), 200);
      assertReport(lab, { leniencies: [] });
      assertEquals(await statusOf(`${other}`), 200);
      assertReport(lab, { leniencies: [`client ${id}: anySecretMethod`] });
      await lab.reset();
      assertReport(lab, { leniencies: [] });
      await lab.close();
    });
  }

  it("proves nothing less: without its secret, or with another one, it is refused", async () => {
    const { lab, statusOf } = await openRegistered("client_secret_post");
    assertEquals([await statusOf("none"), await statusOf("a wrong secret")], [401, 401]);
    await lab.close();
  });

  it("has the way that it registered, if the lab is as strict as a server", async () => {
    const { lab, statusOf } = await openRegistered("client_secret_post", {
      anySecretMethod: false,
    });
    assertEquals(await statusOf("client_secret_basic"), 401);
    assertReport(lab, { leniencies: [] });
    await lab.close();
  });

  it("authenticates by its key, not by a secret, if it registered a key", async () => {
    const { lab, statusOf } = await openRegistered("client_secret_jwt");
    assertEquals(await statusOf("client_secret_basic"), 401);
    await lab.close();
  });
});
