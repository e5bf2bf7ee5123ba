import type { ClientConfig } from "../../../server/features.ts";
import type { Check, Finding } from "../../findings/finding.ts";
import {
  type Graded,
  gradeMistake,
  gradesOf,
  isAtLeast,
  type SeenFact,
} from "../../findings/grade.ts";
import {
  gradeResult,
  type Untested,
  type Verdict,
  type VerdictNote,
} from "../../findings/verdict.ts";
import { type Exchange, parameterOf } from "../../recording/exchange.ts";
import { withoutQuery } from "../verdicts/drill_access.ts";
import { toCheck } from "../verdicts/drill_check.ts";
import { foldFindings } from "../verdicts/fold.ts";
import { triedIn, untestedBy } from "../verdicts/required.ts";
import type { CheckedApplication } from "./application_login.ts";
import { compareLogins, type LoginCheck } from "./compare_logins.ts";
import type { DrillResult } from "./drill_result.ts";
import { factsOf } from "./facts.ts";
import { madeByScripts } from "./find_check.ts";
import { applicationFoldRules } from "./fold_rules.ts";
import type { PageWatch } from "./page_watch.ts";
import { type ReadCheck, type SessionCheckName, settingOf } from "./session_check.ts";
import { classOf, describeVariant, noteOn, severityOf } from "./variants/attack_advice.ts";
import type { DrillOutcome } from "./variants/drill_outcome.ts";
import type { DrillVariant } from "./variants/drill_variant.ts";
import { certifications } from "./variants/fault_classes.ts";

/** What it means if not what a token says is refused, but its size. */
const tooLarge = {
  gain:
    "Your users cannot sign in when their ID tokens are as large, with many groups, for example.",
  fix: "Keep tokens on the server, and only the id of the session in its cookie.",
};

export function sumUpDrill(seen: SeenDrill): DrillResult {
  const facts = factsOf(seen);
  const outcomes = seen.outcomes.map((each) => ({ ...each, grade: gradeIn(each, facts).grade }));
  const application = seen.application && withoutQuery(seen.application.start);
  const compared = compareLogins(seen.loginChecks, {
    logins: seen.logins.map((login) => login.map(({ request }) => request)),
    pages: seen.pages,
  }, ({ shows = () => true }) => {
    const exchange = seen.logins.flat().findLast(({ request }) => shows(request));
    return { application, flow: exchange && seen.flowOf(exchange.id) };
  }, facts);
  const read = seen.checks.map(({ check, reading, where }) =>
    toCheck(check, reading, where, facts)
  );
  const checks = [...read, ...compared];
  const findings = foldFindings([
    ...outcomes.toSorted((one, other) => severityOf(one) - severityOf(other))
      .flatMap((each) => findingsIn(each, { application, facts })),
    ...checks.flatMap(({ findings = [] }) => findings),
  ], applicationFoldRules);
  const faultsOf = (...became: Array<DrillOutcome["outcome"]>) =>
    outcomes.filter((each) => became.includes(becomes(each))).map(({ fault }) => fault);
  const variantsOf = (name: DrillOutcome["outcome"]) =>
    outcomes.filter((each) => becomes(each) === name).map(variantOf);
  return {
    verdict: verdictOn({ ...seen, outcomes }, checks, findings),
    findings: seen.mark(findings),
    accepted: variantsOf("accepted"),
    refused: faultsOf("refused"),
    tolerated: faultsOf("tolerated"),
    wronglyRefused: variantsOf("wrongly_refused"),
    unmet: faultsOf("unmet"),
    outcomes,
    checks,
  };
}

/** Grades what became of a variant. What is right has no grade. */
function gradeIn(result: DrillOutcome, facts: readonly SeenFact[]): Partial<Graded> {
  const { outcome, rule } = result;
  const isWrong = outcome === "accepted" || outcome === "wrongly_refused";
  return isWrong && rule !== undefined ? gradeMistake(classOf(result), facts) : {};
}

/**
 * Returns what became of a variant: where no rule binds, an application may accept or refuse it.
 */
