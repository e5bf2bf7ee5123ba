import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import type { DrillResult } from "../../../../src/lab/testing/mod.ts";
import { openDrilledLab, origin, type Weakness } from "../../../support/drilled_application.ts";

type DrillName = Parameters<Awaited<ReturnType<typeof openDrilledLab>>["lab"]["drill"]>[1];

const application = {
  start: `${origin}/`,
  refresh: `${origin}/refresh`,
  logout: `${origin}/logout`,
};

/** What a drill tries that is about production. */
const all: NonNullable<DrillName> = [
  ...["token.held", "token.lost", "refresh.held", "refresh.lost"] as const,
  ...["same_session", "code_in_url", "session_survives", "server_session"] as const,
];

async function drill(weaknesses: readonly Weakness[], only = all): Promise<DrillResult> {
  const { lab } = await openDrilledLab("careful", {}, undefined, weaknesses);
  try {
    return await lab.drill(application, only);
  } finally {
    await lab.close();
  }
}

/** Each weakness, with what finds it: its grade, and a part of what came. */
const planted: Array<[weakness: Weakness, id: string, level: string, received: string]> = [
  [
    "same_session",
    "same_session",
    "D",
    "the cookie 'session' from before the sign-in opens the session",
  ],
  ["code_in_url", "code_in_url", "B", "/callback keeps the code in its URL, and sends no Ref"],
  ["session_survives", "session_survives", "D", "http://localhost:3000/ still opens"],
  ["failed_tab_ends_session", "token.held", "B", "/ still leads to the lab"],
  [
    "refreshes_in_parallel",
    "refresh.held",
    "B",
    "Of two refreshes at once, one fails: http://localhost:3000/refresh responds with status 400",
  ],
  ["keeps_dead_refresh_token", "refresh.lost", "B", "After a response was lost, http"],
  ["retries_refresh_for_ever", "refresh.lost", "B", "an endless loop"],
  ["remembers_failure", "token.lost", "B", "/ responds with status 500"],
];

describe("A drill of what breaks in production", () => {
  it("finds nothing in an application that handles all of it", async () => {
    const { findings, wronglyRefused, tolerated, unmet, checks } = await drill([]);
    assertEquals([findings, wronglyRefused, unmet], [[], [], []]);
    assertEquals(tolerated, ["token.held", "token.lost", "refresh.held", "refresh.lost"]);
    assertEquals(checks.map(({ id, skipped }) => [id, skipped]), [
      ["same_session", undefined],
      ["code_in_url", undefined],
      ["session_survives", undefined],
      ["server_session", undefined],
    ]);
  });

  for (const [weakness, id, grade, received] of planted) {
    it(`finds a planted weakness: ${weakness}`, async () => {
      const { findings } = await drill([weakness]);
      assertEquals(findings.map((each) => [each.id, each.grade]), [[id, grade]]);
      const [finding] = findings;
      assertStringIncludes(finding?.received ?? "", received);
      assertMatch(finding?.see ?? "", /, section [\d.]+$/);
      for (const text of [finding?.gain, finding?.fix]) assertMatch(text ?? "", /^[A-Z].*\.$/);
    });
  }

  it("does not look at a sign-out that it does not know", async () => {
    const { lab } = await openDrilledLab("careful", {}, undefined, ["no_sign_out"]);
    const { checks } = await lab.drill({ start: `${origin}/` }, ["session_survives"]);
    assertEquals(checks.map(({ skipped }) => skipped), [
      "The drill found nothing that signs out: name it with --logout.",
    ]);
    await lab.close();
  });

  it("finds a sign-out that ends nothing, and tries the rest as well", async () => {
    const { lab } = await openDrilledLab("careful");
    const public_ = { start: `${origin}/`, logout: `${origin}/public` };
    const { findings, outcomes } = await lab.drill(public_, ["session_survives", "token.lost"]);
    assertEquals(findings.map(({ id }) => id), ["session_survives"]);
    assertEquals(outcomes.map(({ outcome }) => outcome), ["tolerated"]);
    await lab.close();
  });

  it("needs a URL for the session, and two requests at once of a function", async () => {
    const { lab } = await openDrilledLab("careful");
    const { checks, outcomes } = await lab.drill(async () => true, ["token.held", "same_session"]);
    assertEquals([checks.length, outcomes.map(({ outcome }) => outcome)], [1, ["unmet"]]);
    assertMatch(checks[0]?.skipped ?? "", /^It needs a URL: lab\.drill\(\{ start: URL \}\)/);
    await lab.close();
  });
});

describe("A drill of an application that ignores a failed refresh", () => {
  it("finds that, and does not take it for one that accepts the ID token of a refresh", async () => {
    const forged = ["refresh.wrong_sub", "refresh.wrong_iss", "refresh.wrong_aud"] as const;
    const only = [...forged, "refresh.invalid_grant"] as const;
    const { findings, refused } = await drill(["ignores_failed_refresh"], [...only]);
    assertEquals(findings.map(({ id, grade, title, fix = "" }) => [id, grade, title, fix]), [[
      "refresh.invalid_grant",
      "B",
      "Goes on after a refresh that was refused",
      "When a refresh ends with invalid_grant, delete the tokens, and ask the user to sign in again.",
    ]]);
    assertEquals(refused.toSorted(), forged.toSorted());
  });
});
