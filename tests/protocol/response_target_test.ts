import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import type { Client } from "../../src/server/model/client.ts";
import { toParameters } from "../../src/server/protocol/form_parameters.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import {
  readClientId,
  readResponseMode,
  readResponseTarget,
} from "../../src/server/protocol/response_target.ts";
import { applyRule } from "../../src/server/protocol/rule.ts";

const redirectUri = "https://app.example/cb";
const client = {
  id: "app",
  trusted: true,
  native: false,
  redirectUris: [redirectUri, "https://app.example/other"],
  responseModes: ["query", "form_post"],
} as Partial<Client> as Client;

function target(parameters: Record<string, string>, of = client) {
  const given = { redirect_uri: redirectUri, ...parameters };
  return readResponseTarget(applyRule, toParameters(Object.entries(given)), of);
}

describe("readResponseMode (OAuth 2.0 Multiple Response Types, section 2.1; JARM, section 2.3)", () => {
  const modes: Array<[text: string | undefined, expected: string | undefined]> = [
    [undefined, "query"],
    ["query", "query"],
    ["form_post", "form_post"],
    ["fragment", "fragment"],
    ["jwt", "query, signed"],
    ["query.jwt", "query, signed"],
    ["form_post.jwt", "form_post, signed"],
    ["fragment.jwt", "fragment, signed"],
    ["Query", undefined],
    ["query.", undefined],
    ["web_message", undefined],
  ];
  for (const [text, expected] of modes) {
    it(`reads '${text}' as ${expected}`, () => {
      const parsed = readResponseMode(text);
      assertEquals(parsed && `${parsed.mode}${parsed.isSigned ? ", signed" : ""}`, expected);
    });
  }
});

describe("readResponseTarget (OAuth 2.1, section 4.1.1)", () => {
  it("sends the response as requested, and in the query where that is not allowed", () => {
    const modeOf = (response_mode: string) => target({ response_mode }).mode;
    assertEquals(["form_post", "fragment", "x"].map(modeOf), ["form_post", "query", "query"]);
  });

  it("signs the response for its client if requested", () => {
    const withAlg: Client = { ...client, authorizationResponseAlg: "ES256" };
    assertEquals(target({}, withAlg).signing, undefined);
    const expected = { audience: "app", alg: "ES256" } as const;
    assertEquals(target({ response_mode: "jwt" }, withAlg).signing, expected);
  });

  it("knows a request that must show no page, and how far its client is trusted", () => {
    const { hasPromptNone, trusted } = target({ prompt: "login none" });
    assertEquals([hasPromptNone, trusted], [true, true]);
    const other = target({ prompt: "login" }, { ...client, trusted: false });
    assertEquals([other.hasPromptNone, other.trusted], [false, false]);
    assertEquals(target({}).hasPromptNone, false);
  });

  it("A27 keeps a state of any visible characters", () => {
    for (const state of ["a b", "~", "é", "\u0080"]) assertEquals(target({ state }).state, state);
    assertEquals(target({}).state, undefined);
  });

  const refused: Array<[what: string, parameters: Record<string, string>, problem: string]> = [
    ["A15 no redirect_uri", { redirect_uri: "" }, "must have the parameter 'redirect_uri'"],
    ["A11 another redirect_uri", { redirect_uri: `${redirectUri}/` }, "must be identical to one"],
    ["A27 a state with a tab", { state: "a\tb" }, "must not contain control characters"],
    ["A27 a state with the last control character of ASCII", { state: "\x7f" }, "control"],
    ["A27 a state of more than 2048 characters", { state: "a".repeat(2049) }, "at most 2048"],
  ];
  for (const [what, parameters, problem] of refused) {
    it(`refuses ${what}`, () => {
      assertThrows(() => target(parameters), OAuthError, problem);
    });
  }
});

describe("readClientId", () => {
  const refused: Array<[what: string, pieces: Array<[string, string]>, problem: string]> = [
    ["A11 no client_id", [], "must have the parameter 'client_id'"],
    ["A04 two of them", [["client_id", "a"], ["client_id", "a"]], "must be sent only once"],
    [
      "A04 two states",
      [["client_id", "a"], ["state", ""], ["state", "a"]],
      "must be sent only once",
    ],
  ];
  for (const [what, pieces, problem] of refused) {
    it(`refuses ${what}`, () => {
      assertThrows(() => readClientId(applyRule, toParameters(pieces)), OAuthError, problem);
    });
  }

  it("ignores repeats that do not decide where the response goes", () => {
    const pieces = [["client_id", "a"], ["nonce", "1"], ["nonce", "2"]] as const;
    assertEquals(readClientId(applyRule, toParameters(pieces)), "a");
  });
});