function becomes({ outcome, grade }: DrillOutcome): DrillOutcome["outcome"] {
  if (isAtLeast({ grade }, "C")) return outcome;
  if (outcome === "accepted") return "tolerated";
  return outcome === "wrongly_refused" ? "refused" : outcome;
}

function verdictOn(
  seen: SeenDrill,
  checks: readonly Check[],
  findings: readonly Finding[],
): Verdict {
  const { outcomes, isGraded } = seen;
  const untested = findUntested(seen, findings);
  // One that reads no ID token takes any: one finding is about that.
  const isUnread = findings.some(({ id }) => id === "id_token.not_read");
  const isJudgeable = ({ id }: VerdictNote) => !isUnread || !id.startsWith("id_token.");
  return {
    ...isGraded && { grade: gradeResult(findings, untested) },
    tested: triedIn({ outcomes, checks }).length,
    total: outcomes.length + checks.length,
    untested,
    notes: [...notesIn(outcomes), ...[noteOnSignatures(seen) ?? []].flat()].filter(isJudgeable),
  };
}

/** Several variants may be about one thing that was not judged. */
function notesIn(outcomes: readonly DrillOutcome[]): VerdictNote[] {
  const accepted = outcomes.filter(({ rule, outcome, grade }) =>
    rule === "may" && outcome === "accepted" && grade === undefined
  );
  const notes = accepted.map(({ fault }): VerdictNote => ({ id: fault, text: noteOn(fault) }));
  return [...new Map(notes.toReversed().map((note) => [note.text, note])).values()].toReversed();
}

function variantOf(
  {
    outcome: _,
    reason: _reason,
    flow: _flow,
    control: _control,
    undecided: _undecided,
    grade: _grade,
    mistake: _mistake,
    ...variant
  }: DrillOutcome,
): DrillVariant {
  return variant;
}

function findingsIn(
  result: DrillOutcome,
  { application, facts }: { application: string | undefined; facts: readonly SeenFact[] },
): Finding[] {
  const { fault, reason, flow, mistake } = result;
  const { grade, kind = "security", gain, sender } = gradeIn(result, facts);
  if (grade === undefined) return [];
  const { gain: _, ...described } = describeVariant(result);
  const certification = certifications[fault];
  return [{
    ...described,
    grade,
    kind,
    ...gain !== undefined && { gain },
    ...sender !== undefined && { sender },
    ...certification !== undefined && { certification },
    ...mistake !== undefined && { title: mistake, ...tooLarge },
    // That it accepted an attack is the finding itself; why it refused a valid login is not.
    ...reason !== undefined && { received: reason.replace(/\.$/, "") },
    where: { application, flow },
  }];
}

/** All that a drill has seen so far. */
export interface SeenDrill {
  outcomes: readonly DrillOutcome[];
  /** What the session of the application shows. */
  checks: readonly ReadCheck[];
  logins: ReadonlyArray<readonly Exchange[]>;
  /** Returns the id of the flow that an exchange belongs to. */
  flowOf(exchange: number): string | undefined;
  loginChecks: readonly LoginCheck[];
  /** The application and what its pages gave away, if the drill visits one. */
  application: CheckedApplication | undefined;
  pages: PageWatch | undefined;
  client: ClientConfig | undefined;
  /** What was known before the drill. */
  known: readonly SeenFact[];
  mark(findings: readonly Finding[]): Finding[];
  isGraded: boolean;
}

/** Returns what a drill tried to test, and could not: the verdict is about the rest. */
function findUntested(seen: SeenDrill, findings: readonly Finding[]): Untested[] {
  const finders = [pagesIn, refreshIn, signOutIn, signaturesIn, logoutTokensIn, newKeyIn];
  const found = finders.map((find) => find(seen)).filter((each) => each !== undefined);
  return [
    ...found,
    ...untestedBy([
      ...seen.outcomes.filter(({ undecided }) => undecided)
        .map((each) => ({ id: each.fault, reason: each.reason, grades: gradesOf(classOf(each)) })),
      ...seen.checks.filter(({ reading }) => reading.isUndecided)
        .map(({ check, reading }) => ({
          id: check.id,
          reason: reading.skipped,
          grades: gradesOf(check),
        })),
    ], findings),
  ];
}

