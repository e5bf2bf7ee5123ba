import type { UserConfig } from "../../../server/config/user_config.ts";
import type { ClientConfig } from "../../../server/features.ts";
import { messageOf } from "../../../server/util/text/error_message.ts";
import type { Finding } from "../../findings/finding.ts";
import { type Exchange, jsonOf } from "../../recording/exchange.ts";
import { LabError } from "../../util/lab_error.ts";
import { wrongUser } from "../faults/jwt_forgery.ts";
import { conclude, type DrillAttempt } from "../verdicts/conclude.ts";
import { createControls } from "../verdicts/controls.ts";
import { noResponseIn, UnreachableError } from "./application_browser.ts";
import { type DrillResult, FailedLogin, firstParagraph, noResult } from "./drill_result.ts";
import { endSessions } from "./drill_traces.ts";
import type { LoginVariant } from "./login_steps.ts";
import type { DrilledLogin, PreparedApplication } from "./prepare_login.ts";
import type { DrillTries } from "./select_tries.ts";
import { drillStopped, runSessionChecks, type SeenSession } from "./session_check.ts";
import { sessionChecks } from "./session_checks.ts";
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
import { audienceInjection, sessionFixation } from "./variants/login_variants.ts";
import { type DrilledLab, newUser, type WatchedLab, watchLab } from "./watch_lab.ts";

// What else a drill runs loads with it.
export { claimRequests, endDrill } from "./drill_traces.ts";
export { addApplication, gradeApplication } from "./grade_application.ts";
export { findClientSince } from "./known_application.ts";
export { markFindings } from "./drill_traces.ts";
export { prepareLogin } from "./prepare_login.ts";
export { selectTries } from "./select_tries.ts";
export { loginVariantsFor, mcpVariantsFor } from "./variants/variants.ts";

interface DrillOptions extends DrillTries, Pick<SeenSession, "wait"> {
  visited: PreparedApplication | undefined;
  mark(findings: readonly Finding[]): Finding[];
  /** Called before the first variant and after each one, with the result so far. */
  onProgress: (result: DrillResult) => void;
  /** Whether to stop before the next check or variant. */
  isStopped: () => boolean;
}

/** What a drill has found out before the first variant, and what each variant needs. */
interface DrillRun {
  lab: DrilledLab;
  controls: ReturnType<typeof createControls>;
  login: DrilledLogin;
  visited: PreparedApplication | undefined;
  logins: Array<readonly Exchange[]>;
  watch(): ReturnType<typeof watchLab>;
  /** Whether the application verifies signatures. */
  verifies: boolean;
  /** Whether its pages show what userinfo says of the user who signs in, or of a new one alone. */
  showsUserinfo: "always" | "of a new user" | false;
  /** Whether the last login got no response at all. */
  isGone?: boolean;
}

/** What a login showed under a variant. */
type VariantAttempt = DrillAttempt & Pick<DrillOutcome, "outcome" | "reason" | "flow">;

/**
 * Runs the login of an application once under each variant. The login resolves if the user is
 * signed in; it rejects, or resolves to false, if not.
 */
export async function runDrill(
  lab: DrilledLab,
  login: DrilledLogin,
  { variants, checks: chosen, loginChecks, isWhole, visited, mark, onProgress, ...control }:
    DrillOptions,
): Promise<DrillResult> {
  const first = await checkLogin(lab, login);
  onProgress(noResult);
  const logins = [first];
  const watch = () => watchLab(lab, takesPart(lab, first));
  const application = visited?.application();
  const isRefreshable = application?.secondRefresh === undefined;
  const asked = isRefreshable
    ? chosen
    : sessionChecks.filter((each) => each.id === "second_refresh" || chosen.includes(each));
  const client = clientOf(lab, first);
  const controls = createControls();
  const learnt = { verifies: false, showsUserinfo: false } as const;
  const run: DrillRun = { lab, login, visited, logins, watch, controls, ...learnt };
  run.verifies = variants.some(isAboutSignatures) && await verifiesSignatures(run);
  const isShown = variants.some(({ shows }) => shows !== undefined);
  run.showsUserinfo = visited !== undefined && isShown && await whereUserinfoShows(run, visited);
  const checks = visited
    ? await runSessionChecks(lab, visited, {
      ...control,
      checks: asked,
      client,
      control: () => controlOf(run, {}),
    })
    : [];
  const outcomes: DrillOutcome[] = [];
  const flowOf = (id: number) => flowOfExchange(lab, id);
  const seen = { outcomes, checks, logins, flowOf, loginChecks, application, client, mark };
  const shown = (isComplete: boolean) =>
    sumUpDrill({ ...seen, pages: visited?.pages, isGraded: isWhole && isComplete });
  if (checks.length > 0) onProgress(shown(false));
  // After the session checks, the first login is no control of the first variant.
  if (checks.length > 0 && variants.length > 0) await controlOf(run, {});
  else controls.note(undefined, { flow: flowOf(first.at(-1)?.id ?? 0) ?? "the first flow" });
  for (const [at, variant] of variants.entries()) {
    if (control.isStopped()) throw new LabError(drillStopped);
    if (!isRefreshable && refreshesTwice(variant)) {
      const reason = "A second refresh fails even without a fault.";
      outcomes.push({ ...variant, outcome: "unmet", reason });
    } else {
      outcomes.push(await meet(run, variant, outcomes.at(-1)?.fault));
    }
    for (const index of controls.takeVoid(at, outcomes[at]?.control)) {
      outcomes[index] = await meet(run, variants[index]!, variant.fault);
    }
    onProgress(shown(false));
  }
  return shown(true);
}

