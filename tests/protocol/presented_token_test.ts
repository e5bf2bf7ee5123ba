import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { parseParameters } from "../../src/server/protocol/form_parameters.ts";
import { type ErrorCode, OAuthError } from "../../src/server/protocol/oauth_error.ts";
import {
  type ChallengePolicy,
  checkScheme,
  readPresentedToken,
  withChallenges,
} from "../../src/server/protocol/presented_token.ts";
import { applyRule } from "../../src/server/protocol/rule.ts";

const both: ChallengePolicy = { schemes: ["Bearer", "DPoP"], algs: ["ES256", "EdDSA"] };
const bearerOnly: ChallengePolicy = { ...both, schemes: ["Bearer"] };

/** The scheme of each challenge, with a star if it names the error. */
function challengesOf({ details: { challenges = [] } }: OAuthError): string {
  return challenges.map(({ scheme, namesError }) => `${scheme}${namesError ? "*" : ""}`).join(" ");
}

describe("readPresentedToken (OAuth 2.1, section 5.1)", () => {
  const read: Array<[authorization: string | null, body: string, scheme: string]> = [
    ["Bearer abc", "", "Bearer"],
    ["bEaReR  abc", "", "Bearer"],
    ["DPoP abc", "", "DPoP"],
    [null, "access_token=abc", "Bearer"],
    ["Basic YTpi", "access_token=abc", "Bearer"],
  ];
  for (const [authorization, body, scheme] of read) {
    it(`reads the token of '${authorization}' and the body '${body}'`, () => {
      const presented = readPresentedToken(
        applyRule,
        authorization,
        parseParameters(applyRule, body),
        both,
      );
      assertEquals(presented, { scheme, token: "abc" } as typeof presented);
    });
  }

  const bare = "must have an access token";
  const inBoth = "in the header or in the body, not in both";
  const refused: Array<
    [authorization: string | null, body: string, problem: string, challenges: string]
  > = [
    [null, "", bare, "Bearer DPoP"],
    ["Basic YTpi", "", bare, "Bearer DPoP"],
    ["Bearer a b", "", "must have a valid token after its scheme", "Bearer* DPoP"],
    ["DPoP ", "", "must have a valid token after its scheme", "DPoP* Bearer"],
    ["Bearer abc", "access_token=abc", inBoth, "Bearer* DPoP"],
  ];
  for (const [authorization, body, problem, challenges] of refused) {
    it(`refuses '${authorization}' with the body '${body}'`, () => {
      const error = assertThrows(
        () => readPresentedToken(applyRule, authorization, parseParameters(applyRule, body), both),
        OAuthError,
        problem,
      ) as OAuthError;
      assertEquals([challengesOf(error), error.details.hasBody ?? true], [
        challenges,
        problem !== bare,
      ]);
    });
  }

  it("refuses a scheme that is not accepted, and names the error in all challenges", () => {
    const error = assertThrows(
      () => readPresentedToken(applyRule, "DPoP abc", undefined, bearerOnly),
      OAuthError,
      "must have the scheme 'Bearer'",
    ) as OAuthError;
    assertEquals(challengesOf(error), "Bearer*");
  });
});

describe("checkScheme (RFC 9449, sections 7.1 and 7.2)", () => {
  it("wants DPoP for a token that is bound to a key, and Bearer for any other", () => {
    checkScheme(applyRule, "Bearer", undefined);
    checkScheme(applyRule, "DPoP", "key");
    const attempt = () => checkScheme(applyRule, "Bearer", "key");
    assertThrows(attempt, OAuthError, "must have the scheme 'DPoP'");
    assertThrows(
      () => checkScheme(applyRule, "DPoP", undefined),
      OAuthError,
      "must have the scheme 'Bearer'",
    );
  });
});

describe("withChallenges (RFC 6750, section 3)", () => {
  const added = (code: ErrorCode) =>
    withChallenges(both, "DPoP", new OAuthError(code, "No.")) as OAuthError;

  it("adds them to the error of a client, which is a 401 if it is about a proof", () => {
    for (const code of ["invalid_token", "invalid_dpop_proof", "use_dpop_nonce"] as const) {
      const error = added(code);
      assertEquals([challengesOf(error), error.status], ["DPoP* Bearer", 401]);
    }
    assertEquals(added("insufficient_scope").status, 403);
  });

  it("adds none to an error of the server", () => {
    for (const code of ["server_error", "temporarily_unavailable"] as const) {
      assertEquals(challengesOf(added(code)), "");
    }
  });
});
