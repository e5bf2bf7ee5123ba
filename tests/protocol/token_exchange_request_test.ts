import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { readTokenId, type TokenOrigin } from "../../src/server/issuer/tokens/token_ids.ts";

describe("The id of a token", () => {
  const ids: Array<[jti: string, origin: TokenOrigin]> = [
    ["own", { chain: ["own"] }],
    [".own.next", { chain: ["own", ".own.next"] }],
    [".own.next.last", { chain: ["own", ".own.next", ".own.next.last"] }],
    ["@epoch.own", { clientEpoch: "epoch", chain: ["@epoch.own"] }],
    ["@epoch.own.next", { clientEpoch: "epoch", chain: ["@epoch.own", "@epoch.own.next"] }],
    ["parent.token", { authorizationId: "parent", chain: ["parent.token"] }],
    ["parent.token.next", {
      authorizationId: "parent",
      chain: ["parent.token", "parent.token.next"],
    }],
    ["parent.token.next.last", {
      authorizationId: "parent",
      chain: ["parent.token", "parent.token.next", "parent.token.next.last"],
    }],
  ];
  for (const [jti, origin] of ids) {
    it(`contains the origin of ${jti}`, () => assertEquals(readTokenId(jti), origin));
  }
});
