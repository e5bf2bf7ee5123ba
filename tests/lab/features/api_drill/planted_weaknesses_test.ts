import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import { apiChecks } from "../../../../src/lab/features/api_drill/checks/checks.ts";
import { needs } from "../../../support/where_feature.ts";
import { drillPlanted as drill } from "./drill_planted.ts";
import { type Weakness, weaknesses } from "./planted_weaknesses.ts";

/** An API that takes DPoP alone cannot have these: no other token is bound to a key. */
const notWithDpopAlone: readonly Weakness[] = [
  "dpop_undeclared",
  "dpop_refused",
  "dpop_as_bearer",
  "id_token",
  "logout_token",
  "no_audience",
];

describe("A drill of an API", () => {
  it("leaves it to the grade to say that anyone can do it", () => {
    const gains = apiChecks.flatMap((
      { gain, cases = [] },
    ) => [gain, ...cases.map((each) => each.gain)]);
    assertEquals(gains.filter((gain) => /\banyone\b/i.test(gain)), []);
  });

  for (const alg of ["RS256", "EdDSA"] as const) {
    it(
      `finds nothing in an API that checks everything: ${alg}`,
      needs("introspection"),
      async () => {
        const { grade, findings, checks } = await drill([], { rfc9068: true, alg });
        assertEquals([grade, findings], ["A", []]);
        const skipped = checks.flatMap(({ id, skipped }) => skipped === undefined ? [] : id);
        assertEquals(skipped, ["two_places", "two_headers"]);
      },
    );
  }

  it("takes a refusal of a large token by the platform, with 431, for a good one", async () => {
    const { grade, findings } = await drill(["large_token_431"]);
    assertEquals([grade, findings], ["A", []]);
  });

  it("says how to declare DPoP where an API does not", async () => {
    const { checks } = await drill(["dpop_undeclared"], { only: ["dpop"] });
    assertMatch(checks[0]?.skipped ?? "", /WWW-Authenticate: DPoP algs="ES256".*--dpop/);
  });

  for (const [kept, isFrozen] of [["an expired", false], ["a revoked", true]] as const) {
    it(`finds that an API keeps ${kept} token${isFrozen ? ": the clock is frozen" : ""}`, async () => {
      const options = { client: "opaque", only: ["revoked_opaque"] } as const;
      const { findings } = await drill(["introspected_for_good"], { ...options, isFrozen });
      const received = `it accepts ${kept} token that it has seen before`;
      assertEquals(findings.map((each) => [each.grade, each.received]), [[
        "B",
        received,
      ]]);
    });
  }

  for (const [weakness, id, grade, options] of weaknesses) {
    it(`finds ${grade} ${id} alone where an API has the weakness ${weakness}`, async () => {
      const result = await drill([weakness], options);
      const { findings } = result;
      const notes = grade === "note" ? result.notes.map((each) => `note ${each.id}`) : [];
      const found = [...findings.map((each) => `${each.grade} ${each.id}`), ...notes];
      assertEquals(found, [`${grade} ${id}`], JSON.stringify(findings, null, 2));
      assertEquals(result.grade, grade === "note" ? "A" : grade);
      for (const each of findings) {
        assertNotMatch(each.title, /\b(must|should)\b/);
      }
    });
  }

  it("finds nothing in an API that takes DPoP alone, with a new nonce for each request", async () => {
    const { grade, findings } = await drill(["dpop_alone"]);
    assertEquals([grade, findings], ["A", []]);
  });

  for (const [weakness, id, , options] of weaknesses) {
    if (notWithDpopAlone.includes(weakness)) continue;
    it(`finds ${id} where an API takes DPoP alone, and has the weakness ${weakness}`, async () => {
      const only = [id, "unknown_token", "malformed", "hostile_kid"];
      const { findings, notes } = await drill([weakness, "dpop_alone"], { ...options, only });
      assertEquals([...findings, ...notes].map((each) => each.id), [id]);
    });
  }

  for (
    const [weakness, note] of [
      [[], "The API accepts no token after it expires, and no token before its 'nbf'."],
      [
        ["expired"],
        "The API accepts a token at least 1800 s after it expires, and no token before its 'nbf'.",
      ],
    ] as const
  ) {
    it(`notes how far clocks may be apart: ${weakness.join() || "not at all"}`, async () => {
      const { checks } = await drill(weakness, { only: ["clock"] });
      assertEquals(checks.map((check) => check.note), [note]);
    });
  }

  for (
    const [weaknesses, id, title] of [
      [
        ["wrong_issuer", "wrong_audience", "expired"],
        "claims_unchecked",
        /^Does not check the claims/,
      ],
      [
        ["foreign_key", "alg_none", "hs256_jwk", "wrong_issuer", "wrong_audience", "expired"],
        "not_validated",
        /^Decodes a token, and does not validate it/,
      ],
      [
        ["dpop_other_key", "dpop_other_url", "dpop_other_method", "dpop_old"],
        "dpop_not_validated",
        /proof/,
      ],
      [["no_token", "expired", "foreign_key"], "no_token", /^Accepts a request without a token/],
    ] as const
  ) {
    it(`has one finding for one mistake: ${weaknesses.join(", ")}`, async () => {
      const { findings } = await drill(weaknesses);
      assertEquals(findings.map((each) => each.id), [id]);
      assertMatch(findings[0]?.title ?? "", title);
    });
  }

  it("leaves an A to an API that its situation does not ask more of", async () => {
    const { grade, findings, notes } = await drill([
      ...["wrong_type", "no_certificates", "typ_jwt", "no_expiry"] as const,
    ]);
    assertEquals([grade, findings], ["A", []]);
    assertEquals(notes.map((note) => note.id), [
      "without_exp",
      "wrong_type",
      "without_certificate",
    ]);
    for (const { text } of notes) assertMatch(text, /^If /);
  });

  it("says what it was not told, which leaves an A", async () => {
    const { grade, untested } = await drill([], { otherUser: undefined });
    assertEquals(untested.map(({ what }) => what), ["access of another user"]);
    assertEquals(grade, "A");
  });

  it("has the sentence that binds APIs for each check", () => {
    for (const { id, see, why, binds } of apiChecks) {
      assertEquals([binds, see === "", why === ""], ["api", false, false], id);
    }
  });

  it("has a weakness for each check that can fail in this process", () => {
    const found = new Set<string>(weaknesses.map(([, id]) => id));
    const ids = apiChecks.map(({ id }) => id);
    // The first of these only report; a function cannot get two headers.
    const others = ["revoked_jwt", "two_headers"];
    assertEquals(ids.filter((id) => !found.has(id)).sort(), others.sort());
  });
});
