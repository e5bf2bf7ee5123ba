import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { clientAssertionType } from "../../src/server/protocol/client_assertion.ts";
import { readClientCredentials } from "../../src/server/protocol/client_authentication.ts";
import { parseParameters } from "../../src/server/protocol/form_parameters.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
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

  const notEncoded = "must be form-encoded";
  const refused: Array<[what: string, header: string, problem: string]> = [
    ["no colon", `Basic ${bytes("web")}`, "base64 of 'id:secret'"],
    ["an invalid percent sequence", `Basic ${bytes("web:100%")}`, notEncoded],
    ["an invalid percent sequence in the id", `Basic ${bytes("100%:x")}`, notEncoded],
    ["bytes that are not UTF-8", `Basic ${btoa("web:\xff")}`, "base64 of 'id:secret'"],
    ["text that is not base64", "Basic !!!", "must be HTTP Basic"],
    ["another scheme", "Bearer abc", "must be HTTP Basic"],
    ["no credentials", "Basic ", "must be HTTP Basic"],
    ["a null character", `Basic ${bytes("web:a%00b")}`, notEncoded],
  ];
  for (const [what, header, problem] of refused) {
    it(`T06 refuses ${what}`, () => {
      const error = assertThrows(
        () => readClientCredentials(applyRule, header, parseParameters(applyRule, "")),
        OAuthError,
        problem,
      ) as OAuthError;
      assertEquals(error.code, "invalid_client");
    });
  }
});

describe("readClientCredentials (OAuth 2.1, section 2.4)", () => {
  it("T05 reads a secret from the body", () => {
    assertEquals(
      readClientCredentials(
        applyRule,
        null,
        parseParameters(applyRule, "client_id=web&client_secret=x"),
      ),
      {
        clientId: "web",
        method: "client_secret_post",
        proof: "x",
      },
    );
  });

  it("reads a public client from the body", () => {
    assertEquals(
      readClientCredentials(applyRule, null, parseParameters(applyRule, "client_id=spa")),
      {
        clientId: "spa",
        method: "none",
        proof: "",
      },
    );
  });

  const twoMethods: Array<[what: string, header: string | null, body: string]> = [
    ["Basic and a secret in the body", `Basic ${bytes("web:x")}`, "client_secret=x"],
    ["Basic and an assertion", `Basic ${bytes("web:x")}`, "client_assertion=x"],
    ["a secret and an assertion", null, "client_id=web&client_secret=x&client_assertion=x"],
    ["a secret and the type of one", null, "client_id=web&client_secret=x&client_assertion_type=x"],
  ];
  for (const [what, header, body] of twoMethods) {
    it(`T07 refuses ${what} at once`, () => {
      const error = assertThrows(
        () => readClientCredentials(applyRule, header, parseParameters(applyRule, body)),
        OAuthError,
        "at most one method",
      ) as OAuthError;
      assertEquals(error.code, "invalid_request");
    });
  }

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

  it("T07 refuses a different client_id in the body with Basic", () => {
    assertThrows(
      () =>
        readClientCredentials(
          applyRule,
          `Basic ${bytes("web:x")}`,
          parseParameters(applyRule, "client_id=spa"),
        ),
      OAuthError,
      "must be that of the client that authenticates",
    );
  });

  const incomplete: Record<string, [body: string, problem: string]> = {
    "a request that must name its client": ["", "must name its client"],
    "a secret without a client_id": [
      "client_secret=x",
      "A client_secret must come with a client_id",
    ],
    "an assertion without its type": ["client_assertion=x", "client_assertion_type must be"],
    "the type of an assertion alone": [
      `client_assertion_type=${encodeURIComponent(clientAssertionType)}`,
      "client_assertion must be a JWT",
    ],
  };
  for (const [what, [body, problem]] of Object.entries(incomplete)) {
    it(`refuses ${what}`, () => {
      const error = assertThrows(
        () => readClientCredentials(applyRule, null, parseParameters(applyRule, body)),
        OAuthError,
        problem,
      ) as OAuthError;
      assertEquals(error.code, "invalid_client");
    });
  }
});
