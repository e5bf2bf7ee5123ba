import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { readClientCredentials } from "../../src/protocol/client_authentication.ts";
import { parseParameters } from "../../src/protocol/form_parameters.ts";
import { OAuthError } from "../../src/protocol/oauth_error.ts";

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
  ];
  for (const [what, sent, clientId, secret] of vectors) {
    it(`T06 reads ${what}`, () => {
      const credentials = readClientCredentials(`Basic ${bytes(sent)}`, parseParameters(""));
      assertEquals(credentials, { method: "client_secret_basic", clientId, proof: secret });
    });
  }

  it("reads the scheme in any case", () => {
    assertEquals(
      readClientCredentials(`bAsIc ${bytes("web:x")}`, parseParameters("")).clientId,
      "web",
    );
  });

  const refused: Array<[what: string, header: string]> = [
    ["no colon", `Basic ${bytes("web")}`],
    ["an invalid percent sequence", `Basic ${bytes("web:100%")}`],
    ["bytes that are not UTF-8", `Basic ${btoa("web:\xff")}`],
    ["text that is not base64", "Basic !!!"],
    ["another scheme", "Bearer abc"],
    ["no credentials", "Basic "],
    ["a null character", `Basic ${bytes("web:a%00b")}`],
  ];
  for (const [what, header] of refused) {
    it(`T06 refuses ${what}`, () => {
      const error = assertThrows(
        () => readClientCredentials(header, parseParameters("")),
        OAuthError,
      ) as OAuthError;
      assertEquals(error.code, "invalid_client");
    });
  }
});

describe("readClientCredentials (OAuth 2.1, section 2.4)", () => {
  it("T05 reads a secret from the body", () => {
    assertEquals(readClientCredentials(null, parseParameters("client_id=web&client_secret=x")), {
      clientId: "web",
      method: "client_secret_post",
      proof: "x",
    });
  });

  it("reads a public client from the body", () => {
    assertEquals(readClientCredentials(null, parseParameters("client_id=spa")), {
      clientId: "spa",
      method: "none",
      proof: "",
    });
  });

  it("T07 refuses two methods at once", () => {
    const error = assertThrows(
      () => readClientCredentials(`Basic ${bytes("web:x")}`, parseParameters("client_secret=x")),
      OAuthError,
    ) as OAuthError;
    assertEquals(error.code, "invalid_request");
  });

  it("T07 accepts the same client_id in the body with Basic", () => {
    assertEquals(
      readClientCredentials(`Basic ${bytes("web:x")}`, parseParameters("client_id=web")).clientId,
      "web",
    );
  });

  it("T07 refuses a different client_id in the body with Basic", () => {
    assertThrows(
      () => readClientCredentials(`Basic ${bytes("web:x")}`, parseParameters("client_id=spa")),
      OAuthError,
      "not the client that authenticates",
    );
  });

  it("refuses a request that names no client", () => {
    assertThrows(
      () => readClientCredentials(null, parseParameters("")),
      OAuthError,
      "names no client",
    );
  });
});
