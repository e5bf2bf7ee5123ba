import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import type { ApiDrill } from "../../../../src/lab/features/api_drill/api_drill_tools.ts";
import { apiChecks } from "../../../../src/lab/features/api_drill/checks/checks.ts";
import type { FindingClass } from "../../../../src/lab/findings/finding.ts";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { needs } from "../../../support/where_feature.ts";
import { apiScope, apiUrl, createPlantedApi, type Weakness } from "./planted_api.ts";

type Row = [
  weakness: Weakness,
  id: string,
  kind?: Exclude<FindingClass, "note">,
  options?: Partial<ApiDrill>,
];

/** Each weakness of an API, with the one check that finds it. */
const weaknesses: readonly Row[] = [
  ["no_token", "no_token"],
  ["unknown_token", "unknown_token"],
  ["expired", "expired"],
  ["no_expiry", "expired", "rule", { rfc9068: true }],
  ["not_yet_valid", "not_yet_valid"],
  ["wrong_issuer", "wrong_issuer"],
  ["issuer_prefix", "wrong_issuer"],
  ["issuer_suffix", "wrong_issuer"],
  ["wrong_audience", "wrong_audience"],
  ["audience_prefix", "wrong_audience"],
  ["audience_suffix", "wrong_audience"],
  ["audience_part", "wrong_audience"],
  ["no_audience", "wrong_audience", "rule"],
  ["id_token", "id_token"],
  ["wrong_type", "wrong_type", "rule", { rfc9068: true }],
  ["logout_token", "wrong_type", "attack", { rfc9068: true }],
  ["other_user", "other_user"],
  ["client_token", "client_token"],
  ["alg_none", "alg_none"],
  ["alg_None", "alg_none"],
  ["hs256_pem", "hs256_public_key"],
  ["hs256_jwk", "hs256_public_key"],
  ["foreign_key", "foreign_key"],
  ["header_jwk", "header_key"],
  ["header_jku", "header_key"],
  ["header_x5u", "header_key"],
  ["header_x5c", "header_key"],
  ["jku_of_lab", "header_key"],
  ["unknown_crit", "unknown_crit", "rule"],
  ["kid_path", "hostile_kid"],
  ["kid_query", "hostile_kid"],
  ["kid_url", "hostile_kid"],
  ["kid_length", "hostile_kid", "advice"],
  ["always_500", "server_error", "advice"],
  ["no_scope", "no_scope"],
  ["small_scope", "small_scope"],
  ["scope_text", "small_scope"],
  ["scope_401", "scope_response", "advice"],
  ["scope_403", "scope_response", "advice"],
  ["dpop_refused", "dpop", "advice"],
  ["dpop_undeclared", "dpop_as_bearer", "attack", { dpop: true }],
  ["dpop_as_bearer", "dpop_as_bearer"],
  ["dpop_without_proof", "dpop_as_bearer"],
  ["dpop_other_key", "dpop_other_key"],
  ["dpop_other_method", "dpop_other_method"],
  ["dpop_other_url", "dpop_other_url"],
  ["dpop_replay", "dpop_replay", "advice"],
  ["dpop_old", "dpop_replay"],
  ["dpop_other_token", "dpop_other_token"],
  ["without_certificate", "without_certificate"],
  ["no_certificates", "without_certificate", "attack", { mutualTls: true }],
  ["query", "query", "advice"],
  ["two_places", "two_places", "advice"],
  ["four_parts", "malformed", "rule"],
  ["no_json", "server_error", "advice"],
  ["header_form", "header_form", "advice"],
  ["new_key", "new_key", "rule"],
  ["audience_text", "audience_list", "rule"],
  ["typ_text", "typ", "rule"],
  ["scope_order", "scope_order", "rule"],
  ["scheme_case", "scheme_case", "rule"],
  ["duplicate_exp", "duplicate_members", "rule"],
  ["revoked_opaque", "revoked_opaque"],
  ["introspected_once", "revoked_opaque", "advice"],
  ["large_token", "large_token", "advice"],
  ["typ_jwt", "typ_jwt", "rule", { rfc9068: true }],
  ["no_challenge", "challenge", "advice"],
  ["forbidden", "unauthorized", "advice"],
  ["wrong_challenge", "challenge_syntax", "advice"],
  ["no_metadata", "resource_metadata", "advice"],
  ["stack_trace", "stack_trace", "advice"],
  ["stack_trace_json", "stack_trace", "advice"],
  ["stack_trace_html", "stack_trace", "advice"],
  ["slow", "timing", "advice"],
];

/** Weaknesses with RSA keys, which take most of the time of a drill. */
const ofRsa: readonly Weakness[] = ["foreign_key", "hs256_pem", "hs256_jwk", "header_x5c"];

async function drill(
  planted: readonly Weakness[],
  options: Partial<ApiDrill> = {},
  alg: "RS256" | "EdDSA" = planted.some((each) => ofRsa.includes(each)) ? "RS256" : "EdDSA",
) {
  await using lab = openLab({ issuer: "https://hallpass.test", alg });
  const request = createPlantedApi(lab, ...planted);
  const call = { url: apiUrl, audience: apiUrl, scope: apiScope, otherUser: "bob", keyWait: 0 };
  return await lab.drillApi({ request, ...call, ...options });
}

describe("A drill of an API", () => {
  for (const alg of ["RS256", "EdDSA"] as const) {
    it(
      `finds nothing in an API that checks everything: ${alg}`,
      needs("introspection"),
      async () => {
        const { grade, findings, checks } = await drill([], { rfc9068: true }, alg);
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

  for (const [weakness, id, kind = "attack", options] of weaknesses) {
    it(`finds ${kind} ${id} alone where an API has the weakness ${weakness}`, async () => {
      const { grade, findings } = await drill([weakness], options);
      const found = findings.map((each) => `${each.kind ?? each.level} ${each.id}`);
      assertEquals(found, [`${kind} ${id}`], JSON.stringify(findings, null, 2));
      assertEquals(grade, { attack: "F", rule: "D", advice: "B" }[kind]);
      for (const each of findings) {
        assertNotMatch(each.title, /\b(must|should)\b/);
      }
    });
  }

  for (
    const [weakness, note] of [
      [[], "The API accepts no token after it expires, and no token before its 'nbf'."],
      [
        ["expired"],
        "The API accepts a token at least 300 s after it expires, and no token before its 'nbf'.",
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
      [["wrong_issuer", "wrong_audience", "expired"], "wrong_issuer", /^Does not check the claims/],
      [
        ["foreign_key", "alg_none", "hs256_jwk", "wrong_issuer", "wrong_audience", "expired"],
        "foreign_key",
        /^Decodes a token, and does not validate it/,
      ],
      [
        ["dpop_other_key", "dpop_other_url", "dpop_other_method", "dpop_old"],
        "dpop_other_key",
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
    assertEquals(notes.map((note) => note.id), ["expired", "wrong_type", "without_certificate"]);
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
    const found = new Set(weaknesses.map(([, id]) => id));
    const ids = apiChecks.map(({ id }) => id);
    // The first of these only report; a function cannot get two headers.
    const others = ["clock", "revoked_jwt", "two_headers"];
    assertEquals(ids.filter((id) => !found.has(id)).sort(), others.sort());
  });
});
