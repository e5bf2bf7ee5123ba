import type { ClientConfig } from "../../../server/features.ts";
import type { Finding } from "../../findings/finding.ts";
import type { SeenFact } from "../../findings/grade.ts";
import { type Exchange, jsonOf } from "../../recording/exchange.ts";
import { LabError } from "../../util/lab_error.ts";
import { createControls } from "../verdicts/controls.ts";
import { type DrillResult, FailedLogin, noResult } from "./drill_result.ts";
import { type DrillSteps, signInOnce } from "./login_steps.ts";
import type { DrilledLogin, PreparedApplication } from "./prepare_login.ts";
import { attemptLogin, type DrillRun, rowLoginOf, showsUser, signInPlainly } from "./run_steps.ts";
import type { DrillTries } from "./select_tries.ts";
import {
  drillStopped,
  type ReadCheck,
  runSessionChecks,
  type SeenSession,
} from "./session_check.ts";
import { sessionChecks } from "./session_checks.ts";
import { sumUpDrill } from "./sum_up_drill.ts";
import { describeOutcome, type DrillOutcome } from "./variants/drill_outcome.ts";
import type { DrillRow } from "./variants/rows.ts";
import { type DrilledLab, type WatchedLab, watchLab } from "./watch_lab.ts";

// What else a drill runs loads with it.
export { claimRequests, endDrill } from "./drill_traces.ts";
export { addApplication, gradeApplication } from "./grade_application.ts";
export { findClientSince } from "./known_application.ts";
export { markFindings } from "./drill_traces.ts";
export { createPlaywrightBrowser } from "./browser/playwright_browser.ts";
export { prepareLogin } from "./prepare_login.ts";
export { selectTries } from "./select_tries.ts";
export { loginVariantsFor, mcpVariantsFor } from "./variants/variants.ts";

interface DrillOptions extends DrillTries, Pick<SeenSession, "wait"> {
  /** What is known of the application and its provider before the drill. */
  known: readonly SeenFact[];
  visited: PreparedApplication | undefined;
  mark(findings: readonly Finding[]): Finding[];
  /** Called before the first variant and after each one, with the result so far. */
  onProgress: (result: DrillResult) => void;
  /** Whether to stop before the next check or variant. */
  isStopped: () => boolean;
}

/**
 * Runs the login of an application once under each variant. The login resolves if the user is
 * signed in; it rejects, or resolves to false, if not.
 */
export async function runDrill(
  lab: DrilledLab,
  login: DrilledLogin,
  {
    variants,
    checks: chosen,
    loginChecks,
    isWhole,
    visited,
    known,
    mark,
    onProgress,
    ...control
  }: DrillOptions,
): Promise<DrillResult> {
  const first = await checkLogin(lab, login);
  onProgress(noResult);
  const logins = [first];
  const watch = () => watchLab(lab, takesPart(lab, first));
  const application = visited?.application();
  const client = clientOf(lab, first);
  const controls = createControls<DrillSteps>();
  const facts = new Map();
  const run: DrillRun = { lab, login, visited, logins, watch, controls, facts };
  run.showsUser = visited && showsUser(run, visited);
  // What refreshes twice would be blamed on a fault.
  const asked = application?.secondRefresh === undefined
    ? chosen
    : sessionChecks.filter((each) => each.id === "second_refresh" || chosen.includes(each));
  const checks = visited
    ? await runSessionChecks(lab, visited, {
      ...control,
      checks: asked,
      client,
      control: () => signInPlainly(run),
    })
    : chosen.map((check): ReadCheck => ({ check, reading: { skipped: needsUrl }, where: {} }));
  const outcomes: DrillOutcome[] = [];
  const flowOf = (id: number) => flowOfExchange(lab, id);
  const seen = { outcomes, checks, logins, flowOf, loginChecks, application, client, known, mark };
  const shown = (isComplete: boolean) =>
    sumUpDrill({ ...seen, pages: visited?.pages, isGraded: isWhole && isComplete });
  if (checks.length > 0) onProgress(shown(false));
  // After checks of the session, the first login is no control of the first variant.
  if (visited && checks.length > 0 && variants.length > 0) await signInPlainly(run);
  else controls.succeed(signInOnce, flowOf(first.at(-1)?.id ?? 0) ?? "the first flow");
  const meet = async (variant: DrillRow) =>
    describeOutcome(variant, await variant.run(rowLoginOf(run)));
  for (const [at, variant] of variants.entries()) {
    if (control.isStopped()) throw new LabError(drillStopped);
    outcomes.push(await meet(variant));
    run.last = variant.fault;
    for (const index of controls.takeVoid(at, outcomes[at]?.control)) {
      outcomes[index] = await meet(variants[index]!);
    }
    onProgress(shown(false));
  }
  return shown(true);
}

const needsUrl = "It needs a URL: lab.drill({ start: URL }) looks at pages, cookies and users.";

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
