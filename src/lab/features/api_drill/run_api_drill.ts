import { nameOfApi } from "../../core/remarks.ts";
import { type Check, isViolation } from "../../findings/finding.ts";
import { describeGrades, gradesOf } from "../../findings/grade.ts";
import { gradeResult, type Verdict } from "../../findings/verdict.ts";
import { LabError, unknownName } from "../../util/lab_error.ts";
import { conclude, type DrillAttempt } from "../verdicts/conclude.ts";
import { checkDrillUrl, checkIsUrl, drillAccess } from "../verdicts/drill_access.ts";
import { type CheckReading, type DescribedTry, toCheck } from "../verdicts/drill_check.ts";
import { describeWith, foldFindings, type FoldRule } from "../verdicts/fold.ts";
import { untestedIn } from "../verdicts/parts.ts";
import { triedIn } from "../verdicts/required.ts";
import type { ApiCheck } from "./api_check.ts";
import type { ApiDrillResult } from "./api_drill_result.ts";
import type { ApiDrill } from "./api_drill_tools.ts";
import { isAccepted } from "./call_api.ts";
import { apiChecks } from "./checks/checks.ts";
import {
  type ControlledApi,
  UndeliveredError,
  validToken,
  withControls,
} from "./controlled_api.ts";
import { type ApiDrillParts, openApi, type SeenResponse } from "./drilled_api.ts";

/**
 * Calls an API with every token that it must refuse, or accept, and with those it may do either.
 */
export async function runApiDrill(parts: ApiDrillParts, drill: ApiDrill): Promise<ApiDrillResult> {
  const selected = selectChecks(drill.only);
  if (typeof drill.request === "string") checkTarget(parts, drill.request);
  const api = withControls(await openApi(parts, drill));
  const checks: Check[] = [];
  const tryAt = async (at: number, check: ApiCheck) => {
    const { found: { findings, ...found }, control } = await tryCheck(parts, api, check);
    checks[at] = { ...found, ...findings && { findings: parts.mark(findings) } };
    return control;
  };
  for (const [at, check] of selected.entries()) {
    const control = await tryAt(at, check);
    for (const voided of api.takeVoid(at, control)) {
      await tryAt(voided, selected[voided]!);
    }
    parts.onProgress(checks.length, selected.length);
  }
  const { url } = api;
  if (await api.control() ?? await api.control()) {
    return apiResultOf({ ...drill, url }, checks, drill.only === undefined);
  }
  throw new LabError(
    `${url} refuses a valid token after the drill, and did not before: it may have locked the ` +
      "client or the user out. The result proves nothing.",
  );
}

function selectChecks(only: readonly string[] | undefined): readonly ApiCheck[] {
  const ids = apiChecks.map(({ id }) => id);
  const unknown = only?.find((id) => !ids.includes(id));
  if (unknown !== undefined) throw unknownName("check of an API", unknown, ids);
  return apiChecks.filter(({ id }) => only?.includes(id) ?? true);
}

function checkTarget({ lab, origins }: ApiDrillParts, url: string): void {
  checkIsUrl(url, "request", "API");
  checkDrillUrl(drillAccess(lab.context, origins), url, "API");
}

/** What a check showed once. */
interface ApiAttempt extends DrillAttempt {
  reading: CheckReading;
  /** Whether a request got no response that counts. */
  isUndelivered?: boolean;
}

async function tryCheck(
  { known }: ApiDrillParts,
  api: ControlledApi,
  check: ApiCheck,
): Promise<{ found: Check; control?: string | undefined }> {
  const { options: { method = "GET", client }, url } = api;
  const where = { api: nameOfApi(url, client), request: `${method} ${url}` };
  const describe = (reading: CheckReading) => toCheck(check, reading, where, known);
  const leftOut = check.leftOut?.(api);
  if (leftOut !== undefined) return { found: describe({ skipped: leftOut }) };
  const { state, seen, control, reason, isUndecided } = await conclude({
    attempt: () => attemptCheck(api, check),
    control: api.control,
    recent: api.recent,
  });
  const reading = state === "not tested"
    ? { skipped: reason, isUndecided: isUndecided || seen.isUndelivered }
    : seen.reading;
  return { found: describe(reading), control };
}

async function attemptCheck(api: ControlledApi, check: ApiCheck): Promise<ApiAttempt> {
  const before = api.seen.length;
  try {
    const reading = await check.run(api);
    const sent = api.seen.slice(before);
    const { wrong = [], skipped } = reading;
    if (wrong.length === 0) {
      const shows = skipped === undefined ? "right" : "nothing";
      return {
        reading,
        shows,
        skipped,
        byFailure: sent.some((each) => !isAccepted(each.response)),
      };
    }
    if (!api.isOpen || !sent.some(isTokenAccepted)) return { reading, shows: "wrong" };
    return { reading, shows: "nothing", skipped: "The API responds alike without a token." };
  } catch (cause) {
    if (!(cause instanceof UndeliveredError)) throw cause;
    return { reading: {}, shows: "nothing", skipped: cause.message, isUndelivered: true };
  }
}