function pagesIn({ application }: SeenDrill): Untested | undefined {
  if (!application?.lacksScripts) return undefined;
  const why = madeByScripts(application.check ?? application.start);
  return { what: "pages made by scripts", why, used: true };
}

function refreshIn({ outcomes, logins }: SeenDrill): Untested | undefined {
  if (!isUnmet(outcomes, ({ after }) => after === "refresh")) return undefined;
  const used = logins.flat().some(({ request }) =>
    request.form.get("grant_type") === "refresh_token" ||
    parameterOf(request, "scope")?.split(" ").includes("offline_access")
  );
  if (!used) return undefined;
  const why =
    "The application asks for refresh tokens, and no URL that the drill knows made it use one. " +
    "Name one that does: --refresh URL, or refresh.";
  return { what: "refresh", why, used };
}

function signOutIn({ application, checks, client, logins }: SeenDrill): Untested | undefined {
  const why = skippedReason(checks, "session_survives");
  if (why === undefined || application === undefined) return undefined;
  const isRegistered = settingOf(client, "postLogoutRedirectUris") !== undefined;
  const used = isRegistered || logins.flat().some(({ request }) => request.endpoint === "logout");
  return { what: "sign-out", why, used };
}

/** Returns the note that no signature was judged, where TLS is sure to vouch for ID tokens. */
export function noteOnSignatures(seen: SeenDrill): VerdictNote | undefined {
  if (!isUnmet(seen.outcomes, isSigned) || fetchesKeys(seen)) return undefined;
  const text = "Signatures were not judged: the application fetched no keys in any login of the " +
    "drill, so TLS vouches for its ID tokens, as OpenID Connect Core, section 3.1.3.7 permits.";
  return { id: "id_token.foreign_signature", text };
}

/** Where keys are fetched, a login that ignores them may hide a failure to verify. */
function signaturesIn(seen: SeenDrill): Untested | undefined {
  if (!isUnmet(seen.outcomes, isSigned) || !fetchesKeys(seen)) return undefined;
  const why = "The application fetched keys, and a login with a new one succeeded without them: " +
    "it may ignore that it cannot verify an ID token.";
  return { what: "signatures", why, used: true };
}

/** An application without keys may notice the others by their header. */
function isSigned({ fault }: DrillOutcome): boolean {
  return fault === "id_token.foreign_signature";
}

/** Whether a login fetched keys, and not the sign-out after it, for its logout token. */
function fetchesKeys({ logins }: SeenDrill): boolean {
  return logins.some((login) => {
    const end = login.findIndex(({ request }) => request.endpoint === "logout");
    return login.slice(0, end < 0 ? login.length : end)
      .some(({ request }) => request.endpoint === "jwks");
  });
}

function logoutTokensIn({ outcomes, client }: SeenDrill): Untested | undefined {
  const isLogout = ({ after }: DrillOutcome) => after === "backchannel_logout";
  const isRegistered = settingOf(client, "backchannelLogoutUri") !== undefined;
  if (!isRegistered || !isUnmet(outcomes, isLogout)) return undefined;
  const why = "The application is registered for logout tokens, and got none in any login.";
  return { what: "back-channel logout", why, used: true };
}

/**
 * An application that never fetches keys again is refused the same as one that waits between two.
 */
function newKeyIn({ application, checks }: SeenDrill): Untested | undefined {
  const why = skippedReason(checks, "new_key");
  return why === undefined || application === undefined
    ? undefined
    : { what: "a new key", why, used: false };
}

/** Whether there are such variants, and the application met none of them, which is sure. */
function isUnmet(
  outcomes: readonly DrillOutcome[],
  isMeant: (outcome: DrillOutcome) => boolean,
): boolean {
  const meant = outcomes.filter(isMeant);
  return meant.length > 0 &&
    meant.every(({ outcome, undecided }) => outcome === "unmet" && !undecided);
}

function skippedReason(checks: readonly ReadCheck[], name: SessionCheckName): string | undefined {
  return checks.find(({ check }) => check.id === name)?.reading.skipped;
}
