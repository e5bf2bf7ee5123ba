import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { tokenExchangeGrantType } from "../../../src/server/protocol/grant_types.ts";
import { problemsOf } from "../../support/config_problems.ts";

const issuer = "https://id.example";

describe("The setting tokenExchange of a client", () => {
  const bad: Array<[config: unknown, problems: string[]]> = [
    [{
      issuer,
      grantTypes: [tokenExchangeGrantType],
      clients: [{ id: "a", secret: "s", grantTypes: [tokenExchangeGrantType] }],
    }, ["clients[0].tokenExchange is missing, but the client may use the token exchange grant"]],
    [{
      issuer,
      grantTypes: [tokenExchangeGrantType],
      clients: [{
        id: "a",
        grantTypes: [tokenExchangeGrantType],
        tokenExchange: { audiences: [] },
      }],
    }, [
      "clients[0].tokenExchange.audiences is empty, so that no token could be issued",
      "clients[0].tokenExchange allows neither impersonation nor delegation; one of them must be true",
      "clients[0].tokenExchange is for confidential clients only",
    ]],
    [{
      issuer,
      clients: [{ id: "a", secret: "s", tokenExchange: { audiences: ["x"], delegation: true } }],
    }, [
      "clients[0].tokenExchange is set, but the client's grantTypes do not contain the token exchange grant",
    ]],
    [{
      issuer,
      grantTypes: [tokenExchangeGrantType],
      clients: [{
        id: "orders",
        secret: "s",
        grantTypes: [tokenExchangeGrantType],
        tokenExchange: { audiences: ["my-api", "orders"], impersonation: true },
      }],
    }, ["clients[0].tokenExchange.audiences[1] is 'orders', which is also the id of a client"]],
  ];
  for (const [config, problems] of bad) {
    it(`reports: ${problems.join("; ")}`, () => {
      assertEquals(problemsOf(config), problems);
    });
  }
});
