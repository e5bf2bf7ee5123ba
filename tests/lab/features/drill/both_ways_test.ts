import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { unfoldFindings } from "../../../../src/lab/features/verdicts/fold.ts";
import type { DrillResult } from "../../../../src/lab/testing/mod.ts";
import {
  type OpenSite,
  openSite,
  siteOrigin,
  type SitePlan,
} from "../../../corpus/broken/open_site.ts";
import { applicationBugs } from "../../../corpus/bugs.ts";
import { createVisitor } from "../../../corpus/harness/visitor.ts";

type DrillName = NonNullable<Parameters<OpenSite["lab"]["drill"]>[1]>[number];

/** Mistakes of the corpus, each with what finds it. */
const mistakes: Array<[bug: string, id: DrillName]> = [
  ["the state is not compared: the newest login of the browser goes on", "callback.wrong_state"],
  ["without PKCE, the nonce is not compared", "id_token.wrong_nonce"],
  ["the issuer of the ID token is not compared", "id_token.wrong_iss"],
  ["the audience of the ID token is not compared", "id_token.wrong_aud"],
  ["an expired ID token passes", "id_token.expired"],
  ["a wrong signature is logged, and the login goes on", "id_token.foreign_signature"],
  ["the user of userinfo is not compared with that of the ID token", "userinfo.wrong_sub"],
  ["the issuer of the metadata is not compared", "metadata.wrong_issuer"],
  ["the type of a token is ignored", "token.wrong_token_type"],
  ["a logout token is decoded, and its signature not verified", "logout_token.foreign_signature"],
];

/** A login as a test has it: a function that rejects if the user is not signed in. */
function functionOf({ fetch, issuer }: OpenSite) {
  return async () => {
    const { open } = createVisitor(fetch, issuer);
    const { status, html } = await open(`${siteOrigin}/account`);
    assert(status === 200 && html.includes("Signed in as"), `status ${status}`);
  };
}

async function drillBothWays(plan: SitePlan, only: readonly DrillName[]) {
  const results: DrillResult[] = [];
  for (const way of [functionOf, () => ({ start: `${siteOrigin}/account` })]) {
    await using site = await openSite(plan);
    results.push(await site.lab.drill(way(site), only));
  }
  return results.map(({ findings, verdict: { notes }, unmet }) => ({
    found: [...unfoldFindings(findings), ...notes].map(({ id }) => id),
    unmet,
  }));
}

describe("A drill by a function, and by the URL of the same application", () => {
  for (const [bug, id] of mistakes) {
    it(`finds that ${bug}`, async () => {
      const plan = applicationBugs.find((each) => each.bug === bug);
      assert(plan, "the corpus has no such bug");
      const found = { found: [id], unmet: [] };
      assertEquals(await drillBothWays(plan, [id]), [found, found]);
      const { configuration = {} } = plan;
      const none = { found: [], unmet: [] };
      assertEquals(await drillBothWays({ configuration }, [id]), [none, none]);
    });
  }

  it("takes a function that fails now and then for no finding", async () => {
    const configuration = { scope: "openid profile email" };
    await using site = await openSite({ configuration });
    const login = functionOf(site);
    let logins = 0;
    const { findings, verdict } = await site.lab.drill(async () => {
      if (++logins % 7 === 0) throw new Error("connection reset by peer");
      await login();
    });
    assertEquals([findings, verdict.grade], [[], "A"]);
  });
});
