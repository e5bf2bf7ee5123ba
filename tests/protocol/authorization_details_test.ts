import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import type { AuthorizationDetailTypes } from "../../src/server/protocol/authorization_detail_types.ts";
import {
  describeFields,
  narrowAuthorizationDetails,
  readAuthorizationDetails,
} from "../../src/server/protocol/authorization_details.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import { applyRule } from "../../src/server/protocol/rule.ts";

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
    applyRule,
    typeof details === "string" ? details : JSON.stringify(details),
    types,
    ["payment"],
  );
}

describe("readAuthorizationDetails (RFC 9396, section 2)", () => {
  const good: Array<[what: string, details: Array<Record<string, unknown>>]> = [
    ["a detail without optional members", [payment]],
    ["a detail with all members", [{
      ...payment,
      to: "Shop",
      actions: ["pay", "cancel"],
      now: true,
    }]],
    ["two details of the same type", [payment, { ...payment, to: "Another shop" }]],
    ["twenty details", Array.from({ length: 20 }, () => payment)],
    ["strings in any language", [{ ...payment, to: "Café Zürich 東京 🎉" }]],
    ["a string of 1000 characters", [{ ...payment, to: "🎉".repeat(1000) }]],
  ];
  for (const [what, details] of good) {
    it(`reads ${what}`, () => {
      assertEquals(read(details), details);
    });
  }

  it("returns undefined without the parameter", () => {
    assertEquals(readAuthorizationDetails(applyRule, undefined, types, ["payment"]), undefined);
  });

  const notList = "must be a JSON array of 1 to 20 entries";
  const noType = "must be an object with a 'type'";
  const notText = "'payment.to' must be a string of up to 1000 visible characters";
  const notTexts = "'payment.actions' must be a list of such strings";
  const bad: Record<string, [details: unknown, problem: string]> = {
    "malformed JSON": ["[{", notList],
    "an object instead of a list": [payment, notList],
    "an empty list": [[], notList],
    "a list of strings": [["payment"], noType],
    "null": [[null], noType],
    "a list in a list": [[[payment]], noType],
    "a detail without a type": [[{ amount }], noType],
    "a type that is not a string": [[{ ...payment, type: ["payment"] }], noType],
    "an unknown type": [
      [{ ...payment, type: "loan" }],
      "The type of authorization_details is not known",
    ],
    "the name of an inherited property as type": [[{ type: "constructor" }], "is not known"],
    "a type that the client may not use": [
      [{ type: "other" }],
      "must have a type that the client may request",
    ],
    "one bad detail among good ones": [
      [payment, { type: "loan" }],
      "The type of authorization_details is not known",
    ],
    "an unknown member": [[{ ...payment, extra: "x" }], "'payment' has an unknown member"],
    "a member that changes the prototype": [
      '[{"type":"payment","amount":{"currency":"EUR","value":5},"__proto__":{"to":"x"}}]',
      "'payment' has an unknown member",
    ],
    "an unknown member of a member": [
      [{ type: "payment", amount: { ...amount, extra: "x" } }],
      "'payment.amount' has an unknown member",
    ],
    "a missing member": [[{ type: "payment" }], "'amount' of 'payment' is missing"],
    "a missing member of a member": [
      [{ type: "payment", amount: { currency: "EUR" } }],
      "'value' of 'payment.amount' is missing",
    ],
    "a number instead of a string": [[{ ...payment, to: 5 }], notText],
    "an empty string": [[{ ...payment, to: "" }], notText],
    "a string of more than 1000 characters": [[{ ...payment, to: "a".repeat(1001) }], notText],
    "a string with a line break": [[{ ...payment, to: "Shop\nNothing to pay" }], notText],
    "a string that reverses what follows": [[{ ...payment, to: "Shop\u202e" }], notText],
    "L6: a string with an invisible character": [[{ ...payment, to: "Sh\u200bop" }], notText],
    "a string instead of a number": [
      [{ type: "payment", amount: { ...amount, value: "5" } }],
      "'payment.amount.value' must be a number",
    ],
    "a number that is infinite": [
      '[{"type":"payment","amount":{"currency":"EUR","value":1e999}}]',
      "'payment.amount.value' must be a number",
    ],
    "a string instead of an object": [[{ type: "payment", amount: "5 EUR" }], "must be an object"],
    "a list instead of an object": [[{ type: "payment", amount: [amount] }], "must be an object"],
    "a string instead of a list": [[{ ...payment, actions: "pay" }], notTexts],
    "a list with a number among its strings": [[{ ...payment, actions: ["pay", 5] }], notTexts],
    "an empty list of strings": [[{ ...payment, actions: [] }], notTexts],
    "a string instead of a boolean": [[{ ...payment, now: "true" }], "must be true or false"],
    "more than twenty details": [Array.from({ length: 21 }, () => payment), "1 to 20 entries"],
  };
  for (const [what, [details, problem]] of Object.entries(bad)) {
    it(`refuses ${what}`, () => {
      const error = assertThrows(() => read(details), OAuthError, problem) as OAuthError;
      assertEquals(error.code, "invalid_authorization_details");
    });
  }
});

describe("narrowAuthorizationDetails (RFC 9396, section 6)", () => {
  const toShop = { ...payment, to: "Shop" };
  const granted = [payment, toShop];

  it("keeps the requested details, whatever the order of their members", () => {
    const text = '[{"to":"Shop","amount":{"value":5,"currency":"EUR"},"type":"payment"}]';
    assertEquals(narrowAuthorizationDetails(applyRule, text, granted), [toShop]);
  });

  for (
    const [what, wanted] of [
      ["a different amount", [{ type: "payment", amount: { ...amount, value: 6 } }]],
      ["an additional member", [{ ...payment, now: true }]],
      ["a missing member", [{ type: "payment", amount: { currency: "EUR" } }]],
      ["a granted detail and another one", [payment, { type: "other" }]],
      ["strings in a different order", [{ ...payment, actions: ["b", "a"] }]],
    ] as const
  ) {
    it(`refuses ${what}`, () => {
      const list = [...granted, { ...payment, actions: ["a", "b"] }];
      const attempt = () => narrowAuthorizationDetails(applyRule, JSON.stringify(wanted), list);
      assertThrows(attempt, OAuthError, "must be identical to one that was granted");
    });
  }

  it("refuses endless nesting without following it", () => {
    const nested = `[${"[".repeat(8000)}${"]".repeat(8000)}]`;
    const attempt = () => narrowAuthorizationDetails(applyRule, nested, granted);
    assertThrows(attempt, OAuthError, "must be a JSON array of 1 to 20 entries");
  });

  it("refuses every detail if none was granted", () => {
    assertThrows(
      () => narrowAuthorizationDetails(applyRule, JSON.stringify([payment]), undefined),
      OAuthError,
    );
  });
});

describe("describeFields", () => {
  it("L6: lists every member with its value, flattens objects, and keeps the entries of lists apart", () => {
    assertEquals(describeFields({ amount, actions: ["pay, cancel", "pay"], now: false }), [
      { name: "amount.currency", values: ["EUR"] },
      { name: "amount.value", values: ["5"] },
      { name: "actions", values: ["pay, cancel", "pay"] },
      { name: "now", values: ["false"] },
    ]);
  });
});
