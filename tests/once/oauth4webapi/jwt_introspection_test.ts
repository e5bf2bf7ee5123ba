import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { openKit } from "../../support/kit.ts";

describe("A signed introspection response (RFC 9701)", () => {
  it("is verified by oauth4webapi", async () => {
    const kit = openKit();
    const as = kit.server.context.metadata() as oauth.AuthorizationServer;
    const http = {
      [oauth.customFetch]: (url: string, init: object) => kit.server.fetch(new Request(url, init)),
    };
    const client: oauth.Client = {
      client_id: "demo-service",
      introspection_signed_response_alg: "RS256",
    };
    const { access_token } = await kit.tokens();
    const clock = { [oauth.clockSkew]: Math.round((kit.clock.now - Date.now()) / 1000) };
    const authentication = oauth.ClientSecretBasic("demo-service-secret");
    const response = await oauth.introspectionRequest(as, client, authentication, access_token, {
      ...http,
      requestJwtResponse: true,
    });
    assertEquals(
      (await oauth.processIntrospectionResponse(as, { ...client, ...clock }, response)).sub,
      "alice",
    );
    await oauth.validateApplicationLevelSignature(as, response, http);
  });
});