function flowOfExchange(lab: WatchedLab, id: number): string | undefined {
  return lab.flows().find(({ steps }) => steps.some(({ exchange }) => exchange === id))?.id;
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

/** Runs the login under one variant, after the fault of another one, as often as that takes. */
async function meet(
  run: DrillRun,
  variant: DrillVariant,
  last: DrillVariant["fault"] | undefined,
): Promise<DrillOutcome> {
  const { seen, reason, state, control } = await conclude({
    attempt: async () => toAttempt(variant, await takeSteps(run, variant, last)),
    control: () => controlOf(run, variant),
    recent: () => run.controls.recent(variant.after),
  });
  const { flow, outcome } = seen;
  if (state === "not tested") return { ...variant, outcome: "unmet", reason, flow };
  return { ...variant, outcome, reason: seen.reason, flow, ...control && { control } };
}

/** Runs the login without a fault, with what a variant has after it. Returns its flow. */
async function controlOf(
  run: DrillRun,
  { after, fault }: LoginVariant,
): Promise<string | undefined> {
  const { observed, flow } = await takeSteps(run, { ...after && { after } }, fault);
  if (observed.succeeded) return flow;
  run.controls.fail();
  return undefined;
}

/** What a login did, and what the lab saw of it. */
interface TakenSteps extends LoginAttempt {
  observed: ObservedLogin;
  flow: string;
  /** Whether the application failed, or did not respond, at some moment. */
  isDisturbed: boolean;
}

/** Runs the login once, under a variant or without a fault. */
async function takeSteps(
  run: DrillRun,
  variant: LoginVariant,
  last: DrillVariant["fault"] | undefined,
): Promise<TakenSteps> {
  const { lab, visited, controls, showsUserinfo, verifies } = run;
  const isNew = variant.shows !== undefined && showsUserinfo === "of a new user";
  const user = isNew ? newUser(lab.context) : undefined;
  visited?.pages.begin();
  const watch = run.watch();
  const { fault: name, times } = variant;
  const fault = name && lab.fault(name, times === undefined ? {} : { times });
  try {
    const attempt = await attemptUnder(run, variant, user);
    checkResponds(run, attempt, { isIdle: watch.exchanges().length === 0, last });
    const isOver = variant.after === "backchannel_logout";
    if (isOver) await endSessions(lab.context, watch.sids());
    const succeeded = attempt.succeeded && (!isOver || name !== undefined || watch.isDelivered());
    const observed: ObservedLogin = {
      ...watch.observed(),
      succeeded,
      visited: visited !== undefined,
      fired: fault?.fired ?? 0,
      verifies,
      shown: visited && shownBy(lab, visited, { user, ofUserinfo: showsUserinfo !== false }),
    };
    // For a logout token, keys are fetched without a login.
    if (!isOver) run.logins.push(watch.exchanges());
    await lab.context.background.idle();
    const flow = watch.newFlow() ?? "an earlier flow";
    const isDisturbed = visited?.pages.isDisturbed() ?? false;
    controls.note(variant.after, { flow: succeeded ? flow : undefined, isDisturbed });
    return { ...attempt, observed, flow, isDisturbed };
  } finally {
    watch.end();
    if (fault) lab.faults.remove(fault.id);
  }
}

/** Describes what a login showed under a variant. */
function toAttempt(
  variant: DrillVariant,
  { observed, flow, isDisturbed, cause, ...failed }: TakenSteps,
): VariantAttempt {
  const outcome = outcomeOf(variant, observed);
  const reason = firstParagraph(failed.reason);
  // The login fails at the other server in any case.
  const isForeign = outcome === "unmet" && variant.fault === audienceInjection;
  const endless = endlessReason(variant, observed);
  const reasons = [
    outcome === "unmet" && unmetReason(variant, observed),
    endless,
    !isForeign && (describeEnd(outcome, reason) ?? logoutReason(observed)),
  ];
  const seen = { outcome, flow, reason: reasons.filter(Boolean).join(" ") || undefined };
  const isRefusal = outcome === "refused" || outcome === "wrongly_refused";
  const hasFailed = !observed.succeeded || variant.after === "backchannel_logout";
  const byFailure = isRefusal && hasFailed && endless === undefined;
  const isLate = byFailure && noResponseIn(cause) !== undefined;
  if (outcome === "unmet" || isLate) {
    const isUnsure = isLate || observed.fired === 0 && !observed.succeeded;
    return { ...seen, shows: "nothing", skipped: seen.reason, isUnsure };
  }
  const isWrong = outcome === "wrongly_refused" || outcome === "accepted";
  const isFinding = isWrong && variant.class !== "note" && variant.class !== undefined;
  const isUnsure = byFailure && isDisturbed;
  return { ...seen, shows: isFinding ? "wrong" : "right", byFailure, isUnsure };
}

/** Once it responds to nothing, all that follows would count as not met, and the drill as complete. */
function checkResponds(
  run: DrillRun,
  { cause, reason }: LoginAttempt,
  { isIdle, last }: { isIdle: boolean; last: DrillVariant["fault"] | undefined },
): void {
  const isGone = isIdle && noResponseIn(cause) instanceof UnreachableError;
  if (isGone && run.isGone) throw applicationEnded(reason, last);
  run.isGone = isGone;
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
async function whereUserinfoShows(
  { lab, login }: DrillRun,
  { pages }: PreparedApplication,
): Promise<DrillRun["showsUserinfo"]> {
  const isShown = async (user?: UserConfig) => {
    pages.begin();
    const fault = lab.fault("userinfo.changed", { merge: wrongUser });
    await attemptLogin(() => login({}, user)).finally(() => lab.faults.remove(fault.id));
    return pages.shows(Object.values(wrongUser));
  };
  if (await isShown() || pages.isDisturbed() && await isShown()) return "always";
  // An account keeps the name that it began with.
  return await isShown(newUser(lab.context)) && "of a new user";
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

/** Returns how an application rejected a logout token, which no login shows. */
function logoutReason(
  { logoutStatuses }: ObservedLogin,
): string | undefined {
  const status = logoutStatuses.find((each) => each >= 300);
  if (status === undefined) return undefined;
  return `The application responded to the logout token with status ${status}.`;
}

async function attemptUnder(
  { login, visited }: DrillRun,
  variant: LoginVariant,
  user: UserConfig | undefined,
): Promise<LoginAttempt> {
  const attempt = () => attemptLogin(() => login(variant, user));
  // The attacker's own login, which the attacker does not complete.
  if (variant.fault === sessionFixation) await attempt();
  // The lab tries again in the same browser; a test has its function for that.
  if (variant.recovers && !visited) await attempt();
  return await attempt();
}

/**
 * Asks the application whether it verifies signatures: to accept a key that it has never seen, it
 * has to fetch the key set. Who else fetched it, and when, shows nothing.
 */
async function verifiesSignatures(run: DrillRun): Promise<boolean> {
  const attempt = () => attemptNewKey(run);
  return (await conclude({ attempt, control: () => controlOf(run, {}) })).state === "passed";
}

/** Signs in with an ID token of a new key. A failure is about the key only if the usual one works. */
async function attemptNewKey(
  { lab, login, visited, watch: begin }: DrillRun,
): Promise<DrillAttempt> {
  // An application fetches keys for the logout token of an earlier login as well.
  await lab.context.background.idle();
  visited?.pages.begin();
  const watch = begin();
  const fault = lab.fault("jwks.new_key");
  const { succeeded, cause } = await attemptLogin(() => login({})).finally(() => {
    watch.end();
    lab.faults.remove(fault.id);
  });
  const exchanges = watch.exchanges();
  const signed = exchanges.find(({ faults }) => faults.includes("jwks.new_key"))?.id ?? Infinity;
  if (exchanges.some(({ id, request }) => id > signed && request.endpoint === "jwks")) {
    return { shows: "right" };
  }
  const isLate = noResponseIn(cause) !== undefined;
  if (fault.fired === 0 || succeeded || isLate) return { shows: "nothing", isUnsure: isLate };
  return { shows: "right", byFailure: true, isUnsure: visited?.pages.isDisturbed() };
}

function isAboutSignatures({ needsKeys = false, expectation }: DrillVariant): boolean {
  return needsKeys && expectation === "refuse";
}

/**
 * Checks that the login works at all: one that always fails would reject every variant. Returns its
 * requests.
 */
async function checkLogin(lab: WatchedLab, login: DrilledLogin): Promise<readonly Exchange[]> {
  // For the logout token of an earlier login, an application fetches keys as well.
  await lab.context.background.idle();
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
  const flow = first && flowOfExchange(lab, first.request) || watch.newFlow();
  const hasEnded = watch.exchanges().some((each) => endOfToken(each) <= lab.context.now());
  const advice = [hasEnded && tokenEnded, flow && `Its flow is ${flow}.`].filter(Boolean);
  throw new FailedLogin([message, ...advice].join(" "), { field, request: first?.request });
}

const tokenEnded = "Its access token had expired by then: let it last longer " +
  "(lifetimes.accessToken), leave the clock alone, and drill again.";

/** Returns when the access token of a response expires, in milliseconds. */
function endOfToken({ began, response }: Exchange): number {
  const { access_token, expires_in } = response && jsonOf(response) || {};
  return access_token === undefined ? Infinity : began + Number(expires_in ?? Infinity) * 1000;
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
