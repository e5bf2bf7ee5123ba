import { assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { ConfigError } from "../../src/server/config/problems.ts";
import type { Config } from "../../src/server/features.ts";
import { claimsOf, type Fields, openStrictKit, service } from "../support/kit.ts";

const guid = "5b0e0a1c-0000-4000-8000-000000000001";
const redirectUris = ["https://hallpass.test/authorized"];
const clients = [
  { id: "demo-spa", redirectUris },
  { id: "demo-service", secret: "demo-service-secret" },
];

function openServer(config: Partial<Config> = {}) {
  return openStrictKit({
    scopes: { openid: "Know you", read: "Read" },
    resources: ["my-api", guid, "https://api.example"],
    clients,
    ...config,
  });
}

async function audienceOf(config: Partial<Config>, fields: Fields): Promise<unknown> {
  const grant = { grant_type: "client_credentials", scope: "read" };
  const { body } = await openServer(config).token({ ...grant, ...fields }, service);
  return body.error ?? claimsOf(body.access_token).aud;
}

describe("An audience that is no URI", () => {
  const audienceParameter = true;

  it("is named by the parameter 'audience', where audienceParameter allows it", async () => {
    for (const audience of ["my-api", guid, "https://api.example"]) {
      assertEquals(await audienceOf({ audienceParameter }, { audience }), audience);
      assertEquals(await audienceOf({}, { audience }), "https://hallpass.test");
    }
    const resource = "https://api.example";
    assertEquals(await audienceOf({ audienceParameter }, { audience: "my-api", resource }), [
      resource,
      "my-api",
    ]);
  });

  it("is never named by the parameter 'resource' (RFC 8707, section 2)", async () => {
    assertEquals(await audienceOf({ audienceParameter }, { resource: "my-api" }), "invalid_target");
  });

  for (const audience of ["other-api", "my api", "urn:x#y", "demo-spa"]) {
    it(`is refused if the server does not know it: ${audience}`, async () => {
      assertEquals(await audienceOf({ audienceParameter }, { audience }), "invalid_target");
    });
  }

  it("is the default of requests that name no resource", async () => {
    assertEquals(await audienceOf({ defaultResource: "my-api" }, {}), "my-api");
  });

  it("is bound to what was granted, in the whole flow of a user", async () => {
    const kit = openServer({ audienceParameter });
    const { access_token, refresh_token } = await kit.tokens({
      scope: "openid read",
      audience: ["my-api", guid],
    });
    assertEquals(claimsOf(access_token).aud, ["my-api", guid]);
    const refreshed = async (audience: string) =>
      (await kit.refresh(refresh_token, { audience })).body;
    assertEquals((await refreshed("https://api.example")).error, "invalid_target");
    assertEquals(claimsOf((await refreshed("my-api")).access_token).aud, "my-api");
  });

  it("is not among the protected_resources, which are URLs (RFC 9728, section 4)", () => {
    assertEquals(openServer().server.context.metadata().protected_resources, [
      "https://api.example",
    ]);
  });
});

describe("An audience that is the id of a client", () => {
  const problemsOf = (config: Partial<Config>) =>
    assertThrows(() => openServer(config), ConfigError).message;

  it("B27 is a problem of the configuration: its access tokens could pass for ID tokens", () => {
    for (const config of [{ resources: ["demo-spa"] }, { defaultResource: "demo-spa" }]) {
      assertMatch(
        problemsOf(config),
        /clients\[0\]\.id is 'demo-spa', which is also the audience of access tokens/,
      );
    }
  });
});

describe("The profile fapi-2.0 (RFC 9068, section 2.1)", () => {
  it("refuses access tokens of the type JWT: of the server, a resource and a client", () => {
    const accessTokenType = "JWT";
    const { message } = assertThrows(() =>
      openServer({
        profile: "fapi-2.0",
        accessTokenType,
        resources: [{ uri: "https://api.example", accessTokenType }],
        clients: [{ id: "a", accessTokenType }],
      }), ConfigError);
    assertStringIncludes(message, "\n  - accessTokenType must be 'at+jwt'");
    assertStringIncludes(message, "resources must not have the accessTokenType 'JWT'");
    assertStringIncludes(message, "clients[0].accessTokenType must be 'at+jwt'");
  });
});
