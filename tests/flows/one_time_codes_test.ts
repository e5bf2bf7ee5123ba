import { assertEquals, assertStringIncludes } from "@std/assert";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, it } from "node:test";
import { publicPasswords } from "../../src/lab/sign_in/one_click.ts";
import { makeTestKey } from "../../src/lab/tokens/test_keys.ts";
import type { Page } from "../support/browser.ts";
import { claimsOf, type Kit, openStrictKit, spa } from "../support/kit.ts";
import { present } from "../support/present.ts";
import oneTimeCodes, { codeAt } from "./one_time_codes.ts";

const secret = "12345678901234567890";
const { policies, ...settings } = oneTimeCodes;
const realNow = Date.now;
let time = Date.UTC(2026, 0, 1);

function openKit(): Kit {
  return openStrictKit({
    ...settings,
    policies: { ...policies, passwords: publicPasswords, makeKey: makeTestKey },
    clients: [spa()],
    scopes: { openid: "Know who you are" },
  });
}

function codeNow(): string {
  return codeAt(secret, Math.floor(time / 30_000));
}

async function signIn(kit: Kit, user: string, code: string): Promise<Page> {
  const browser = kit.browser();
  const page = await browser.open(kit.authorizationUrl({ scope: "openid" }));
  const sent = await browser.submit(page, "sign-in", { username: user, password: user, code });
  if (sent.status !== 200 || !sent.html.includes("consent")) return sent;
  return await browser.decide(sent);
}

/** Returns what the ID token of a sign-in says about it. */
async function signInClaims(user: string, code: string) {
  const kit = openKit();
  const callback = new URL((await signIn(kit, user, code)).url);
  const { body } = await kit.redeem(present(callback.searchParams.get("code")));
  const { acr, amr } = claimsOf<{ acr: string; amr: string[] }>(body.id_token);
  return { acr, amr };
}

describe("The documented example of one-time codes", () => {
  beforeEach(() => {
    // The example remembers the codes that it has seen.
    time += 10 * 60_000;
    Date.now = () => time;
  });
  afterEach(() => {
    Date.now = realNow;
  });

  it("shows the policy that this test runs", () => {
    const [, shown = ""] = /```ts\n(async authenticate[^`]*)\n```/.exec(
      readFileSync(".github/CONFIGURATION.md", "utf8"),
    ) ?? [];
    const lines = (text: string) => text.trim().replace(/^ +/gm, "");
    assertStringIncludes(
      lines(readFileSync("tests/flows/one_time_codes.ts", "utf8")),
      lines(shown),
    );
    assertStringIncludes(shown, "users.checkPassword");
  });

  const vectors: Array<[seconds: number, code: string]> = [
    [59, "287082"],
    [1_111_111_109, "081804"],
    [20_000_000_000, "353130"],
  ];
  for (const [seconds, code] of vectors) {
    it(`makes the codes of RFC 6238, appendix B: ${code}`, () => {
      assertEquals(codeAt(secret, Math.floor(seconds / 30)), code);
    });
  }

  it("tells clients the truth about a sign-in with a code (RFC 8176)", async () => {
    assertEquals(await signInClaims("alice", codeNow()), {
      acr: "urn:example:two-factors",
      amr: ["pwd", "otp", "mfa"],
    });
  });

  it("tells clients the truth about a sign-in without one", async () => {
    assertEquals(await signInClaims("bob", ""), { acr: "urn:example:password", amr: ["pwd"] });
  });

  it("accepts the code of the half minute before", async () => {
    const code = codeNow();
    time += 30_000;
    assertEquals((await signIn(openKit(), "alice", code)).status, 303);
  });

  const refusals: Array<[what: string, codeOf: () => string]> = [
    ["none", () => ""],
    ["a wrong one", () => "000000"],
    ["an old one", () => codeAt(secret, Math.floor(time / 30_000) - 2)],
    ["one from the future", () => codeAt(secret, Math.floor(time / 30_000) + 1)],
  ];
  for (const [what, codeOf] of refusals) {
    it(`refuses ${what} of a user who has an app`, async () => {
      assertEquals((await signIn(openKit(), "alice", codeOf())).status, 422);
    });
  }

  it("accepts a code once (RFC 6238, section 5.2)", async () => {
    const kit = openKit();
    const code = codeNow();
    assertEquals((await signIn(kit, "alice", code)).status, 303);
    assertEquals((await signIn(kit, "alice", code)).status, 422);
  });
});
