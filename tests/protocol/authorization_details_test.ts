import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import {
  type AuthorizationDetailTypes,
  describeFields,
  narrowAuthorizationDetails,
  readAuthorizationDetails,
} from "../../src/protocol/authorization_details.ts";
import { OAuthError } from "../../src/protocol/oauth_error.ts";

const types: AuthorizationDetailTypes = {
  payment: {
    meaning: "Pay",
    members: {
      amount: { currency: "text", value: "number" },
      "to?": "text",
      "actions?": "texts",
      "now?": "flag",
    },
  },
  other: { meaning: "Something else", members: {} },
};

const amount = { currency: "EUR", value: 5 };
const payment = { type: "payment", amount };

function read(details: unknown) {
  return readAuthorizationDetails(
    typeof details === "string" ? details : JSON.stringify(details),
    types,
    ["payment"],
  );
}

describe("readAuthorizationDetails (RFC 9396, section 2)", () => {
  const good: Array<[what: string, details: Array<Record<string, unknown>>]> = [
    ["a detail without what is optional", [payment]],
    ["one with everything", [{ ...payment, to: "Shop", actions: ["pay", "cancel"], now: true }]],
    ["two of a type", [payment, { ...payment, to: "Another shop" }]],
    ["texts of every language", [{ ...payment, to: "Café Zürich 東京 🎉" }]],
  ];
  for (const [what, details] of good) {
    it(`reads ${what}`, () => {
      assertEquals(read(details), details);
    });
  }

  it("reads nothing where nothing was sent", () => {
    assertEquals(readAuthorizationDetails(undefined, types, ["payment"]), undefined);
  });

  const bad: Array<[what: string, details: unknown]> = [
    ["what is no JSON", "[{"],
    ["an object in place of a list", payment],
    ["an empty list", []],
    ["a list of something else", ["payment"]],
    ["null", [null]],
    ["a list in a list", [[payment]]],
    ["a detail without a type", [{ amount }]],
    ["a type that is no text", [{ ...payment, type: ["payment"] }]],
    ["an unknown type", [{ ...payment, type: "loan" }]],
    ["a type that every object seems to have", [{ type: "constructor" }]],
    ["a type that the client may not use", [{ type: "other" }]],
    ["one bad detail among good ones", [payment, { type: "loan" }]],
    ["an unknown member", [{ ...payment, extra: "x" }]],
    [
      "a member that changes the prototype",
      '[{"type":"payment","amount":{"currency":"EUR","value":5},"__proto__":{"to":"x"}}]',
    ],
    ["an unknown member of a member", [{ type: "payment", amount: { ...amount, extra: "x" } }]],
    ["a missing member", [{ type: "payment" }]],
    ["a missing member of a member", [{ type: "payment", amount: { currency: "EUR" } }]],
    ["a number in place of a text", [{ ...payment, to: 5 }]],
    ["an empty text", [{ ...payment, to: "" }]],
    ["a text of more than 1000 characters", [{ ...payment, to: "a".repeat(1001) }]],
    ["a text with a line break", [{ ...payment, to: "Shop\nNothing to pay" }]],
    ["a text that turns around what follows", [{ ...payment, to: "Shop\u202e" }]],
    ["L6: a text with an invisible character", [{ ...payment, to: "Sh\u200bop" }]],
    ["a text in place of a number", [{ type: "payment", amount: { ...amount, value: "5" } }]],
    ["a number that is infinite", '[{"type":"payment","amount":{"currency":"EUR","value":1e999}}]'],
    ["a text in place of an object", [{ type: "payment", amount: "5 EUR" }]],
    ["a list in place of an object", [{ type: "payment", amount: [amount] }]],
    ["a text in place of texts", [{ ...payment, actions: "pay" }]],
    ["texts with something else among them", [{ ...payment, actions: ["pay", 5] }]],
    ["no texts at all", [{ ...payment, actions: [] }]],
    ["a text in place of true or false", [{ ...payment, now: "true" }]],
    ["more than twenty", Array.from({ length: 21 }, () => payment)],
  ];
  for (const [what, details] of bad) {
    it(`refuses ${what}`, () => {
      const error = assertThrows(() => read(details), OAuthError) as OAuthError;
      assertEquals(error.code, "invalid_authorization_details");
    });
  }
});

describe("narrowAuthorizationDetails (RFC 9396, section 6)", () => {
  const granted = [payment, { ...payment, to: "Shop" }];

  it("keeps everything where nothing is asked for", () => {
    assertEquals(narrowAuthorizationDetails(undefined, granted), granted);
    assertEquals(narrowAuthorizationDetails(undefined, undefined), undefined);
  });

  it("keeps what is asked for, in whatever order its members stand", () => {
    const text = '[{"to":"Shop","amount":{"value":5,"currency":"EUR"},"type":"payment"}]';
    assertEquals(narrowAuthorizationDetails(text, granted), [granted[1]]);
  });

  for (
    const [what, wanted] of [
      ["another amount", [{ type: "payment", amount: { ...amount, value: 6 } }]],
      ["a member more", [{ ...payment, now: true }]],
      ["a member less", [{ type: "payment", amount: { currency: "EUR" } }]],
      ["one that was granted and one that was not", [payment, { type: "other" }]],
      ["texts in another order", [{ ...payment, actions: ["b", "a"] }]],
    ] as const
  ) {
    it(`refuses ${what}`, () => {
      const list = [...granted, { ...payment, actions: ["a", "b"] }];
      assertThrows(
        () => narrowAuthorizationDetails(JSON.stringify(wanted), list),
        OAuthError,
        "must be identical to one that was granted",
      );
    });
  }

  it("refuses what is nested without end, and does not follow it", () => {
    const nested = `[${"[".repeat(8000)}${"]".repeat(8000)}]`;
    assertThrows(
      () => narrowAuthorizationDetails(nested, granted),
      OAuthError,
      "must be a non-empty JSON array",
    );
  });

  it("refuses anything where nothing was granted", () => {
    assertThrows(
      () => narrowAuthorizationDetails(JSON.stringify([payment]), undefined),
      OAuthError,
    );
  });
});

describe("describeFields", () => {
  it("L6: names every member with its value, those of an object one by one, and those of a list apart", () => {
    assertEquals(describeFields({ amount, actions: ["pay, cancel", "pay"], now: false }), [
      { name: "amount.currency", values: ["EUR"] },
      { name: "amount.value", values: ["5"] },
      { name: "actions", values: ["pay, cancel", "pay"] },
      { name: "now", values: ["false"] },
    ]);
  });
});
