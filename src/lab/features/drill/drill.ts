import { end as endSession, list as listSessions } from "../../../administration/sessions.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { messageOf } from "../../../server/util/text/error_message.ts";
import { type Check, type Finding, isViolation } from "../../findings/finding.ts";
import { LabError } from "../../util/lab_error.ts";
import { UnreachableError } from "./application_browser.ts";
import { withoutQuery } from "./drill_access.ts";
import { type DrillResult, FailedLogin, firstParagraph, noResult } from "./drill_result.ts";
import type { DrilledLogin, PreparedApplication } from "./prepare_login.ts";
import { runSessionChecks } from "./run_session_checks.ts";
import { secondRefreshCheck, type SessionCheck } from "./session_checks.ts";
import { describeVariant, severityOf } from "./variants/attack_advice.ts";
import {
  type DrillOutcome,
  endlessReason,
  isUnnoticed,
  type ObservedLogin,
  outcomeOf,
  unmetReason,
} from "./variants/drill_outcome.ts";
import type { DrillVariant } from "./variants/drill_variant.ts";
import { audienceInjection, sessionFixation } from "./variants/variants.ts";
import { type WatchedLab, watchLab } from "./watch_lab.ts";

// What else a drill runs loads with it.
export { addApplication, gradeApplication } from "./grade_application.ts";
export { findClientSince } from "./known_application.ts";
export { prepareLogin } from "./prepare_login.ts";
export { selectTries } from "./select_tries.ts";
export { loginVariantsFor, mcpVariantsFor } from "./variants/variants.ts";

interface DrillOptions {
  variants: readonly DrillVariant[];
  /** What to find out about the session, if the lab visits the application. */
  checks: readonly SessionCheck[];
  /** The application, if the lab visits it. */
  visited: PreparedApplication | undefined;
  /** Called before the first variant and after each one, with the result so far. */
  onProgress: (result: DrillResult) => void;
  /** Whether to stop before the next variant. */
  isStopped: () => boolean;
}

/**
 * Runs the login of an application once under each variant. The login resolves if the user is
 * signed in; it rejects, or resolves to false, if not.
 */
export async function runDrill(
  lab: WatchedLab,
  login: DrilledLogin,
  { variants, checks: sessionChecks, visited, onProgress, isStopped }: DrillOptions,
): Promise<DrillResult> {
  await checkLogin(lab, login);
  const outcomes: DrillOutcome[] = [];
  onProgress(noResult);
  const known = visited?.application();
  const isRefreshable = known?.secondRefresh === undefined;
  const asked = isRefreshable
    ? sessionChecks
    : [...new Set([secondRefreshCheck, ...sessionChecks])];
  const checks = visited ? await runSessionChecks(lab, visited, asked) : [];
  const application = known && withoutQuery(known.start);
  const shown = (): DrillResult => resultOf(outcomes, checks, application);
  if (checks.length > 0) onProgress(shown());
  for (const variant of variants) {
    if (isStopped()) throw new LabError("The drill was stopped.");
    const isVisited = visited !== undefined;
    outcomes.push(
      !isRefreshable && refreshesTwice(variant)
        ? { ...variant, outcome: "unmet", reason: "A second refresh fails even without a fault." }
        : await meet(lab, login, { variant, isVisited, last: outcomes.at(-1)?.fault }),
    );
    onProgress(shown());
  }
  return shown();
}

function refreshesTwice({ after, twice = false, recovers = false }: DrillVariant): boolean {
  return after === "refresh" && (twice || recovers);
}

/** A variant that a login is to meet. */
interface Meeting {
  variant: DrillVariant;
  isVisited: boolean;
  /** The fault before it. */
  last: DrillVariant["fault"] | undefined;
}

/** Runs the login under one variant, after another one. */
async function meet(
  lab: WatchedLab,
  login: DrilledLogin,
  { variant, isVisited, last }: Meeting,
): Promise<DrillOutcome> {
  const watch = watchLab(lab);
  const { times } = variant;
  const fault = lab.fault(variant.fault, times === undefined ? {} : { times });
  try {
    const { succeeded, reason, cause } = await attemptUnder(variant, login, isVisited);
    // All that follows would count as not met, and the drill as complete.
    if (isUnreachable(cause) && watch.observed().requests.length === 0) {
      throw applicationEnded(reason, last);
    }
    if (variant.after === "backchannel_logout") await endSessions(lab.context, watch.sids());
    const observed = { ...watch.observed(), succeeded, visited: isVisited, fired: fault.fired };
    const outcome = outcomeOf(variant, observed);
    return {
      ...variant,
      outcome,
      ...isUnnoticed(variant, observed) && { level: "advice" },
      reason: joined(
        outcome === "unmet" ? unmetReason(variant, observed) : undefined,
        endlessReason(variant, observed),
        // The login fails at the other server in any case.
        outcome === "unmet" && variant.fault === audienceInjection
          ? undefined
          : firstParagraph(reason) ?? logoutReason(observed),
      ),
      flow: watch.newFlow(),
    };
  } finally {
    watch.end();
    lab.faults.remove(fault.id);
  }
}

function isUnreachable(cause: unknown): boolean {
  return cause instanceof UnreachableError ||
    cause instanceof LabError && cause.cause instanceof UnreachableError;
}

