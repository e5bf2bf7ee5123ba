import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { endpointUrl } from "../../src/issuer/context.ts";
import { openKit } from "../support/kit.ts";

/** The page for a client that is not known. */
async function pageFor(count: number): Promise<string> {
  const redirectUris = ["https://hallpass.test/authorized"];
  const clients = Array.from({ length: count }, (_, at) => ({ id: `c${at}`, redirectUris }));
  const kit = openKit({ clients });
  const url = kit.authorizationUrl({ client_id: "something-else-entirely" });
  return await (await kit.server.fetch(new Request(url))).text();
}

describe("The hint about an unknown client", () => {
  it("lists ten clients, and shows that there are more", async () => {
    assertMatch(await pageFor(0), /The configuration has no clients\./);
    assertMatch(await pageFor(10), /Configured: c0, .*, c9\./);
    assertMatch(await pageFor(11), /Configured: c0, .*, c9, …\./);
  });
});

describe("endpointUrl", () => {
  it("throws for an endpoint that the server does not have", () => {
    const { context } = openKit().server;
    assertEquals(endpointUrl(context, "jwks_uri"), "https://hallpass.test/oauth2/jwks");
    const without = { ...context, metadata: () => ({ issuer: context.settings.issuer }) };
    assertThrows(() => endpointUrl(without, "jwks_uri"), Error, "has no 'jwks_uri'");
  });
});
