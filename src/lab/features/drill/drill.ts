import type { UserConfig } from "../../../server/config/user_config.ts";
import type { ClientConfig } from "../../../server/features.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { randomId } from "../../../server/issuer/random.ts";
import { messageOf } from "../../../server/util/text/error_message.ts";
import type { Finding } from "../../findings/finding.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { LabError } from "../../util/lab_error.ts";
import { wrongUser } from "../faults/jwt_forgery.ts";
import { UnreachableError } from "./application_browser.ts";
import type { LoginCheck } from "./compare_logins.ts";
import { type DrillResult, FailedLogin, firstParagraph, noResult } from "./drill_result.ts";
import { endSessions } from "./drill_traces.ts";
import type { PageWatch } from "./page_watch.ts";
import type { DrilledLogin, PreparedApplication } from "./prepare_login.ts";
import { runSessionChecks } from "./run_session_checks.ts";
import type { SessionCheck } from "./session_check.ts";
import { secondRefreshCheck } from "./session_checks.ts";
import { sumUpDrill } from "./sum_up_drill.ts";
import {
  type DrillOutcome,
  endlessReason,
  type ObservedLogin,
  outcomeOf,
  type ShownUser,
  unmetReason,
} from "./variants/drill_outcome.ts";
import type { DrillVariant } from "./variants/drill_variant.ts";
import { accept } from "./variants/make_variants.ts";
import { audienceInjection, sessionFixation } from "./variants/variants.ts";
import { type DrilledLab, type WatchedLab, watchLab } from "./watch_lab.ts";

// What else a drill runs loads with it.
export { claimRequests, endDrill } from "./drill_traces.ts";
export { addApplication, gradeApplication } from "./grade_application.ts";
export { findClientSince } from "./known_application.ts";
export { markFindings } from "./mark_findings.ts";
export { prepareLogin } from "./prepare_login.ts";
export { selectTries } from "./select_tries.ts";
export { loginVariantsFor, mcpVariantsFor } from "./variants/variants.ts";

interface DrillOptions {
  variants: readonly DrillVariant[];
  /** What to find out about the session, if the lab visits the application. */
  checks: readonly SessionCheck[];
  /** What to find out by comparing the logins. */
  loginChecks: readonly LoginCheck[];
  /** Whether this is all that there is to try. A part gives no grade. */
  isWhole: boolean;
  /** The application, if the lab visits it. */
  visited: PreparedApplication | undefined;
  mark(findings: readonly Finding[]): Finding[];
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
  lab: DrilledLab,
  login: DrilledLogin,
  { variants, checks: sessionChecks, loginChecks, isWhole, visited, mark, onProgress, isStopped }:
    DrillOptions,
): Promise<DrillResult> {
  const first = await checkLogin(lab, login);
  const watch = () => watchLab(lab, takesPart(lab, first));
  const logins = [first];
  onProgress(noResult);
  const verifies = variants.some(isAboutSignatures) && await verifiesSignatures(lab, login, watch);
  const known = visited?.application();
  const isRefreshable = known?.secondRefresh === undefined;
  const asked = isRefreshable
    ? sessionChecks
    : [...new Set([secondRefreshCheck, ...sessionChecks])];
  const client = clientOf(lab, first);
  const isShown = visited !== undefined && variants.some(({ shows }) => shows !== undefined);
  const showsUserinfo = isShown && await showsValuesOfUserinfo(lab, login, visited.pages);
  // An account keeps the name that it began with.
  const showsOfNew = isShown && !showsUserinfo &&
    await showsValuesOfUserinfo(lab, login, visited.pages, newUser(lab.context));
  const checks = visited ? await runSessionChecks(lab, visited, { checks: asked, client }) : [];
  const outcomes: DrillOutcome[] = [];
  const shown = (isComplete: boolean) =>
    sumUpDrill({
      outcomes,
      checks,
      logins,
      flowOf: (id) =>
        lab.flows().find(({ steps }) => steps.some(({ exchange }) => exchange === id))?.id,
      loginChecks,
      verifies,
      application: known,
      pages: visited?.pages,
      client,
      mark,
      isGraded: isWhole && isComplete,
    });
  if (checks.length > 0) onProgress(shown(false));
  for (const variant of variants) {
    if (isStopped()) throw new LabError("The drill was stopped.");
    const last = outcomes.at(-1)?.fault;
    const onEnd = (exchanges: readonly Exchange[]) => void logins.push(exchanges);
    outcomes.push(
      !isRefreshable && refreshesTwice(variant)
        ? { ...variant, outcome: "unmet", reason: "A second refresh fails even without a fault." }
        : await meet(lab, login, {
          variant,
          visited,
          showsUserinfo: showsUserinfo || showsOfNew,
          user: showsOfNew && variant.shows ? newUser(lab.context) : undefined,
          verifies,
          last,
          watch,
          onEnd,
        }),
    );
    onProgress(shown(false));
  }
  return shown(true);
}

/** Returns whether a client may take part in the login: others took no part in the first one. */
function takesPart(
  { clients }: WatchedLab,
  first: readonly Exchange[],
): (client: string | undefined) => boolean {
  const drilled = first.map(({ request }) => request.client);
  const others = clients.list().map(({ id }) => id).filter((id) => !drilled.includes(id));
  return (client = "") => !others.includes(client);
}

/** Returns the client of a login, as far as the lab knows it. */
function clientOf({ clients }: WatchedLab, login: readonly Exchange[]): ClientConfig | undefined {
  const ids = login.map(({ request }) => request.client);
  return clients.list().find(({ id }) => ids.includes(id));
}

function refreshesTwice({ after, twice = false, recovers = false }: DrillVariant): boolean {
  return after === "refresh" && (twice || recovers);
}

