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
import { parameterOf } from "../../recording/exchange.ts";
import { withoutQuery } from "../verdicts/drill_access.ts";
import { toCheck } from "../verdicts/drill_check.ts";
import { foldFindings } from "../verdicts/fold.ts";
import { untestedIn } from "../verdicts/parts.ts";
import { triedIn } from "../verdicts/required.ts";
import { compareLogins, type LoginCheck } from "./compare_logins.ts";
import type { DrillResult } from "./drill_result.ts";
import { factsOf, type SeenApplication } from "./facts.ts";
import { madeByScripts } from "./find_check.ts";
import { applicationFoldRules } from "./fold_rules.ts";
import { settingOf } from "./session_check.ts";
import { classOf, describeVariant, noteOn, severityOf } from "./variants/attack_advice.ts";
import type { DrillOutcome } from "./variants/drill_outcome.ts";
import { variantOf } from "./variants/drill_variant.ts";
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
  const uses = usesOf(seen);
  const parts = untestedIn("application", { outcomes, checks }, {
    findings,
    isUsed: ({ name }) => uses[name],
    worstOf: (id) =>
      [
        ...outcomes.filter(({ fault }) => fault === id).map(classOf),
        ...seen.checks.flatMap(({ check }) => check.id === id ? check : []),
      ].flatMap(gradesOf)[0],
  });
  const untested = [...pagesIn(seen), ...parts];
  // One that reads no ID token takes any: one finding is about that.
  const isUnread = findings.some(({ id }) => id === "id_token.not_read");
  const isJudgeable = ({ id }: VerdictNote) => !isUnread || !id.startsWith("id_token.");
  return {
    ...isGraded && { grade: gradeResult(findings, untested) },
    tested: triedIn({ outcomes, checks }).length,
    total: outcomes.length + checks.length,
    untested,
    notes: [...notesIn(outcomes), ...noteOnSignatures(seen)].filter(isJudgeable),
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
export interface SeenDrill extends SeenApplication {
  /** Returns the id of the flow that an exchange belongs to. */
  flowOf(exchange: number): string | undefined;
  loginChecks: readonly LoginCheck[];
  mark(findings: readonly Finding[]): Finding[];
  isGraded: boolean;
}

function pagesIn({ application }: SeenDrill): Untested[] {
  if (!application?.lacksScripts) return [];
  const why = madeByScripts(application.check ?? application.start);
  return [{ what: "pages made by scripts", why, used: true }];
}

/** Returns whether the application uses a part of a login, by its name; undefined if not at all. */
function usesOf(seen: SeenDrill): Readonly<Record<string, boolean | undefined>> {
  const { application, client } = seen;
  const requests = seen.logins.flat().map(({ request }) => request);
  const refreshes = requests.some((each) =>
    each.form.get("grant_type") === "refresh_token" ||
    parameterOf(each, "scope")?.split(" ").includes("offline_access")
  );
  const has = (setting: string) => settingOf(client, setting) !== undefined;
  const signsOut = has("postLogoutRedirectUris") ||
    requests.some(({ endpoint }) => endpoint === "logout");
  return {
    "refresh": refreshes || undefined,
    "sign-out": application && signsOut,
    // Where keys are fetched, a login that ignores them may hide a failure to verify.
    "signatures": fetchesKeys(seen) || undefined,
    "back-channel-logout": has("backchannelLogoutUri") || undefined,
    // One that never fetches keys again is refused the same as one that waits between two.
    "new-key": application && false,
  };
}

/** Returns the note that no signature was judged, where TLS is sure to vouch for ID tokens. */
function noteOnSignatures(seen: SeenDrill): VerdictNote[] {
  const id = "id_token.foreign_signature";
  // An application without keys may notice the others by their header.
  const signed = seen.outcomes.find(({ fault }) => fault === id);
  if (signed?.outcome !== "unmet" || signed.undecided || fetchesKeys(seen)) return [];
  const text = "Signatures were not judged: the application fetched no keys in any login of the " +
    "drill, so TLS vouches for its ID tokens, as OpenID Connect Core, section 3.1.3.7 permits.";
  return [{ id, text }];
}

/** Whether a login fetched keys, and not the sign-out after it, for its logout token. */
function fetchesKeys({ logins }: SeenDrill): boolean {
  return logins.some((login) => {
    const end = login.findIndex(({ request }) => request.endpoint === "logout");
    return login.slice(0, end < 0 ? login.length : end)
      .some(({ request }) => request.endpoint === "jwks");
  });
}
