import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { untestedIn } from "../../../../src/lab/features/verdicts/parts.ts";
import type { FindingGrade } from "../../../../src/lab/findings/grade.ts";
import {
  describeVerdict,
  type Untested,
  whyNoGrade,
} from "../../../../src/lab/findings/verdict.ts";
import { openSite, siteOrigin, type SitePlan } from "../../../corpus/broken/open_site.ts";
import type { Pending, Session, Site } from "../../../corpus/broken/site.ts";
import { call, type Json } from "../../../corpus/harness/measured_lab.ts";

const urls = {
  start: `${siteOrigin}/account`,
  check: `${siteOrigin}/account`,
  refresh: `${siteOrigin}/refresh`,
  logout: `${siteOrigin}/logout`,
};

type Steps = typeof Site.prototype;

/** Replaces the response to some callbacks of the site, by their numbers. */
function failing(
  isMeant: (number: number) => boolean,
  respond: () => Response,
  when: "before" | "after" = "after",
): SitePlan {
  let callbacks = 0;
  return {
    change: (site) => ({
      async respond(request) {
        const isMet = site.isCallback(new URL(request.url)) && isMeant(++callbacks);
        if (isMet && when === "before") return respond();
        const response = await stepsOf(site).respond.call(site, request);
        return isMet ? respond() : response;
      },
    }),
  };
}

function stepsOf(site: Site): Steps {
  return Object.getPrototypeOf(site);
}

const serverError = () => new Response("Please try again later", { status: 500 });

function reset(): never {
  throw new TypeError("connection reset by peer");
}

async function drill(plan: SitePlan, options: object = {}): Promise<Json> {
  await using lab = await openSite(plan);
  const result = await call(lab, "POST /drill", { ...urls, ...options });
  const found = (result.findings ?? []).map(({ id }: { id: string }) => id);
  return { ...result, found };
}

describe("V3: A drill of an application that fails now and then", () => {
  it("finds nothing in one whose every seventh callback responds with 500", async () => {
    const everySeventh = failing((number) => number % 7 === 4, serverError);
    const { found, verdict } = await drill(everySeventh);
    // What takes several logins meets it twice.
    const untested = verdict.untested.map(({ what }: Untested) => what);
    assertEquals([found, verdict.grade, untested], [[], undefined, ["account_by_email"]]);
  });

  for (const [what, respond] of [["500", serverError], ["a reset", reset]] as const) {
    it(`takes ${what} for no sign that it verifies signatures`, async () => {
      const only = ["id_token.alg_none", "id_token.foreign_signature"];
      for (let failed = 2; failed < 7; failed++) {
        const plan = failing((number) => number === failed, respond);
        const { found } = await drill({ ...plan, configuration: { signatures: false } }, { only });
        assertEquals(found, [], `its callback ${failed} failed`);
      }
    });
  }

  it("takes none for one that never fetches keys again", async () => {
    for (let dropped = 2; dropped < 5; dropped++) {
      const plan = failing((number) => number === dropped, reset, "before");
      const { found } = await drill(plan, { only: ["new_key"], keyWait: 0 });
      assertEquals(found, [], `its callback ${dropped} was reset`);
    }
  });

  it("finds a mistake all the same, as it shows twice", async () => {
    const everySeventh = failing((number) => number % 7 === 4, serverError);
    const change = (site: Site) => ({ ...everySeventh.change?.(site), checkAud: () => {} });
    const { found } = await drill({ change }, { only: ["id_token.wrong_aud"] });
    assertEquals(found, ["id_token.wrong_aud"]);
  });
});

describe("What a drill has not decided", () => {
  const reason = "It went wrong once, and not the next time.";
  const row = (id: string, grades: FindingGrade[]) => ({ id, grades });
  const usedIn = (rows: ReturnType<typeof row>[], grade?: FindingGrade) =>
    untestedIn("application", {
      outcomes: rows.map(({ id }) => ({ fault: id, outcome: "unmet", reason, undecided: true })),
      checks: [],
    }, {
      findings: grade ? [{ grade }] : [],
      isUsed: () => undefined,
      worstOf: (id) => rows.find((each) => each.id === id)?.grades[0],
    }).map(({ used }) => used);

  it("takes the letter away where it could be worse than what was found", () => {
    assertEquals(usedIn([row("token.held", ["B"])]), [true]);
    assertEquals(usedIn([row("id_token.expired", ["D", "C", "B"])], "B"), [true]);
    assertEquals(usedIn([row("token.held", ["B"]), row("callback.denied", ["F"])], "C"), [true]);
  });

  it("leaves it where it could not", () => {
    assertEquals(usedIn([row("token.held", ["B"])], "B"), [false]);
    assertEquals(usedIn([row("token.held", ["B"]), row("refresh.not_rotated", ["C"])], "C"), [
      false,
    ]);
    assertEquals(usedIn([row("id_token.second_aud", [])]), [false]);
  });
});

describe("A refusal of an application", () => {
  it("shows nothing if it refuses all that comes after five failed logins", async () => {
    let failures = 0;
    const lockedOut = (site: Site): Partial<Site> => ({
      async callback(request, url) {
        if (failures >= 5) return new Response("Your account is locked", { status: 403 });
        const response = await stepsOf(site).callback.call(site, request, url).catch((cause) => {
          failures++;
          throw cause;
        });
        failures = 0;
        return response;
      },
    });
    const { outcomes, verdict } = await drill({ change: lockedOut });
    const refused = outcomes.filter(({ outcome }: Json) => outcome === "refused");
    assertEquals(refused.map(({ fault }: Json) => fault), ["metadata.wrong_issuer"]);
    assertEquals(verdict.grade, undefined);
    assertMatch(
      describeVerdict(verdict),
      /^No grade, .*: callback\.wrong_state, .* and \d+ more\.$/,
    );
    assertMatch(whyNoGrade(verdict) ?? "", /locked out.*--only/);
  });

  it("names its control: a login that succeeded without the fault", async () => {
    const { outcomes } = await drill({}, { only: ["callback.wrong_state", "id_token.wrong_aud"] });
    assertEquals(outcomes.map(({ control }: Json) => control), ["flow-1", "flow-1"]);
  });

  it("shows nothing of a logout token if it refuses those that are right as well", async () => {
    const change = (): Partial<Site> => ({
      backchannelLogout: async () => new Response(null, { status: 400 }),
    });
    const only = ["logout_token.wrong_iss", "logout_token.alg_none", "logout_ignored"];
    const { outcomes, checks, found } = await drill({ change }, { only });
    assertEquals(found, []);
    assertEquals(outcomes.map(({ outcome }: Json) => outcome), ["unmet", "unmet"]);
    assertEquals(checks.map(({ skipped }: Json) => skipped), [
      "Not checked: the application accepted no logout token of its session.",
    ]);
  });
});

describe("A sign-in in two tabs", () => {
  const oneAtATime = (keepsOthers: boolean) => ({
    takePending(session: Session, parameters: URLSearchParams): Pending {
      const last = session.pending.at(-1);
      const isRight = last?.state === parameters.get("state");
      if (isRight || !keepsOthers) session.pending = [];
      if (!isRight || !last) throw new TypeError("no such login");
      return last;
    },
  });

  it("counts as refused where each tab ends the login of the other before a code is redeemed", async () => {
    const { found } = await drill({ change: () => oneAtATime(false) }, { only: ["token.held"] });
    assertEquals(found, ["token.held"]);
  });

  it("is right where the newer login goes on", async () => {
    const { found } = await drill({ change: () => oneAtATime(true) }, { only: ["token.held"] });
    assertEquals(found, []);
  });
});
