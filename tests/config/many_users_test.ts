import { assert } from "@std/assert";
import { describe, it } from "node:test";
import { unopenedClaimWarnings } from "../../src/server/config/unopened_claims.ts";
import { createInternalServer } from "../../src/server/server.ts";

const redirectUris = ["https://app.example/cb"];

/** A configuration with very many users and clients, each with a claim of their own. */
function configOf(count: number) {
  const numbers = Array.from({ length: count }, (_, n) => n);
  return {
    issuer: "https://id.example",
    users: numbers.map((n) => ({ name: `user-${n}`, claims: { [`claim-${n}`]: n } })),
    clients: numbers.map((n) => ({ id: `client-${n}`, redirectUris })),
  };
}

/** Returns the shortest of five runs, which other work on the machine has delayed the least. */
function timeOf(run: () => unknown): number {
  const times = [1, 2, 3, 4, 5].map(() => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...times);
}

describe("A configuration with very many users and clients", () => {
  const works: Array<[what: string, workOn: (count: number) => () => unknown]> = [
    ["is checked", (count) => {
      const config = configOf(count);
      return () => createInternalServer(config);
    }],
    ["is searched for claims that no client receives", (count) => {
      const { settings } = createInternalServer({ issuer: "https://id.example" }).context;
      const { users } = configOf(count);
      return () => unopenedClaimWarnings(settings, [], users);
    }],
  ];
  for (const [what, workOn] of works) {
    it(`Y2: ${what} in a time that grows as they do`, () => {
      const [few, many] = [timeOf(workOn(4_000)), timeOf(workOn(64_000))];
      // Sixteen times as many take sixteen times as long, or several times that where they no longer
      // fit into the processor's caches; if each is compared with each, 256 times.
      assert(many < 128 * few, `${few} ms became ${many} ms`);
    });
  }
});
