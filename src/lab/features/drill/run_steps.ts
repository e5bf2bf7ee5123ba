import type { UserConfig } from "../../../server/config/user_config.ts";
import { messageOf } from "../../../server/util/text/error_message.ts";
import { readJwt } from "../../recording/credentials.ts";
import { type Exchange, jsonOf } from "../../recording/exchange.ts";
import { LabError } from "../../util/lab_error.ts";
import { wrongUser } from "../faults/jwt_forgery.ts";
import { conclude, type DrillAttempt } from "../verdicts/conclude.ts";
import type { createControls } from "../verdicts/controls.ts";
import { firstParagraph } from "./drill_result.ts";
import { endSessions } from "./drill_traces.ts";
import { type DrillSteps, signInOnce } from "./login_steps.ts";
import { noResponseIn, UnreachableError } from "./no_response.ts";
import type { DrilledLogin, PreparedApplication } from "./prepare_login.ts";
import type { DrillRow, LearntFact, RowLogin, TriedFault } from "./variants/drill_variant.ts";
import type { ObservedLogin, ShownUser } from "./variants/readers.ts";
import { type DrilledLab, UserLimitError, type watchLab } from "./watch_lab.ts";

/** What a drill knows of an application, and what each row needs. */
export interface DrillRun {
  lab: DrilledLab;
  login: DrilledLogin;
  visited: PreparedApplication | undefined;
  /** What each login sent and got. */
  logins: Array<readonly Exchange[]>;
  watch(): ReturnType<typeof watchLab>;
  controls: ReturnType<typeof createControls<DrillSteps>>;
  facts: Map<LearntFact, unknown>;
  /** Whether the pages show who is signed in. */
  showsUser?: boolean | undefined;
  /** The fault of the row before. */
  last?: DrillRow["fault"] | undefined;
  /** Whether the last login got no response at all. */
  isGone?: boolean;
}

/** Returns the login of an application, for a row. */
export function rowLoginOf(run: DrillRun): RowLogin {
  return {
    take: (steps, under) => takeSteps(run, steps, under),
    recent: run.controls.recent,
    async learn(fact) {
      if (!run.facts.has(fact)) run.facts.set(fact, await learners[fact](run));
    },
  };
}

/** Signs in without a fault. Returns the flow, if the user is signed in then. */
export async function signInPlainly(run: DrillRun): Promise<string | undefined> {
  const { succeeded, flow } = await takeSteps(run, signInOnce);
  return succeeded ? flow : undefined;
}

/** Takes some steps, under a fault or none. */
async function takeSteps(
  run: DrillRun,
  steps: DrillSteps,
  under: Partial<TriedFault> = {},
): Promise<ObservedLogin> {
  const { lab, visited, facts, controls } = run;
  const { fault: name, learns, times, claims } = under;
  const isNew = learns === "showsUserinfo" && facts.get(learns) === "of a new user";
  let user: UserConfig | undefined;
  visited?.pages.begin();
  const watch = run.watch();
  const settings = { ...times !== undefined && { times }, ...claims && { claims } };
  const fault = name && lab.fault(name, settings);
  try {
    const attempt = name === undefined && await visited?.isOpen()
      ? { succeeded: false, reason: "The page opens without a login." }
      : await attemptSteps(run, steps, () => user = isNew ? visited?.makeUser() : undefined);
    checkResponds(run, attempt, watch.exchanges().length === 0);
    const isOver = steps.after === "backchannel_logout";
    if (isOver) await endSessions(lab.context, watch.sids());
    const exchanges = watch.exchanges();
    // For a logout token, keys are fetched without a login.
    if (!isOver) run.logins.push(exchanges);
    await lab.context.background.idle();
    const { succeeded, reason, cause } = attempt;
    const flow = watch.newFlow() ?? "an earlier flow";
    const isDone = succeeded && (!isOver || name !== undefined || watch.isDelivered());
    const isDisturbed = visited?.pages.isDisturbed() ?? false;
    if (isDisturbed) controls.disturb();
    if (isDone) controls.succeed(steps, flow);
    else if (name === undefined) controls.fail();
    else controls.refuse();
    return {
      ...watch.observed(),
      succeeded: isDone,
      reason: firstParagraph(reason),
      isLate: noResponseIn(cause) !== undefined,
      isDisturbed,
      lacksUsers: cause instanceof UserLimitError,
      visited: visited !== undefined,
      fired: fault?.fired ?? 0,
      idTokenBytes: exchanges.flatMap(idTokenIn).at(-1)?.length ?? 0,
      verifies: facts.get("verifies") === true,
      shown: visited && shownBy(run, visited, { user, forged: forgedIn(exchanges, name) }),
      flow,
    };
  } finally {
    watch.end();
    if (fault) lab.faults.remove(fault.id);
  }
}

export interface LoginAttempt {
  succeeded: boolean;
  reason?: string | undefined;
  /** The URL that is at fault, by its name in the drill. */
  field?: string | undefined;
  cause?: unknown;
}

export async function attemptLogin(login: () => Promise<unknown>): Promise<LoginAttempt> {
  try {
    if (await login() !== false) return { succeeded: true };
    return { succeeded: false, reason: "The login resolved to false." };
  } catch (cause) {
    const field = cause instanceof LabError ? cause.field : undefined;
    return { succeeded: false, reason: messageOf(cause), field, cause };
  }
}

