import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { readClientCredentials } from "../../src/server/protocol/client_authentication.ts";
import { parseParameters } from "../../src/server/protocol/form_parameters.ts";
import { applyRule } from "../../src/server/protocol/rule.ts";

function bytes(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

describe("readClientCredentials from HTTP Basic (OAuth 2.1, section 2.4.1)", () => {
  const vectors: Array<[what: string, sent: string, id: string, secret: string]> = [
    ["plain text", "web:secret", "web", "secret"],
    ["%3A for a colon in the id", "a%3Ab:secret", "a:b", "secret"],
    ["%25 for a percent sign", "web:100%25", "web", "100%"],
    ["a plus for a space", "web:a+b", "web", "a b"],
    ["%2B for a plus", "web:a%2Bb", "web", "a+b"],
    ["a colon inside the secret", "web:a:b", "web", "a:b"],
    ["UTF-8", "web:%C3%A9", "web", "é"],
    ["UTF-8 without percent-encoding", "web:é", "web", "é"],
    ["an empty secret", "web:", "web", ""],
    ["an empty id", ":secret", "", "secret"],
  ];
  for (const [what, sent, clientId, secret] of vectors) {
    it(`T06 reads ${what}`, () => {
      const credentials = readClientCredentials(
        applyRule,
        `Basic ${bytes(sent)}`,
        parseParameters(applyRule, ""),
      );
      const undecoded = sent.slice(sent.indexOf(":") + 1);
      assertEquals(credentials, {
        method: "client_secret_basic",
        clientId,
        proof: secret,
        undecoded,
      });
    });
  }

  it("reads the scheme in any case", () => {
    assertEquals(
      readClientCredentials(applyRule, `bAsIc ${bytes("web:x")}`, parseParameters(applyRule, ""))
        .clientId,
      "web",
    );
  });
});

describe("readClientCredentials (OAuth 2.1, section 2.4)", () => {
  it("T05 reads a secret from the body", () => {
    assertEquals(
      readClientCredentials(
        applyRule,
        null,
        parseParameters(applyRule, "client_id=web&client_secret=x"),
      ),
      { clientId: "web", method: "client_secret_post", proof: "x" },
    );
  });

  it("reads a public client from the body", () => {
    assertEquals(
      readClientCredentials(applyRule, null, parseParameters(applyRule, "client_id=spa")),
      { clientId: "spa", method: "none", proof: "" },
    );
  });

  it("T07 accepts the same client_id in the body with Basic", () => {
    assertEquals(
      readClientCredentials(
        applyRule,
        `Basic ${bytes("web:x")}`,
        parseParameters(applyRule, "client_id=web"),
      ).clientId,
      "web",
    );
  });
});
