import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import {
  applyRule,
  compared,
  comparedLists,
  createRuleLog,
  type Rule,
  ruleSet,
} from "../../src/server/protocol/rule.ts";

const about = { see: "RFC 1, section 2", parameter: "fruit", error: "invalid_request" } as const;

const fruit = ruleSet("fruit", about, {
  present: { title: "The request must have a fruit" },
  ripe: {
    see: "RFC 1, section 3",
    error: "invalid_grant",
    title: "The fruit must be ripe",
    message: ({ days }) => `The fruit needs ${days} more days.`,
    fix: "Wait.",
    holds: ({ days }: { days: number }) => days === 0,
  },
  kind: { ...compared, title: "The fruit must be of a known kind" },
  colors: { ...comparedLists, title: "The colors of the fruit must be known" },
});

describe("ruleSet", () => {
  it("gives each rule what the set shares, its id, and one sentence as title and message", () => {
    const { id, title, message, see, parameter, error, fix } = fruit.present;
    assertEquals(
      { id, title, message, see, parameter, error, fix },
      {
        ...about,
        id: "fruit.present",
        title: "The request must have a fruit",
        message: "The request must have a fruit.",
        fix: undefined,
      },
    );
  });

  it("lets a rule differ from its set", () => {
    const { see, parameter, error, fix } = fruit.ripe;
    assertEquals(
      [see, parameter, error, fix],
      ["RFC 1, section 3", "fruit", "invalid_grant", "Wait."],
    );
    const error3 = assertThrows(() => applyRule(fruit.ripe, { days: 3 }), OAuthError);
    assertEquals(error3.message, "The fruit needs 3 more days.");
  });

  it("requires a value by a rule that decides nothing else", () => {
    for (const value of ["", 0, null, false]) applyRule(fruit.present, value);
    assertThrows(() => applyRule(fruit.present, undefined), OAuthError, "must have a fruit.");
  });
});

describe("compared", () => {
  it("does not hold for nothing, even if a stored value lacks what is expected", () => {
    const facts = { received: undefined, expected: undefined as unknown as string };
    assertEquals(compared.holds(facts), false);
    assertEquals(compared.holds({ ...facts, expected: [facts.expected] }), false);
  });

  const expected = ["apple", "pear"];

  it("accepts each expected value", () => {
    assertEquals(expected.map((received) => compared.holds({ received, expected })), [true, true]);
    assertEquals(compared.holds({ received: "apple", expected: "apple" }), true);
  });

  it("refuses everything else, a list of an expected value as well", () => {
    const others = ["fig", "", undefined, null, [], ["apple"], expected, { apple: true }];
    for (const received of others) {
      assertEquals(compared.holds({ received, expected }), false);
      assertEquals(compared.holds({ received, expected: "apple" }), false);
    }
  });

  it("describes what came and what was expected", () => {
    const described = [undefined, "fig", 7, ["apple"]].map((received) => {
      return valuesOf(fruit.kind, { received, expected });
    });
    assertEquals(described.map(({ received }) => received), ["none", "fig", "7", '["apple"]']);
    assertEquals(described.map(({ expected }) => expected), Array(4).fill("apple or pear"));
  });
});

describe("comparedLists", () => {
  it("accepts values that are all expected", () => {
    const expected = ["red", "green"];
    const holds = [[], ["red"], ["green", "red"], ["blue"], ["red", "blue"]]
      .map((received) => comparedLists.holds({ received, expected }));
    assertEquals(holds, [true, true, true, false, false]);
  });

  it("describes what came and what was expected", () => {
    const facts = { received: ["red", "blue"], expected: [] };
    assertEquals(valuesOf(fruit.colors, facts), { received: "red blue", expected: "none" });
  });
});

/** Returns what a log explains about a rule that is broken. */
function valuesOf<Facts>(rule: Rule<Facts>, facts: Facts) {
  const { applied, apply } = createRuleLog(true);
  assertThrows(() => apply(rule, facts), OAuthError);
  const [{ received, expected } = {}] = applied;
  return { received, expected };
}
