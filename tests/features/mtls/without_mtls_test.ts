import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { ConfigError } from "../../../src/server/mod.ts";
import { openStrictKit } from "../../support/kit.ts";
import { openWithAndWithout } from "../../support/without_feature.ts";
import { authorities, bound, redeemFor, redirectUri, registered, vouched } from "./mtls_kit.ts";
import { derOf } from "./read_certificates.ts";

/** Opens a server with mutual TLS and one without it on one store, for the same sender. */
function openBoth() {
  const both = openWithAndWithout("mutual TLS", {}, { mtls: { authorities } });
  for (const kit of Object.values(both)) kit.certificates = [derOf("plain")];
  return both;
}

describe("A server without mutual TLS, on the store of one that has it", () => {
  it("M09: authenticates no stored client by a certificate", async () => {
    const { whole, without } = openBoth();
    await addClient(whole.server.context, vouched);
    await addClient(whole.server.context, registered);
    assertEquals((await redeemFor(whole, "vouched")).status, 200);
    const request = { client_id: "vouched", redirect_uri: redirectUri };
    assertEquals((await without.ask(request)).status, 400);
    assertEquals((await redeemFor(without, "registered")).status, 401);
  });

  it("M09: issues nothing to a client whose tokens must be bound", async () => {
    const { whole, without } = openBoth();
    await addClient(whole.server.context, bound);
    const { status, body } = await redeemFor(without, "bound");
    assertEquals([status, body.error, body.access_token], [400, "invalid_request", undefined]);
  });

  it("M09: takes no token that is bound, neither to refresh nor at userinfo", async () => {
    const { whole, without } = openBoth();
    await addClient(whole.server.context, bound);
    const { access_token, refresh_token } = (await redeemFor(whole, "bound")).body;
    assertEquals((await without.userinfo(access_token)).status, 401);
    const { status } = await without.refresh(refresh_token, { client_id: "bound" });
    assertEquals(status, 400);
    assertEquals((await whole.userinfo(access_token)).status, 200);
  });

  it("M09: refuses the settings at its start", () => {
    for (const config of [{ mtls: {} }, { clients: [vouched] }, { clients: [bound] }]) {
      assertThrows(() => openStrictKit(config, "mutual TLS"), ConfigError);
    }
  });
});