/** The application responded at first: a fault ended it, or someone did. */
function applicationEnded(message = "", last?: DrillVariant["fault"]): LabError {
  const since = last === undefined ? "after its first login" : `after ${last}`;
  const advice = "Find out whether that ended it, start it, and drill again.";
  return new LabError(`The application stopped responding ${since}: ${message} ${advice}`);
}

function joined(...sentences: ReadonlyArray<string | undefined>): string | undefined {
  return sentences.filter(Boolean).join(" ") || undefined;
}

/** Returns how an application rejected a logout token, which no login shows. */
function logoutReason(
  { logoutStatuses }: ObservedLogin,
): string | undefined {
  const status = logoutStatuses.find((each) => each >= 300);
  if (status === undefined) return undefined;
  return `The application responded to the logout token with status ${status}.`;
}

async function attemptUnder(
  variant: DrillVariant,
  login: DrilledLogin,
  isVisited: boolean,
): Promise<LoginAttempt> {
  // The attacker's own login, which the attacker does not complete.
  if (variant.fault === sessionFixation) await attemptLogin(() => login(variant));
  // The lab tries again in the same browser; a test has its function for that.
  if (variant.recovers && !isVisited) await attemptLogin(() => login(variant));
  return await attemptLogin(() => login(variant));
}

/** Checks that the login works at all: one that always fails would reject every variant. */
async function checkLogin(lab: WatchedLab, login: DrilledLogin): Promise<void> {
  const watch = watchLab(lab);
  const { succeeded, reason = "", field } = await attemptLogin(() => login());
  watch.end();
  if (succeeded) return;
  const [first] = watch.refusals();
  const isNamed = first === undefined || reason.includes(first.description);
  const failed = failures[field ?? ""] ?? "The login fails even without a fault";
  // What the application does about a refusal, and what is refused after it, are consequences.
  const message = isNamed
    ? `${failed}: ${reason}`
    : `${failed}. The lab refused a request: ${first.description} ${reason}`;
  throw new FailedLogin(message, { field, request: first?.request });
}

/** What fails if a URL is at fault that is for what follows a login. */
const failures: Readonly<Record<string, string>> = {
  start: "The start URL begins no login; name one that does, such as /login",
  check: "Cannot tell whether the login worked",
  refresh: "The refresh fails even without a fault",
  logout: "The sign-out fails even without a fault",
};

interface LoginAttempt {
  succeeded: boolean;
  reason?: string | undefined;
  /** The URL that is at fault, by its name in the drill. */
  field?: string | undefined;
  cause?: unknown;
}

async function attemptLogin(login: () => Promise<unknown>): Promise<LoginAttempt> {
  try {
    if (await login() !== false) return { succeeded: true };
    return { succeeded: false, reason: "The login resolved to false." };
  } catch (cause) {
    const field = cause instanceof LabError ? cause.field : undefined;
    return { succeeded: false, reason: messageOf(cause), field, cause };
  }
}

/** Ends the sessions with some ids, and waits until the applications got their logout tokens. */
async function endSessions(ctx: Context, sids: readonly string[]): Promise<void> {
  for (const { session: { sid } } of await listSessions(ctx)) {
    if (sids.includes(sid)) await endSession(ctx, sid);
  }
  await ctx.background.idle();
}

/** Sums up the outcomes of a drill, and what it found out about the session. */
function resultOf(
  outcomes: readonly DrillOutcome[],
  checks: readonly Check[],
  application: string | undefined,
): DrillResult {
  const withOutcome = (name: DrillOutcome["outcome"]) =>
    outcomes.filter(({ outcome }) => outcome === name);
  const faultsOf = (name: DrillOutcome["outcome"]) => withOutcome(name).map(({ fault }) => fault);
  const found = [
    ...outcomes.toSorted((one, other) => severityOf(one) - severityOf(other))
      .flatMap((each) => findingsIn(each, application)),
    ...checks.flatMap(({ findings = [] }) => findings),
  ];
  return {
    findings: [...found.filter(isViolation), ...found.filter((each) => !isViolation(each))],
    accepted: withOutcome("accepted").map(variantOf),
    refused: faultsOf("refused"),
    tolerated: faultsOf("tolerated"),
    wronglyRefused: withOutcome("wrongly_refused").map(variantOf),
    unmet: faultsOf("unmet"),
    outcomes: [...outcomes],
    checks: [...checks],
  };
}

function variantOf(
  { outcome: _, level: _level, reason: _reason, flow: _flow, ...variant }: DrillOutcome,
): DrillVariant {
  return variant;
}

function findingsIn(result: DrillOutcome, application: string | undefined): Finding[] {
  const { outcome, level = "violation", reason, flow } = result;
  const isFound = outcome === "accepted" || outcome === "wrongly_refused" || level === "advice";
  if (!isFound) return [];
  const [done, due] = outcome === "accepted" ? ["accepted", "refuses"] : ["refused", "accepts"];
  return [{
    ...describeVariant(result),
    level,
    received: [`the application ${done} it`, reason?.replace(/\.$/, "")].filter(Boolean).join(": "),
    expected: `the application ${due} it`,
    where: { application, flow },
  }];
}