function isTokenAccepted({ request: { what, ...token }, response }: SeenResponse): boolean {
  return isAccepted(response) && what !== validToken && Object.keys(token).length > 0;
}

/** Sums up the checks of a drill. Some of them alone give no grade. */
export function apiResultOf(
  { url, client }: { url: string; client?: string | undefined },
  checks: Check[],
  isWhole: boolean,
): ApiDrillResult {
  const findings = foldFindings(checks.flatMap((check) => check.findings ?? []), apiFoldRules);
  const missing = untestedIn("api", { checks }, {
    findings,
    // What the drill was not given costs no A: an API without it may be as good.
    isUsed: ({ why }) => checks.some(({ skipped }) => skipped === why) ? false : undefined,
    worstOf: (id) => apiChecks.filter((each) => each.id === id).flatMap(gradesOf)[0],
  });
  const verdict: Verdict = {
    ...isWhole && { grade: gradeResult(findings, missing) },
    tested: triedIn({ checks }).length,
    total: checks.length,
    untested: missing,
    notes: checks.flatMap(({ id, unjudged }) => unjudged ? [{ id, text: unjudged }] : []),
  };
  return { url, ...client !== undefined && { client }, ...verdict, findings, checks };
}

/** Adds a drill to an earlier one. A drill of some checks adds violations, and takes none away. */
export function addResult(
  earlier: ApiDrillResult | undefined,
  later: ApiDrillResult,
): ApiDrillResult {
  if (earlier === undefined || later.grade !== undefined) return later;
  const known = new Map(earlier.checks.map((check) => [check.id, check]));
  for (const check of later.checks) {
    const isWorse = check.findings?.some(isViolation);
    if (isWorse || !known.has(check.id)) known.set(check.id, check);
  }
  return apiResultOf(later, [...known.values()], earlier.grade !== undefined);
}

/** Mistakes of APIs that more than one check shows; what says more comes later. */
export const apiFoldRules: readonly FoldRule[] = [
  // A refresh token has no audience.
  { found: ["refresh_token_as_access"], explains: ["without_audience"] },
  {
    found: ["wrong_audience"],
    explains: ["without_audience", "id_token", "logout_token", "refresh_token_as_access"],
  },
  { found: ["id_token"], explains: ["logout_token", "no_scope"] },
  { found: ["logout_token"], explains: ["wrong_type"] },
  { found: ["foreign_issuer"], explains: ["foreign_issuer_fetched", "wrong_issuer"] },
  { found: ["header_key"], explains: ["header_key_fetched"] },
  { found: ["hostile_kid"], explains: ["hostile_kid_fetched"] },
  { found: ["expired"], explains: ["clock", "without_exp"] },
  { found: ["not_yet_valid"], explains: ["clock"] },
  { found: ["other_user"], explains: ["client_token"] },
  { found: ["small_scope"], explains: ["no_scope"] },
  { found: ["server_error"], explains: ["large_token"] },
  { found: ["challenge"], explains: ["scope_response"] },
  { found: ["challenge_syntax"], explains: ["scope_response"] },
  {
    found: ["unknown_token"],
    explains: [
      ...["expired", "not_yet_valid", "wrong_audience", "id_token", "no_scope", "small_scope"],
      ...["other_user", "revoked_opaque", "seen_token", "introspection_fails_open"],
    ],
  },
  {
    found: ["unknown_kid"],
    explains: ["header_key", "hostile_kid", "foreign_issuer", "keys_fail_open"],
  },
  {
    found: ["foreign_key"],
    explains: [
      "alg_none",
      "hs256_public_key",
      "unknown_kid",
      "keys_fail_open",
      "header_key",
      "unknown_crit",
      "hostile_kid",
      "malformed",
      "unknown_alg",
      "seen_token",
    ],
  },
  {
    found: ["expired", "wrong_audience", "wrong_issuer"],
    explains: ["not_yet_valid"],
    id: "claims_unchecked",
    title: "Does not check the claims of a token: iss, aud and exp",
    fix:
      "Pass your issuer and audience to the library that verifies the token, and let it check 'exp'.",
  },
  {
    found: ["foreign_key", "wrong_issuer", "wrong_audience", "expired"],
    id: "not_validated",
    title: "Decodes a token, and does not validate it",
    fix:
      "Verify signature, iss, aud and exp with one call of a library, such as jwtVerify of jose.",
  },
  {
    found: ["dpop_other_key", "dpop_other_method", "dpop_other_url"],
    explains: ["dpop_other_token", "dpop_replay"],
    id: "dpop_not_validated",
    title: "Does not validate a DPoP proof",
  },
  { found: ["no_token"], explains: ["*"] },
];

/** Describes all that a drill of an API can find. */
export function describeApiTries(): readonly DescribedTry[] {
  const checks = apiChecks.map((each) => ({ ...each, grades: describeGrades(each) }));
  return describeWith(checks, apiFoldRules);
}
