import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { type ClientConfig, ConfigError, memoryStore } from "../../../src/server/mod.ts";
import { openStrictKit, spa } from "../../support/kit.ts";
import { register } from "../../support/registration.ts";
import { hasFeature } from "../../support/where_feature.ts";
import { itKnowsNoClient } from "../../support/without_feature.ts";

const feature = "introspection";
const api: ClientConfig = { id: "api", secret: "secret-of-api", redirectUris: [] };

describe("A server without introspection", () => {
  const demands: ReadonlyArray<Partial<ClientConfig>> = [
    { introspect: "any" },
    { introspectionAlg: "ES256" },
  ];
  for (const demand of demands) {
    const [name = ""] = Object.keys(demand);
    it(`refuses a configured client with ${name}, which only its endpoint reads`, () => {
      const problem = `clients[0].${name} needs the endpoint 'introspect'`;
      const open = () => openStrictKit({ clients: [{ ...api, ...demand }] }, feature);
      assertThrows(open, ConfigError, problem);
    });
  }

  it("accepts a client with the default", () => {
    openStrictKit({ clients: [{ ...api, introspect: "own" }] }, feature);
  });

  if (hasFeature("registration")) {
    it("registers no client that names an algorithm for it", async () => {
      const kit = openStrictKit({ registration: "open" }, feature);
      const { status, body } = await register(kit, { introspection_signed_response_alg: "RS256" });
      assertEquals([status, body.error], [400, "invalid_client_metadata"]);
    });
  }

  itKnowsNoClient("may see every token", { introspect: "any" }, feature);

  it("uses the tokens of a server that had it, and describes them to no client", async () => {
    const config = { clients: [spa()], store: memoryStore() };
    const { access_token } = await openStrictKit(config).tokens({ scope: "openid profile" });
    const kit = openStrictKit(config, feature);
    assertEquals((await kit.userinfo(access_token)).status, 200);
    assertEquals((await kit.introspect(access_token)).status, 404);
  });

  it("has no member of it in its metadata", async () => {
    const metadata = await openStrictKit({}, feature).metadata();
    assertEquals(Object.keys(metadata).filter((name) => name.startsWith("introspection")), []);
  });
});