/** A variant that a login is to meet. */
interface Meeting {
  variant: DrillVariant;
  visited: PreparedApplication | undefined;
  /** Whether the pages show what userinfo says. */
  showsUserinfo: boolean;
  /** Who signs in, if it is a user whom the application has never seen. */
  user: UserConfig | undefined;
  /** Whether the application verifies signatures. */
  verifies: boolean;
  /** The fault before it. */
  last: DrillVariant["fault"] | undefined;
  watch(): ReturnType<typeof watchLab>;
  /** Called with what arrived under it. */
  onEnd(exchanges: readonly Exchange[]): void;
}

/** Runs the login under one variant, after another one. */
async function meet(
  lab: DrilledLab,
  login: DrilledLogin,
  { variant, visited, showsUserinfo, user, verifies, last, watch: begin, onEnd }: Meeting,
): Promise<DrillOutcome> {
  const isVisited = visited !== undefined;
  visited?.pages.begin();
  const watch = begin();
  const { times } = variant;
  const fault = lab.fault(variant.fault, times === undefined ? {} : { times });
  try {
    const { succeeded, reason, cause } = await attemptUnder(
      variant,
      (each) => login(each, user),
      isVisited,
    );
    // All that follows would count as not met, and the drill as complete.
    if (isUnreachable(cause) && watch.observed().requests.length === 0) {
      throw applicationEnded(reason, last);
    }
    const isOver = variant.after === "backchannel_logout";
    if (isOver) await endSessions(lab.context, watch.sids());
    const { fired } = fault;
    const shown = visited && shownBy(lab, visited, { user, ofUserinfo: showsUserinfo });
    const observed = { ...watch.observed(), succeeded, visited: isVisited, fired, verifies, shown };
    // For a logout token, keys are fetched without a login.
    if (!isOver) onEnd(watch.exchanges());
    await lab.context.background.idle();
    const outcome = outcomeOf(variant, observed);
    return {
      ...variant,
      outcome,
      reason: joined(
        outcome === "unmet" ? unmetReason(variant, observed) : undefined,
        endlessReason(variant, observed),
        // The login fails at the other server in any case.
        outcome === "unmet" && variant.fault === audienceInjection
          ? undefined
          : describeEnd(outcome, firstParagraph(reason)) ?? logoutReason(observed),
      ),
      flow: watch.newFlow(),
    };
  } finally {
    watch.end();
    lab.faults.remove(fault.id);
  }
}

function shownBy(
  { users }: DrilledLab,
  { pages, application }: PreparedApplication,
  { user, ofUserinfo }: { user: UserConfig | undefined; ofUserinfo: boolean },
): ShownUser {
  const usual = application().user;
  const { name, email } = (user ?? users.list().find((each) => each.name === usual))?.claims ?? {};
  return {
    wrong: pages.shows(Object.values(wrongUser)),
    right: pages.shows([name, email]),
    ofUserinfo,
  };
}

/** Changes what userinfo says, and looks whether a page shows it. */
async function showsValuesOfUserinfo(
  lab: WatchedLab,
  login: DrilledLogin,
  pages: PageWatch,
  user?: UserConfig,
): Promise<boolean> {
  pages.begin();
  const fault = lab.fault("userinfo.changed", { merge: wrongUser });
  try {
    const [variant] = accept("advice", "userinfoSub", ["userinfo.changed"]);
    await attemptLogin(() => login(variant, user));
    return pages.shows(Object.values(wrongUser));
  } finally {
    lab.faults.remove(fault.id);
  }
}

/** Creates a user whom no application can have seen. */
function newUser(ctx: Context): UserConfig {
  const name = `drill-${randomId(ctx)}`;
  const claims = { name: `Nova ${name}`, preferred_username: name, email: `${name}@new.example` };
  return { name, claims: { ...claims, email_verified: true } };
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

/** A login that fails in the end is no contradiction: its requests had shown what it accepted. */
function describeEnd(
  outcome: DrillOutcome["outcome"],
  reason: string | undefined,
): string | undefined {
  const failedLater = reason !== undefined && outcome === "accepted";
  return failedLater ? `a login that went on, and failed later: ${reason}` : reason;
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

/**
 * Asks the application whether it verifies signatures: to accept a key that it has never seen, it
 * has to fetch the key set. Who else fetched it, and when, shows nothing.
 */
async function verifiesSignatures(
  lab: WatchedLab,
  login: DrilledLogin,
  begin: Meeting["watch"],
): Promise<boolean> {
  // An application fetches keys for the logout token of an earlier login as well.
  await lab.context.background.idle();
  const watch = begin();
  const fault = lab.fault("jwks.new_key");
  try {
    const [variant] = accept("advice", "idTokenSignature", ["jwks.new_key"]);
    const { succeeded } = await attemptLogin(() => login(variant));
    const exchanges = watch.exchanges();
    const signed = exchanges.find(({ faults }) => faults.includes("jwks.new_key"))?.id ?? Infinity;
    const fetchesKeys = exchanges.some(({ id, request }) =>
      id > signed && request.endpoint === "jwks"
    );
    return fault.fired > 0 && (fetchesKeys || !succeeded);
  } finally {
    watch.end();
    lab.faults.remove(fault.id);
  }
}

function isAboutSignatures({ needsKeys = false, expectation }: DrillVariant): boolean {
  return needsKeys && expectation === "refuse";
}

/**
 * Checks that the login works at all: one that always fails would reject every variant. Returns its
 * requests.
 */
async function checkLogin(lab: WatchedLab, login: DrilledLogin): Promise<readonly Exchange[]> {
  const watch = watchLab(lab);
  const { succeeded, reason = "", field } = await attemptLogin(() => login());
  watch.end();
  if (succeeded) return watch.exchanges();
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
