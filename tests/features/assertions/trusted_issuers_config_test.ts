import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { jwtBearerGrantType } from "../../../src/server/protocol/grant_types.ts";
import { problemsOf } from "../../support/config_problems.ts";

const issuer = "https://id.example";

describe("The setting trustedIssuers", () => {
  const bad: Array<[config: unknown, problems: string[]]> = [
    [{
      issuer,
      grantTypes: [jwtBearerGrantType],
      clients: [{ id: "a", grantTypes: [jwtBearerGrantType] }],
    }, [
      "clients[0].secret is missing, but the client may use the JWT bearer grant",
      "trustedIssuers is empty, but grantTypes contains the JWT bearer grant",
    ]],
    [{
      issuer,
      trustedIssuers: [{
        issuer: "https://idp.example",
        jwksUri: "https://idp.example/jwks",
        clients: [],
      }],
    }, ["trustedIssuers is set, but grantTypes does not contain the JWT bearer grant"]],
    [{
      issuer,
      grantTypes: [jwtBearerGrantType],
      trustedIssuers: [{ issuer, clients: [], scopes: ["x"] }, {
        issuer,
        clients: [],
        jwks: { keys: [{ kty: "oct", k: "x" }] },
      }],
    }, [
      "trustedIssuers contains 'https://id.example' more than once",
      "trustedIssuers[0].issuer is this server itself",
      "trustedIssuers[0].scopes contains 'x', which is not a scope of the server",
      "trustedIssuers[0].jwks is missing; set jwks or jwksUri",
      "trustedIssuers[1].issuer is this server itself",
      "trustedIssuers[1].jwks.keys[0] is a private or a secret key; publish the public part only",
    ]],
  ];
  for (const [config, problems] of bad) {
    it(`reports: ${problems.join("; ")}`, () => {
      assertEquals(problemsOf(config), problems);
    });
  }
});
