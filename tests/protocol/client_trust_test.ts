import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Registration } from "../../src/server/model/client.ts";
import {
  hasOperatorUrls,
  mayRedirectError,
  mayRememberConsent,
  trustOf,
  untrustedClientNotice,
} from "../../src/server/protocol/client_trust.ts";

const registration: Registration = { tokenHash: "", issuedAt: 0, metadata: {} };
const configured = { trusted: true };
const trustedRegistration = {
  trusted: true,
  registration: { ...registration, initialAccess: true },
};
const admitted = { trusted: false, registration: { ...registration, initialAccess: true } };
const open = { trusted: false, registration };
const documented = { trusted: false };

describe("trustOf", () => {
  it("tells trusted, admitted and untrusted clients apart", () => {
    const levels = [configured, trustedRegistration, admitted, open, documented].map(trustOf);
    assertEquals(levels, ["trusted", "trusted", "admitted", "untrusted", "untrusted"]);
  });
});

describe("hasOperatorUrls", () => {
  it("is true for configured clients only: a trusted registration chose its own URLs", () => {
    const kinds = [configured, trustedRegistration, admitted, open, documented].map(
      hasOperatorUrls,
    );
    assertEquals(kinds, [true, false, false, false, false]);
  });
});

describe("mayRedirectError (RFC 9700, section 4.11.2)", () => {
  const cases: Array<
    [
      trusted: boolean,
      silent: boolean,
      signedIn: boolean,
      onlyAfterSignIn: boolean,
      redirects: boolean,
    ]
  > = [
    [true, false, false, false, true],
    [true, false, false, true, false],
    [true, false, true, true, true],
    [true, true, false, true, true],
    [false, false, false, false, false],
    [false, false, true, false, false],
    [false, true, false, false, false],
    [false, true, true, true, false],
  ];
  for (const [trusted, silent, signedIn, onlyAfterSignIn, redirects] of cases) {
    it(`is ${redirects} for ${JSON.stringify({ trusted, silent, signedIn, onlyAfterSignIn })}`, () => {
      assertEquals(
        mayRedirectError({ redirectUri: "", mode: "query", trusted, hasPromptNone: silent }, {
          signedIn,
          onlyAfterSignIn,
        }),
        redirects,
      );
    });
  }
});

describe("mayRememberConsent (OAuth 2.1, section 7.3)", () => {
  const cases: Array<[trusted: boolean, rememberConsent: boolean, expected: boolean]> = [
    [true, true, true],
    [true, false, false],
    [false, true, false],
    [false, false, false],
  ];
  for (const [trusted, rememberConsent, expected] of cases) {
    it(`is ${expected} for ${JSON.stringify({ trusted, rememberConsent })}`, () => {
      assertEquals(mayRememberConsent({ trusted, rememberConsent }), expected);
    });
  }
});

describe("untrustedClientNotice (OAuth 2.1, section 7.9)", () => {
  const uris = [
    "https://app.example/cb",
    "https://app.example/other",
    "http://127.0.0.1/cb",
    "com.example.app:/cb",
  ];

  it("is undefined for a trusted client", () => {
    assertEquals(untrustedClientNotice({ id: "app", trusted: true }, uris), undefined);
  });

  it("L6: names every receiver once", () => {
    const receivers = ["app.example", "a program on this device", "com.example.app"];
    assertEquals(untrustedClientNotice({ id: "app", trusted: false }, uris), {
      host: undefined,
      receivers,
    });
  });

  it("names the host of a metadata document, also of one on this machine", () => {
    const hostOf = (id: string) => untrustedClientNotice({ id, trusted: false }, [])?.host;
    assertEquals(hostOf("https://app.example/client.json"), "app.example");
    assertEquals(hostOf("http://localhost:3000/client.json"), "localhost:3000");
  });
});