async function attemptSteps(
  { login, visited }: DrillRun,
  steps: DrillSteps,
  makeUser: () => UserConfig | undefined = () => undefined,
): Promise<LoginAttempt> {
  // The lab takes them in the right browsers; a test has its function for that.
  const times = visited ? 1 : steps.times ?? 1;
  for (let earlier = 1; earlier < times; earlier++) await attemptLogin(login);
  return await attemptLogin(() => login(steps, makeUser()));
}

/** Once it responds to nothing, all that follows would count as not met, and the drill as complete. */
function checkResponds(
  run: DrillRun,
  { cause, reason = "" }: LoginAttempt,
  isIdle: boolean,
): void {
  const isGone = isIdle && noResponseIn(cause) instanceof UnreachableError;
  if (isGone && run.isGone) {
    const since = run.last === undefined ? "after its first login" : `after ${run.last}`;
    const advice = "Find out whether that ended it, start it, and drill again.";
    throw new LabError(`The application stopped responding ${since}: ${reason} ${advice}`);
  }
  run.isGone = isGone;
}

function shownBy(
  run: DrillRun,
  visited: PreparedApplication,
  { user, forged }: { user: UserConfig | undefined; forged: readonly unknown[] },
): ShownUser {
  return {
    wrong: visited.pages.shows(Object.values(wrongUser)),
    right: showsUser(run, visited, user),
    forged: visited.pages.shows(forged),
    usually: run.showsUser ?? false,
    ofUserinfo: Boolean(run.facts.get("showsUserinfo")),
  };
}

/** Whether a page of the last login shows its user: the usual one, unless another one signed in. */
export function showsUser(
  { lab: { users } }: DrillRun,
  { pages, application }: PreparedApplication,
  user = users.list().find(({ name }) => name === application().user),
): boolean {
  return pages.shows([user?.claims?.name, user?.claims?.email]);
}

/** Returns the claims that only the ID token has which a fault changed. */
function forgedIn(exchanges: readonly Exchange[], fault: string | undefined): unknown[] {
  const valuesOf = (exchange: Exchange) =>
    idTokenIn(exchange).flatMap((token) => Object.values(readJwt(token)?.claims ?? {}).flat());
  const isForged = ({ faults }: Exchange) => faults.some((each) => each === fault);
  const usual = exchanges.filter((each) => !isForged(each)).flatMap(valuesOf);
  return exchanges.filter(isForged).flatMap(valuesOf).filter((each) => !usual.includes(each));
}

function idTokenIn({ response }: Exchange): string[] {
  const { id_token } = response && jsonOf(response) || {};
  return typeof id_token === "string" ? [id_token] : [];
}

const learners: Readonly<Record<LearntFact, (run: DrillRun) => Promise<unknown>>> = {
  verifies: verifiesSignatures,
  showsUserinfo: whereUserinfoShows,
};

/**
 * Changes what userinfo says, and looks whether a page shows it: of the user who signs in, or of a
 * new one alone.
 */
async function whereUserinfoShows(
  run: DrillRun,
): Promise<"always" | "of a new user" | false> {
  const { lab, visited } = run;
  if (!visited) return false;
  const { pages, makeUser } = visited;
  const isShown = async (makeUser?: () => UserConfig) => {
    pages.begin();
    const fault = lab.fault("userinfo.changed", { merge: wrongUser });
    await attemptSteps(run, signInOnce, makeUser).finally(() => lab.faults.remove(fault.id));
    return pages.shows(Object.values(wrongUser));
  };
  if (await isShown() || pages.isDisturbed() && await isShown()) return "always";
  // An account keeps the name that it began with.
  return await isShown(() => makeUser()) && "of a new user";
}

/**
 * Asks the application whether it verifies signatures: to accept a key that it has never seen, it
 * has to fetch the key set. Who else fetched it, and when, shows nothing.
 */
async function verifiesSignatures(run: DrillRun): Promise<boolean> {
  const attempt = () => attemptNewKey(run);
  return (await conclude({ attempt, control: () => signInPlainly(run) })).state === "passed";
}

/** Signs in with an ID token of a new key. A failure is about the key only if the usual one works. */
async function attemptNewKey(run: DrillRun): Promise<DrillAttempt> {
  const { lab, visited } = run;
  // An application fetches keys for the logout token of an earlier login as well.
  await lab.context.background.idle();
  visited?.pages.begin();
  const watch = run.watch();
  const fault = lab.fault("jwks.new_key");
  const { succeeded, cause } = await attemptSteps(run, signInOnce).finally(() => {
    watch.end();
    lab.faults.remove(fault.id);
  });
  if (fetchesKeysIn(watch.exchanges())) return { shows: "right" };
  const isLate = noResponseIn(cause) !== undefined;
  if (fault.fired === 0 || succeeded || isLate) return { shows: "nothing", isUnsure: isLate };
  return { shows: "right", byFailure: true, isUnsure: visited?.pages.isDisturbed() };
}

/** Whether the key set was fetched after an ID token that has a new key. */
export function fetchesKeysIn(exchanges: readonly Exchange[]): boolean {
  const signed = exchanges.findIndex(({ faults }) => faults.includes("jwks.new_key"));
  return signed >= 0 &&
    exchanges.slice(signed + 1).some(({ request }) => request.endpoint === "jwks");
}
