import { type Finding, levelOf } from "../../findings/finding.ts";
import { gradeOf, type Verdict, type VerdictNote } from "../../findings/verdict.ts";
import { parameterOf } from "../../recording/exchange.ts";
import { compareLogins } from "./compare_logins.ts";
import { withoutQuery } from "./drill_access.ts";
import type { DrillResult } from "./drill_result.ts";
import { foldFindings } from "./fold.ts";
import { applicationFoldRules } from "./fold_rules.ts";
import type { SeenDrill } from "./seen_drill.ts";
import { findUntested, noteOnSignatures } from "./untested.ts";
import { describeVariant, noteOn, severityOf } from "./variants/attack_advice.ts";
import { classifyOutcomes } from "./variants/classify.ts";
import type { DrillOutcome } from "./variants/drill_outcome.ts";
import { type DrillVariant, isBinding } from "./variants/drill_variant.ts";

export function sumUpDrill(seen: SeenDrill): DrillResult {
  const outcomes = classify(seen);
  const isRefused = refusedIn(outcomes);
  const application = seen.application && withoutQuery(seen.application.start);
  const compared = compareLogins(seen.loginChecks, {
    logins: seen.logins.map((login) => login.map(({ request }) => request)),
    pages: seen.pages,
    isConfidential: seen.client?.secret !== undefined,
    checksNonce: isRefused("id_token.wrong_nonce"),
  }, ({ shows = () => true }) => {
    const exchange = seen.logins.flat().findLast(({ request }) => shows(request));
    return { application, flow: exchange && seen.flowOf(exchange.id) };
  });
  const checks = [...seen.checks, ...compared];
  const findings = foldFindings([
    ...outcomes.toSorted((one, other) => severityOf(one) - severityOf(other))
      .flatMap((each) => findingsIn(each, application)),
    ...checks.flatMap(({ findings = [] }) => findings),
  ], applicationFoldRules);
  const faultsOf = (...became: Array<DrillOutcome["outcome"]>) =>
    outcomes.filter((each) => became.includes(becomes(each))).map(({ fault }) => fault);
  const variantsOf = (name: DrillOutcome["outcome"]) =>
    outcomes.filter((each) => becomes(each) === name).map(variantOf);
  return {
    verdict: verdictOn({ ...seen, outcomes, checks }, findings),
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

function classify({ outcomes, logins, application, pages }: SeenDrill): DrillOutcome[] {
  const valuesOf = (parameter: string) =>
    logins.flat().flatMap(({ request }) => parameterOf(request, parameter) ?? []);
  return classifyOutcomes(outcomes, {
    sendsChallenge: valuesOf("code_challenge").some(Boolean),
    sharesRedirectUri: application?.severalIssuers ??
      valuesOf("redirect_uri").some((uri) => pages?.otherRedirectUris.has(uri)),
    isRefused: refusedIn(outcomes),
  });
}

function refusedIn(outcomes: readonly DrillOutcome[]): (fault: string) => boolean {
  return (name) => outcomes.some(({ fault, outcome }) => fault === name && outcome === "refused");
}

/** Returns what became of a variant: where no rule binds, an application may accept or refuse it. */
function becomes(result: DrillOutcome): DrillOutcome["outcome"] {
  const { outcome } = result;
  if (isBinding(result)) return outcome;
  if (outcome === "accepted") return "tolerated";
  return outcome === "wrongly_refused" ? "refused" : outcome;
}

function verdictOn(seen: SeenDrill, findings: readonly Finding[]): Verdict {
  const { outcomes, checks, isGraded } = seen;
  const untested = findUntested(seen);
  const tested = outcomes.filter(({ outcome }) => outcome !== "unmet").length +
    checks.filter(({ skipped }) => skipped === undefined).length;
  return {
    ...isGraded && { grade: gradeOf(findings, untested) },
    tested,
    total: outcomes.length + checks.length,
    untested,
    notes: [...notesIn(outcomes), ...[noteOnSignatures(seen) ?? []].flat()],
  };
}

/** Several variants may be about one thing that was not judged. */
function notesIn(outcomes: readonly DrillOutcome[]): VerdictNote[] {
  const accepted = outcomes.filter(({ class: kind, outcome }) =>
    kind === "note" && outcome === "accepted"
  );
  const notes = accepted.map(({ fault }): VerdictNote => ({ id: fault, text: noteOn(fault) }));
  return [...new Map(notes.toReversed().map((note) => [note.text, note])).values()].toReversed();
}

function variantOf(
  { outcome: _, reason: _reason, flow: _flow, ...variant }: DrillOutcome,
): DrillVariant {
  return variant;
}

function findingsIn(result: DrillOutcome, application: string | undefined): Finding[] {
  const { outcome, class: kind, reason, flow } = result;
  const isWrong = outcome === "accepted" || outcome === "wrongly_refused";
  if (!isWrong || kind === undefined || kind === "note") return [];
  return [{
    ...describeVariant(result),
    ...levelOf(kind),
    // That it accepted an attack is the finding itself; why it refused a valid login is not.
    ...reason !== undefined && { received: reason.replace(/\.$/, "") },
    where: { application, flow },
  }];
}
