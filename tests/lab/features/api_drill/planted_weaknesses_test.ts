import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import type { ApiDrill } from "../../../../src/lab/features/api_drill/api_drill_tools.ts";
import { apiChecks } from "../../../../src/lab/features/api_drill/checks/checks.ts";
import type { Finding } from "../../../../src/lab/findings/finding.ts";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { needs } from "../../../support/where_feature.ts";
import { apiScope, apiUrl, createPlantedApi, type Weakness } from "./planted_api.ts";

type Row = [weakness: Weakness, id: string, level?: Finding["level"], options?: Partial<ApiDrill>];

/** Each weakness of an API, with the one check that finds it. */
const weaknesses: readonly Row[] = [
  ["no_token", "no_token"],
  ["unknown_token", "unknown_token"],
  ["expired", "expired"],
  ["not_yet_valid", "not_yet_valid"],
  ["wrong_issuer", "wrong_issuer"],
  ["wrong_audience", "wrong_audience"],
  ["id_token", "id_token"],
  ["wrong_type", "wrong_type", "advice"],
  ["wrong_type", "wrong_type", "violation", { rfc9068: true }],
  ["logout_token", "wrong_type", "violation", { rfc9068: true }],
  ["other_user", "other_user"],
  ["alg_none", "alg_none"],
  ["alg_None", "alg_none"],
  ["hs256_pem", "hs256_public_key"],
  ["hs256_jwk", "hs256_public_key"],
  ["foreign_key", "foreign_key"],
  ["header_jwk", "header_key"],
  ["header_jku", "header_key"],
  ["header_x5u", "header_key"],
  ["jku_of_lab", "header_key"],
  ["unknown_crit", "unknown_crit"],
  ["kid_path", "hostile_kid"],
  ["kid_query", "hostile_kid"],
  ["kid_url", "hostile_kid"],
  ["kid_length", "hostile_kid"],
  ["no_scope", "no_scope"],
  ["small_scope", "small_scope"],
  ["scope_text", "small_scope"],
  ["scope_401", "scope_response"],
  ["scope_403", "scope_response", "advice"],
  ["dpop_refused", "dpop"],
  ["dpop_undeclared", "dpop_as_bearer", "violation", { dpop: true }],
  ["dpop_as_bearer", "dpop_as_bearer"],
  ["dpop_without_proof", "dpop_as_bearer"],
  ["dpop_other_key", "dpop_other_key"],
  ["dpop_other_method", "dpop_other_method"],
  ["dpop_other_url", "dpop_other_url"],
  ["dpop_replay", "dpop_replay", "advice"],
  ["dpop_old", "dpop_replay"],
  ["dpop_other_token", "dpop_other_token"],
  ["without_certificate", "without_certificate"],
  ["no_certificates", "without_certificate", "advice"],
  ["query", "query"],
  ["two_places", "two_places"],
  ["four_parts", "malformed"],
  ["no_json", "server_error", "advice"],
  ["header_form", "header_form", "advice"],
  ["new_key", "new_key"],
  ["audience_text", "audience_list"],
  ["typ_text", "typ"],
  ["scope_order", "scope_order"],
  ["scheme_case", "scheme_case"],
  ["duplicate_exp", "duplicate_members"],
  ["revoked_opaque", "revoked_opaque"],
  ["large_token", "large_token", "advice"],
  ["typ_jwt", "typ_jwt", "violation", { rfc9068: true }],
  ["no_challenge", "challenge", "advice"],
  ["wrong_challenge", "challenge_syntax", "advice"],
  ["no_metadata", "resource_metadata", "advice"],
  ["stack_trace", "stack_trace", "advice"],
  ["slow", "timing", "advice"],
];

async function drill(planted: readonly Weakness[], options: Partial<ApiDrill> = {}) {
  await using lab = openLab({ issuer: "https://hallpass.test" });
  const request = createPlantedApi(lab, ...planted);
  const call = { url: apiUrl, audience: apiUrl, scope: apiScope, otherUser: "bob", keyWait: 0 };
  return await lab.drillApi({ request, ...call, ...options });
}

describe("A drill of an API", () => {
  it("finds nothing in an API that checks everything", needs("introspection"), async () => {
    const { grade, findings, checks } = await drill([], { rfc9068: true });
    assertEquals([grade, findings], ["A", []]);
    const skipped = checks.flatMap(({ id, skipped }) => skipped === undefined ? [] : id);
    assertEquals(skipped, ["two_places", "two_headers"]);
  });

  it("takes a refusal of a large token by the platform, with 431, for a good one", async () => {
    const { grade, findings } = await drill(["large_token_431"]);
    assertEquals([grade, findings], ["A", []]);
  });

  it("says how to declare DPoP where an API does not", async () => {
    const { checks } = await drill(["dpop_undeclared"], { only: ["dpop"] });
    assertMatch(checks[0]?.skipped ?? "", /WWW-Authenticate: DPoP algs="ES256".*--dpop/);
  });

  for (const [weakness, id, level = "violation", options] of weaknesses) {
    it(`finds ${level} ${id} alone where an API has the weakness ${weakness}`, async () => {
      const { findings } = await drill([weakness], options);
      const found = findings.map((each) => `${each.level} ${each.id}`);
      assertEquals(found, [`${level} ${id}`], JSON.stringify(findings, null, 2));
      for (const each of findings) {
        assertMatch(each.title, each.level === "violation" ? /\bmust\b/ : /\bshould\b/);
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

  it("has a weakness for each check that can fail in this process", () => {
    const found = new Set(weaknesses.map(([, id]) => id));
    const ids = apiChecks.map(({ id }) => id);
    // The first of these only report; a function cannot get two headers.
    const others = ["clock", "revoked_jwt", "two_headers"];
    assertEquals(ids.filter((id) => !found.has(id)).sort(), others.sort());
  });
});
