import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { mayRedirectAfterLogout } from "../../../src/server/features/logout/logout_request.ts";

describe("mayRedirectAfterLogout (OpenID Connect RP-Initiated Logout, section 3)", () => {
  const cases: Array<
    [
      trusted: boolean,
      isFromClient: boolean,
      isOwnSession: boolean,
      isConfirmed: boolean,
      redirects: boolean,
    ]
  > = [
    [true, false, false, false, false],
    [true, true, false, false, true],
    [true, true, true, false, true],
    [true, false, false, true, true],
    [false, false, false, false, false],
    [false, true, false, false, false],
    [false, true, true, false, true],
    [false, false, false, true, true],
    [false, true, false, true, true],
  ];
  for (const [trusted, isFromClient, isOwnSession, isConfirmed, redirects] of cases) {
    it(`M1: is ${redirects} for ${JSON.stringify({ trusted, isFromClient, isOwnSession, isConfirmed })}`, () => {
      assertEquals(
        mayRedirectAfterLogout({ trusted }, { isFromClient, isOwnSession, isConfirmed }),
        redirects,
      );
    });
  }
});
