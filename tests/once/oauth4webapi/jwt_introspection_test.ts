import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { openKit } from "../../support/kit.ts";
import { doorOf, openLibrary } from "./library_login.ts";

describe("A signed introspection response (RFC 9701)", () => {
  it("is verified by oauth4webapi", async () => {
    const kit = openKit();
    const { server, options } = await openLibrary(doorOf(kit));
    const client: oauth.Client = {
      client_id: "demo-service",
      introspection_signed_response_alg: "RS256",
    };
    const { access_token } = await kit.tokens();
    const clock = { [oauth.clockSkew]: Math.round((kit.clock.now - Date.now()) / 1000) };
    const authentication = oauth.ClientSecretBasic("demo-service-secret");
    const response = await oauth.introspectionRequest(
      ...[server, client, authentication, access_token] as const,
      { ...options, requestJwtResponse: true },
    );
    const inTime = { ...client, ...clock };
    assertEquals((await oauth.processIntrospectionResponse(server, inTime, response)).sub, "alice");
    await oauth.validateApplicationLevelSignature(server, response, options);
  });
});
