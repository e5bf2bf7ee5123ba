import { assert, assertEquals } from "@std/assert";
import { decodeProtectedHeader } from "jose";
import { describe, it } from "node:test";
import { basic, claimsOf, type Kit, openKit, read, service, spa } from "../../support/kit.ts";

const jwtType = "application/token-introspection+jwt";
const asJwt = { ...service, Accept: jwtType };

async function introspect(kit: Kit, token: string, headers: Record<string, string> = asJwt) {
  return await kit.introspect(token, {}, headers);
}

function headerOf(jwt: string) {
  return decodeProtectedHeader(jwt);
}

describe("A signed introspection response (RFC 9701)", () => {
  it("has the same content as a plain one, for one client only", async () => {
    const kit = openKit();
    const { access_token } = await kit.tokens();
    const { headers, text } = await introspect(kit, access_token);
    assertEquals(headers.get("Content-Type"), jwtType);
    assertEquals(headers.get("Cache-Control"), "no-store");
    const plain = (await introspect(kit, access_token, service)).body;
    const iat = kit.clock.now / 1000;
    assertEquals(claimsOf(text), {
      iss: kit.issuer,
      aud: "demo-service",
      iat,
      token_introspection: plain,
    });
    assertEquals([headerOf(text).typ, headerOf(text).alg], ["token-introspection+jwt", "RS256"]);
  });

  it("describes an inactive token as inactive, and no more", async () => {
    const { text } = await introspect(openKit(), "x");
    assertEquals(claimsOf(text).token_introspection, { active: false });
  });

  it("is signed as the client wants it, with a key of the key set", async () => {
    const clients = [{
      id: "api",
      secret: "s",
      introspectionAlg: "ES256" as const,
      grantTypes: ["client_credentials"],
      defaultScope: ["read"],
    }];
    const kit = openKit({ clients });
    const { keys } = (await read(await kit.get("/oauth2/jwks"))).body;
    const headers = basic("api", "s");
    const { access_token } = (await kit.token({ grant_type: "client_credentials" }, headers)).body;
    const { text } = await introspect(kit, access_token, { ...headers, Accept: jwtType });
    const { alg, kid } = headerOf(text);
    assertEquals([alg, keys.some((key: { kid: string }) => key.kid === kid)], ["ES256", true]);
    assert(
      (kit.server.context.metadata().introspection_signing_alg_values_supported as string[])
        .includes("ES256"),
    );
  });

  const accepted: Array<[accept: string | undefined, signed: boolean]> = [
    [undefined, false],
    ["*/*", false],
    ["application/json", false],
    ["application/jwt", false],
    [jwtType, true],
    ["Application/Token-Introspection+JWT", true],
    [`application/json;q=0.5, ${jwtType}`, true],
    [`application/json, ${jwtType};q=0.5`, false],
    [`${jwtType};q=0`, false],
    [`${jwtType};q=x`, false],
  ];
  for (const [accept, signed] of accepted) {
    it(`${signed ? "is sent" : "is not sent"} for 'Accept: ${accept ?? ""}'`, async () => {
      const { headers } = await introspect(openKit(), "x", {
        ...service,
        ...accept !== undefined && { Accept: accept },
      });
      assertEquals(headers.get("Content-Type"), signed ? jwtType : "application/json");
    });
  }

  it("is refused without authentication, and to other clients", async () => {
    const kit = openKit({ clients: [spa(), { id: "api", secret: "s" }] });
    const { access_token } = await kit.tokens();
    assertEquals(
      (await kit.introspect(access_token, { client_id: "demo-spa" }, { Accept: jwtType })).status,
      401,
    );
    const { text } = await introspect(kit, access_token, { ...basic("api", "s"), Accept: jwtType });
    assertEquals(claimsOf(text).token_introspection, { active: false });
  });

  it("is no access token, and no hint of who is signed in", async () => {
    const kit = openKit();
    const jwt = (await introspect(kit, (await kit.tokens()).access_token)).text;
    assertEquals((await kit.userinfo(jwt)).status, 401);
    assertEquals((await introspect(kit, jwt, service)).body, { active: false });
    assertEquals(
      (await kit.authorize({ id_token_hint: jwt, prompt: "none" })).get("error"),
      "invalid_request",
    );
  });
});
