import { assert } from "@std/assert";
import { describe, it } from "node:test";
import { unopenedClaimWarnings } from "../../src/administration/unopened_claims.ts";
import { createFullServer } from "../../src/server/features.ts";

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
      return () => createFullServer(config);
    }],
    ["is searched for claims that no client receives", (count) => {
      const { settings } = createFullServer({ issuer: "https://id.example" }).context;
      const { users } = configOf(count);
      return () => unopenedClaimWarnings(settings, [], users);
    }],
  ];
  for (const [what, workOn] of works) {
    it(`Y2: ${what} in a time that grows as they do`, () => {
      const small = Array.from({ length: 16 }, () => workOn(2_000));
      const [few, many] = [timeOf(() => small.map((work) => work())), timeOf(workOn(32_000))];
      // Both fill as much memory. If each were compared with each, one would take 16 times as long.
      assert(many < 8 * few, `${few} ms became ${many} ms`);
    });
  }
});
