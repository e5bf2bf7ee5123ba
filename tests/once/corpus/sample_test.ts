import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { apiBugs } from "../../corpus/broken/api_bugs.ts";
import { isNamedBy } from "../../corpus/broken/bug.ts";
import { applicationBugs } from "../../corpus/bugs.ts";
import { drillApi } from "../../corpus/harness/measure_api.ts";
import { drillSite } from "../../corpus/harness/measure_site.ts";
import limits from "../../corpus/limits.json" with { type: "json" };
import { needs } from "../../support/where_feature.ts";

/** One mistake of each kind; `deno task corpus` has all. */
const ofApplication: readonly string[] = [
  "the state is compared only if there is one",
  "an expired ID token passes",
  "the account is that of userinfo, whoever the ID token is about",
  "without a valid refresh token, pages fail for ever, and nobody is asked to sign in",
  "any signed token signs out: the event is not read",
  "the session keeps its id when the user signs in",
];

const ofApi: readonly string[] = [
  "a token may be for any audience",
  "a key of the tests is still trusted",
  "one of the required scopes is enough",
  "a proof for another URL works",
];

describe("A mistake of an application by hand", () => {
  for (const bug of applicationBugs.filter((each) => ofApplication.includes(each.bug))) {
    it(`is named: ${bug.bug}`, needs("drill", "report"), async () => {
      const { findings, problem } = await drillSite(bug);
      assertEquals(problem, undefined);
      assert(isNamedBy(findings[0]?.id ?? "", bug.named));
    });
  }
});

describe("A mistake of an API by hand", () => {
  for (const bug of apiBugs.filter((each) => ofApi.includes(each.bug))) {
    it(`is named: ${bug.bug}`, needs("api_drill", "report"), async () => {
      const { findings, problem } = await drillApi(bug);
      assertEquals(problem, undefined);
      assert(isNamedBy(findings[0]?.id ?? "", bug.named));
    });
  }
});

describe("The application and the API by hand", () => {
  it("have no mistake of their own", needs("drill", "api_drill", "report"), async () => {
    const [site, api] = [await drillSite({}), await drillApi()];
    assertEquals([site.grade, site.findings, api.grade, api.findings], ["A", [], "A", []]);
  });
});

describe("The limits of the corpus", () => {
  it("name mistakes that exist", () => {
    const bugs = [...applicationBugs, ...apiBugs].map(({ bug }) => bug);
    assertEquals(limits.unnamed.filter((each) => !bugs.includes(each)), []);
    assertEquals(bugs.filter((each, at) => bugs.indexOf(each) !== at), []);
    for (const sample of [...ofApplication, ...ofApi]) assert(bugs.includes(sample), sample);
  });
});
