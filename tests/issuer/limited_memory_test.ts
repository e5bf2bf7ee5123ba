import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createBudget } from "../../src/server/issuer/limits/budget.ts";
import { verifiedTokens } from "../../src/server/issuer/tokens/active_tokens.ts";
import { openKit } from "../support/kit.ts";

const large = "x".repeat(100_000);

/** What a cache remembers of 200 large entries. */
type Fill = () => boolean[];

const caches: Array<[what: string, fill: Fill]> = [
  ["access tokens that were verified", () => {
    const verified = verifiedTokens(openKit().server.context);
    const tokens = Array.from({ length: 200 }, (_, n) => `${n}.${large}`);
    for (const token of tokens) verified.set(token, { claims: {} as never, kid: "k" });
    return tokens.map((token) => verified.get(token) !== undefined);
  }],
  ["names with a budget", () => {
    const budget = createBudget(() => 0, 2);
    const names = Array.from({ length: 200 }, (_, n) => `${large} ${n}`);
    for (const name of names) budget.take(name);
    return names.map((name) => budget.used(name) > 0);
  }],
];

describe("The memory of a server", () => {
  for (const [what, fill] of caches) {
    it(`Q5: holds a limited amount of ${what}`, () => {
      const remembered = fill();
      assertEquals([remembered.at(0), remembered.at(-1)], [false, true]);
    });
  }
});
